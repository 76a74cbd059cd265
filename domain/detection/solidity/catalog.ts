import type { Rule } from "../Rule.ts"
import type { Program } from "./program.ts"
import { arbitrarySendEth } from "./rules/access-control/arbitrary-send-eth.ts"
import { arbitraryTransferFrom } from "./rules/access-control/arbitrary-transfer-from.ts"
import { lastingNomination } from "./rules/access-control/lasting-nomination.ts"
import { lateCheck } from "./rules/access-control/late-check.ts"
import { badModifier } from "./rules/access-control/bad-modifier.ts"
import { defaultVisibility } from "./rules/access-control/default-visibility.ts"
import { unguardedSibling } from "./rules/access-control/unguarded-sibling.ts"
import { voidCheck } from "./rules/access-control/void-check.ts"
import { unprotectedCallback } from "./rules/access-control/unprotected-callback.ts"
import { unprotectedMint } from "./rules/access-control/unprotected-mint.ts"
import { unprotectedOwnership } from "./rules/access-control/unprotected-ownership.ts"
import { unprotectedSelfdestruct } from "./rules/access-control/unprotected-selfdestruct.ts"
import { unprotectedSetter } from "./rules/access-control/unprotected-setter.ts"
import { unprotectedTokenWithdrawal } from "./rules/access-control/unprotected-token-withdrawal.ts"
import { wrongConstructorName } from "./rules/access-control/wrong-constructor-name.ts"
import { divisionBeforeMultiplication } from "./rules/arithmetic/division-before-multiplication.ts"
import { enumConversion } from "./rules/arithmetic/enum-conversion.ts"
import { narrowLoopCounter } from "./rules/arithmetic/narrow-loop-counter.ts"
import { overflow } from "./rules/arithmetic/overflow.ts"
import { tautology } from "./rules/arithmetic/tautology.ts"
import { unsafeCast } from "./rules/arithmetic/unsafe-cast.ts"
import { wrongOperator } from "./rules/arithmetic/wrong-operator.ts"
import { txOrigin } from "./rules/authorization/tx-origin.ts"
import { blockDataRandomness } from "./rules/bad-randomness/block-data.ts"
import { predictableHash } from "./rules/bad-randomness/predictable-hash.ts"
import { ownerCanDrain } from "./rules/centralization/owner-can-drain.ts"
import { bidirectionalText } from "./rules/code-quality/bidirectional-text.ts"
import { deadCode } from "./rules/code-quality/dead-code.ts"
import { deprecatedApi } from "./rules/code-quality/deprecated-api.ts"
import { missingEvent } from "./rules/code-quality/missing-event.ts"
import { missingInheritance } from "./rules/code-quality/missing-inheritance.ts"
import { reusedContractName } from "./rules/code-quality/reused-contract-name.ts"
import { secretInStorage } from "./rules/code-quality/secret-in-storage.ts"
import { shadowedName } from "./rules/code-quality/shadowed-name.ts"
import { packedHashCollision } from "./rules/cryptography/packed-hash-collision.ts"
import { arbitraryCall } from "./rules/dangerous-call/arbitrary-call.ts"
import { delegatecallInLoop } from "./rules/dangerous-call/delegatecall-in-loop.ts"
import { functionPointerInAssembly } from "./rules/dangerous-call/function-pointer-in-assembly.ts"
import { untrustedDelegatecall } from "./rules/dangerous-call/untrusted-delegatecall.ts"
import { failedPaymentBlocks } from "./rules/denial-of-service/failed-payment-blocks.ts"
import { hardcodedGas } from "./rules/denial-of-service/hardcoded-gas.ts"
import { lockedEther } from "./rules/denial-of-service/locked-ether.ts"
import { returnBomb } from "./rules/denial-of-service/return-bomb.ts"
import { strictBalanceEquality } from "./rules/denial-of-service/strict-balance-equality.ts"
import { unboundedLoop } from "./rules/denial-of-service/unbounded-loop.ts"
import { compilerBug } from "./rules/dependency/compiler-bug.ts"
import { deprecatedPredeploy } from "./rules/dependency/deprecated-predeploy.ts"
import { outdatedCompiler } from "./rules/dependency/outdated-compiler.ts"
import { assertForInput } from "./rules/error-handling/assert-for-input.ts"
import { silentExit } from "./rules/error-handling/silent-exit.ts"
import { approveRace } from "./rules/front-running/approve-race.ts"
import { ignoredLimit } from "./rules/front-running/ignored-limit.ts"
import { noSlippageLimit } from "./rules/front-running/no-slippage-limit.ts"
import { openChoice } from "./rules/front-running/open-choice.ts"
import { payoutSetByOtherTransaction } from "./rules/front-running/payout-set-by-other-transaction.ts"
import { submittedSolution } from "./rules/front-running/submitted-solution.ts"
import { constructorState } from "./rules/initialization/constructor-state.ts"
import { deployedUninitialized } from "./rules/initialization/deployed-uninitialized.ts"
import { frontRunnableInitializer } from "./rules/initialization/front-runnable-initializer.ts"
import { inlineInitialValue } from "./rules/initialization/inline-initial-value.ts"
import { localNeverAssigned } from "./rules/initialization/local-never-assigned.ts"
import { misplacedInitializer } from "./rules/initialization/misplaced-initializer.ts"
import { openInitializer } from "./rules/initialization/open-initializer.ts"
import { openReinitializer } from "./rules/initialization/open-reinitializer.ts"
import { parentNotInitialized } from "./rules/initialization/parent-not-initialized.ts"
import { stateNeverWritten } from "./rules/initialization/state-never-written.ts"
import { unlockedImplementation } from "./rules/initialization/unlocked-implementation.ts"
import { unequalLengths } from "./rules/input-validation/unequal-lengths.ts"
import { ignoredSetting } from "./rules/input-validation/ignored-setting.ts"
import { missingLimit } from "./rules/input-validation/missing-limit.ts"
import { missingZeroAddress } from "./rules/input-validation/missing-zero-address.ts"
import { shortAddress } from "./rules/input-validation/short-address.ts"
import { assemblyReturn } from "./rules/logic/assembly-return.ts"
import { booleanConstant } from "./rules/logic/boolean-constant.ts"
import { constantFunctionWrites } from "./rules/logic/constant-function-writes.ts"
import { divergedCopy } from "./rules/logic/diverged-copy.ts"
import { inheritanceOrder } from "./rules/logic/inheritance-order.ts"
import { removalWhileIterating } from "./rules/logic/removal-while-iterating.ts"
import { repeatablePayout } from "./rules/logic/repeatable-payout.ts"
import { retryableOrder } from "./rules/logic/retryable-order.ts"
import { statementWithoutEffect } from "./rules/logic/statement-without-effect.ts"
import { functionWithoutEffect } from "./rules/logic/function-without-effect.ts"
import { missingSuperCall } from "./rules/logic/missing-super-call.ts"
import { unbalancedAmount } from "./rules/logic/unbalanced-amount.ts"
import { unmetCondition } from "./rules/logic/unmet-condition.ts"
import { unreadMark } from "./rules/logic/unread-mark.ts"
import { unreadTime } from "./rules/logic/unread-time.ts"
import { unsetMark } from "./rules/logic/unset-mark.ts"
import { valueInLoop } from "./rules/logic/value-in-loop.ts"
import { valueInNonpayable } from "./rules/logic/value-in-nonpayable.ts"
import { deprecatedOracle } from "./rules/oracle-manipulation/deprecated-oracle.ts"
import { spotPrice } from "./rules/oracle-manipulation/spot-price.ts"
import { stalePrice } from "./rules/oracle-manipulation/stale-price.ts"
import { uncheckedAnswer } from "./rules/oracle-manipulation/unchecked-answer.ts"
import { crossFunctionReentrancy } from "./rules/reentrancy/cross-function.ts"
import { eventAfterCall } from "./rules/reentrancy/event-after-call.ts"
import { lockNotFirst } from "./rules/reentrancy/lock-not-first.ts"
import { missingLock } from "./rules/reentrancy/missing-lock.ts"
import { poolPriceRead } from "./rules/reentrancy/pool-price-read.ts"
import { readOnlyReentrancy } from "./rules/reentrancy/read-only.ts"
import { stateChangeAfterCall } from "./rules/reentrancy/state-change-after-call.ts"
import { stateChangeAfterExternalCall } from "./rules/reentrancy/state-change-after-external-call.ts"
import { stateChangeAfterTransfer } from "./rules/reentrancy/state-change-after-transfer.ts"
import { domainSeparator } from "./rules/signature/domain-separator.ts"
import { signatureMalleability } from "./rules/signature/malleability.ts"
import { signatureReplay } from "./rules/signature/replay.ts"
import { uncheckedDeadline } from "./rules/signature/unchecked-deadline.ts"
import { typehashMismatch } from "./rules/signature/typehash-mismatch.ts"
import { unusedNonce } from "./rules/signature/unused-nonce.ts"
import { unverifiedProof } from "./rules/signature/unverified-proof.ts"
import { zeroSigner } from "./rules/signature/zero-signer.ts"
import { shadowedStateVariable } from "./rules/state-management/shadowed-state-variable.ts"
import { arbitraryStorageWrite } from "./rules/storage/arbitrary-storage-write.ts"
import { deleteKeepsMapping } from "./rules/storage/delete-keeps-mapping.ts"
import { memoryCopyLost } from "./rules/storage/memory-copy-lost.ts"
import { uninitializedStoragePointer } from "./rules/storage/uninitialised-storage-pointer.ts"
import { deadlineNow } from "./rules/time-manipulation/deadline-now.ts"
import { storedTimestamp } from "./rules/time-manipulation/stored-timestamp.ts"
import { timestampComparison } from "./rules/time-manipulation/timestamp-comparison.ts"
import { timestampEquality } from "./rules/time-manipulation/timestamp-equality.ts"
import { erc20Interface } from "./rules/token-handling/erc20-interface.ts"
import { erc721Interface } from "./rules/token-handling/erc721-interface.ts"
import { feeOnTransfer } from "./rules/token-handling/fee-on-transfer.ts"
import { firstDepositInflation } from "./rules/token-handling/first-deposit-inflation.ts"
import { unsafeMint } from "./rules/token-handling/unsafe-mint.ts"
import { callWithoutCode } from "./rules/unchecked-call/call-without-code.ts"
import { uncheckedErc20Transfer } from "./rules/unchecked-call/unchecked-erc20-transfer.ts"
import { uncheckedLowLevelCall } from "./rules/unchecked-call/unchecked-low-level-call.ts"
import { uncheckedSend } from "./rules/unchecked-call/unchecked-send.ts"
import { unusedReturn } from "./rules/unchecked-call/unused-return.ts"
import { incompatibleLayout } from "./rules/upgradeability/incompatible-layout.ts"
import { missingStorageGap } from "./rules/upgradeability/missing-storage-gap.ts"
import { selectorClash } from "./rules/upgradeability/selector-clash.ts"
import { sharedSlot } from "./rules/upgradeability/shared-slot.ts"
import { storageCollision } from "./rules/upgradeability/storage-collision.ts"
import { unprotectedUpgrade } from "./rules/upgradeability/unprotected-upgrade.ts"

