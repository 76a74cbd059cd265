import { execFileSync } from "node:child_process"
import { readFileSync, realpathSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { readScip, type ScipIndex } from "./scip.ts"

interface Package {
  readonly manifest_path: string
  readonly targets: ReadonlyArray<{
    readonly name: string
    readonly kind: ReadonlyArray<string>
    readonly src_path: string
    readonly edition: string
  }>
  readonly dependencies: ReadonlyArray<{
    readonly name: string
    readonly rename: string | null
    readonly path?: string
  }>
}

/** The packages below a folder as cargo reads them, without a look at what they depend on outside of it. */
const packagesOf = (manifests: ReadonlyArray<string>): ReadonlyArray<Package> => {
  const found = new Map<string, Package>()
  for (const manifest of manifests) {
    if (found.has(manifest)) continue
    try {
      const args = ["metadata", "--no-deps", "--offline", "--format-version", "1", "--manifest-path", manifest]
      const said = execFileSync("cargo", args, {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
        maxBuffer: 1 << 28,
      })
      for (const one of (JSON.parse(said) as { readonly packages: ReadonlyArray<Package> }).packages)
        found.set(one.manifest_path, one)
    } catch {
      // Cargo does not read it: then nothing is compared.
    }
  }
  return [...found.values()]
}

const isLibrary = (kinds: ReadonlyArray<string>): boolean =>
  kinds.some((one) => one === "lib" || one === "cdylib" || one === "rlib")

/**
 * What rust-analyzer, which resolves names as rustc does, says each name below a folder means. It is given the crates themselves:
 * nothing is fetched, and no build script and no macro of theirs is run.
 */
export const readWithAnalyzer = (folder: string, manifests: ReadonlyArray<string>): ScipIndex => {
  const root = realpathSync(folder)
  const packages = packagesOf(manifests.map((one) => join(root, one)))
  const libraries = packages.flatMap(({ manifest_path, targets, dependencies }) => {
    const target = targets.find(({ kind }) => isLibrary(kind))
    return target === undefined ? [] : [{ directory: join(manifest_path, ".."), target, dependencies }]
  })
  const numberOf = new Map(libraries.map(({ directory }, index) => [directory, index]))
  const crates = libraries.map(({ target, dependencies }) => ({
    display_name: target.name.replaceAll("-", "_"),
    root_module: target.src_path,
    edition: target.edition,
    is_workspace_member: true,
    cfg: [],
    deps: dependencies.flatMap(({ name, rename, path }) => {
      const crate = path === undefined ? undefined : numberOf.get(path)
      if (crate === undefined) return []
      return [{ crate, name: (rename ?? libraries[crate]!.target.name ?? name).replaceAll("-", "_") }]
    }),
  }))
  writeFileSync(join(root, "rust-project.json"), JSON.stringify({ crates }))
  const output = join(root, "index.scip")
  execFileSync("rust-analyzer", ["scip", root, "--output", output], { stdio: "ignore", timeout: 600_000 })
  return readScip(readFileSync(output))
}
