import type { Rule } from "../Rule.ts"
import type { Program } from "./program.ts"
import { arbitrarySendEth } from "./rules/access-control/arbitrary-send-eth.ts"
import { arbitraryTransferFrom } from "./rules/access-control/arbitrary-transfer-from.ts"
import { badModifier } from "./rules/access-control/bad-modifier.ts"
import { defaultVisibility } from "./rules/access-control/default-visibility.ts"
import { unprotectedCallback } from "./rules/access-control/unprotected-callback.ts"
import { unprotectedOwnership } from "./rules/access-control/unprotected-ownership.ts"
import { unprotectedSelfdestruct } from "./rules/access-control/unprotected-selfdestruct.ts"
import { wrongConstructorName } from "./rules/access-control/wrong-constructor-name.ts"
import { divisionBeforeMultiplication } from "./rules/arithmetic/division-before-multiplication.ts"
import { enumConversion } from "./rules/arithmetic/enum-conversion.ts"
import { overflow } from "./rules/arithmetic/overflow.ts"
import { tautology } from "./rules/arithmetic/tautology.ts"
import { wrongOperator } from "./rules/arithmetic/wrong-operator.ts"
import { txOrigin } from "./rules/authorization/tx-origin.ts"
import { blockDataRandomness } from "./rules/bad-randomness/block-data.ts"
import { packedHashCollision } from "./rules/cryptography/packed-hash-collision.ts"
import { arbitraryCall } from "./rules/dangerous-call/arbitrary-call.ts"
import { untrustedDelegatecall } from "./rules/dangerous-call/untrusted-delegatecall.ts"
import { failedPaymentBlocks } from "./rules/denial-of-service/failed-payment-blocks.ts"
import { hardcodedGas } from "./rules/denial-of-service/hardcoded-gas.ts"
import { lockedEther } from "./rules/denial-of-service/locked-ether.ts"
import { returnBomb } from "./rules/denial-of-service/return-bomb.ts"
import { strictBalanceEquality } from "./rules/denial-of-service/strict-balance-equality.ts"
import { unboundedLoop } from "./rules/denial-of-service/unbounded-loop.ts"
import { outdatedCompiler } from "./rules/dependency/outdated-compiler.ts"
import { approveRace } from "./rules/front-running/approve-race.ts"
import { payoutSetByOtherTransaction } from "./rules/front-running/payout-set-by-other-transaction.ts"
import { submittedSolution } from "./rules/front-running/submitted-solution.ts"
import { repeatablePayout } from "./rules/logic/repeatable-payout.ts"
import { crossFunctionReentrancy } from "./rules/reentrancy/cross-function.ts"
import { eventAfterCall } from "./rules/reentrancy/event-after-call.ts"
import { lockNotFirst } from "./rules/reentrancy/lock-not-first.ts"
import { readOnlyReentrancy } from "./rules/reentrancy/read-only.ts"
import { stateChangeAfterCall } from "./rules/reentrancy/state-change-after-call.ts"
import { stateChangeAfterExternalCall } from "./rules/reentrancy/state-change-after-external-call.ts"
import { stateChangeAfterTransfer } from "./rules/reentrancy/state-change-after-transfer.ts"
import { signatureMalleability } from "./rules/signature/malleability.ts"
import { signatureReplay } from "./rules/signature/replay.ts"
import { zeroSigner } from "./rules/signature/zero-signer.ts"
import { arbitraryStorageWrite } from "./rules/storage/arbitrary-storage-write.ts"
import { deleteKeepsMapping } from "./rules/storage/delete-keeps-mapping.ts"
import { memoryCopyLost } from "./rules/storage/memory-copy-lost.ts"
import { uninitialisedStoragePointer } from "./rules/storage/uninitialised-storage-pointer.ts"
import { storedTimestamp } from "./rules/time-manipulation/stored-timestamp.ts"
import { timestampComparison } from "./rules/time-manipulation/timestamp-comparison.ts"
import { timestampEquality } from "./rules/time-manipulation/timestamp-equality.ts"
import { uncheckedErc20Transfer } from "./rules/unchecked-call/unchecked-erc20-transfer.ts"
import { uncheckedLowLevelCall } from "./rules/unchecked-call/unchecked-low-level-call.ts"
import { uncheckedSend } from "./rules/unchecked-call/unchecked-send.ts"

/** Every rule for Solidity, one line each, by id. */
export const solidityRules: ReadonlyArray<Rule<Program>> = [
  arbitrarySendEth,
  arbitraryTransferFrom,
  badModifier,
  defaultVisibility,
  unprotectedCallback,
  unprotectedOwnership,
  unprotectedSelfdestruct,
  wrongConstructorName,
  divisionBeforeMultiplication,
  enumConversion,
  overflow,
  tautology,
  wrongOperator,
  txOrigin, //
  blockDataRandomness,
  packedHashCollision,
  arbitraryCall,
  untrustedDelegatecall,
  failedPaymentBlocks,
  hardcodedGas,
  lockedEther,
  returnBomb,
  strictBalanceEquality,
  unboundedLoop,
  outdatedCompiler,
  approveRace,
  payoutSetByOtherTransaction,
  submittedSolution,
  repeatablePayout,
  crossFunctionReentrancy,
  eventAfterCall,
  lockNotFirst,
  readOnlyReentrancy,
  stateChangeAfterCall,
  stateChangeAfterExternalCall,
  stateChangeAfterTransfer,
  signatureMalleability,
  signatureReplay,
  zeroSigner,
  arbitraryStorageWrite,
  deleteKeepsMapping,
  memoryCopyLost,
  uninitialisedStoragePointer,
  storedTimestamp,
  timestampComparison,
  timestampEquality,
  uncheckedErc20Transfer,
  uncheckedLowLevelCall,
  uncheckedSend,
]
