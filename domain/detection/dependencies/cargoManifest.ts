import { folderOf } from "../ProjectFiles.ts"
import { readToml, tableAt, type TomlTable, type TomlValue } from "../rust/toml.ts"
import type { SourceFile, Span } from "../Source.ts"

/** A crate that a Cargo.toml asks for, with the line that does. */
export interface CrateDependency {
  /** What the manifest calls it; features do too. */
  readonly key: string
  /** The crate's own name, where `package = "…"` renames it. */
  readonly name: string
  /** Linked only where a feature says so. */
  readonly optional: boolean
  /** Features that are asked of it, `default` among them. */
  readonly features: ReadonlyArray<string>
  /** Undefined for one that is taken from a path or a repository only. */
  readonly requirement: string | undefined
  readonly file: SourceFile
  readonly span: Span
}

export interface CargoManifest {
  readonly file: SourceFile
  /** Undefined for a workspace without a package of its own. */
  readonly name: string | undefined
  /** What the package may link: not its tests, not its build script, not what `cfg` keeps out of the deployed artefact. */
  readonly dependencies: ReadonlyArray<CrateDependency>
  /** What each feature turns on: `feature`, `dep:key`, `key/feature`, `key?/feature`. */
  readonly features: ReadonlyMap<string, ReadonlyArray<string>>
  /** Whether the package is built as a `cdylib`, which is what a chain loads. */
  readonly isArtefact: boolean
}

const isTable = (value: TomlValue | undefined): value is TomlTable =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const text = (value: TomlValue | undefined): string | undefined => (typeof value === "string" ? value : undefined)

const texts = (value: TomlValue | undefined): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : []

/** `cfg(not(target_os = "solana"))`, `cfg(not(target_arch = "wasm32"))`, tests and desktop systems. */
const hostOnly =
  /\bnot\s*\((?:[^()]|\([^()]*\))*\btarget_(?:os|arch)\s*=|\btest\b|\bunix\b|\bwindows\b|\b(?:linux|macos|x86_64|aarch64)\b/

/** The table that a line opens; undefined for other lines and for lists of tables. */
const headerIn = (line: string): string | undefined => {
  const start = line.trimStart()
  if (!start.startsWith("[") || start.startsWith("[[")) return undefined
  const end = start.lastIndexOf("]")
  return end === -1 ? undefined : start.slice(1, end).trim()
}

const dependencyTable =
  /^(?:(workspace)\.)?(?:target\.(?:'[^']*'|"[^"]*"|[^.'"]+)\.)?dependencies(?:\.(?:"([^"]+)"|([\w-]+)))?$/

interface Places {
  readonly own: ReadonlyMap<string, Span>
  readonly workspace: ReadonlyMap<string, Span>
}

/** The lines on which dependencies are named. */
const placesIn = ({ text: all }: SourceFile): Places => {
  const own = new Map<string, Span>()
  const workspace = new Map<string, Span>()
  let into: Map<string, Span> | undefined
  let named: string | undefined
  for (let start = 0; start < all.length;) {
    const lineBreak = all.indexOf("\n", start)
    const end = lineBreak === -1 ? all.length : lineBreak
    const line =
      end - start > 4_000
        ? ""
        : all
            .slice(start, end)
            .replace(/\s#\s[^]*$/, "")
            .trimEnd()
    const span = { start: start + (line.length - line.trimStart().length), end: start + line.length }
    const table = headerIn(line)
    if (table !== undefined) {
      const found = dependencyTable.exec(table)
      into = found === null ? undefined : found[1] === undefined ? own : workspace
      named = found?.[2] ?? found?.[3]
      if (into !== undefined && named !== undefined && !into.has(named)) into.set(named, span)
    } else if (into !== undefined) {
      const key = /^\s*"?([\w-]+)"?\s*[.=]/.exec(line)?.[1]
      if (named !== undefined && key === "version") into.set(named, span)
      else if (named === undefined && key !== undefined && !into.has(key)) into.set(key, span)
    }
    start = end + 1
  }
  return { own, workspace }
}

interface Read {
  readonly file: SourceFile
  readonly toml: TomlTable
  readonly places: Places
}

/** What is asked of a dependency here and, where it is inherited, in the workspace. */
const featuresAsked = (own: TomlTable, shared: TomlTable): ReadonlyArray<string> => {
  const wanted = own["default-features"] ?? own["default_features"] ?? shared["default-features"] ?? true
  return [
    ...(wanted === false ? [] : ["default"]),
    ...texts(own["features"]),
    ...(own === shared ? [] : texts(shared["features"])),
  ]
}

const tablesOf = (toml: TomlTable): ReadonlyArray<TomlTable> => {
  const targets = Object.entries(tableAt(toml, "target") ?? {}).filter(
    ([condition]) => !hostOnly.test(condition.slice(0, 500)),
  )
  const all: ReadonlyArray<TomlTable> = [toml, ...targets.map(([, target]) => target).filter(isTable)]
  return all.map((one) => tableAt(one, "dependencies")).filter(isTable)
}

/** The manifest of the workspace that a package belongs to: the nearest one above that has dependencies to share. */
const workspaceOf = (folder: string, byFolder: ReadonlyMap<string, Read>): Read | undefined => {
  for (let at = folder; ; at = folderOf(at)) {
    const found = byFolder.get(at)
    if (found !== undefined && isTable(found.toml["workspace"])) return found
    if (at === "") return undefined
  }
}

/** Reads the Cargo.toml files of a project together: a package may leave a version to its workspace. */
export const readCargoManifests = (files: ReadonlyArray<SourceFile>): ReadonlyArray<CargoManifest> => {
  const reads = files.map((file): Read => ({ file, toml: readToml(file.text), places: placesIn(file) }))
  const byFolder = new Map(reads.map((read) => [folderOf(read.file.path), read]))
  return reads.map(({ file, toml, places }) => {
    const workspace = workspaceOf(folderOf(file.path), byFolder)
    const dependencies = tablesOf(toml).flatMap((table) =>
      Object.entries(table).flatMap(([key, value]): ReadonlyArray<CrateDependency> => {
        const details = isTable(value) ? value : {}
        const inherits = details["workspace"] === true && workspace !== undefined
        const shared = inherits ? tableAt(workspace.toml, "workspace", "dependencies")?.[key] : undefined
        const source = isTable(shared) ? shared : details
        const span = (inherits ? workspace.places.workspace : places.own).get(key)
        if (span === undefined) return []
        return [
          {
            key,
            name: text(source["package"]) ?? key,
            optional: details["optional"] === true,
            features: featuresAsked(details, source),
            requirement: text(inherits ? shared : value) ?? text(source["version"]),
            file: inherits ? workspace.file : file,
            span,
          },
        ]
      }),
    )
    return {
      file,
      name: text(tableAt(toml, "package")?.["name"]),
      dependencies,
      features: new Map(
        Object.entries(tableAt(toml, "features") ?? {}).map(([feature, turnsOn]) => [feature, texts(turnsOn)]),
      ),
      isArtefact: texts(tableAt(toml, "lib")?.["crate-type"] ?? tableAt(toml, "lib")?.["crate_type"]).includes(
        "cdylib",
      ),
    }
  })
}
