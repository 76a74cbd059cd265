import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { sha256 } from "../../domain/digest/sha256.ts"
import { Accounts } from "../ports/identity/Accounts.ts"
import { SecretVault } from "../ports/identity/SecretVault.ts"
import { Sessions } from "../ports/identity/Sessions.ts"
import { SignIn, SignInRefused } from "../ports/identity/SignIn.ts"
import { setHostingToken } from "../repositories/manageHostingToken.ts"
import { hashSecret, randomText } from "./secret.ts"
import { openSession } from "./session.ts"

/** How long signing in may take. */
export const signInLifetime = Duration.minutes(10)

const purpose = "sign-in"

/** What the browser stores during the sign-in, encrypted: it binds the response to the browser that started it. */
const Pending = Schema.fromJsonString(
  Schema.Struct({
    state: Schema.String,
    codeVerifier: Schema.String,
    returnTo: Schema.String,
    /** Whether the token is to be kept as the user's hosting token. */
    connects: Schema.Boolean,
    expiresAt: Schema.Number,
  }),
)

/** `S256` of RFC 7636 §4.2. */
const challengeOf = (codeVerifier: string): string => Base64Url.encode(sha256(codeVerifier))

/** Which repositories the user allows the service to read on signing in. */
export type RepositoryAccess = "public" | "all"

/** Where to redirect the browser, and what it must send back. `returnTo` was checked against the configuration. */
export const beginSignIn = Effect.fn("beginSignIn")(function* (
  returnTo: string,
  repositories: RepositoryAccess | undefined,
) {
  const signIn = yield* SignIn
  const vault = yield* SecretVault
  const [state, codeVerifier] = [yield* randomText, yield* randomText]
  const url = yield* signIn.authorizationUrl({
    state,
    codeChallenge: challengeOf(codeVerifier),
    repositoryScopes: repositories === undefined ? [] : [repositories === "all" ? "repo" : "public_repo"],
  })
  const expiresAt = (yield* Clock.currentTimeMillis) + Duration.toMillis(signInLifetime)
  const pending = Schema.encodeSync(Pending)({
    state,
    codeVerifier,
    returnTo,
    connects: repositories !== undefined,
    expiresAt,
  })
  return { url, pending: yield* vault.encrypt(pending, purpose) }
})

const refused = new SignInRefused({
  message: "This sign-in was not started in this browser, or it took too long. Start again.",
})

/**
 * Opens a session for the user identified by the code; the browser's previous session ends. A sign-in can return only
 * once, whatever the outcome, so a recorded cookie and response are worthless.
 */
export const completeSignIn = Effect.fn("completeSignIn")(function* (answer: {
  readonly pending: string | undefined
  readonly state: string
  readonly code: string
  readonly previousSession: string | undefined
}) {
  const signIn = yield* SignIn
  const vault = yield* SecretVault
  const accounts = yield* Accounts
  if (answer.pending === undefined) return yield* refused
  const begun = yield* vault.decrypt(answer.pending, purpose).pipe(
    Effect.flatMap(Schema.decodeUnknownEffect(Pending)),
    Effect.mapError(() => refused),
  )
  // The state is random, was encrypted, and is valid for one browser: comparing it leaks nothing useful.
  const now = yield* Clock.currentTimeMillis
  if (begun.state !== answer.state || now > begun.expiresAt) return yield* refused
  const hash = hashSecret(begun.state)
  const isFirst = yield* Sessions.use((sessions) => sessions.useOnce(hash, new Date(begun.expiresAt)))
  if (!isFirst) return yield* refused
  const { identity, token } = yield* signIn.identify({ code: answer.code, codeVerifier: begun.codeVerifier })
  const userId = yield* accounts.signIn(identity)
  // The sign-in succeeds even if this fails: a token can still be set in the settings.
  if (begun.connects) {
    yield* setHostingToken(userId, Redacted.value(token)).pipe(
      Effect.catchTag(["InvalidInput", "HostingUnavailable"], (error) =>
        Effect.logWarning("repositories not connected", error),
      ),
    )
  }
  return { session: yield* openSession(userId, answer.previousSession), returnTo: begun.returnTo }
})
