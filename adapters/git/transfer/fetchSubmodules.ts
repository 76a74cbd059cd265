import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { SourceError } from "../../../application/ports/analysis/SourceFetcher.ts"
import type { SkippedFile } from "../../../domain/analysis/Coverage.ts"
import { authorized } from "../remote/authorizationHeader.ts"
import { type CheckedOut, checkOut } from "../tree/checkOut.ts"
import { declaredModules, moduleUrl } from "../tree/declaredModules.ts"
import { explainFailure, wantsCredentials } from "../remote/explainFailure.ts"
import { fetchCommit } from "./fetchCommit.ts"
import type { FetchContext } from "../remote/FetchContext.ts"
import { isDiskFull, onDisk } from "../onDisk.ts"
import { pinHost, type Resolve } from "../remote/pinHost.ts"
import { pathObjection } from "../tree/treePath.ts"
import type { RepositoryUrl } from "../../../domain/repository/RepositoryUrl.ts"

/** Dependencies of dependencies are read, but not further ones: no contracts import them. */
const maxDepth = 2
const maxModules = 40
/** Part of the time of the whole fetch that submodules may take. */
const shareOfTime = 0.25
/** For one of them to answer at all. */
const patience = Duration.seconds(10)

interface Repository {
  readonly context: FetchContext
  readonly commit: string
}

interface Parent extends Repository {
  readonly prefix: string
  readonly depth: number
  readonly submodules: CheckedOut["submodules"]
}

/** Brings one commit of another repository to a directory of its own. */
const fetchModule = Effect.fnUntraced(function* (context: FetchContext, id: string) {
  yield* onDisk(() =>
    Promise.all(
      ["repository", "home"].map((name) => mkdir(join(context.directory, name), { recursive: true, mode: 0o700 })),
    ),
  )
  const fetchAs = (as: FetchContext) =>
    Effect.map(
      fetchCommit(as, { ref: id, branch: id }, id.length === 64 ? "sha256" : "sha1", () => undefined),
      (commit): Repository => ({ context: as, commit }),
    )
  return yield* fetchAs(context).pipe(
    Effect.catchTag("GitFailed", (error) => {
      const opened = wantsCredentials(error.stderr) ? authorized(context) : undefined
      return opened === undefined ? Effect.fail(error) : fetchAs(opened)
    }),
    Effect.catchTag("GitFailed", ({ stderr }) =>
      Effect.fail(
        explainFailure(stderr, context.url, context.limits, context.credential?.origin === new URL(context.url).origin),
      ),
    ),
  )
})

/** The state of reading a repository's submodules: remaining limits and results. */
interface Collection {
  /** The fetch of the repository that they all hang on. */
  readonly root: FetchContext
  readonly sources: string
  readonly resolve: Resolve
  readonly limits: FetchContext["limits"]
  readonly deadline: number
  readonly fetched: Map<string, Repository>
  /** Hosts on which one of them timed out. */
  readonly unreachable: Set<string>
  readonly found: Array<CheckedOut>
  readonly skipped: Array<SkippedFile>
  modules: number
  filesLeft: number
  bytesLeft: number
}

const repositoryOf = Effect.fnUntraced(function* (collection: Collection, url: RepositoryUrl, id: string) {
  const { root, limits, deadline, fetched, unreachable } = collection
  const known = fetched.get(`${url} ${id}`)
  if (known !== undefined) return known
  const { host } = new URL(url)
  if (unreachable.has(host)) {
    return yield* new SourceError({ message: `The host ${host} is unreachable.`, retryable: true })
  }
  const left = deadline - (yield* Clock.currentTimeMillis)
  if (left <= 0) {
    return yield* new SourceError({ message: "The time for submodules is used up.", retryable: true })
  }
  const ownLimits = {
    ...limits,
    repositoryBytes: collection.bytesLeft,
    stallTime: Duration.min(patience, limits.stallTime),
  }
  const repository = yield* Effect.gen(function* () {
    const addresses = yield* pinHost(url, collection.resolve, ownLimits.stallTime)
    const directory = join(root.directory, `module-${fetched.size}-${collection.modules}`)
    const context: FetchContext = { ...root, url, isAuthorized: false, addresses, directory, limits: ownLimits }
    return yield* fetchModule(context, id)
  }).pipe(
    Effect.timeoutOrElse({
      duration: left,
      orElse: () => Effect.fail(new SourceError({ message: "The time for submodules is used up.", retryable: true })),
    }),
    // Further submodules on this host would time out as well.
    Effect.tapError(({ retryable }) => Effect.sync(() => retryable && unreachable.add(host))),
  )
  fetched.set(`${url} ${id}`, repository)
  return repository
})

