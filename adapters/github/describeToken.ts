import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { HostingSecret, TokenDescription } from "../../application/ports/repositories/CodeHost.ts"
import { type TokenKind, tokenKindOf } from "../../domain/repository/HostingToken.ts"
import type { HostRequests } from "./hostRequests.ts"

const readUser = Schema.decodeUnknownOption(Schema.Struct({ login: Schema.optional(Schema.String) }))

/** Asks the host for a token's kind, account and scopes. */
export const tokenDescriber = ({ get, getPage, nonsense }: HostRequests) => {
  const describeInstallation = (token: HostingSecret) =>
    Effect.as(getPage(token, "installation", { per_page: 1 }), {
      kind: "installation",
      account: undefined,
      scopes: undefined,
    } satisfies TokenDescription)

  const describeUser = Effect.fnUntraced(function* (token: HostingSecret, kind: TokenKind | undefined) {
    const answer = yield* get(token, "/user", {})
    const user = Option.getOrUndefined(readUser(answer?.data))
    if (answer === undefined || user === undefined) return yield* nonsense
    // Only tokens with scopes receive the scope header; an old one without a prefix is of this kind.
    const description: TokenDescription = { kind: kind ?? "personal", account: user.login, scopes: answer.scopes }
    return description
  })

  return Effect.fn("CodeHost.describeToken")(function* (token: HostingSecret) {
    const kind = tokenKindOf(Redacted.value(token))
    if (kind === "installation") return yield* describeInstallation(token)
    if (kind !== undefined) return yield* describeUser(token, kind)
    // An installation token of an older server has neither a prefix nor a user.
    return yield* describeUser(token, undefined).pipe(
      Effect.catchTag("HostingTokenRefused", (refused) =>
        Effect.catchTag(describeInstallation(token), "HostingTokenRefused", () => Effect.fail(refused)),
      ),
    )
  })
}
