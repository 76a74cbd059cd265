import type { Ecosystem } from "../../analysis/Framework.ts"
import type { Project } from "../FrontEnd.ts"
import { folderOf, nameOf } from "../ProjectFiles.ts"
import { readCargoLock } from "./files/cargoLock.ts"
import { type CargoManifest, type CrateDependency, cargoManifests, readCargoManifest } from "./files/cargoManifest.ts"
import { type Linked, linkedPackages } from "./linkedCrates.ts"
import { pathTo, reachable, type LockedPackage, type LockFile } from "./files/LockFile.ts"
import { isLinked, programsOf } from "./onChain.ts"
import { parseRequirement, satisfies } from "./advisories/Requirement.ts"
import { parseSemVer } from "./advisories/SemVer.ts"
import type { Use } from "./advisories/Use.ts"

const within = (path: string, folder: string): boolean => folder === "" || path.startsWith(`${folder}/`)

/** The manifests below the lock file, by the names of their packages. */
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

const fits = ({ requirement }: CrateDependency, { version }: LockedPackage): boolean => {
  const read = requirement === undefined ? undefined : parseRequirement(requirement, "cargo")
  const at = read === undefined ? undefined : parseSemVer(version)
  return read === undefined || at === undefined || satisfies(read, at)
}

/** Of the versions that a package of the project pins, those that it links: tests and build scripts may use others. */
const takenBy = (
  { dependencies }: Linked,
  packages: ReadonlyArray<LockedPackage>,
  { requires }: LockedPackage,
): ReadonlySet<LockedPackage> => {
  const asked = Map.groupBy(dependencies, ({ name }) => name)
  const pinned = Map.groupBy(
    requires.map((index) => packages[index]!),
    ({ name }) => name,
  )
  return new Set(
    [...asked].flatMap(([name, dependencies]) => {
      const versions = pinned.get(name) ?? []
      if (versions.length < 2) return versions
      const taken = versions.filter((one) => dependencies.some((dependency) => fits(dependency, one)))
      return taken.length === 0 ? versions : taken
    }),
  )
}

const inLock = (
  lock: LockFile,
  members: ReadonlyMap<string, CargoManifest>,
  programs: ReadonlySet<CargoManifest>,
): ReadonlyArray<Use> => {
  const { packages } = lock
  const linked = linkedPackages(
    [...members.values()].filter((one) => programs.has(one)),
    (name) => members.get(name),
  )
  const own = ({ name, published }: LockedPackage): CargoManifest | undefined =>
    published ? undefined : members.get(name)
  const roots = packages.flatMap((one, index) => (programs.has(own(one)!) ? [index] : []))
  const taken = new Map<LockedPackage, ReadonlySet<LockedPackage> | undefined>()
  const takenFrom = (from: LockedPackage): ReadonlySet<LockedPackage> | undefined => {
    if (!taken.has(from)) {
      const member = own(from)
      const links = member === undefined ? undefined : linked.get(member)
      taken.set(from, links === undefined ? undefined : takenBy(links, packages, from))
    }
    return taken.get(from)
  }
  const through = reachable(packages, roots, (from, to) => takenFrom(from)?.has(to) ?? isLinked(from.name, to.name))
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
        // Outside the project's own manifests, features and conditions are unknown.
        confidence: route.length <= 2 ? "high" : "medium",
      },
    ]
  })
}

const routeTo = (linked: Linked): ReadonlyArray<string> => {
  const names: Array<string> = []
  for (let at: Linked | undefined = linked; at !== undefined && names.length < 8; at = at.through) {
    names.push(at.manifest.name ?? "")
  }
  return names.toReversed()
}

const inManifest = (linked: Linked): ReadonlyArray<Use> =>
  linked.dependencies.flatMap(({ name, requirement, file, span }): ReadonlyArray<Use> =>
    requirement === undefined
      ? []
      : [
          {
            registry: "crates.io",
            name,
            requirement: { text: requirement, dialect: "cargo" },
            place: { file, span },
            route: routeTo(linked),
            confidence: "medium",
          },
        ],
  )

const named = (paths: ReadonlyArray<string>, name: string): ReadonlyArray<string> =>
  paths.filter((path) => nameOf(path) === name)

/**
 * The crates that reach the on-chain programs of a project: the versions pinned by each Cargo.lock and, for a
 * Cargo.toml that no lock file covers, the versions that it requests.
 */
export const cratesOf = (
  project: Project,
  paths: ReadonlyArray<string>,
  ecosystem: Exclude<Ecosystem, "evm">,
): ReadonlyArray<Use> => {
  const manifests = cargoManifests(
    named(paths, "Cargo.toml").flatMap((path) => project.read(path, readCargoManifest) ?? []),
  )
  const byName = Map.groupBy(manifests, ({ name }) => name)
  const programs = new Set(programsOf(manifests, ecosystem))
  const uses: Array<Use> = []
  const covered = new Set<CargoManifest>()
  for (const path of named(paths, "Cargo.lock")) {
    const lock = project.read(path, readCargoLock)
    if (lock === undefined) continue
    if ("reason" in lock) {
      project.problem?.(path, lock.reason)
      continue
    }
    const members = membersOf(lock, byName)
    for (const manifest of members.values()) covered.add(manifest)
    uses.push(...inLock(lock, members, programs))
  }
  const loose = linkedPackages(
    [...programs].filter((one) => !covered.has(one)),
    (name) => byName.get(name)?.find((one) => !covered.has(one)),
  )
  return [...uses, ...[...loose.values()].flatMap(inManifest)]
}
