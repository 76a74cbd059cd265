import { folderOf, isSource, nameOf } from "../detection/ProjectFiles.ts"
import { reportedSources, sourceRoles } from "../detection/SourceRole.ts"
import { type Ecosystem, ecosystems, type Framework } from "./Framework.ts"

/** At most so many files are read to tell the framework; a larger workspace names its crates in the first ones. */
const maxManifests = 500
const maxRustFiles = 200

/** Crates that programs link. Clients' crates (`solana-client`, `anchor-client`, `solana-sdk`) are no sign of one. */
const programCrates: Record<Exclude<Ecosystem, "evm">, RegExp> = {
  solana:
    /^(?:anchor-(?:lang|spl)|solana-(?:program|program-entrypoint|account-info|cpi)|pinocchio(?:-[a-z-]+)?|steel|star-frame)$/,
  cosmwasm: /^(?:cosmwasm-std|secret-cosmwasm-std|cw-storage-plus|sylvia)$/,
}

const rustEcosystems = ["solana", "cosmwasm"] as const

/** What code shows where no manifest names a crate. */
const programMarks: Record<Exclude<Ecosystem, "evm">, RegExp> = {
  solana: /#\[program\]|\bdeclare_id!|#\[derive\([^\]]*\bAccounts\b/,
  cosmwasm: /#\[(?:cfg_attr\([^\]]*)?entry_point\b/,
}

const lookedFor: Record<Ecosystem, string> = {
  evm: ".sol files (as in foundry.toml and hardhat.config.* projects)",
  solana: "Anchor.toml or a Cargo.toml that depends on anchor-lang, solana-program or pinocchio, with .rs files",
  cosmwasm: "a Cargo.toml that depends on cosmwasm-std, with .rs files",
}

const dependencyTable = /^(?:workspace\.|target\..+\.)?dependencies(?:\.(?:"([^"]+)"|([\w-]+)))?$/

/** Names of the crates that a manifest links into its program; not those of its tests and build scripts. */
const linkedCrates = (manifest: string): ReadonlySet<string> => {
  const crates = new Set<string>()
  let inTable = false
  for (const line of manifest.split("\n")) {
    const header = /^\s*\[\s*([^[\]]+?)\s*\]\s*(?:#.*)?$/.exec(line)
    if (header !== null) {
      const table = dependencyTable.exec(header[1]!)
      const named = table?.[1] ?? table?.[2]
      inTable = table !== null
      if (named !== undefined) crates.add(named)
      continue
    }
    if (!inTable) continue
    const key = /^\s*"?([\w-]+)"?\s*[.=]/.exec(line)?.[1]
    if (key !== undefined) crates.add(key)
    const renamed = /\bpackage\s*=\s*"([\w-]+)"/.exec(line)?.[1]
    if (renamed !== undefined) crates.add(renamed)
  }
  return crates
}

/** Crates that a Rust file names, spelled as a manifest would. */
const usedCrates = (text: string): ReadonlySet<string> => {
  const crates = new Set<string>()
  const code = text.replaceAll(/\/\/[^\n]*/g, "")
  for (const [, used, qualified] of code.matchAll(/\b(?:use|extern\s+crate)\s+(?:::)?(\w+)|\b(\w+)::/g)) {
    crates.add((used ?? qualified!).replaceAll("_", "-"))
  }
  return crates
}

const names = (crates: ReadonlySet<string>, ecosystem: Exclude<Ecosystem, "evm">): boolean =>
  [...crates].some((crate) => programCrates[ecosystem].test(crate.replaceAll("_", "-")))

/** The files that speak for a project: its own, or whatever stands in for them. */
const speaking = (paths: ReadonlyArray<string>) => {
  const reported = reportedSources(paths)
  const roleOf = sourceRoles(paths)
  const own = paths.filter((path) => reported(path) || roleOf(path) === "first-party")
  const sources = own.filter((path) => isSource(path) && reported(path))
  return {
    sources,
    rust: sources.filter((path) => path.endsWith(".rs")),
    manifests: own.filter((path) => nameOf(path) === "Cargo.toml").slice(0, maxManifests),
    isAnchorWorkspace: own.some((path) => nameOf(path) === "Anchor.toml"),
  }
}

/** The few files whose text `detectEcosystems` needs: manifests, and Rust files for want of a telling manifest. */
export const filesToInspect = (paths: ReadonlyArray<string>): ReadonlyArray<string> => {
  const { rust, manifests } = speaking(paths)
  if (rust.length === 0) return []
  return [...manifests, ...rust.slice(0, maxRustFiles)]
}

/**
 * What the contracts among `paths` are written for, in the order of `ecosystems`; empty where there are none. `texts`
 * holds the files of `filesToInspect`, as far as they could be read.
 */
export const detectEcosystems = (
  paths: ReadonlyArray<string>,
  texts: ReadonlyMap<string, string>,
): ReadonlyArray<Ecosystem> => {
  const { sources, rust, manifests, isAnchorWorkspace } = speaking(paths)
  const found = new Set<Ecosystem>()
  if (sources.some((path) => path.endsWith(".sol"))) found.add("evm")
  if (rust.length === 0) return [...found]

  if (isAnchorWorkspace) found.add("solana")
  for (const manifest of manifests) {
    const crates = linkedCrates(texts.get(manifest) ?? "")
    for (const ecosystem of rustEcosystems) if (names(crates, ecosystem)) found.add(ecosystem)
  }

  const crateFolders = new Set(manifests.map(folderOf))
  const inCrate = (path: string): boolean => {
    for (let folder = folderOf(path); ; folder = folderOf(folder)) {
      if (crateFolders.has(folder)) return true
      if (folder === "") return false
    }
  }
  const manifestsTell = found.has("solana") || found.has("cosmwasm")
  for (const path of rust) {
    const text = texts.get(path)
    if (text === undefined || (manifestsTell && inCrate(path))) continue
    const crates = usedCrates(text)
    for (const ecosystem of rustEcosystems) {
      if (names(crates, ecosystem) || programMarks[ecosystem].test(text)) found.add(ecosystem)
    }
  }
  return ecosystems.filter((ecosystem) => found.has(ecosystem))
}

/** Why there is nothing to analyse, and what was looked for; `detected` is what there is besides. */
export const missingFrameworkMessage = (requested: Framework, detected: ReadonlyArray<Ecosystem>): string => {
  if (requested === "auto" || detected.length === 0) {
    const wanted = requested === "auto" ? ecosystems : [requested]
    const list = wanted.map((ecosystem) => `${ecosystem}: ${lookedFor[ecosystem]}`).join("; ")
    return `No smart contracts found. Looked for ${list}.`
  }
  return (
    `No ${requested} contracts found, but ${detected.join(" and ")} ones: ` +
    `leave the framework out, or set it to ${detected.join(" or ")}. Looked for ${lookedFor[requested]}.`
  )
}
