import type { Rule } from "../Rule.ts"
import type { SolanaProgram } from "./model.ts"
import { duplicateMutable } from "./rules/account-validation/duplicate-mutable-accounts.ts"
import { insecureClose } from "./rules/account-validation/insecure-close.ts"
import { missingOwnerCheck } from "./rules/account-validation/missing-owner-check.ts"
import { missingSignerCheck } from "./rules/account-validation/missing-signer-check.ts"
import { sysvarUnchecked } from "./rules/account-validation/sysvar-unchecked.ts"
import { arbitraryCpi } from "./rules/cpi/arbitrary-cpi.ts"
import { uncheckedTokenProgram } from "./rules/cpi/unchecked-token-program.ts"
import { nonCanonicalBump } from "./rules/pda/non-canonical-bump.ts"
import { sharedAuthority } from "./rules/pda/shared-authority.ts"

/** Every rule for Solana programs, one line each, by id. */
export const solanaRules: ReadonlyArray<Rule<SolanaProgram>> = [
  duplicateMutable,
  insecureClose,
  missingOwnerCheck,
  missingSignerCheck,
  sysvarUnchecked,
  arbitraryCpi,
  uncheckedTokenProgram,
  nonCanonicalBump,
  sharedAuthority,
]
