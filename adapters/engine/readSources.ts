import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync } from "node:fs"
import { dirname, isAbsolute, join, sep } from "node:path"
import { type SourceFile, sourceFile } from "../../domain/detection/SourceFile.ts"
import type { ReadResult, Sources } from "../../domain/detection/Sources.ts"

/** Old sources contain Latin-1 in their comments: bytes that are not UTF-8 become U+FFFD. Drops a byte order mark. */
const decoder = new TextDecoder("utf-8")

const megabytes = (bytes: number): string => `${Number((bytes / 1_000_000).toPrecision(2))} MB`

/** Never waits on a pipe, and never follows a link in the last segment. */
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

const readWhole = (path: string, maxBytes: number): ReadResult => {
  const descriptor = openSync(path, flags)
  try {
    const stat = fstatSync(descriptor)
    if (!stat.isFile()) return { reason: "is not a regular file" }
    if (stat.size > maxBytes) {
      return { reason: `has ${megabytes(stat.size)}; files over ${megabytes(maxBytes)} are not analyzed` }
    }
    const bytes = Buffer.alloc(stat.size)
    let length = 0
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = readSync(descriptor, bytes, length, bytes.length - length, null)
    }
    const content = bytes.subarray(0, length)
    if (content.includes(0)) return { reason: "is not a text file" }
    return { text: decoder.decode(content) }
  } finally {
    closeSync(descriptor)
  }
}

/**
 * The files of a directory, read one at a time; nothing outside the directory can be reached through a link. `fileOf`
 * may return the file of an earlier analysis.
 */
export const directorySources = (
  directory: string,
  paths: ReadonlyArray<string>,
  maxFileBytes: number,
  onRead: (characters: number) => void,
  fileOf: (path: string, text: string) => SourceFile = sourceFile,
): Sources => {
  const root = realpathSync(directory)
  const inside = new Map([[root, true]])

  /** A link is looked up; resolving every folder from the top takes quadratic time where they are a thousand deep. */
  const leadsInside = (folder: string): boolean => {
    if (!lstatSync(folder).isSymbolicLink()) return isInside(dirname(folder))
    const real = realpathSync.native(folder)
    return real === root || real.startsWith(root.endsWith(sep) ? root : root + sep)
  }

  const isInside = (folder: string): boolean => {
    const known = inside.get(folder)
    if (known !== undefined) return known
    const answer = leadsInside(folder)
    inside.set(folder, answer)
    return answer
  }

  const read = (path: string): ReadResult => {
    const absolute = join(root, path)
    try {
      if (isAbsolute(path) || path.split("/").includes("..") || !isInside(dirname(absolute))) {
        return { reason: "is outside the repository" }
      }
      const result = readWhole(absolute, maxFileBytes)
      if (!("text" in result)) return result
      onRead(result.text.length)
      return fileOf(path, result.text)
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error"
      return { reason: code === "ELOOP" ? "is a symbolic link" : `could not be read (${code})` }
    }
  }

  return { paths, read }
}

/** Sources of which some files have other texts. */
export const withChanges = (sources: Sources, changed: ReadonlyMap<string, string> = new Map()): Sources => ({
  paths: sources.paths,
  read: (path) => {
    const text = changed.get(path)
    return text === undefined ? sources.read(path) : sourceFile(path, text)
  },
})
