import { mkdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import {
  type FetchedSource,
  SourceError,
  SourceFetcher,
  type SourceRequest,
} from "../../application/ports/SourceFetcher.ts"
import { type AllowedHosts, parseRepositoryUrl } from "../../domain/repository/RepositoryUrl.ts"
import { boundedSkips, type SourceLimits, sourceLimits } from "../../domain/repository/SourceLimits.ts"
import { explainFailure } from "./explainFailure.ts"
import { fetchCommit } from "./fetchCommit.ts"
import { findTarget } from "./findTarget.ts"
import { gitEnvironment } from "./gitEnvironment.ts"
import { command, type Job, refuse } from "./Job.ts"
import { materialise } from "./materialise.ts"
import { pinHost, type Resolve, systemResolve } from "./pinHost.ts"
import { gitText, runGit } from "./runGit.ts"
import { readTree } from "./readTree.ts"
import { rising } from "./transferProgress.ts"
import { jobDirectory, prepareWorkDirectory } from "./WorkDirectory.ts"

export interface GitSourceSettings {
  /** Created where missing; each analysis gets a directory of its own in it for as long as it runs. */
  readonly workDirectory: string
  readonly allowedHosts: AllowedHosts
  readonly limits?: Partial<SourceLimits>
  /** Looks host names up; the system's way when absent. */
  readonly resolve?: Resolve
}

const fetchInto = Effect.fnUntraced(function* (
  start: Job,
  branch: string | undefined,
  onProgress: (fraction: number) => void,
) {
  const { directory, limits } = start
  const repository = join(directory, "repository")
  const sources = join(directory, "sources")
  yield* Effect.promise(() =>
    Promise.all([repository, sources, join(directory, "home")].map((path) => mkdir(path, { mode: 0o700 }))),
  )

  onProgress(0)
  const { job, refs, target } = yield* findTarget(start, branch)
  onProgress(0.05)
  const commit = yield* fetchCommit(job, target, refs.objectFormat, (fraction) => onProgress(0.05 + fraction * 0.75))
  const listing = yield* runGit(command(job, "local", ["ls-tree", "-r", "-z", "--full-tree", commit]), (stdout) =>
    readTree(stdout, limits),
  )
  const { files, skipped } = yield* materialise({
    git: (gitArguments, input) => command(job, "local", gitArguments, { input }),
    files: listing.files,
    directory: sources,
    limits,
    onProgress: (fraction) => onProgress(0.8 + fraction * 0.2),
  })
  yield* Effect.promise(() => rm(repository, { recursive: true, force: true }))
  onProgress(1)

  const known = new Set(files)
  const fetched: FetchedSource = {
    directory: sources,
    branch: target.branch,
    commit,
    files,
    skipped: boundedSkips([...listing.skipped, ...skipped]),
    contentIds: new Map(listing.files.map(({ path, id }) => [path, id])),
    // Only paths that were written are read, so none of them leads out of the directory.
    readText: (path) =>
      known.has(path)
        ? Effect.promise(() => readFile(join(sources, path), "utf8").catch(() => undefined))
        : Effect.succeed(undefined),
  }
  return fetched
})

/**
 * Why the installed git cannot be used; undefined where it can. Before 2.31 git does not read its configuration from
 * the environment, and would run without the restrictions of `gitEnvironment`.
 */
export const gitObjection = (version: string): string | undefined => {
  const [, major, minor] = /^git version (\d+)\.(\d+)/.exec(version) ?? []
  const isNew = Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 31)
  return isNew ? undefined : "Git 2.31 or newer has to be installed on the worker to fetch repositories."
}

const installedGit = gitText({
  arguments: ["version"],
  directory: tmpdir(),
  environment: gitEnvironment({ home: tmpdir(), protocol: undefined, stallSeconds: 1 }),
}).pipe(Effect.orElseSucceed(() => ""))

/**
 * Fetches with the git binary: one commit, shallow, nothing checked out. The URL is checked again here, whatever was
 * checked before, because this is where connections are made.
 */
const make = Effect.fnUntraced(function* (settings: GitSourceSettings) {
  const limits: SourceLimits = { ...sourceLimits, ...settings.limits }
  yield* prepareWorkDirectory(settings.workDirectory)
  const unusable = gitObjection(yield* installedGit)

  const fetch = Effect.fn("GitSourceFetcher.fetch")(function* (
    request: SourceRequest,
    onProgress: (fraction: number) => void,
  ) {
    if (unusable !== undefined) return yield* refuse(unusable)
    const parsed = parseRepositoryUrl(request.repositoryUrl, settings.allowedHosts)
    if (Result.isFailure(parsed)) return yield* refuse(`The repository URL ${parsed.failure}.`)
    const url = parsed.success
    const directory = yield* jobDirectory(settings.workDirectory)
    const { credential } = request
    return yield* Effect.gen(function* () {
      const addresses = yield* pinHost(url, settings.resolve ?? systemResolve, limits.stallSeconds)
      const { allowedHosts } = settings
      const job: Job = { url, credential, isAuthorized: false, addresses, allowedHosts, directory, limits }
      return yield* fetchInto(job, request.branch, rising(onProgress))
    }).pipe(
      Effect.catchTag("GitFailed", ({ stderr }) =>
        Effect.logDebug("git failed", stderr).pipe(
          Effect.andThen(Effect.fail(explainFailure(stderr, url, limits, credential?.origin === new URL(url).origin))),
        ),
      ),
      Effect.timeoutOrElse({
        duration: limits.totalSeconds * 1000,
        orElse: () =>
          new SourceError({
            message: `Fetching ${url} took longer than ${limits.totalSeconds} seconds, the limit of an analysis.`,
            retryable: true,
          }),
      }),
    )
  })

  return SourceFetcher.of({ fetch })
})

/** Fails where the work directory cannot be used. */
export const layer = (settings: GitSourceSettings): Layer.Layer<SourceFetcher, SourceError> =>
  Layer.effect(SourceFetcher, make(settings))
