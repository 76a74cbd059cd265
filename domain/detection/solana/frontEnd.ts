import type { RustEcosystem } from "../rust/rustFrontEnd.ts"
import { solanaAccess } from "./access.ts"
import { buildSolanaProgram } from "./buildSolana.ts"
import { solanaRules } from "./catalog.ts"
import type { SolanaProgram } from "./program/model.ts"
import { solanaUnderstanding } from "./program/understanding.ts"

export const solana: RustEcosystem<SolanaProgram> = {
  ecosystem: "solana",
  build: buildSolanaProgram,
  understood: solanaUnderstanding,
  rules: solanaRules,
  access: solanaAccess,
}
