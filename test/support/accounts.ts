import * as Layer from "effect/Layer"
import * as GitHubSignIn from "../../adapters/github/GitHubSignIn.ts"
import * as JoseAccessTokens from "../../adapters/jose/JoseAccessTokens.ts"
import * as JoseSecretVault from "../../adapters/jose/JoseSecretVault.ts"
import { generateSecretKey } from "../../adapters/jose/SecretKey.ts"
import { configuredKeys } from "../../adapters/jose/SecretKeyFile.ts"
import type { TrustedIssuer } from "../../adapters/jose/TokenIssuer.ts"
import * as SqlBillingAccounts from "../../adapters/sql/billing/SqlBillingAccounts.ts"
import * as SqlAccounts from "../../adapters/sql/identity/SqlAccounts.ts"
import * as SqlCallers from "../../adapters/sql/identity/SqlCallers.ts"
import * as SqlCredentialChanges from "../../adapters/sql/identity/SqlCredentialChanges.ts"
import * as SqlEncryptedRecords from "../../adapters/sql/identity/SqlEncryptedRecords.ts"
import * as SqlOrganizations from "../../adapters/sql/identity/SqlOrganizations.ts"
import * as SqlSessions from "../../adapters/sql/identity/SqlSessions.ts"
import * as SqlSigningKeys from "../../adapters/sql/identity/SqlSigningKeys.ts"
import { unconfigured } from "../../adapters/stripe/unconfigured.ts"
import type { Billing } from "../../application/ports/billing/Billing.ts"
import type { SignIn } from "../../application/ports/identity/SignIn.ts"

export const ownIssuer = { issuer: "https://assay.example", audience: "https://assay.example" }

export interface AccountOptions {
  readonly trusted?: ReadonlyArray<TrustedIssuer>
  /** Not configured if absent. */
  readonly billing?: Layer.Layer<Billing>
  /** Not configured if absent. */
  readonly signIn?: Layer.Layer<SignIn>
}

/** Everything about users, organizations and payments, with the test's own vault key. */
export const accountServices = ({ trusted, billing, signIn }: AccountOptions = {}) =>
  Layer.mergeAll(
    JoseAccessTokens.layer(ownIssuer, trusted),
    SqlCallers.layer,
    SqlSessions.layer,
    SqlOrganizations.layer,
    SqlCredentialChanges.layer,
    SqlEncryptedRecords.layer,
    SqlBillingAccounts.layer,
    billing ?? unconfigured,
    signIn ?? GitHubSignIn.unconfigured,
  ).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        SqlAccounts.layer,
        SqlSigningKeys.layer,
        JoseSecretVault.layer(configuredKeys([generateSecretKey(new Date(0))])),
      ),
    ),
  )