const readModules = (collection: Collection, parent: Parent): Effect.Effect<void, SourceError> =>
  Effect.gen(function* () {
    if (parent.submodules.length === 0) return
    const declared = yield* declaredModules(parent.context, parent.commit)
    for (const { path, id } of parent.submodules) {
      const place = parent.prefix === "" ? path : `${parent.prefix}/${path}`
      const skip = (reason: string): void => void collection.skipped.push({ file: place, reason })
      const url = declared.get(path)
      if (parent.depth >= maxDepth) skip("is a submodule of a submodule, nested too deeply to be fetched")
      else if (++collection.modules > maxModules)
        skip(`is a submodule beyond the first ${maxModules}, which is not fetched`)
      else if (pathObjection(place) !== undefined) skip(`is a submodule that ${pathObjection(place)}`)
      else if (url === undefined) skip("is a submodule without a URL in .gitmodules")
      else {
        const from = moduleUrl(url, parent.context.url, parent.context.allowedHosts)
        if (Result.isFailure(from)) skip(`is a submodule that is not fetched: its URL ${from.failure}`)
        else
          yield* readModule(collection, parent, place, from.success, id).pipe(
            Effect.catchTag("SourceError", (error) =>
              isDiskFull(error)
                ? Effect.fail(error)
                : Effect.sync(() => skip(`is a submodule that could not be fetched. ${error.message}`)),
            ),
          )
      }
    }
  })

const readModule = Effect.fnUntraced(function* (
  collection: Collection,
  parent: Parent,
  place: string,
  url: RepositoryUrl,
  id: string,
) {
  const repository = yield* repositoryOf(collection, url, id)
  const limits = { ...collection.limits, files: collection.filesLeft, repositoryBytes: collection.bytesLeft }
  const checkedOut = yield* checkOut(
    repository.context,
    repository.commit,
    { sources: collection.sources, prefix: place, limits },
    () => undefined,
  ).pipe(
    Effect.catchTag("GitFailed", () =>
      Effect.fail(new SourceError({ message: "Its files could not be read.", retryable: false })),
    ),
  )
  collection.filesLeft -= checkedOut.files.length
  collection.bytesLeft -= checkedOut.bytes
  collection.found.push(checkedOut)
  yield* readModules(collection, {
    ...repository,
    prefix: place,
    depth: parent.depth + 1,
    submodules: checkedOut.submodules,
  })
})

/**
 * Reads the submodules of a fetched repository, and theirs: the pinned commits, by the same rules as the repository
 * itself, from allowed hosts only. Nothing of them is run. One that cannot be had is skipped with its reason; what
 * they may take together is what the repository has left of its limits, and a part of its time.
 */
export const fetchSubmodules = Effect.fnUntraced(function* (
  root: Repository & { readonly submodules: CheckedOut["submodules"] },
  {
    sources,
    files,
    bytes,
    resolve,
  }: { readonly sources: string; readonly files: number; readonly bytes: number; readonly resolve: Resolve },
) {
  const { limits } = root.context
  const collection: Collection = {
    root: root.context,
    sources,
    resolve,
    limits,
    deadline: (yield* Clock.currentTimeMillis) + Duration.toMillis(limits.totalTime) * shareOfTime,
    fetched: new Map(),
    unreachable: new Set(),
    found: [],
    skipped: [],
    modules: 0,
    filesLeft: limits.files - files,
    bytesLeft: limits.repositoryBytes - bytes,
  }
  yield* readModules(collection, { ...root, prefix: "", depth: 0 })
  return { found: collection.found, skipped: collection.skipped }
})
