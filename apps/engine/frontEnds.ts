import type { LoadFrontEnd } from "../../adapters/engine/ThreadProtocol.ts"
import type { SomeFrontEnd } from "../../domain/detection/FrontEnd.ts"
import type { RustEcosystem } from "../../domain/detection/rust/rustFrontEnd.ts"

/** One parser, and one parse of each file, for both ecosystems of Rust. */
const loadRust = async () => {
  const { rustFrontEnd, sharedRustParser } = await import("../../domain/detection/rust/rustFrontEnd.ts")
  const { makeRustParser } = await import("../../adapters/tree-sitter/rust.ts")
  const parse = sharedRustParser(await makeRustParser())
  return <Program>(ecosystem: RustEcosystem<Program>): SomeFrontEnd => rustFrontEnd(ecosystem, parse)
}

let rust: ReturnType<typeof loadRust> | undefined

/** What the engine's threads load: the parser and rules of one ecosystem, and nothing of the others. */
export const frontEnd: LoadFrontEnd = async (ecosystem) => {
  if (ecosystem === "evm") return (await import("../../domain/detection/solidity/frontEnd.ts")).solidityFrontEnd
  rust ??= loadRust()
  const withParser = await rust
  return ecosystem === "solana"
    ? withParser((await import("../../domain/detection/solana/frontEnd.ts")).solana)
    : withParser((await import("../../domain/detection/cosmwasm/frontEnd.ts")).cosmwasm)
}
