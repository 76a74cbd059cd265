import { buildCrate } from "./buildCrate.ts"
import type { Crate } from "./crate.ts"
import type { Manifest } from "./manifest.ts"
import { Resolver } from "./resolve.ts"
import type { RustFile } from "./syntax.ts"

/** All Rust of a project: its crates, and names that are resolved across them. */
export interface RustProject {
  readonly crates: ReadonlyArray<Crate>
  readonly manifests: ReadonlyArray<Manifest>
  readonly resolver: Resolver
}

const folder = (path: string): string => (path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "")
const within = (path: string, directory: string): boolean => directory === "" || path.startsWith(`${directory}/`)

/** Groups files without a Cargo.toml: `mod` declarations tie files of one folder together, others stand alone. */
const groupLoose = (files: ReadonlyArray<RustFile>): ReadonlyArray<ReadonlyArray<RustFile>> => {
  const byFolder = new Map<string, Array<RustFile>>()
  const declares = (file: RustFile) => file.items.some((item) => item.kind === "module" && item.items === undefined)
  const rootFolders = files.filter(declares).map((file) => folder(file.file.path))
  const groups: Array<ReadonlyArray<RustFile>> = []
  for (const file of files) {
    // The outermost folder with a file that declares modules owns everything below it.
    let owner: string | undefined
    for (const candidate of rootFolders)
      if (within(file.file.path, candidate) && (owner === undefined || candidate.length < owner.length))
        owner = candidate
    if (owner === undefined) groups.push([file])
    else {
      const known = byFolder.get(owner)
      if (known === undefined) byFolder.set(owner, [file])
      else known.push(file)
    }
  }
  return [...byFolder.values(), ...groups]
}

/** The crates of a project from its parsed files and its Cargo.toml files. */
export const buildRustProject = (files: ReadonlyArray<RustFile>, manifests: ReadonlyArray<Manifest>): RustProject => {
  const packages = manifests
    .filter((manifest) => manifest.name !== undefined)
    .toSorted((a, b) => b.directory.length - a.directory.length)
  const owned = new Map<Manifest, Array<RustFile>>()
  const loose: Array<RustFile> = []
  const ownerOf = new Map<string, Manifest | undefined>()
  for (const file of files) {
    const at = folder(file.file.path)
    if (!ownerOf.has(at))
      ownerOf.set(
        at,
        packages.find((manifest) => within(file.file.path, manifest.directory)),
      )
    const owner = ownerOf.get(at)
    if (owner === undefined) loose.push(file)
    else {
      const known = owned.get(owner)
      if (known === undefined) owned.set(owner, [file])
      else known.push(file)
    }
  }
  const crates: Array<Crate> = []
  for (const [manifest, own] of owned) crates.push(buildCrate(manifest.name!.replaceAll("-", "_"), manifest, own))
  for (const group of groupLoose(loose)) crates.push(buildCrate("", undefined, group))
  crates.sort((a, b) => ((a.files[0]?.file.path ?? "") < (b.files[0]?.file.path ?? "") ? -1 : 1))
  return { crates, manifests, resolver: new Resolver(crates) }
}
