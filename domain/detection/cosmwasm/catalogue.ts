import type { Rule } from "../Rule.ts"
import type { CosmWasmProgram } from "./model.ts"
import { divisionBeforeMultiplication } from "./rules/arithmetic/division-before-multiplication.ts"
import { roundingDirection } from "./rules/arithmetic/rounding-direction.ts"
import { shareInflation } from "./rules/arithmetic/share-inflation.ts"
import { uncheckedArithmetic } from "./rules/arithmetic/unchecked-arithmetic.ts"
import { missingSenderCheck } from "./rules/authorization/missing-sender-check.ts"
import { forwardedMessage } from "./rules/dangerous-call/forwarded-message.ts"
import { ignoredResult } from "./rules/error-handling/ignored-result.ts"
import { swallowedReplyError } from "./rules/error-handling/swallowed-reply-error.ts"
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
import { missingReplyHandler } from "./rules/unchecked-call/missing-reply-handler.ts"
import { unmatchedReplyId } from "./rules/unchecked-call/unmatched-reply-id.ts"
import { uncheckedMigration } from "./rules/upgradeability/unchecked-migration.ts"

/** Every rule for CosmWasm contracts, one line each, by id. */
export const cosmwasmRules: ReadonlyArray<Rule<CosmWasmProgram>> = [
  divisionBeforeMultiplication,
  roundingDirection,
  shareInflation,
  uncheckedArithmetic,
  missingSenderCheck,
  forwardedMessage,
  ignoredResult,
  swallowedReplyError,
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
  missingReplyHandler,
  unmatchedReplyId,
  uncheckedMigration,
]
