import { readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { SourceError } from "../../../application/ports/analysis/SourceFetcher.ts"
import { isCommitId, parseRevision, type Revision } from "../../../domain/repository/Revision.ts"
import { authorized } from "../remote/authorizationHeader.ts"
import { isExplained, isRedirected, wantsCredentials } from "../remote/explainFailure.ts"
import { command, type FetchContext } from "../remote/FetchContext.ts"
import { onDisk } from "../onDisk.ts"
import { type GitFailed, gitText } from "../process/runGit.ts"
import { transferProgress } from "./transferProgress.ts"
import { watchTransfer } from "./watchTransfer.ts"

/** A commit in the fetch's repository, and how the analysis calls it. */
export interface Cloned {
  readonly context: FetchContext
  readonly commit: string
  readonly branch: string
  /** Never known. */
  readonly head?: undefined
}

const text = (path: string): Promise<string> => readFile(path, "utf8").catch(() => "")

interface Head {
  /** The branch that it points to; undefined if it is a commit. */
  readonly branch: string | undefined
  readonly commit: string
}

/** What HEAD is, read from git's own files; undefined if that does not exist. */
const headOf = async (repository: string): Promise<Head | undefined> => {
  const head = (await text(join(repository, "HEAD"))).trimEnd()
  if (isCommitId(head)) return { branch: undefined, commit: head }
  const [, ref, branch] = /^ref: (refs\/heads\/(\S+))$/.exec(head) ?? []
  if (ref === undefined || Result.isFailure(parseRevision(ref))) return undefined
  const packed = (await text(join(repository, "packed-refs"))).split("\n").find((line) => line.endsWith(` ${ref}`))
  const commit = (packed ?? (await text(join(repository, ref)))).split(/\s/, 1)[0]!
  return isCommitId(commit) ? { branch, commit } : undefined
}

/** The analysis's name for what was fetched; undefined if it is not what was requested. */
const nameOf = (revision: Revision | undefined, { branch }: Head): string | undefined => {
  switch (revision?.kind) {
    case undefined:
      return branch ?? "HEAD"
    case "branch":
      return branch === revision.name ? branch : undefined
    case "tag":
      return branch === undefined ? `refs/tags/${revision.name}` : undefined
    case "name":
      return branch === undefined || branch === revision.name ? revision.name : undefined
    case "commit":
      return undefined
  }
}

/** Git's own configuration of a bare repository: without the remote, which it would ask for blobs that were kept back. */
const configuration = (commit: string): string =>
  commit.length === 64
    ? "[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectformat = sha256\n"
    : "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"

const empty = async (directory: string): Promise<void> => {
  for (const name of await readdir(directory)) await rm(join(directory, name), { recursive: true, force: true })
}

const clone = Effect.fnUntraced(function* (
  context: FetchContext,
  revision: Revision | undefined,
  onProgress: (fraction: number) => void,
) {
  const repository = join(context.directory, "repository")
  let hasSpoken = false
  const progress = transferProgress(onProgress)
  const run = gitText(
    command(
      context,
      "network",
      [
        "clone",
        "--bare",
        "--depth=1",
        "--no-tags",
        "--single-branch",
        "--template=",
        "--progress",
        `--filter=blob:limit=${context.limits.fileBytes + 1}`,
        ...(revision === undefined || revision.kind === "commit" ? [] : [`--branch=${revision.name}`]),
        "--",
        context.url,
        ".",
      ],
      {
        onStderr: (said) => {
          // That is said before anybody is asked.
          hasSpoken ||= !said.startsWith("Cloning into")
          progress(said)
        },
      },
    ),
  )
  const watch = watchTransfer(repository, () => hasSpoken, new URL(context.url).host, context.limits)
  yield* Effect.raceFirst(run, watch)
  const head = yield* onDisk(() => headOf(repository))
  const branch = head === undefined ? undefined : nameOf(revision, head)
  if (head === undefined || branch === undefined) return undefined
  yield* onDisk(() => writeFile(join(repository, "config"), configuration(head.commit)))
  const cloned: Cloned = { context, commit: head.commit, branch }
  return cloned
})

/** Whether there is more to find out: where the repository is now, what it has instead, or of what kind a tag is, over which a clone crashes. */
const mayBeElsewhere = (stderr: string): boolean =>
  isRedirected(stderr) || stderr.includes("ended by SIG") || !isExplained(stderr)

/**
 * Brings the latest commit of a branch, or that of a tag, at once: three git processes that connect twice, `ls-remote`, `init` and `fetch`, took
 * 32 ms of CPU, this one takes 18 (git 2.39, http; more with https). Undefined if the revision is something else, or
 * has to be looked for at length: the repository's directory is empty then.
 */
export const cloneBranch = (
  start: FetchContext,
  revision: Revision | undefined,
  onProgress: (fraction: number) => void,
): Effect.Effect<Cloned | undefined, GitFailed | SourceError> =>
  Effect.gen(function* () {
    if (revision?.kind === "commit") return undefined
    const cloned = yield* clone(start, revision, onProgress).pipe(
      Effect.catchTag("GitFailed", (error) => {
        // A public repository never sees the credential.
        const opened = wantsCredentials(error.stderr) ? authorized(start) : undefined
        return opened === undefined ? Effect.fail(error) : clone(opened, revision, onProgress)
      }),
      Effect.catchTag("GitFailed", (error) =>
        mayBeElsewhere(error.stderr) ? Effect.succeed(undefined) : Effect.fail(error),
      ),
    )
    if (cloned === undefined) yield* onDisk(() => empty(join(start.directory, "repository")))
    return cloned
  })
