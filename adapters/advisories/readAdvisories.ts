import { createHash } from "node:crypto"
import { open, readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import type { AdvisoryData } from "../../application/ports/analysis/DetectionEngine.ts"
import type { Advisory } from "../../domain/detection/dependencies/advisories/Advisory.ts"
import { readOsv } from "../../domain/detection/dependencies/advisories/osv.ts"

/** Limits of an advisory directory. The RustSec database has 1,100 entries, GitHub's for npm 5,000. */
export interface AdvisoryLimits {
  readonly files: number
  /** Bytes of one file; larger ones are skipped. */
  readonly fileBytes: number
  readonly totalBytes: number
  /** Maximum depth of folders. */
  readonly depth: number
}

export const advisoryLimits: AdvisoryLimits = {
  files: 50_000,
  fileBytes: 1_000_000,
  totalBytes: 500_000_000,
  depth: 8,
}

/** The advisories in a directory, and what could not be read, described for the administrator. */
export interface AdvisoryReading extends AdvisoryData {
  readonly problems: ReadonlyArray<string>
}

interface Listed {
  readonly path: string
  readonly size: number
  readonly modified: number
}

/** The directory cannot be used; `message` says what to do. */
export class AdvisoriesUnreadable extends Error {
  override readonly name = "AdvisoriesUnreadable"
}

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "error")

/** Files that end in `.json`, sorted; links are not followed. */
const list = async (
  root: string,
  limits: AdvisoryLimits,
): Promise<{ readonly files: ReadonlyArray<Listed>; readonly problems: ReadonlyArray<string> }> => {
  const files: Array<Listed> = []
  const problems: Array<string> = []
  const folders: Array<{ path: string; depth: number }> = [{ path: root, depth: 0 }]
  for (const { path, depth } of folders) {
    let entries
    try {
      entries = await readdir(path, { withFileTypes: true })
    } catch (error) {
      if (path !== root) {
        problems.push(`${path} cannot be read (${codeOf(error)})`)
        continue
      }
      const what =
        codeOf(error) === "ENOENT"
          ? "does not exist"
          : codeOf(error) === "ENOTDIR"
            ? "is not a directory"
            : `cannot be read (${codeOf(error)})`
      throw new AdvisoriesUnreadable(
        `${root} ${what}. Set it to a directory of advisories in the OSV format, or unset it.`,
      )
    }
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const inside = join(path, entry.name)
      if (entry.isDirectory() && entry.name !== ".git") {
        if (depth + 1 < limits.depth) folders.push({ path: inside, depth: depth + 1 })
        else problems.push(`${inside} is deeper than ${limits.depth} folders`)
      } else if (entry.isFile() && entry.name.endsWith(".json")) {
        if (files.length >= limits.files) {
          problems.push(`only the first ${limits.files} files are read`)
          return { files, problems }
        }
        try {
          const { size, mtimeMs } = await stat(inside)
          files.push({ path: inside, size, modified: mtimeMs })
        } catch {
          // Removed since it was listed.
        }
      }
    }
  }
  return { files, problems }
}

const versionOf = (files: ReadonlyArray<Listed>): string => {
  const hash = createHash("sha256")
  for (const { path, size, modified } of files) hash.update(`${path}\0${size}\0${modified}\0`)
  return hash.digest("hex").slice(0, 16)
}

/** Never more than the listed size, in case the file grows in the meantime. */
const readWhole = async ({ path, size }: Listed): Promise<string> => {
  const file = await open(path, "r")
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0)
    return buffer.toString("utf8", 0, bytesRead)
  } finally {
    await file.close()
  }
}

/** One entry, or a list of entries as some exports have it. */
const entriesIn = (json: unknown): ReadonlyArray<unknown> => (Array.isArray(json) ? json : [json])

const isOsv = (entry: unknown): boolean =>
  typeof entry === "object" && entry !== null && "id" in entry && "affected" in entry

/**
 * Reads the advisories below a directory, or returns `known` if no file has changed. Unreadable files are listed among
 * the problems and affect only themselves.
 */
export const readAdvisories = async (
  directory: string,
  known: AdvisoryReading | undefined,
  limits: AdvisoryLimits = advisoryLimits,
): Promise<AdvisoryReading> => {
  const { files, problems } = await list(directory, limits)
  const version = versionOf(files)
  if (known?.version === version) return known
  const found: Array<string> = [...problems]
  const advisories: Array<Advisory> = []
  let total = 0
  for (const listed of files) {
    if (listed.size > limits.fileBytes) {
      found.push(`${listed.path} is larger than ${limits.fileBytes / 1_000_000} MB`)
      continue
    }
    total += listed.size
    if (total > limits.totalBytes) {
      found.push(`the files beyond ${limits.totalBytes / 1_000_000} MB are not read, from ${listed.path} on`)
      break
    }
    try {
      const entries = entriesIn(JSON.parse(await readWhole(listed)))
      if (!entries.some(isOsv)) found.push(`${listed.path} does not contain an OSV entry`)
      advisories.push(...entries.flatMap((entry) => readOsv(entry) ?? []))
    } catch (error) {
      found.push(`${listed.path} cannot be read (${error instanceof SyntaxError ? "not JSON" : codeOf(error)})`)
    }
  }
  return { version, advisories, problems: found }
}
