import type { SourceFile } from "../../SourceFile.ts"
import { crateTypesIn, featuresIn } from "../../dependencies/files/cargoManifest.ts"
import { folderTree, nearestAbove } from "../../FolderTree.ts"
import { oncePer } from "../../oncePer.ts"
import { join } from "./paths.ts"
import { isTable, readToml, tableAt, textOf, textsOf, type TomlTable } from "../../toml.ts"

export interface Dependency {
  /** The name that the code uses for it. */
  readonly name: string
  /** The crate's own name, if `package = "…"` renames it. */
  readonly package: string
  readonly version?: string
  /** Its folder, seen from the root of the project. */
  readonly path?: string
  readonly features: ReadonlyArray<string>
  readonly optional: boolean
  readonly kind: "normal" | "dev" | "build"
  /** Whether the workspace says where it comes from: `common.workspace = true`. */
  readonly inherited: boolean
}

/** What a Cargo.toml says about one package. */
export interface Manifest {
  readonly file: SourceFile
  /** The folder of the Cargo.toml, without a trailing slash; empty for the root. */
  readonly directory: string
  /** As written, with hyphens; absent for a workspace without a package. */
  readonly name?: string
  readonly dependencies: ReadonlyArray<Dependency>
  /** `[features]`: each with what it switches on. */
  readonly features: ReadonlyMap<string, ReadonlyArray<string>>
  /** `path` in `[lib]`, relative to the directory. */
  readonly library?: string
  /** `name` in `[lib]`. */
  readonly libraryName?: string
  /** `crate-type` in `[lib]`: a chain loads a `cdylib`. */
  readonly crateTypes: ReadonlyArray<string>
  /** `overflow-checks` in the release profile; without it, the release build wraps silently. */
  readonly overflowChecks?: boolean
  /** Whether a version, a dependency or a lint is left to the workspace, without which Cargo cannot build the package. */
  readonly inherits: boolean
  readonly workspace?: { readonly members: ReadonlyArray<string>; readonly dependencies: ReadonlyArray<Dependency> }
}

const dependenciesIn = (
  table: TomlTable | undefined,
  kind: Dependency["kind"],
  directory: string,
): ReadonlyArray<Dependency> =>
  Object.entries(table ?? {}).map(([name, value]) => {
    const details = isTable(value) ? value : {}
    const version = textOf(value) ?? textOf(details["version"])
    const path = textOf(details["path"])
    return {
      name,
      package: textOf(details["package"]) ?? name,
      features: textsOf(details["features"]),
      optional: details["optional"] === true,
      kind,
      inherited: details["workspace"] === true,
      ...(version === undefined ? {} : { version }),
      ...(path === undefined ? {} : { path: join(directory, path) }),
    }
  })

const allDependencies = (table: TomlTable, directory: string): ReadonlyArray<Dependency> => [
  ...dependenciesIn(tableAt(table, "dependencies"), "normal", directory),
  ...dependenciesIn(tableAt(table, "dev-dependencies"), "dev", directory),
  ...dependenciesIn(tableAt(table, "build-dependencies"), "build", directory),
]

/** Whether an entry of one of its tables says `workspace = true`. */
const inherits = (table: TomlTable): boolean =>
  Object.values(table).some(
    (value) => isTable(value) && Object.values(value).some((entry) => isTable(entry) && entry["workspace"] === true),
  )

/** Reads a Cargo.toml; what it does not say is absent. Never throws. */
export const readManifest = (file: SourceFile): Manifest => {
  const toml = readToml(file.text)
  const name = textOf(tableAt(toml, "package")?.["name"])
  const library = textOf(tableAt(toml, "lib")?.["path"])
  const libraryName = textOf(tableAt(toml, "lib")?.["name"])
  const workspace = tableAt(toml, "workspace")
  const overflowChecks = tableAt(toml, "profile", "release")?.["overflow-checks"]
  const targets = Object.values(tableAt(toml, "target") ?? {})
  const directory = file.path.includes("/") ? file.path.slice(0, file.path.lastIndexOf("/")) : ""
  return {
    file,
    directory,
    dependencies: [toml, ...targets.filter(isTable)].flatMap((table) => allDependencies(table, directory)),
    crateTypes: crateTypesIn(toml),
    inherits: inherits(toml),
    features: featuresIn(toml),
    ...(name === undefined ? {} : { name }),
    ...(library === undefined ? {} : { library }),
    ...(libraryName === undefined ? {} : { libraryName }),
    ...(typeof overflowChecks === "boolean" ? { overflowChecks } : {}),
    ...(workspace === undefined
      ? {}
      : {
          workspace: {
            members: textsOf(workspace["members"]),
            dependencies: dependenciesIn(tableAt(workspace, "dependencies"), "normal", directory),
          },
        }),
  }
}

/** The dependencies that members of a workspace may leave to it. */
const sharedIn = oncePer(
  ({ workspace }: Manifest): ReadonlyMap<string, Dependency> =>
    new Map(workspace?.dependencies.map((one) => [one.name, one])),
)

/** Manifests whose dependencies say themselves what they leave to the nearest workspace above: crate, folder, version. */
export const withInherited = (manifests: ReadonlyArray<Manifest>): ReadonlyArray<Manifest> => {
  const tree = folderTree(manifests.map(({ file }) => file.path))
  const workspaces = manifests.filter(({ workspace }) => workspace !== undefined)
  const workspaceOf = nearestAbove(tree, new Map(workspaces.map((one) => [tree.folderOf(one.file.path), one])))
  return manifests.map((manifest) => {
    const workspace = manifest.dependencies.some(({ inherited }) => inherited) && workspaceOf(manifest.file.path)
    if (!workspace) return manifest
    const dependencies = manifest.dependencies.map((own): Dependency => {
      const base = own.inherited ? sharedIn(workspace).get(own.name) : undefined
      return base === undefined
        ? own
        : { ...base, features: [...base.features, ...own.features], kind: own.kind, optional: own.optional }
    })
    return { ...manifest, dependencies }
  })
}
