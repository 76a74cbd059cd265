import type { Rule } from "../Rule.ts"
import type { CosmWasmProgram } from "./program/model.ts"
import { divisionBeforeMultiplication } from "./rules/arithmetic/division-before-multiplication.ts"
import { float } from "./rules/arithmetic/float.ts"
import { overflowChecksDisabled } from "./rules/arithmetic/overflow-checks-disabled.ts"
import { roundingDirection } from "./rules/arithmetic/rounding-direction.ts"
import { shareInflation } from "./rules/arithmetic/share-inflation.ts"
import { uncheckedArithmetic } from "./rules/arithmetic/unchecked-arithmetic.ts"
import { ibcChannel } from "./rules/authorization/ibc-channel.ts"
import { missingSenderCheck } from "./rules/authorization/missing-sender-check.ts"
import { unguardedSibling } from "./rules/authorization/unguarded-sibling.ts"
import { blockData } from "./rules/bad-randomness/block-data.ts"
import { forwardedMessage } from "./rules/dangerous-call/forwarded-message.ts"
import { unboundedIteration } from "./rules/denial-of-service/unbounded-iteration.ts"
import { ignoredResult } from "./rules/error-handling/ignored-result.ts"
import { ignoredWrite } from "./rules/error-handling/ignored-write.ts"
import { storageUnwrap } from "./rules/error-handling/storage-unwrap.ts"
import { swallowedReplyError } from "./rules/error-handling/swallowed-reply-error.ts"
import { unreturnedError } from "./rules/error-handling/unreturned-error.ts"
import { unwrapOrDefault } from "./rules/error-handling/unwrap-or-default.ts"
import { missingMinimumReceived } from "./rules/front-running/missing-minimum-received.ts"
import { uninitializedItem } from "./rules/initialization/uninitialised-item.ts"
import { duplicateIds } from "./rules/input-validation/duplicate-ids.ts"
import { missingLimit } from "./rules/input-validation/missing-limit.ts"
import { uncheckedValidator } from "./rules/input-validation/unchecked-validator.ts"
import { unexpectedFunds } from "./rules/input-validation/unexpected-funds.ts"
import { unvalidatedAddress } from "./rules/input-validation/unvalidated-address.ts"
import { unvalidatedFunds } from "./rules/input-validation/unvalidated-funds.ts"
import { changedDenomination } from "./rules/logic/changed-denomination.ts"
import { overwrittenDeposit } from "./rules/logic/overwritten-deposit.ts"
import { skippedIndexUpdate } from "./rules/logic/skipped-index-update.ts"
import { uncheckedTime } from "./rules/logic/unchecked-time.ts"
import { unaskedCondition } from "./rules/logic/unasked-condition.ts"
import { mixedTimeUnits } from "./rules/logic/mixed-time-units.ts"
import { unreturnedPacket } from "./rules/logic/unreturned-packet.ts"
import { unsettledBalance } from "./rules/logic/unsettled-balance.ts"
import { unreadMark } from "./rules/logic/unread-mark.ts"
import { limitFromLiveQuery } from "./rules/oracle-manipulation/limit-from-live-query.ts"
import { liveBalanceDecision } from "./rules/oracle-manipulation/live-balance-decision.ts"
import { stalePrice } from "./rules/oracle-manipulation/stale-price.ts"
import { stateChangeInReply } from "./rules/reentrancy/state-change-in-reply.ts"
import { unsavedState } from "./rules/state-management/unsaved-state.ts"
import { keyCollision } from "./rules/storage/key-collision.ts"
import { unverifiedCw20Sender } from "./rules/token-handling/unverified-cw20-sender.ts"
import { missingReplyHandler } from "./rules/unchecked-call/missing-reply-handler.ts"
import { unmatchedReplyId } from "./rules/unchecked-call/unmatched-reply-id.ts"
import { overwrittenVersion } from "./rules/upgradeability/overwritten-version.ts"
import { weighed } from "./stakes.ts"
import { uncheckedMigration } from "./rules/upgradeability/unchecked-migration.ts"

/** Every rule for CosmWasm contracts, one line each, by id. */
export const cosmwasmRules: ReadonlyArray<Rule<CosmWasmProgram>> = [
  divisionBeforeMultiplication,
  float,
  overflowChecksDisabled,
  roundingDirection,
  shareInflation,
  uncheckedArithmetic,
  ibcChannel,
  missingSenderCheck,
  unguardedSibling,
  blockData,
  forwardedMessage,
  unboundedIteration,
  ignoredResult,
  ignoredWrite,
  storageUnwrap,
  swallowedReplyError,
  unreturnedError,
  unwrapOrDefault,
  missingMinimumReceived,
  uninitializedItem,
  duplicateIds,
  missingLimit,
  uncheckedValidator,
  unexpectedFunds,
  unvalidatedAddress,
  unvalidatedFunds,
  changedDenomination,
  overwrittenDeposit,
  skippedIndexUpdate,
  uncheckedTime,
  unaskedCondition,
  unreadMark,
  mixedTimeUnits,
  unreturnedPacket,
  unsettledBalance,
  limitFromLiveQuery,
  liveBalanceDecision,
  stalePrice,
  stateChangeInReply,
  unsavedState,
  keyCollision,
  unverifiedCw20Sender,
  missingReplyHandler,
  unmatchedReplyId,
  overwrittenVersion,
  uncheckedMigration,
].map(weighed)
