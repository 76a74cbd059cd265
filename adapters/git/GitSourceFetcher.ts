import { mkdir, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { outsideTransaction } from "../../application/ports/InTransaction.ts"
import {
  type FetchedSource,
  SourceError,
  SourceFetcher,
  type SourceRequest,
} from "../../application/ports/analysis/SourceFetcher.ts"
import { type AllowedHosts, parseRepositoryUrl } from "../../domain/repository/RepositoryUrl.ts"
import type { Revision } from "../../domain/repository/Revision.ts"
import { boundedSkips, type SourceLimits, sourceLimits } from "../../domain/repository/SourceLimits.ts"
import { checkOut } from "./tree/checkOut.ts"
import { cloneBranch } from "./transfer/cloneBranch.ts"
import { explainFailure } from "./remote/explainFailure.ts"
import { fetchCommit } from "./transfer/fetchCommit.ts"
import { fetchSubmodules } from "./transfer/fetchSubmodules.ts"
import { findTarget, revisionOf } from "./remote/findTarget.ts"
import { gitEnvironment } from "./process/gitEnvironment.ts"
import { gitLauncher } from "./process/GitLauncher.ts"
import { startChild } from "./process/GitProcess.ts"
import { type FetchContext, refuse } from "./remote/FetchContext.ts"
import { onDisk } from "./onDisk.ts"
import { pinHost, type Resolve, systemResolve } from "./remote/pinHost.ts"
import { gitText } from "./process/runGit.ts"
import { rising } from "./transfer/transferProgress.ts"
import { jobDirectory, prepareWorkDirectory } from "./WorkDirectory.ts"

export interface GitSourceSettings {
  /** Created if missing; each analysis has its own directory in it while it runs. */
  readonly workDirectory: string
  readonly allowedHosts: AllowedHosts
  readonly limits?: Partial<SourceLimits>
  /** Looks host names up; the system's way when absent. */
  readonly resolve?: Resolve
  /** Whether git is started from a small process of its own, as a large one should. */
  readonly launcher?: boolean
}

/** Asks the server for its refs, then fetches. */
const lookFor = Effect.fnUntraced(function* (
  start: FetchContext,
  revision: Revision | undefined,
  onTransfer: (fraction: number) => void,
) {
  const { context, refs, target } = yield* findTarget(start, revision)
  onTransfer(0)
  const commit = yield* fetchCommit(context, target, refs.objectFormat, onTransfer)
  return { context, commit, branch: target.branch, head: refs.head?.replace(/^refs\/heads\//, "") }
})

const fetchInto = Effect.fnUntraced(function* (
  start: FetchContext,
  { branch, commit: asked }: Pick<SourceRequest, "branch" | "commit">,
  resolve: Resolve,
  onProgress: (fraction: number) => void,
) {
  const { directory, limits } = start
  const sources = join(directory, "sources")
  yield* onDisk(() =>
    Promise.all(
      [join(directory, "repository"), sources, join(directory, "home")].map((path) => mkdir(path, { mode: 0o700 })),
    ),
  )

  onProgress(0)
  const revision = yield* revisionOf(asked ?? branch)
  const onTransfer = (fraction: number) => onProgress(0.05 + fraction * 0.7)
  const cloned = yield* cloneBranch(start, revision, onTransfer)
  const { context, commit, branch: name, head } = cloned ?? (yield* lookFor(start, revision, onTransfer))
  const root = yield* checkOut(context, commit, { sources, prefix: "", limits }, (fraction) =>
    onProgress(0.75 + fraction * 0.15),
  )
  const modules = yield* fetchSubmodules(
    { context, commit, submodules: root.submodules },
    { sources, files: root.files.length, bytes: root.bytes, resolve },
  )
  const parts = [root, ...modules.found]
  yield* onDisk(() => removeRepositories(directory))
  onProgress(1)

  const files = parts.flatMap((part) => part.files).toSorted()
  const fetched: FetchedSource = {
    directory: sources,
    branch: asked === undefined ? name : (branch ?? head ?? name),
    commit,
    files,
    skipped: boundedSkips([...parts.flatMap((part) => part.skipped), ...modules.skipped]),
    unread: parts.flatMap((part) => part.unread).toSorted(),
    contentIds: new Map(parts.flatMap((part) => part.contentIds)),
  }
  return fetched
})

/** Everything but the sources: from here on only they are needed. */
const removeRepositories = async (directory: string): Promise<void> => {
  for (const name of await readdir(directory)) {
    if (name !== "sources") await rm(join(directory, name), { recursive: true, force: true })
  }
}

/**
 * Why the installed git cannot be used; undefined if it can. Before 2.31 git does not read its configuration from
 * the environment, and would run without the restrictions of `gitEnvironment`.
 */
export const gitObjection = (version: string): string | undefined => {
  const [, major, minor] = /^git version (\d+)\.(\d+)/.exec(version) ?? []
  const isNew = Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 31)
  return isNew ? undefined : "Git 2.31 or newer must be installed on the worker to fetch repositories."
}

const installedGit = gitText({
  arguments: ["version"],
  directory: tmpdir(),
  environment: gitEnvironment({ home: tmpdir(), protocol: undefined, stallTime: Duration.seconds(1) }),
}).pipe(Effect.orElseSucceed(() => ""))

/** Where the disk has no room for the launcher's socket, git is started by this process, which takes longer. */
const launched = (workDirectory: string) =>
  jobDirectory(workDirectory, "launcher").pipe(
    Effect.flatMap(gitLauncher),
    Effect.catch((error) =>
      Effect.as(Effect.logWarning("starting git without its launcher", error.message), startChild),
    ),
  )

/**
 * Fetches with the git binary: one commit, shallow, nothing checked out. The URL is checked again here, whatever was
 * checked before, because this is where connections are made.
 */
const make = Effect.fnUntraced(function* (settings: GitSourceSettings) {
  const limits: SourceLimits = { ...sourceLimits, ...settings.limits }
  yield* prepareWorkDirectory(settings.workDirectory)
  const unusable = gitObjection(yield* installedGit)
  const start = settings.launcher === true ? yield* launched(settings.workDirectory) : startChild

  const fetch = Effect.fn("GitSourceFetcher.fetch")(function* (
    request: SourceRequest,
    onProgress: (fraction: number) => void,
  ) {
    if (unusable !== undefined) return yield* refuse(unusable)
    const parsed = parseRepositoryUrl(request.repositoryUrl, settings.allowedHosts)
    if (Result.isFailure(parsed)) return yield* refuse(`The repository URL ${parsed.failure}.`)
    const url = parsed.success
    const directory = yield* jobDirectory(settings.workDirectory, "job", start)
    const { credential } = request
    return yield* Effect.gen(function* () {
      const resolve = settings.resolve ?? systemResolve
      const addresses = yield* pinHost(url, resolve, limits.stallTime)
      const { allowedHosts } = settings
      const context: FetchContext = {
        url,
        credential,
        isAuthorized: false,
        addresses,
        allowedHosts,
        directory,
        limits,
        start,
      }
      return yield* fetchInto(context, request, resolve, rising(onProgress))
    }).pipe(
      Effect.catchTag("GitFailed", ({ stderr }) =>
        Effect.logDebug("git failed", stderr).pipe(
          Effect.andThen(Effect.fail(explainFailure(stderr, url, limits, credential?.origin === new URL(url).origin))),
        ),
      ),
      Effect.timeoutOrElse({
        duration: limits.totalTime,
        orElse: () =>
          new SourceError({
            message: `Fetching ${url} took longer than ${Duration.toSeconds(limits.totalTime)} seconds, the limit of an analysis. Retry later.`,
            // Two more attempts would hold a worker for as long again.
            retryable: false,
            byLimit: true,
          }),
      }),
    )
  })

  return SourceFetcher.of({ fetch: (...given) => outsideTransaction(fetch(...given)) })
})

/** Fails where the work directory cannot be used. */
export const layer = (settings: GitSourceSettings): Layer.Layer<SourceFetcher, SourceError> =>
  Layer.effect(SourceFetcher, make(settings))
