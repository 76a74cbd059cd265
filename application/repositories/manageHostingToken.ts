import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Caller } from "../../domain/identity/Caller.ts"
import { type TokenKind, tokenObjection } from "../../domain/repository/HostingToken.ts"
import { InvalidInput } from "../InvalidInput.ts"
import { CodeHost } from "../ports/repositories/CodeHost.ts"
import { HostingTokens, type StoredHostingToken } from "../ports/identity/HostingTokens.ts"
import { SecretVault } from "../ports/identity/SecretVault.ts"
import { tokenPurpose } from "./hostingSecret.ts"
import type { UserId } from "../../domain/ids/Ids.ts"

/** What the settings show of a token; never the token. */
export interface HostingTokenView {
  readonly kind: TokenKind
  readonly account: string | undefined
  readonly scopes: ReadonlyArray<string> | undefined
  readonly updatedAt: Date
}

const view = ({ kind, account, scopes, updatedAt }: StoredHostingToken): HostingTokenView => ({
  kind,
  account,
  scopes,
  updatedAt,
})

export const getHostingToken = (caller: Caller) =>
  Effect.map(
    HostingTokens.use((tokens) => tokens.find(caller.userId)),
    Option.map(view),
  )

const invalidToken = (message: string) => new InvalidInput({ fields: [{ field: "token", message }] })

/** Stores a token, encrypted, that the hosting service accepts and that can read repositories, replacing any other. */
export const setHostingToken = Effect.fn("setHostingToken")(function* (userId: UserId, token: string) {
  const objection = tokenObjection(token)
  if (objection !== undefined) return yield* invalidToken(objection)
  const host = yield* CodeHost
  const described = yield* host
    .describeToken(Redacted.make(token))
    .pipe(Effect.catchTag("HostingTokenRefused", ({ message }) => invalidToken(`was rejected. ${message}`)))
  const encrypted = yield* SecretVault.use((vault) => vault.encrypt(token, tokenPurpose(userId)))
  const tokens = yield* HostingTokens
  return view(yield* tokens.put(userId, { ...described, encrypted, origin: host.origin }))
})

/** The records of repositories are kept; syncs and private sources need a new token. */
export const removeHostingToken = (caller: Caller) => HostingTokens.use((tokens) => tokens.remove(caller.userId))
