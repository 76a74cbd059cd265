import { folderOf, isSource, nameOf } from "./ProjectFiles.ts"

/**
 * What a source file is to its repository. Dependencies and tests are read where the project's own files import them;
 * findings are for the project's own files.
 */
export type SourceRole = "first-party" | "test" | "dependency"

const packageFolders = new Set(["node_modules", ".deps", "installed_contracts"])
const solidityTestFolders = new Set(["test", "tests", "mock", "mocks", "script", "scripts", "certora"])
const rustTestFolders = new Set(["test", "tests", "benches", "fuzz", "multitest", "trident-tests"])
const rustTestFile = /^(?:build|tests?|testing|multitest|integration_tests?|mock_querier|\w+_tests?)\.rs$/

/** Configuration beside which `lib/` holds what a package manager installed. */
const installers = ["foundry.toml", "remappings.txt", ".gitmodules"]

const join = (folder: string, name: string): string => (folder === "" ? name : `${folder}/${name}`)

/** All directories above a path, the nearest last, without the root. */
const foldersAbove = (path: string): ReadonlyArray<string> => {
  const folders: Array<string> = []
  for (let slash = path.indexOf("/"); slash !== -1; slash = path.indexOf("/", slash + 1)) {
    folders.push(path.slice(0, slash))
  }
  return folders
}

/** Tells the role of each source file of a project from the paths of all its files, relative to what is analysed. */
export const sourceRoles = (paths: ReadonlyArray<string>): ((path: string) => SourceRole) => {
  const files = new Set(paths)
  const folders = new Set(paths.flatMap(foldersAbove))
  const known = new Map<string, SourceRole>([["", "first-party"]])

  /** `lib/<package>` counts where a package manager's configuration or the package's own layout says so. */
  const isInstalled = (parent: string, folder: string, entry: string): boolean => {
    const configured = installers.some((name) => files.has(join(parent, name)))
    if (nameOf(folder) === "dependencies")
      return ["foundry.toml", "soldeer.lock"].some((name) => files.has(join(parent, name)))
    if (nameOf(folder) === "vendor") return files.has(join(entry, "Cargo.toml"))
    if (nameOf(folder) !== "lib") return false
    const hasRust = files.has(join(entry, "Cargo.toml"))
    return configured || (!hasRust && (folders.has(join(entry, "src")) || folders.has(join(entry, "contracts"))))
  }

  const roleOfFolder = (folder: string): SourceRole => {
    const seen = known.get(folder)
    if (seen !== undefined) return seen
    const parent = folderOf(folder)
    const above = roleOfFolder(parent)
    const isDependency = packageFolders.has(nameOf(folder)) || isInstalled(folderOf(parent), parent, folder)
    const role = above !== "dependency" && isDependency ? "dependency" : above
    known.set(folder, role)
    return role
  }

  /** `examples/` belongs to the crate beside it; a crate below `examples/` stands for itself. */
  const isExample = (path: string): boolean => {
    const folder = foldersAbove(path).findLast(
      (above) => nameOf(above) === "examples" || files.has(join(above, "Cargo.toml")),
    )
    return (
      folder !== undefined &&
      nameOf(folder) === "examples" &&
      files.has(join(folderOf(folder), "Cargo.toml")) &&
      !files.has(join(folder, "Cargo.toml"))
    )
  }

  const isTest = (path: string): boolean => {
    const above = path.split("/").slice(0, -1)
    return path.endsWith(".sol")
      ? /\.[ts]\.sol$/.test(path) || above.some((name) => solidityTestFolders.has(name))
      : rustTestFile.test(nameOf(path)) || above.some((name) => rustTestFolders.has(name)) || isExample(path)
  }

  return (path) => {
    const role = roleOfFolder(folderOf(path))
    return role === "first-party" && isTest(path) ? "test" : role
  }
}

/**
 * Which source files findings are reported for: the project's own. Where there is none the tests are, and where there
 * is nothing but dependencies these are: whoever has such a folder analysed means it.
 */
export const reportedSources = (paths: ReadonlyArray<string>): ((path: string) => boolean) => {
  const roleOf = sourceRoles(paths)
  const present = new Set(paths.filter(isSource).map(roleOf))
  const reported = (["first-party", "test", "dependency"] as const).find((role) => present.has(role))
  return (path) => roleOf(path) === reported
}