/** Every Solidity rule, one per line, by id. */
export const solidityRules: ReadonlyArray<Rule<Program>> = [
  arbitrarySendEth,
  arbitraryTransferFrom,
  badModifier,
  lastingNomination,
  lateCheck,
  defaultVisibility,
  unguardedSibling,
  unprotectedCallback,
  unprotectedMint,
  unprotectedOwnership,
  unprotectedSelfdestruct,
  unprotectedSetter,
  unprotectedTokenWithdrawal,
  voidCheck,
  wrongConstructorName,
  divisionBeforeMultiplication,
  enumConversion,
  narrowLoopCounter,
  overflow,
  tautology,
  unsafeCast,
  wrongOperator,
  txOrigin, //
  blockDataRandomness,
  predictableHash,
  ownerCanDrain,
  bidirectionalText,
  deadCode,
  deprecatedApi,
  missingEvent,
  missingInheritance,
  reusedContractName,
  secretInStorage,
  shadowedName,
  packedHashCollision,
  arbitraryCall,
  delegatecallInLoop,
  functionPointerInAssembly,
  untrustedDelegatecall,
  failedPaymentBlocks,
  hardcodedGas,
  lockedEther,
  returnBomb,
  strictBalanceEquality,
  unboundedLoop,
  compilerBug,
  deprecatedPredeploy,
  outdatedCompiler,
  assertForInput,
  silentExit,
  approveRace,
  ignoredLimit,
  noSlippageLimit,
  openChoice,
  payoutSetByOtherTransaction,
  submittedSolution,
  constructorState,
  deployedUninitialized,
  frontRunnableInitializer,
  inlineInitialValue,
  localNeverAssigned,
  misplacedInitializer,
  openInitializer,
  openReinitializer,
  parentNotInitialized,
  stateNeverWritten,
  unlockedImplementation,
  ignoredSetting,
  unequalLengths,
  missingLimit,
  missingZeroAddress,
  shortAddress,
  assemblyReturn,
  booleanConstant,
  constantFunctionWrites,
  divergedCopy,
  inheritanceOrder,
  removalWhileIterating,
  repeatablePayout,
  retryableOrder,
  statementWithoutEffect,
  functionWithoutEffect,
  missingSuperCall,
  unbalancedAmount,
  unmetCondition,
  unreadMark,
  unreadTime,
  unsetMark,
  valueInLoop,
  valueInNonpayable,
  deprecatedOracle,
  spotPrice,
  stalePrice,
  uncheckedAnswer,
  crossFunctionReentrancy,
  eventAfterCall,
  lockNotFirst,
  missingLock,
  poolPriceRead,
  readOnlyReentrancy,
  stateChangeAfterCall,
  stateChangeAfterExternalCall,
  stateChangeAfterTransfer,
  domainSeparator,
  signatureMalleability,
  signatureReplay,
  uncheckedDeadline,
  typehashMismatch,
  unusedNonce,
  unverifiedProof,
  zeroSigner,
  shadowedStateVariable,
  arbitraryStorageWrite,
  deleteKeepsMapping,
  memoryCopyLost,
  uninitializedStoragePointer,
  deadlineNow,
  storedTimestamp,
  timestampComparison,
  timestampEquality,
  erc20Interface,
  erc721Interface,
  feeOnTransfer,
  firstDepositInflation,
  unsafeMint,
  callWithoutCode,
  uncheckedErc20Transfer,
  uncheckedLowLevelCall,
  uncheckedSend,
  unusedReturn,
  incompatibleLayout,
  missingStorageGap,
  selectorClash,
  sharedSlot,
  storageCollision,
  unprotectedUpgrade,
]
