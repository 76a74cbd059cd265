import type { Project } from "../FrontEnd.ts"
import { folderTree, nearestAbove } from "../FolderTree.ts"
import { folderOf, nameOf } from "../ProjectFiles.ts"
import type { SourceFile } from "../SourceFile.ts"
import { librariesOf, publishedName } from "./files/foundryLibraries.ts"
import { type LockFile, pathTo, reachable, type Unreadable } from "./files/LockFile.ts"
import { holdsContracts } from "./onChain.ts"
import { readPackageJson, type PackageDependency, type PackageJson } from "./files/packageJson.ts"
import { readPackageLock } from "./files/packageLock.ts"
import { readPnpmLock } from "./files/pnpmLock.ts"
import { moduleOf } from "./advisories/affectedModules.ts"
import { soldeerNames, soldeerPackagesOf, soldeerUse } from "./files/soldeer.ts"
import type { Use } from "./advisories/Use.ts"
import { readYarnLock } from "./files/yarnLock.ts"

const lockReaders: Record<string, (file: SourceFile) => LockFile | Unreadable> = {
  "package-lock.json": readPackageLock,
  "npm-shrinkwrap.json": readPackageLock,
  "yarn.lock": readYarnLock,
  "pnpm-lock.yaml": readPnpmLock,
}

/** The package that an import names, and the one that a path into `node_modules` leads to. */
const packageIn = (path: string): string | undefined => {
  const inside = path.slice(path.lastIndexOf("node_modules/") + (path.includes("node_modules/") ? 13 : 1))
  return /^(?:@[^/]+\/)?[^/.@][^/]*(?=\/)/.exec(inside)?.[0]
}

const firstFolder = (path: string): string => path.slice(0, Math.max(0, path.indexOf("/")))

