import type { RustEcosystem } from "../rust/rustFrontEnd.ts"
import { buildSolanaProgram } from "./buildSolana.ts"
import { solanaRules } from "./catalogue.ts"
import type { SolanaProgram } from "./model.ts"

export const solana: RustEcosystem<SolanaProgram> = {
  ecosystem: "solana",
  build: buildSolanaProgram,
  rules: solanaRules,
}
