import type { Ecosystem } from "../analysis/Framework.ts"
import { folderTree, nearestAbove } from "./FolderTree.ts"
import { isSource, nameOf } from "./ProjectFiles.ts"
import { readManifest } from "./rust/crate/manifest.ts"
import type { SourceFile } from "./SourceFile.ts"
import { reportedSources, sourceRoles } from "./SourceRole.ts"

/**
 * At most this many files are read to determine the framework; a larger workspace names its crates in the first ones.
 */
const maxManifests = 500
const maxRustFiles = 200

/**
 * Crates that programs link. Clients' crates (`solana-client`, `anchor-client`, `solana-sdk`) do not indicate a
 * program.
 */
const programCrates: Record<Exclude<Ecosystem, "evm">, RegExp> = {
  solana:
    /^(?:anchor-(?:lang|spl)|solana-(?:program|program-entrypoint|account-info|cpi)|pinocchio(?:-[a-z-]+)?|steel|star-frame|bolt-lang|quasar-lang|solitaire)$/,
  cosmwasm: /^(?:cosmwasm-std|secret-cosmwasm-std|cw-storage-plus|sylvia)$/,
}

const rustEcosystems = ["solana", "cosmwasm"] as const

/** Whether `mark` occurs between an `opener` and the next `]`, in one pass. */
const marked = (text: string, opener: string, mark: RegExp): boolean => {
  for (let start = text.indexOf(opener); start !== -1;) {
    const close = text.indexOf("]", start)
    const end = close === -1 ? text.length : close
    if (mark.test(text.slice(start + opener.length, end))) return true
    start = text.indexOf(opener, end)
  }
  return false
}

/** What code shows if no manifest names a crate. */
const shows: Record<Exclude<Ecosystem, "evm">, (text: string) => boolean> = {
  solana: (text) => /#\[program\]|\bdeclare_id!/.test(text) || marked(text, "#[derive(", /\bAccounts\b/),
  cosmwasm: (text) => /#\[entry_point\b/.test(text) || marked(text, "#[cfg_attr(", /entry_point\b/),
}

/** Names of the crates that a manifest links into its program, without those of its tests and build scripts. */
const linkedCrates = (file: SourceFile): ReadonlyArray<string> => {
  const { dependencies, workspace } = readManifest(file)
  const linked = dependencies.filter(({ kind }) => kind === "normal")
  return [...linked, ...(workspace?.dependencies ?? [])].flatMap((one) => [one.name, one.package])
}

/** Crates that a Rust file names, spelled as in a manifest. */
const usedCrates = (text: string): ReadonlySet<string> => {
  const crates = new Set<string>()
  const code = text.replaceAll(/\/\/[^\n]*/g, "")
  for (const [, used, qualified] of code.matchAll(/\b(?:use|extern\s+crate)\s+(?:::)?(\w+)|\b(\w+)::/g)) {
    crates.add(used ?? qualified!)
  }
  return crates
}

const names = (crates: Iterable<string>, ecosystem: Exclude<Ecosystem, "evm">): boolean => {
  for (const crate of crates) if (programCrates[ecosystem].test(crate.replaceAll("_", "-"))) return true
  return false
}

/**
 * The ecosystems of the contracts among `paths`; empty if there are no contracts. `read` gives the text of the few
 * files that tell, manifests first, and Rust files if no manifest does; undefined for a file that cannot be read.
 */
export const detectEcosystems = (
  paths: ReadonlyArray<string>,
  read: (path: string) => SourceFile | undefined,
): ReadonlySet<Ecosystem> => {
  const roleOf = sourceRoles(paths)
  const reported = reportedSources(paths, roleOf)
  // The files that represent a project: its own, or whatever stands in for them.
  const own = paths.filter((path) => reported(path) || roleOf(path) === "first-party")
  const sources = own.filter((path) => isSource(path) && reported(path))
  const rust = sources.filter((path) => path.endsWith(".rs"))
  const found = new Set<Ecosystem>()
  if (sources.some((path) => path.endsWith(".sol"))) found.add("evm")
  if (rust.length === 0) return found

  if (own.some((path) => nameOf(path) === "Anchor.toml")) found.add("solana")
  const manifests = own.filter((path) => nameOf(path) === "Cargo.toml").slice(0, maxManifests)
  for (const path of manifests) {
    const file = read(path)
    const crates = file === undefined ? [] : linkedCrates(file)
    for (const ecosystem of rustEcosystems) if (names(crates, ecosystem)) found.add(ecosystem)
  }

  const manifestsTell = found.has("solana") || found.has("cosmwasm")
  const tree = folderTree(paths)
  const manifestOf = nearestAbove(tree, new Map(manifests.map((path) => [tree.folderOf(path), path])))
  for (const path of rust.slice(0, maxRustFiles)) {
    if (manifestsTell && manifestOf(path) !== undefined) continue
    const text = read(path)?.text
    if (text === undefined) continue
    const crates = usedCrates(text)
    for (const ecosystem of rustEcosystems) {
      if (names(crates, ecosystem) || shows[ecosystem](text)) found.add(ecosystem)
    }
  }
  return found
}
