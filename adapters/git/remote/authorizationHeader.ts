import * as Redacted from "effect/Redacted"
import type { FetchContext } from "./FetchContext.ts"

/**
 * What authorizes requests to the fetch's repository: basic, with a user name that GitHub takes for every kind of token.
 * Undefined before the repository asked for it, and for every origin but the credential's own.
 */
export const authorizationHeader = ({
  url,
  credential,
  isAuthorized,
}: Pick<FetchContext, "url" | "credential" | "isAuthorized">): string | undefined =>
  !isAuthorized || credential === undefined || new URL(url).origin !== credential.origin
    ? undefined
    : `Basic ${Buffer.from(`x-access-token:${Redacted.value(credential.secret)}`).toString("base64")}`

/** The fetch with its credential, where it has one that it did not use yet and that is for this place. */
export const authorized = (context: FetchContext): FetchContext | undefined => {
  const next = { ...context, isAuthorized: true }
  return context.isAuthorized || authorizationHeader(next) === undefined ? undefined : next
}
