import * as Schema from "effect/Schema"

export const tokenKinds = ["personal", "fine-grained", "oauth", "app-user", "installation"] as const
/**
 * How a token of the code hosting service was issued. `personal` and `oauth` tokens have scopes; the others have
 * permissions, which the service does not report.
 */
export const TokenKind = Schema.Literals(tokenKinds)
export type TokenKind = typeof TokenKind.Type

/**
 * By its prefix; undefined for an older token, which has none.
 * https://docs.github.com/authentication/keeping-your-account-and-data-secure/about-authentication-to-github#githubs-token-formats
 */
export const tokenKindOf = (token: string): TokenKind | undefined => {
  if (token.startsWith("github_pat_")) return "fine-grained"
  switch (/^gh([pous])_/.exec(token)?.[1]) {
    case "p":
      return "personal"
    case "o":
      return "oauth"
    case "u":
      return "app-user"
    case "s":
      return "installation"
    default:
      return undefined
  }
}

/** Printable ASCII without spaces, so that a token can be a header value, and no longer than any known kind. */
const shape = /^[\x21-\x7e]{1,1024}$/

/** Why a text cannot be a token, to follow the name of its field; never repeats the text. */
export const tokenObjection = (token: string): string | undefined => {
  if (token === "") return "is empty: use a personal access token with the scope repo or public_repo"
  return shape.test(token)
    ? undefined
    : "is not a token: it must have at most 1,024 printable ASCII characters and no spaces"
}

/** Scopes for reading repositories; the broad one includes private ones. */
export const repositoryScopes = ["repo", "public_repo"] as const

/** Whether these scopes allow reading repositories; undefined means unreported permissions. */
export const readsRepositories = (scopes: ReadonlyArray<string> | undefined): boolean =>
  scopes === undefined || repositoryScopes.some((scope) => scopes.includes(scope))

/** The message for a token with insufficient scopes. */
export const missingScopes = (scopes: ReadonlyArray<string>): string =>
  `The hosting token lacks a scope: it needs repo (private and public repositories) or public_repo (public ones), and has ${scopes.length === 0 ? "none" : scopes.join(", ")}.`
