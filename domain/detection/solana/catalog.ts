import type { Rule } from "../Rule.ts"
import { earned } from "./payments/earned.ts"
import type { SolanaProgram } from "./program/model.ts"
import { openSetter } from "./rules/access-control/open-setter.ts"
import { untiedAuthority } from "./rules/access-control/untied-authority.ts"
import { chosenPayee } from "./rules/account-validation/chosen-payee.ts"
import { duplicateMutable } from "./rules/account-validation/duplicate-mutable-accounts.ts"
import { inconsistentConstraint } from "./rules/account-validation/inconsistent-constraint.ts"
import { insecureClose } from "./rules/account-validation/insecure-close.ts"
import { missingOwnerCheck } from "./rules/account-validation/missing-owner-check.ts"
import { missingRelationCheck } from "./rules/account-validation/missing-relation-check.ts"
import { missingSignerCheck } from "./rules/account-validation/missing-signer-check.ts"
import { needlessSeedSigner } from "./rules/account-validation/needless-seed-signer.ts"
import { ownerLeftToRuntime } from "./rules/account-validation/owner-left-to-runtime.ts"
import { sysvarUnchecked } from "./rules/account-validation/sysvar-unchecked.ts"
import { mixedRecords } from "./rules/account-validation/mixed-records.ts"
import { untiedAccount } from "./rules/account-validation/untied-account.ts"
import { uncheckedRemainingAccount } from "./rules/account-validation/unchecked-remaining-account.ts"
import { writeWithoutMut } from "./rules/account-validation/write-without-mut.ts"
import { divisionBeforeMultiplication } from "./rules/arithmetic/division-before-multiplication.ts"
import { divisionByZero } from "./rules/arithmetic/division-by-zero.ts"
import { saturatingBalance } from "./rules/arithmetic/saturating-balance.ts"
import { truncatingCast } from "./rules/arithmetic/truncating-cast.ts"
import { uncheckedArithmetic } from "./rules/arithmetic/unchecked-arithmetic.ts"
import { clockOrBlockhash } from "./rules/bad-randomness/clock-or-blockhash.ts"
import { noTimelock } from "./rules/centralization/no-timelock.ts"
import { singleStepAuthority } from "./rules/centralization/single-step-authority.ts"
import { arbitraryCpi } from "./rules/cpi/arbitrary-cpi.ts"
import { madeUpAuthority } from "./rules/cpi/made-up-authority.ts"
import { cpiResultIgnored } from "./rules/cpi/result-ignored.ts"
import { signerForCallersAccounts } from "./rules/cpi/signer-for-callers-accounts.ts"
import { unboundSource } from "./rules/cpi/unbound-source.ts"
import { unboundSignerSeeds } from "./rules/cpi/unbound-signer-seeds.ts"
import { uncheckedTokenProgram } from "./rules/cpi/unchecked-token-program.ts"
import { associatedTokenInit } from "./rules/denial-of-service/associated-token-init.ts"
import { lamportsBeforeCpi } from "./rules/denial-of-service/lamports-before-cpi.ts"
import { panicOnInput } from "./rules/denial-of-service/panic-on-input.ts"
import { prefundedAccount } from "./rules/denial-of-service/prefunded-account.ts"
import { missingMinimumOutput } from "./rules/front-running/missing-minimum-output.ts"
import { flagNeverTested } from "./rules/initialization/flag-never-tested.ts"
import { openInitialization } from "./rules/initialization/open-initialization.ts"
import { reinitialization } from "./rules/initialization/reinitialization.ts"
import { unaskedCondition } from "./rules/logic/unasked-condition.ts"
import { mixedTimeUnits } from "./rules/logic/mixed-time-units.ts"
import { unsettledBalance } from "./rules/logic/unsettled-balance.ts"
import { unsetField } from "./rules/initialization/unset-field.ts"
import { absoluteInstructionIndex } from "./rules/input-validation/absolute-instruction-index.ts"
import { hiddenByCpi } from "./rules/input-validation/hidden-by-cpi.ts"
import { uncheckedTransferAmount } from "./rules/input-validation/unchecked-transfer-amount.ts"
import { unvalidatedPrice } from "./rules/oracle-manipulation/unvalidated-price.ts"
import { collidingSeeds } from "./rules/pda/colliding-seeds.ts"
import { nonCanonicalBump } from "./rules/pda/non-canonical-bump.ts"
import { sharedAuthority } from "./rules/pda/shared-authority.ts"
import { unboundTokenAuthority } from "./rules/pda/unbound-token-authority.ts"
import { knownBySize } from "./rules/serialization/known-by-size.ts"
import { typeCosplay } from "./rules/serialization/type-cosplay.ts"
import { uncheckedBytesCast } from "./rules/serialization/unchecked-bytes-cast.ts"
import { staleAfterCpi } from "./rules/state-management/stale-after-cpi.ts"
import { unreadMark } from "./rules/state-management/unread-mark.ts"
import { reallocWithoutZeroing } from "./rules/storage/realloc-without-zeroing.ts"
import { tokenMintMismatch } from "./rules/token-handling/token-mint-mismatch.ts"
import { transferFeeIgnored } from "./rules/token-handling/transfer-fee-ignored.ts"

/** Every rule for Solana programs, one line each, by id. */
export const solanaRules: ReadonlyArray<Rule<SolanaProgram>> = [
  openSetter,
  untiedAuthority,
  chosenPayee,
  duplicateMutable,
  insecureClose,
  missingOwnerCheck,
  missingRelationCheck,
  missingSignerCheck,
  needlessSeedSigner,
  ownerLeftToRuntime,
  sysvarUnchecked,
  uncheckedRemainingAccount,
  untiedAccount,
  inconsistentConstraint,
  mixedRecords,
  writeWithoutMut,
  divisionBeforeMultiplication,
  divisionByZero,
  saturatingBalance,
  truncatingCast,
  uncheckedArithmetic,
  clockOrBlockhash,
  noTimelock,
  singleStepAuthority,
  arbitraryCpi,
  madeUpAuthority,
  cpiResultIgnored,
  signerForCallersAccounts,
  unboundSignerSeeds,
  unboundSource,
  uncheckedTokenProgram,
  associatedTokenInit,
  lamportsBeforeCpi,
  panicOnInput,
  prefundedAccount,
  missingMinimumOutput,
  flagNeverTested,
  openInitialization,
  reinitialization,
  unaskedCondition,
  unsetField,
  mixedTimeUnits,
  unsettledBalance,
  absoluteInstructionIndex,
  hiddenByCpi,
  uncheckedTransferAmount,
  unvalidatedPrice,
  collidingSeeds,
  nonCanonicalBump,
  sharedAuthority,
  unboundTokenAuthority,
  knownBySize,
  typeCosplay,
  uncheckedBytesCast,
  staleAfterCpi,
  unreadMark,
  reallocWithoutZeroing,
  tokenMintMismatch,
  transferFeeIgnored,
].map(earned)
