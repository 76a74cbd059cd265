/** Names of files that say how a project is built; both the engine and framework detection read them. */
const projectFiles =
  /^(?:Cargo\.(?:toml|lock)|package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|(?:foundry|soldeer)\.lock|Anchor\.toml|(?:foundry|soldeer)\.toml|remappings\.txt|\.gitmodules|package\.json|(?:hardhat\.config|truffle-config|truffle)\.(?:js|cjs|mjs|ts|cts|mts)|brownie-config\.ya?ml)$/

export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

/** The directory of a path, `""` for one at the root. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")))

/** Whether a front end parses the path's language. */
export const isSource = (path: string): boolean => path.endsWith(".sol") || path.endsWith(".rs")

export const isProjectFile = (path: string): boolean => projectFiles.test(nameOf(path))

const settings =
  /^(?:\.env(?:rc|\..{1,40})?|\.npmrc|\.secret|makefile|justfile|id_(?:rsa|ecdsa|ed25519)|id\.json|(?:\.?secrets?|config|networks|wallets?|accounts)\.(?:json|js|ts|ya?ml))$/
const scriptFolder = /(?:^|\/)(?:deploy|scripts?|tasks|migrations|tests?|config)\//

/** Whether a file is read only for the secrets in it: settings, keys, and scripts for deployment and tests. */
export const mayHoldSecrets = (path: string): boolean => {
  const name = nameOf(path).toLowerCase()
  if (path.startsWith("node_modules/") || path.includes("/node_modules/") || name.endsWith(".d.ts")) return false
  if (settings.test(name) || /\.(?:env|pem|key|sh|ya?ml)$/.test(name)) return true
  if (name.endsWith(".json")) return name.includes("keypair")
  return /\.[cm]?[jt]s$/.test(name) ? name.includes(".config.") || scriptFolder.test(path) : false
}

/** Whether an analysis needs the file at all. Everything else is neither fetched to disk nor passed on. */
export const isRelevant = (path: string): boolean => isSource(path) || isProjectFile(path) || mayHoldSecrets(path)

/** Tools that write to a folder beside their configuration, as bits. */
const tools = { cargo: 1, evm: 2 } as const

const evmBuilds = new Set(["out", "cache", "artifacts", "broadcast"])

/** The tools whose output a folder of this name may be; 0 for none. */
export const buildOutputOf = (folder: string): number =>
  folder === "target" ? tools.cargo : evmBuilds.has(folder) ? tools.evm : 0

/** The tools whose configuration a file of this name is; 0 for none. */
export const buildToolOf = (file: string): number =>
  file === "Cargo.toml" || file === "Anchor.toml"
    ? tools.cargo
    : file === "foundry.toml" || /^(?:hardhat\.config|truffle-config)\./.test(file)
      ? tools.evm
      : 0

/**
 * Whether a directory contains build output. Names alone do not tell, since `contracts/cache` may be a contract's
 * folder: the tool's configuration has to be beside it. `siblings` are the names in the parent directory.
 */
export const isBuildOutput = (directory: string, siblings: ReadonlySet<string>): boolean => {
  const written = buildOutputOf(directory)
  return written !== 0 && [...siblings].some((name) => (buildToolOf(name) & written) !== 0)
}
