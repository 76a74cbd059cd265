import * as Duration from "effect/Duration"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as GitHubSignIn from "../../adapters/github/GitHubSignIn.ts"
import * as SqlBillingAccounts from "../../adapters/sql/billing/SqlBillingAccounts.ts"
import { objectionToApiBase } from "../../adapters/stripe/StripeSettings.ts"
import { unconfigured } from "../../adapters/stripe/unconfigured.ts"
import { Refusal } from "../runMain.ts"
import { withoutTrailingSlashes } from "../../domain/network/withoutTrailingSlashes.ts"

const publicUrl = Config.map(Config.String("ASSAY_PUBLIC_URL").pipe(Config.withDefault("")), (url) =>
  withoutTrailingSlashes(url),
)

/** An empty variable counts as unset. */
const redacted = (name: string) =>
  Config.map(Config.option(Config.Redacted(name)), (value) =>
    Option.filter(value, (text) => Redacted.value(text).trim() !== ""),
  )

const stripeVariables = Config.all({
  secretKey: redacted("STRIPE_SECRET_KEY"),
  webhookSecret: redacted("STRIPE_WEBHOOK_SECRET"),
  pricePro: Config.String("STRIPE_PRICE_PRO").pipe(Config.withDefault("")),
  apiBase: Config.String("STRIPE_API_BASE").pipe(Config.withDefault("")),
  trial: Config.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 730 })), "STRIPE_TRIAL_DAYS").pipe(
    Config.withDefault(0),
    Config.map(Duration.days),
  ),
  publicUrl,
})

const githubVariables = Config.all({
  clientId: Config.String("GITHUB_CLIENT_ID").pipe(Config.withDefault("")),
  clientSecret: redacted("GITHUB_CLIENT_SECRET"),
  baseUrl: Config.String("GITHUB_URL").pipe(Config.withDefault("https://github.com")),
  publicUrl,
})

const refuse = (message: string) => Effect.fail(new Refusal(message))

const billing = Effect.gen(function* () {
  const { secretKey, webhookSecret, apiBase, ...read } = yield* stripeVariables
  if (Option.isNone(secretKey)) return unconfigured
  if (Option.isNone(webhookSecret) || read.pricePro === "" || read.publicUrl === "") {
    return yield* refuse(
      "STRIPE_SECRET_KEY also requires STRIPE_WEBHOOK_SECRET, STRIPE_PRICE_PRO and ASSAY_PUBLIC_URL.",
    )
  }
  const objection = apiBase === "" ? undefined : objectionToApiBase(apiBase)
  if (objection !== undefined) return yield* refuse(`STRIPE_API_BASE: ${objection}`)
  const StripeBilling = yield* Effect.promise(() => import("../../adapters/stripe/StripeBilling.ts"))
  return StripeBilling.layer({
    ...read,
    secretKey: secretKey.value,
    webhookSecret: webhookSecret.value,
    apiBase: apiBase === "" ? undefined : new URL(apiBase),
  })
})

const signIn = Effect.gen(function* () {
  const { clientId, clientSecret, baseUrl, publicUrl } = yield* githubVariables
  if (clientId === "") return GitHubSignIn.unconfigured
  if (Option.isNone(clientSecret) || publicUrl === "") {
    return yield* refuse("GITHUB_CLIENT_ID also requires GITHUB_CLIENT_SECRET and ASSAY_PUBLIC_URL.")
  }
  return GitHubSignIn.layer({
    clientId,
    clientSecret: clientSecret.value,
    baseUrl: withoutTrailingSlashes(baseUrl),
    redirectUrl: `${publicUrl}/auth/github/callback`,
  })
})

/** What the dashboard shows only if it works; the layers below report what is wrong. */
export const offers = Effect.gen(function* () {
  const { clientId } = yield* githubVariables
  const { secretKey } = yield* stripeVariables
  return [...(clientId === "" ? [] : ["github"]), ...(Option.isNone(secretKey) ? [] : ["billing"])]
}).pipe(Effect.orElseSucceed(() => []))

const explained = <A, E>(effect: Effect.Effect<A, E | Config.ConfigError>) =>
  Effect.mapError(effect, (error) =>
    error instanceof Refusal ? error : new Refusal(`Invalid configuration. ${String(error)}`),
  )

/** Stripe and GitHub sign-in, each if configured; plans and API keys work without them. */
export const paymentsAndSignIn = Layer.mergeAll(
  Layer.unwrap(explained(billing)),
  Layer.unwrap(explained(signIn)),
  SqlBillingAccounts.layer,
)
