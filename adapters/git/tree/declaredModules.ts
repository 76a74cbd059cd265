import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { SourceError } from "../../../application/ports/analysis/SourceFetcher.ts"
import { type AllowedHosts, parseRepositoryUrl, type RepositoryUrl } from "../../../domain/repository/RepositoryUrl.ts"
import { command, type FetchContext } from "../remote/FetchContext.ts"
import { gitText } from "../process/runGit.ts"
import { withoutTrailingSlashes } from "../../../domain/network/withoutTrailingSlashes.ts"

const maxBytes = 1_000_000

/**
 * URLs by path, from the records that `git config -z --get-regexp` prints. They are read here rather than in the
 * engine's thread, because the submodules have to be fetched first: at most `maxBytes`, in linear time.
 */
export const parseModules = (output: string): ReadonlyMap<string, string> => {
  const modules = new Map<string, { path?: string; url?: string }>()
  for (const record of output.split("\0")) {
    const [, name, key, value] = /^submodule\.(.*)\.(path|url)\n(.*)$/s.exec(record) ?? []
    if (name === undefined || value === undefined) continue
    const known = modules.get(name) ?? {}
    modules.set(name, { ...known, [key === "path" ? "path" : "url"]: value })
  }
  const urls = new Map<string, string>()
  for (const { path, url } of modules.values()) {
    if (path !== undefined && url !== undefined) urls.set(withoutTrailingSlashes(path), url)
  }
  return urls
}

/** What a commit's `.gitmodules` declares, read by git from its own copy; nothing if there is none. */
export const declaredModules = (
  context: FetchContext,
  commit: string,
): Effect.Effect<ReadonlyMap<string, string>, SourceError> =>
  gitText(
    command(context, "local", [
      "config",
      `--blob=${commit}:.gitmodules`,
      "--no-includes",
      "-z",
      "--get-regexp",
      "^submodule\\..*\\.(path|url)$",
    ]),
    maxBytes,
  ).pipe(
    Effect.map(parseModules),
    Effect.catchTag("GitFailed", () => Effect.succeed(new Map<string, string>())),
  )

/** SSH addresses of hosts that serve the same repositories over https, as most `.gitmodules` files name them. */
const overHttps = (url: string): string => {
  const [, host, path] = /^(?:ssh:\/\/)?(?:[\w.-]+@)([\w.-]+)[:/](?:\/)?(.+)$/.exec(url) ?? []
  return host === undefined || path === undefined ? url.replace(/^git:\/\//, "https://") : `https://${host}/${path}`
}

/** Where a submodule is fetched from: an absolute URL, or one relative to its repository's. */
export const moduleUrl = (
  declared: string,
  parent: string,
  allowed: AllowedHosts,
): Result.Result<RepositoryUrl, string> => {
  const relative = /^\.\.?\//.test(declared)
  if (relative && !URL.canParse(declared, `${parent}/`)) return Result.fail("is not a URL")
  return parseRepositoryUrl(relative ? new URL(declared, `${parent}/`).href : overHttps(declared), allowed)
}
