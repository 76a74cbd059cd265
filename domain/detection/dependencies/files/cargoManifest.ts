import { folderTree, nearestAbove } from "../../FolderTree.ts"
import { isTable, readTomlDocument, tableAt, textOf, textsOf, type TomlDocument, type TomlTable } from "../../toml.ts"
import type { SourceFile, Span } from "../../SourceFile.ts"

/** A crate that a Cargo.toml depends on, and the line that says so. */
export interface CrateDependency {
  /** The manifest's name for it, which features use, too. */
  readonly key: string
  /** The crate's own name, if `package = "…"` renames it. */
  readonly name: string
  /** Linked only if a feature says so. */
  readonly optional: boolean
  /** The features requested of it, including `default`. */
  readonly features: ReadonlyArray<string>
  /** Undefined for a dependency given by path or repository only. */
  readonly requirement: string | undefined
  readonly file: SourceFile
  readonly span: Span
}

export interface CargoManifest {
  readonly file: SourceFile
  /** Undefined for a workspace without a package of its own. */
  readonly name: string | undefined
  /** What the package may link: not its tests, its build script, or what `cfg` keeps out of the deployed artifact. */
  readonly dependencies: ReadonlyArray<CrateDependency>
  /** What each feature turns on: `feature`, `dep:key`, `key/feature`, `key?/feature`. */
  readonly features: ReadonlyMap<string, ReadonlyArray<string>>
  /** Whether the package is built as a `cdylib`, which is what a chain loads. */
  readonly isArtifact: boolean
}

/** `[features]`: each with what it turns on: `feature`, `dep:key`, `key/feature`, `key?/feature`. */
export const featuresIn = (toml: TomlTable): ReadonlyMap<string, ReadonlyArray<string>> =>
  new Map(Object.entries(tableAt(toml, "features") ?? {}).map(([feature, turnsOn]) => [feature, textsOf(turnsOn)]))

/** `crate-type` in `[lib]`, in either spelling that Cargo accepts: a chain loads a `cdylib`. */
export const crateTypesIn = (toml: TomlTable): ReadonlyArray<string> => {
  const library = tableAt(toml, "lib")
  return textsOf(library?.["crate-type"] ?? library?.["crate_type"])
}

/** Tests, and desktop systems. */
const host = /\btest\b|\bunix\b|\bwindows\b|\b(?:linux|macos|x86_64|aarch64)\b/

/**
 * `cfg(not(target_os = "solana"))`, `cfg(not(target_arch = "wasm32"))`: a target named inside the parentheses of a
 * `not`.
 */
const deniesTarget = (condition: string): boolean => {
  const words = condition.matchAll(/[()]|\bnot\b|\btarget_(?:os|arch)\b/g)
  /** For each open parenthesis, whether it or one around it belongs to a `not`. */
  const open: Array<boolean> = [false]
  let last = ""
  for (const [word] of words) {
    const denied = open.at(-1) ?? false
    if (word === "(") open.push(denied || last === "not")
    else if (word === ")") open.pop()
    else if (word !== "not" && denied) return true
    last = word
  }
  return false
}

const hostOnly = (condition: string): boolean => host.test(condition) || deniesTarget(condition)

interface Read {
  readonly file: SourceFile
  readonly toml: TomlTable
  readonly lineOf: TomlDocument["lineOf"]
}

/** What is requested of a dependency here and, if it is inherited, in the workspace. */
const featuresAsked = (own: TomlTable, shared: TomlTable): ReadonlyArray<string> => {
  const wanted = own["default-features"] ?? own["default_features"] ?? shared["default-features"] ?? true
  return [
    ...(wanted === false ? [] : ["default"]),
    ...textsOf(own["features"]),
    ...(own === shared ? [] : textsOf(shared["features"])),
  ]
}

const tablesOf = (toml: TomlTable): ReadonlyArray<TomlTable> => {
  const targets = Object.entries(tableAt(toml, "target") ?? {}).filter(
    ([condition]) => !hostOnly(condition.slice(0, 500)),
  )
  const all: ReadonlyArray<TomlTable> = [toml, ...targets.map(([, target]) => target).filter(isTable)]
  return all.map((one) => tableAt(one, "dependencies")).filter(isTable)
}

/** The manifest of the workspace that a package belongs to: the nearest ancestor that has dependencies to share. */
const workspacesOf = (reads: ReadonlyArray<Read>): ((path: string) => Read | undefined) => {
  const tree = folderTree(reads.map(({ file }) => file.path))
  const workspaces = reads.filter(({ toml }) => isTable(toml["workspace"]))
  return nearestAbove(tree, new Map(workspaces.map((one) => [tree.folderOf(one.file.path), one])))
}

/** One Cargo.toml, as far as it can be understood without the others. */
export const readCargoManifest = (file: SourceFile): Read => {
  const { root, lineOf } = readTomlDocument(file.text)
  return { file, toml: root, lineOf }
}

/** Brings the Cargo.toml files of a project together: a package may leave a version to its workspace. */
export const cargoManifests = (reads: ReadonlyArray<Read>): ReadonlyArray<CargoManifest> => {
  const workspaceOf = workspacesOf(reads)
  return reads.map(({ file, toml, lineOf }) => {
    const workspace = workspaceOf(file.path)
    const dependencies = tablesOf(toml).flatMap((table) =>
      Object.entries(table).flatMap(([key, value]): ReadonlyArray<CrateDependency> => {
        const details = isTable(value) ? value : {}
        const inherits = details["workspace"] === true && workspace !== undefined
        const common = inherits ? tableAt(workspace.toml, "workspace", "dependencies") : undefined
        const shared = common?.[key]
        const source = isTable(shared) ? shared : details
        const place = inherits ? workspace.lineOf : lineOf
        // In a table of its own, the line with the version is the most informative.
        const span = place(source, "version") ?? place(common ?? table, key)
        if (span === undefined) return []
        return [
          {
            key,
            name: textOf(source["package"]) ?? key,
            optional: details["optional"] === true,
            features: featuresAsked(details, source),
            requirement: textOf(inherits ? shared : value) ?? textOf(source["version"]),
            file: inherits ? workspace.file : file,
            span,
          },
        ]
      }),
    )
    return {
      file,
      name: textOf(tableAt(toml, "package")?.["name"]),
      dependencies,
      features: featuresIn(toml),
      isArtifact: crateTypesIn(toml).includes("cdylib"),
    }
  })
}
