import { folderTree, nearestAbove } from "../../FolderTree.ts"
import { buildCrate } from "./buildCrate.ts"
import type { Crate } from "./crate.ts"
import { type Manifest, withInherited } from "./manifest.ts"
import { buildOptions, deployedBuild, enabledFeatures } from "./deployedBuild.ts"
import { Resolver } from "./resolve.ts"
import type { RustFile } from "../syntax/syntax.ts"

/** All Rust code of a project: its crates, and names resolved across them. */
export interface RustProject {
  readonly crates: ReadonlyArray<Crate>
  readonly manifests: ReadonlyArray<Manifest>
  readonly resolver: Resolver
}

/** Groups files without a Cargo.toml: `mod` declarations tie the files of one folder together, others stand alone. */
const groupLoose = (files: ReadonlyArray<RustFile>): ReadonlyArray<ReadonlyArray<RustFile>> => {
  const declares = (file: RustFile) => file.items.some((item) => item.kind === "module" && item.items === undefined)
  const { count, parents, folderOf } = folderTree(files.map(({ file }) => file.path))
  const declaring = new Set(files.filter(declares).map(({ file }) => folderOf(file.path)))
  // The outermost folder with a file that declares modules owns everything below it; -1 if there is none.
  const owners = new Int32Array(count).fill(-1)
  for (let id = 0; id < count; id++) {
    const above = id === 0 ? -1 : owners[parents[id]!]!
    owners[id] = above === -1 && declaring.has(id) ? id : above
  }
  const byFolder = new Map<number, Array<RustFile>>()
  const groups: Array<ReadonlyArray<RustFile>> = []
  for (const file of files) {
    const owner = owners[folderOf(file.file.path)]!
    if (owner === -1) groups.push([file])
    else {
      const known = byFolder.get(owner)
      if (known === undefined) byFolder.set(owner, [file])
      else known.push(file)
    }
  }
  return [...byFolder.values(), ...groups]
}

/** The crates of a project, from its parsed files and its Cargo.toml files. */
export const buildRustProject = (files: ReadonlyArray<RustFile>, read: ReadonlyArray<Manifest>): RustProject => {
  const manifests = withInherited(read)
  const packages = manifests.filter((manifest) => manifest.name !== undefined)
  const tree = folderTree([...files, ...packages].map(({ file }) => file.path))
  const packageOf = nearestAbove(tree, new Map(packages.map((one) => [tree.folderOf(one.file.path), one])))
  const owned = new Map<Manifest, Array<RustFile>>()
  const loose: Array<RustFile> = []
  for (const file of files) {
    const owner = packageOf(file.file.path)
    if (owner === undefined) loose.push(file)
    else {
      const known = owned.get(owner)
      if (known === undefined) owned.set(owner, [file])
      else known.push(file)
    }
  }
  const crates: Array<Crate> = []
  const enabled = enabledFeatures(packages)
  for (const [manifest, own] of owned) {
    const options = buildOptions(manifest, enabled.get(manifest)!)
    const deployed = own.map((file) => deployedBuild(file, options))
    crates.push(buildCrate(manifest.name!.replaceAll("-", "_"), manifest, deployed))
  }
  const loosely = buildOptions(undefined, new Set())
  for (const group of groupLoose(loose.map((file) => deployedBuild(file, loosely))))
    crates.push(buildCrate("", undefined, group))
  crates.sort((a, b) => ((a.files[0]?.file.path ?? "") < (b.files[0]?.file.path ?? "") ? -1 : 1))
  return { crates, manifests, resolver: new Resolver(crates) }
}
