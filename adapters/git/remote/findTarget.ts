import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { SourceError } from "../../../application/ports/analysis/SourceFetcher.ts"
import { parseRepositoryUrl } from "../../../domain/repository/RepositoryUrl.ts"
import { parseRevision, type Revision } from "../../../domain/repository/Revision.ts"
import { chooseTarget, parseAdvertisedRefs, refPatterns, substituteForHead } from "./advertisedRefs.ts"
import { authorizationHeader, authorized } from "./authorizationHeader.ts"
import { isRedirected, wantsCredentials } from "./explainFailure.ts"
import { command, type FetchContext, refuse } from "./FetchContext.ts"
import { redirectTarget } from "./redirectTarget.ts"
import { GitFailed, gitText } from "../process/runGit.ts"

/** How many redirects of a repository's address are followed. */
const maxRedirects = 3

/** A hosting service with 20,000 branches lists them in less. */
const maxRefBytes = 4_000_000

const listRefs = (context: FetchContext, patterns: ReadonlyArray<string>) =>
  gitText(command(context, "network", ["ls-remote", "--symref", "--", context.url, ...patterns]), maxRefBytes).pipe(
    Effect.map(parseAdvertisedRefs),
    Effect.timeoutOrElse({
      duration: context.limits.stallTime,
      orElse: () => Effect.fail(new GitFailed({ stderr: "timed out waiting for a response" })),
    }),
  )

/** Asks the server, or its new address if it redirects within the same host. */
const askServer = Effect.fnUntraced(function* (context: FetchContext, patterns: ReadonlyArray<string>) {
  let current = context
  for (let redirects = 0; ;) {
    const answer = yield* Effect.result(listRefs(current, patterns))
    if (Result.isSuccess(answer)) return { context: current, refs: answer.success }
    const error = answer.failure
    // A public repository never sees the credential.
    const opened = error._tag === "GitFailed" && wantsCredentials(error.stderr) ? authorized(current) : undefined
    if (opened !== undefined) {
      current = opened
      continue
    }
    const redirected = error._tag === "GitFailed" && isRedirected(error.stderr)
    const target =
      redirected && redirects++ < maxRedirects
        ? yield* redirectTarget({
            url: current.url,
            timeout: context.limits.stallTime,
            authorization: authorizationHeader(current),
            addresses: context.addresses,
          })
        : undefined
    const checked = target === undefined ? undefined : parseRepositoryUrl(target, context.allowedHosts)
    if (checked === undefined || Result.isFailure(checked)) return yield* error
    current = { ...current, url: checked.success }
  }
})

const noSuchRevision = (url: string, revision: Revision): string => {
  const what = revision.kind === "name" ? "branch or tag" : revision.kind
  const name = "name" in revision ? revision.name : revision.id
  const hint = /^[0-9a-f]{7,39}$/.test(name) ? " Specify a commit by its full id." : ""
  return `The repository ${url} has no ${what} "${name}".${hint}`
}

/** The requested revision, or the default branch. */
export const revisionOf = (name: string | undefined): Effect.Effect<Revision | undefined, SourceError> => {
  const parsed = name === undefined ? undefined : parseRevision(name)
  if (parsed !== undefined && Result.isFailure(parsed)) return Effect.fail(refuse(`The branch ${parsed.failure}.`))
  return Effect.succeed(parsed?.success)
}

/**
 * Determines what a branch, tag or commit means on the server, or which branch is the default one. The returned fetch
 * has the repository's address after redirects.
 */
export const findTarget = Effect.fnUntraced(function* (start: FetchContext, revision: Revision | undefined) {
  const { context, refs } = yield* askServer(start, refPatterns(revision))
  const target = chooseTarget(revision, refs)
  if (target !== undefined) return { context, refs, target }

  if (revision !== undefined && refs.names.has("HEAD")) return yield* refuse(noSuchRevision(start.url, revision))
  // Without a HEAD: the repository is empty, or its default branch does not exist.
  const all = yield* listRefs(context, ["refs/heads/*", "refs/tags/*"])
  if (all.names.size === 0) return yield* refuse(`The repository ${start.url} is empty: there is nothing to analyze.`)
  if (revision !== undefined) return yield* refuse(noSuchRevision(start.url, revision))
  const substitute = substituteForHead(all)
  if (substitute !== undefined) return { context, refs: all, target: substitute }
  return yield* refuse(`The default branch of ${start.url} does not exist. Specify a branch.`)
})
