import type { Rule } from "../Rule.ts"
import type { SolanaProgram } from "./model.ts"

/** Every rule for Solana programs, one line each, by id. */
export const solanaRules: ReadonlyArray<Rule<SolanaProgram>> = []
