import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Schema from "effect/Schema"
import { Accounts } from "../ports/Accounts.ts"
import { SecretVault } from "../ports/SecretVault.ts"
import { SignIn, SignInRefused } from "../ports/SignIn.ts"
import { openSession } from "./session.ts"

/** Milliseconds that somebody may take to sign in. */
export const signInLifetime = 10 * 60_000

const purpose = "sign-in"

/** What the browser keeps while it is away, encrypted: it ties the answer to the one that asked. */
const Pending = Schema.fromJsonString(
  Schema.Struct({
    state: Schema.String,
    codeVerifier: Schema.String,
    returnTo: Schema.String,
    expiresAt: Schema.Number,
  }),
)

const random = (): string => Base64Url.encode(crypto.getRandomValues(new Uint8Array(32)))

/** `S256` of RFC 7636 §4.2. */
const challengeOf = (codeVerifier: string) =>
  Effect.map(
    Effect.promise(() => crypto.subtle.digest("SHA-256", new TextEncoder().encode(codeVerifier))),
    (digest) => Base64Url.encode(new Uint8Array(digest)),
  )

/** Where to send the browser, and what it must bring back. `returnTo` was checked against the configuration. */
export const beginSignIn = Effect.fn("beginSignIn")(function* (returnTo: string) {
  const signIn = yield* SignIn
  const vault = yield* SecretVault
  const [state, codeVerifier] = [random(), random()]
  const url = yield* signIn.authorizationUrl({ state, codeChallenge: yield* challengeOf(codeVerifier) })
  const expiresAt = (yield* Clock.currentTimeMillis) + signInLifetime
  const pending = Schema.encodeSync(Pending)({ state, codeVerifier, returnTo, expiresAt })
  return { url, pending: yield* vault.encrypt(pending, purpose) }
})

const refused = new SignInRefused({
  message: "This sign-in was not begun in this browser, or took too long. Begin again.",
})

/** Opens a session for whom the code stands for; the session that the browser had before ends. */
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
  // The state is random, was encrypted, and is good for one browser: comparing it leaks nothing that can be used.
  const now = yield* Clock.currentTimeMillis
  if (begun.state !== answer.state || now > begun.expiresAt) return yield* refused
  const identity = yield* signIn.identify({ code: answer.code, codeVerifier: begun.codeVerifier })
  const userId = yield* accounts.signIn(identity)
  return { session: yield* openSession(userId, answer.previousSession), returnTo: begun.returnTo }
})