/** The packages that the first folders of imports lead to, through remappings into what Soldeer or git installed. */
const remapped = (
  configurations: ReadonlyArray<string>,
  soldeerName: (folder: string) => string | undefined,
): ReadonlyMap<string, string> => {
  const names = new Map<string, string>()
  for (const text of configurations) {
    for (const remapping of text.split(/[\s"',]+/)) {
      const [context = "", path = ""] = remapping.split("=", 2)
      const folders = path.split("/")
      const at = folders.findIndex((one) => one === "lib" || one === "dependencies")
      const folder = folders[at + 1]
      if (at === -1 || folder === undefined) continue
      const name = folders[at] === "lib" ? publishedName(folder) : soldeerName(folder)
      if (name !== undefined) names.set(firstFolder(`${context.slice(context.indexOf(":") + 1)}/`), name)
    }
  }
  return names
}

/** The packages that Solidity sources import, including through remappings. */
const importedPackages = (
  project: Project,
  imports: ReadonlyArray<string>,
  soldeerName: (folder: string) => string | undefined,
): ReadonlySet<string> => {
  const configurations = [...project.paths]
    .filter((path) => nameOf(path) === "remappings.txt" || nameOf(path) === "foundry.toml")
    .map((path) => project.file(path)?.text ?? "")
  const names = new Set<string>()
  const through = remapped(configurations, soldeerName)
  for (const path of imports) {
    const folder = firstFolder(path)
    const name = soldeerName(folder) ?? through.get(folder) ?? packageIn(path)
    if (name !== undefined) names.add(name.startsWith("@") ? name : publishedName(name))
  }
  for (const text of configurations) {
    for (const [target] of text.matchAll(/node_modules\/[\w@./-]{1,200}/g)) {
      const name = packageIn(`${target}/`)
      if (name !== undefined) names.add(name)
    }
  }
  return names
}

/** A dependency that reaches the contracts: they import it, or it is a contract library that is not for tests only. */
const counts = ({ name, kind }: PackageDependency, imported: ReadonlySet<string>): boolean =>
  imported.has(name) || (kind === "normal" && holdsContracts(name))

/**
 * Whether the sources import a contract package whose own imports are unknown: its sources are not here, and it is not
 * the library that the advisories' modules belong to.
 */
const importsUnknown = (project: Project, imported: ReadonlySet<string>): boolean => {
  const present = new Set([...project.paths].filter((path) => path.endsWith(".sol")).map(packageIn))
  return [...imported].some(
    (name) => holdsContracts(name) && !name.startsWith("@openzeppelin/contracts") && !present.has(name),
  )
}

const inLock = (
  lock: LockFile,
  manifests: ReadonlyArray<PackageJson>,
  imported: ReadonlySet<string>,
): ReadonlyArray<Use> => {
  const { packages, file } = lock
  const folder = folderOf(file.path)
  const roots = new Set<number>()
  for (const manifest of manifests) {
    const at = folderOf(manifest.file.path).slice(folder === "" ? 0 : folder.length + 1)
    for (const dependency of manifest.dependencies) {
      if (!counts(dependency, imported)) continue
      const index = lock.direct(dependency.name, dependency.requirement, at)
      if (index !== undefined) roots.add(index)
    }
  }
  // A package that only another package asks for is imported, too.
  for (const name of imported) {
    const index = lock.direct(name, "", "")
    if (index !== undefined) roots.add(index)
  }
  const through = reachable(packages, roots, (_from, to) => holdsContracts(to.name))
  return [...through.keys()].flatMap((index): ReadonlyArray<Use> => {
    const { name, version, span, published } = packages[index]!
    if (!published) return []
    const route = pathTo(packages, through, index).slice(0, -1)
    const confidence = !imported.has(name)
      ? route.length === 0
        ? "low"
        : "medium"
      : route.length === 0
        ? "high"
        : "medium"
    return [{ registry: "npm", name, version, place: { file, span }, route, confidence }]
  })
}

const inManifest = ({ file, dependencies }: PackageJson, imported: ReadonlySet<string>): ReadonlyArray<Use> =>
  dependencies.flatMap((dependency): ReadonlyArray<Use> => {
    if (!counts(dependency, imported)) return []
    const { name, requirement, span } = dependency
    const [, real = name, range = requirement] = /^npm:((?:@[^/@]+\/)?[^/@]+)@(.+)$/.exec(requirement) ?? []
    return [
      {
        registry: "npm",
        name: real,
        requirement: { text: range, dialect: "npm" },
        place: { file, span },
        route: [],
        confidence: imported.has(name) ? "high" : "low",
      },
    ]
  })

/** The npm packages, Soldeer packages and git submodules that reach the contracts of a project. */
export const packagesOf = (
  project: Project,
  paths: ReadonlyArray<string>,
  imports: ReadonlyArray<string>,
): ReadonlyArray<Use> => {
  const soldeer = soldeerPackagesOf(project, paths)
  const imported = importedPackages(project, imports, soldeerNames(soldeer))
  const manifests: Array<PackageJson> = []
  const locks: Array<LockFile> = []
  for (const path of paths) {
    const read = nameOf(path) === "package.json" ? readPackageJson : lockReaders[nameOf(path)]
    const result = read === undefined ? undefined : project.read<ReturnType<typeof read>>(path, read)
    if (result === undefined) continue
    if ("reason" in result) project.problem?.(path, result.reason)
    else if ("packages" in result) locks.push(result)
    else manifests.push(result)
  }
  const tree = folderTree(paths)
  const lockFor = nearestAbove(tree, new Map(locks.toReversed().map((lock) => [tree.folderOf(lock.file.path), lock])))
  const byLock = Map.groupBy(manifests, ({ file }) => lockFor(file.path))
  const locked = locks.flatMap((lock) => inLock(lock, byLock.get(lock) ?? [], imported))
  const loose = (byLock.get(undefined) ?? []).flatMap((manifest) => inManifest(manifest, imported))
  const libraries = librariesOf(project, paths).map(({ name, path, version, commit, file, span }): Use => {
    const folder = nameOf(path)
    const isUsed =
      imported.has(name) || imports.some((one) => one.startsWith(`${folder}/`) || one.includes(`/${folder}/`))
    return {
      registry: "npm",
      name,
      ...(version === undefined ? {} : { version }),
      ...(commit === undefined ? {} : { commit }),
      place: { file, span },
      route: [],
      confidence: isUsed ? "high" : "medium",
    }
  })
  const uses = [...locked, ...loose, ...libraries, ...soldeer.map((one) => soldeerUse(one, imported))]
  if (importsUnknown(project, imported)) return uses
  const modules = new Set(imports.map(moduleOf))
  return uses.map((use) => (use.route.length === 0 ? { ...use, modules } : use))
}
