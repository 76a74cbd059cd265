import type { Rule } from "../Rule.ts"
import type { CosmWasmProgram } from "./model.ts"
import { divisionBeforeMultiplication } from "./rules/arithmetic/division-before-multiplication.ts"
import { roundingDirection } from "./rules/arithmetic/rounding-direction.ts"
import { shareInflation } from "./rules/arithmetic/share-inflation.ts"
import { uncheckedArithmetic } from "./rules/arithmetic/unchecked-arithmetic.ts"
import { missingSenderCheck } from "./rules/authorization/missing-sender-check.ts"
import { ignoredResult } from "./rules/error-handling/ignored-result.ts"
import { unreturnedError } from "./rules/error-handling/unreturned-error.ts"
import { duplicateIds } from "./rules/input-validation/duplicate-ids.ts"
import { unvalidatedAddress } from "./rules/input-validation/unvalidated-address.ts"
import { unvalidatedFunds } from "./rules/input-validation/unvalidated-funds.ts"
import { skippedIndexUpdate } from "./rules/logic/skipped-index-update.ts"
import { limitFromLiveQuery } from "./rules/oracle-manipulation/limit-from-live-query.ts"
import { liveBalanceDecision } from "./rules/oracle-manipulation/live-balance-decision.ts"
import { unsavedState } from "./rules/state-management/unsaved-state.ts"
import { keyCollision } from "./rules/storage/key-collision.ts"
import { unverifiedCw20Sender } from "./rules/token-handling/unverified-cw20-sender.ts"

/** Every rule for CosmWasm contracts, one line each, by id. */
export const cosmwasmRules: ReadonlyArray<Rule<CosmWasmProgram>> = [
  divisionBeforeMultiplication,
  roundingDirection,
  shareInflation,
  uncheckedArithmetic,
  missingSenderCheck,
  ignoredResult,
  unreturnedError,
  duplicateIds,
  unvalidatedAddress,
  unvalidatedFunds,
  skippedIndexUpdate,
  limitFromLiveQuery,
  liveBalanceDecision,
  unsavedState,
  keyCollision,
  unverifiedCw20Sender,
]
