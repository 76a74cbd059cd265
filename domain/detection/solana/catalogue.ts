import type { Rule } from "../Rule.ts"
import type { SolanaProgram } from "./model.ts"
import { missingSignerCheck } from "./rules/account-validation/missing-signer-check.ts"

/** Every rule for Solana programs, one line each, by id. */
export const solanaRules: ReadonlyArray<Rule<SolanaProgram>> = [
  missingSignerCheck, //
]
