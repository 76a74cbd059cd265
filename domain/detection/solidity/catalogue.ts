import type { Rule } from "../Rule.ts"
import type { Program } from "./program.ts"
import { txOrigin } from "./rules/authorization/tx-origin.ts"
import { uncheckedErc20Transfer } from "./rules/unchecked-call/unchecked-erc20-transfer.ts"
import { uncheckedLowLevelCall } from "./rules/unchecked-call/unchecked-low-level-call.ts"
import { uncheckedSend } from "./rules/unchecked-call/unchecked-send.ts"

/** Every rule for Solidity, one line each, by id. */
export const solidityRules: ReadonlyArray<Rule<Program>> = [
  txOrigin, //
  uncheckedErc20Transfer,
  uncheckedLowLevelCall,
  uncheckedSend,
]
