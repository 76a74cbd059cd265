import { join } from "node:path"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as JoseAccessTokens from "../../adapters/jose/JoseAccessTokens.ts"
import * as JoseSecretVault from "../../adapters/jose/JoseSecretVault.ts"
import { parseSecretKeys } from "../../adapters/jose/SecretKey.ts"
import { configuredKeys, secretKeyFile, type SecretKeySource } from "../../adapters/jose/SecretKeyFile.ts"
import { checkTrustedIssuers, TrustedIssuer } from "../../adapters/jose/TokenIssuer.ts"
import * as SqlAccounts from "../../adapters/sql/identity/SqlAccounts.ts"
import * as SqlCallers from "../../adapters/sql/identity/SqlCallers.ts"
import * as SqlCredentialChanges from "../../adapters/sql/identity/SqlCredentialChanges.ts"
import * as SqlEncryptedRecords from "../../adapters/sql/identity/SqlEncryptedRecords.ts"
import * as SqlOrganizations from "../../adapters/sql/identity/SqlOrganizations.ts"
import * as SqlSessions from "../../adapters/sql/identity/SqlSessions.ts"
import * as SqlSigningKeys from "../../adapters/sql/identity/SqlSigningKeys.ts"
import { Refusal } from "../runMain.ts"
import { schema } from "./database.ts"
import { withoutTrailingSlashes } from "../../domain/network/withoutTrailingSlashes.ts"

/** An empty variable counts as unset. */
const given = (value: Option.Option<Redacted.Redacted>) =>
  Option.filter(value, (text) => Redacted.value(text).trim() !== "")

const variables = Config.all({
  publicUrl: Config.String("ASSAY_PUBLIC_URL").pipe(Config.withDefault("")),
  secretKeys: Config.map(Config.option(Config.Redacted("ASSAY_SECRET_KEYS")), given),
  issuer: Config.String("ASSAY_TOKEN_ISSUER").pipe(Config.withDefault("")),
  audience: Config.String("ASSAY_TOKEN_AUDIENCE").pipe(Config.withDefault("")),
  trusted: Config.schema(Schema.fromJsonString(Schema.Array(TrustedIssuer)), "ASSAY_TRUSTED_ISSUERS").pipe(
    Config.withDefault([]),
  ),
})

const keySource = (
  keys: Option.Option<Redacted.Redacted>,
  dataDirectory: string,
): Effect.Effect<SecretKeySource, Refusal> =>
  Option.match(keys, {
    onNone: () => {
      const file = join(dataDirectory, "secret-keys")
      const source = secretKeyFile(file)
      return Effect.try({
        try: source.read,
        catch: (error) =>
          new Refusal(
            `Set ASSAY_SECRET_KEYS, or let this program write ${file}. ${error instanceof Error ? error.message : String(error)}`,
          ),
      }).pipe(Effect.as(source))
    },
    onSome: (text) => {
      const parsed = parseSecretKeys(Redacted.value(text))
      return Result.isFailure(parsed)
        ? Effect.fail(new Refusal(`ASSAY_SECRET_KEYS: ${parsed.failure}`))
        : Effect.succeed(configuredKeys(parsed.success))
    },
  })

/** Where the embedded database and generated keys are kept: `ASSAY_DATA_DIR`, or `.assay`. */
export const defaultDataDirectory: string = process.env["ASSAY_DATA_DIR"] ?? ".assay"

/**
 * The vault's keys come from `ASSAY_SECRET_KEYS`, the same for every process; without it they are generated into
 * `secret-keys` in the data directory, which serves one machine.
 */
export const identity = (dataDirectory: string) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const read = yield* variables
      const issuer = read.issuer || withoutTrailingSlashes(read.publicUrl) || "urn:assay"
      const problem = checkTrustedIssuers(issuer, read.trusted)
      if (problem !== undefined) return yield* Effect.fail(new Refusal(`ASSAY_TRUSTED_ISSUERS: ${problem}`))
      const source = yield* keySource(read.secretKeys, dataDirectory)
      return Layer.mergeAll(
        JoseAccessTokens.layer({ issuer, audience: read.audience || issuer }, read.trusted),
        SqlCallers.layer,
        SqlSessions.layer,
        SqlOrganizations.layer,
        SqlCredentialChanges.layer,
        SqlEncryptedRecords.layer,
      ).pipe(
        Layer.provideMerge(
          Layer.mergeAll(SqlAccounts.layer, SqlSigningKeys.layer, JoseSecretVault.layer(source)).pipe(
            Layer.provide(schema),
          ),
        ),
      )
    }).pipe(
      Effect.catchTag("ConfigError", (error) => Effect.fail(new Refusal(`Invalid configuration. ${error.message}`))),
    ),
  )
