import type { Rule } from "../Rule.ts"
import type { Program } from "./program.ts"
import { txOrigin } from "./rules/authorization/tx-origin.ts"

/** Every rule for Solidity, one line each, by id. */
export const solidityRules: ReadonlyArray<Rule<Program>> = [
  txOrigin, //
]
