import * as Redacted from "effect/Redacted"
import { serverOrigin } from "../../adapters/github/serverOrigin.ts"
import type { SourceCredential } from "../../application/ports/analysis/SourceFetcher.ts"

/**
 * The token in `GITHUB_TOKEN`, as used by the `gh` command, for private repositories on GitHub or on the server at
 * `GITHUB_API_URL` or `GITHUB_SERVER_URL`.
 */
export const environmentCredential = (
  environment: Readonly<Record<string, string | undefined>> = process.env,
): SourceCredential | undefined => {
  const token = environment["GITHUB_TOKEN"] ?? ""
  const apiUrl = environment["GITHUB_API_URL"] || "https://api.github.com"
  const serverUrl = environment["GITHUB_SERVER_URL"] || undefined
  if (token === "" || !URL.canParse(serverUrl ?? apiUrl)) return undefined
  return { origin: serverOrigin(apiUrl, serverUrl), secret: Redacted.make(token) }
}
