import * as Redacted from "effect/Redacted"
import type { FetchContext } from "./FetchContext.ts"

/**
 * What authorizes requests to the fetch's repository: basic authentication, with a user name that GitHub accepts for
 * every kind of token. Undefined until the repository has asked for it, and for every origin except the credential's
 * own.
 */
export const authorizationHeader = ({
  url,
  credential,
  isAuthorized,
}: Pick<FetchContext, "url" | "credential" | "isAuthorized">): string | undefined =>
  !isAuthorized || credential === undefined || new URL(url).origin !== credential.origin
    ? undefined
    : `Basic ${Buffer.from(`x-access-token:${Redacted.value(credential.secret)}`).toString("base64")}`

/** The fetch with its credential, if it has one for this place that it has not used yet. */
export const authorized = (context: FetchContext): FetchContext | undefined => {
  const next = { ...context, isAuthorized: true }
  return context.isAuthorized || authorizationHeader(next) === undefined ? undefined : next
}
