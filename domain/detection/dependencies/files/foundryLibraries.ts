import type { Project } from "../../FrontEnd.ts"
import { folderOf, nameOf } from "../../ProjectFiles.ts"
import type { SourceFile, Span } from "../../SourceFile.ts"
import { entriesAt, readJson, textOf } from "./json.ts"
import { readPackageJson } from "./packageJson.ts"
import { parseSemVer } from "../advisories/SemVer.ts"
import { withoutTrailingSlashes } from "../../../network/withoutTrailingSlashes.ts"

/** A library included as a git submodule, with its version or commit as far as they can be determined. */
export interface Library {
  /** Its folder, relative to the repository. */
  readonly path: string
  /** The package under which its releases are published. */
  readonly name: string
  readonly version: string | undefined
  readonly commit: string | undefined
  readonly file: SourceFile
  readonly span: Span
}

/** Repositories whose packages have a name of their own. */
const packages: Record<string, string> = {
  "openzeppelin-contracts": "@openzeppelin/contracts",
  "openzeppelin-contracts-upgradeable": "@openzeppelin/contracts-upgradeable",
  "openzeppelin-solidity": "@openzeppelin/contracts",
}

/** The package under which a repository or folder of this name is published. */
export const publishedName = (candidate: string): string => {
  const key = candidate.toLowerCase().replace(/\.git$/, "")
  return Object.hasOwn(packages, key) ? packages[key]! : key
}

interface Submodule {
  path?: string
  url?: string
  branch?: string
  /** The line that says most about the version. */
  span: Span
}

/** `[submodule "…"]` sections: https://git-scm.com/docs/gitmodules */
const submodulesIn = ({ text }: SourceFile): ReadonlyArray<Submodule> => {
  const all: Array<Submodule> = []
  for (let start = 0; start < text.length;) {
    const lineBreak = text.indexOf("\n", start)
    const end = lineBreak === -1 ? text.length : lineBreak
    const line =
      end - start > 500
        ? ""
        : text
            .slice(start, end)
            .replace(/\s[#;]\s[^]*$/, "")
            .trimEnd()
    const span = { start: start + (line.length - line.trimStart().length), end: start + line.length }
    if (/^\s*\[/.test(line)) {
      if (/^\s*\[submodule\s/.test(line)) all.push({ span })
    } else {
      const [, key, value] = /^\s*(path|url|branch)\s*=\s*(\S.*)$/.exec(line) ?? []
      const current = all.at(-1)
      if (current !== undefined && value !== undefined) {
        if (key === "path") current.path = withoutTrailingSlashes(value)
        if (key === "url") current.url = value
        if (key === "branch") current.branch = value
        if (key === "branch" || (key === "path" && current.branch === undefined)) current.span = span
      }
    }
    start = end + 1
  }
  return all
}

interface Pin {
  readonly version: string | undefined
  readonly commit: string | undefined
  readonly span: Span
}

/** Foundry's own record: `{"lib/x": {"tag": {"name": "v1.0.0", "rev": "…"}}}`, or `rev` alone, or a branch with one. */
const pinsIn = (file: SourceFile): Map<string, Pin> | { readonly reason: string } => {
  const root = readJson(file.text)
  if ("reason" in root) return root
  const pins = new Map<string, Pin>()
  for (const [path, { value, span }] of entriesAt(root)) {
    const tag = entriesAt(value, "tag")
    const inner =
      tag.size > 0 ? tag : entriesAt(value, "branch").size > 0 ? entriesAt(value, "branch") : entriesAt(value)
    const rev = inner.get("rev")
    const name = tag.get("name")
    pins.set(path, { version: textOf(name), commit: textOf(rev), span: name?.span ?? rev?.span ?? span })
  }
  return pins
}

/** What the library's own package.json says it is; the one in its folder of contracts, if there is another. */
const described = (project: Project, path: string): { name: string | undefined; version: string | undefined } => {
  for (const candidate of [`${path}/contracts/package.json`, `${path}/package.json`]) {
    const read = project.read(candidate, readPackageJson)
    if (read !== undefined && !("reason" in read) && read.version !== undefined) return read
  }
  return { name: undefined, version: undefined }
}

const join = (folder: string, path: string): string => (folder === "" ? path : `${folder}/${path}`)

/** The libraries named by foundry.lock and .gitmodules files. A lock file takes precedence over what is beside it. */
export const librariesOf = (project: Project, paths: ReadonlyArray<string>): ReadonlyArray<Library> => {
  const found = new Map<string, Library>()
  const add = (
    file: SourceFile,
    relative: string,
    span: Span,
    pin: Partial<Pin>,
    url?: string,
    branch?: string,
  ): void => {
    const path = join(folderOf(file.path), relative)
    if (found.has(path)) return
    const own = described(project, path)
    const versions = [pin.version, own.version, branch]
    found.set(path, {
      path,
      name: publishedName(own.name ?? nameOf(url ?? path)),
      version: versions.find((one) => one !== undefined && parseSemVer(one) !== undefined),
      commit: pin.commit,
      file,
      span,
    })
  }
  const urls = new Map<string, string>()
  const submodules = paths
    .filter((path) => nameOf(path) === ".gitmodules")
    .flatMap((path) => project.read(path, (file) => submodulesIn(file).map((one) => ({ file, ...one }))) ?? [])
  for (const { file, path, url } of submodules) {
    if (path !== undefined && url !== undefined) urls.set(join(folderOf(file.path), path), url)
  }
  for (const place of paths.filter((path) => nameOf(path) === "foundry.lock")) {
    const read = project.read(place, (file) => ({ file, pins: pinsIn(file) }))
    if (read === undefined) continue
    const { file, pins } = read
    if (!(pins instanceof Map)) project.problem?.(place, pins.reason)
    else for (const [path, pin] of pins) add(file, path, pin.span, pin, urls.get(join(folderOf(place), path)))
  }
  for (const { file, path, url, branch, span } of submodules) {
    if (path !== undefined) add(file, path, span, {}, url, branch)
  }
  return [...found.values()]
}
