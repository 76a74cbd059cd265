import { type Ecosystem, ecosystems, type Framework } from "./Framework.ts"

const lookedFor: Record<Ecosystem, string> = {
  evm: ".sol files (as in foundry.toml and hardhat.config.* projects)",
  solana: "Anchor.toml or a Cargo.toml that depends on anchor-lang, solana-program or pinocchio, with .rs files",
  cosmwasm: "a Cargo.toml that depends on cosmwasm-std, with .rs files",
}

/**
 * Why there is nothing to analyze, and what was searched for; `detected` and `unread` languages are what exists
 * instead.
 */
export const missingFrameworkMessage = (
  requested: Framework,
  detected: ReadonlyArray<Ecosystem>,
  unread: ReadonlyArray<string> = [],
): string => {
  if (requested === "auto" || detected.length === 0) {
    const wanted = requested === "auto" ? ecosystems : [requested]
    const list = wanted.map((ecosystem) => `${ecosystem}: ${lookedFor[ecosystem]}`).join("; ")
    const found = unread.length === 0 ? "" : ` There are contracts in ${unread.join(" and ")}, which is not supported.`
    return `No smart contracts found. Looked for ${list}.${found}`
  }
  return (
    `No ${requested} contracts found, but ${detected.join(" and ")} ones: ` +
    `leave the framework out, or set it to ${detected.join(" or ")}. Looked for ${lookedFor[requested]}.`
  )
}
