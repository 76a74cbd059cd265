import type { Ecosystem } from "../../analysis/Framework.ts"
import type { Project } from "../FrontEnd.ts"
import { folderOf, nameOf } from "../ProjectFiles.ts"
import type { SourceFile } from "../Source.ts"
import { readCargoLock } from "./cargoLock.ts"
import { type CargoManifest, readCargoManifests } from "./cargoManifest.ts"
import { pathTo, reachable, type LockedPackage, type LockFile } from "./LockFile.ts"
import { isLinked, isProgram } from "./onChain.ts"
import type { Use } from "./Use.ts"

const within = (path: string, folder: string): boolean => folder === "" || path.startsWith(`${folder}/`)

/** Manifests by the names of their packages, of those that lie below the lock file. */
const membersOf = (
  lock: LockFile,
  named: ReadonlyMap<string | undefined, ReadonlyArray<CargoManifest>>,
): ReadonlyMap<string, CargoManifest> => {
  const folder = folderOf(lock.file.path)
  const members = new Map<string, CargoManifest>()
  for (const { name, published } of lock.packages) {
    if (published || members.has(name)) continue
    const manifest = named.get(name)?.find(({ file }) => within(file.path, folder))
    if (manifest !== undefined) members.set(name, manifest)
  }
  return members
}

const linkedBy = (
  members: ReadonlyMap<string, CargoManifest>,
): ((from: LockedPackage, to: LockedPackage) => boolean) => {
  const names = new Map<string, ReadonlySet<string>>()
  for (const [name, { dependencies }] of members) names.set(name, new Set(dependencies.map((one) => one.name)))
  return (from, to) => {
    const own = from.published ? undefined : names.get(from.name)
    return own === undefined ? isLinked(from.name, to.name) : own.has(to.name)
  }
}

const inLock = (
  lock: LockFile,
  members: ReadonlyMap<string, CargoManifest>,
  ecosystem: Exclude<Ecosystem, "evm">,
): ReadonlyArray<Use> => {
  const { packages } = lock
  const roots = packages.flatMap(({ name, published }, index) => {
    const manifest = published ? undefined : members.get(name)
    return manifest !== undefined && isProgram(manifest, ecosystem) ? [index] : []
  })
  const through = reachable(packages, roots, linkedBy(members))
  return [...through.keys()].flatMap((index): ReadonlyArray<Use> => {
    const { name, version, span, published } = packages[index]!
    if (!published) return []
    const route = pathTo(packages, through, index)
    return [
      {
        registry: "crates.io",
        name,
        version,
        place: { file: lock.file, span },
        route: route.slice(0, -1),
        // Beyond the packages' own manifests, features and conditions are not known.
        confidence: route.length <= 2 ? "high" : "medium",
      },
    ]
  })
}

const inManifest = ({ name: program = "", dependencies }: CargoManifest): ReadonlyArray<Use> =>
  dependencies.flatMap(({ name, requirement, file, span }): ReadonlyArray<Use> =>
    requirement === undefined
      ? []
      : [
          {
            registry: "crates.io",
            name,
            requirement: { text: requirement, dialect: "cargo" },
            place: { file, span },
            route: [program],
            confidence: "medium",
          },
        ],
  )

const read = (project: Project, paths: ReadonlyArray<string>, name: string): ReadonlyArray<SourceFile> =>
  paths.filter((path) => nameOf(path) === name).flatMap((path) => project.file(path) ?? [])

/**
 * The crates that reach the on-chain programs of a project: from each Cargo.lock the versions that it pins, from a
 * Cargo.toml that no lock file covers the versions that it asks for.
 */
export const cratesOf = (
  project: Project,
  paths: ReadonlyArray<string>,
  ecosystem: Exclude<Ecosystem, "evm">,
): ReadonlyArray<Use> => {
  const manifests = readCargoManifests(read(project, paths, "Cargo.toml"))
  const named = Map.groupBy(manifests, ({ name }) => name)
  const uses: Array<Use> = []
  const covered = new Set<CargoManifest>()
  for (const file of read(project, paths, "Cargo.lock")) {
    const lock = readCargoLock(file)
    if ("reason" in lock) {
      project.problem?.(file.path, lock.reason)
      continue
    }
    const members = membersOf(lock, named)
    for (const manifest of members.values()) covered.add(manifest)
    uses.push(...inLock(lock, members, ecosystem))
  }
  for (const manifest of manifests) {
    if (!covered.has(manifest) && isProgram(manifest, ecosystem)) uses.push(...inManifest(manifest))
  }
  return uses
}
