import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { SourceError } from "../../../application/ports/analysis/SourceFetcher.ts"
import { type GitProcess, killGroup, startChild, type StartProcess } from "./GitProcess.ts"

export interface GitCommand {
  readonly arguments: ReadonlyArray<string>
  readonly directory: string
  readonly environment: Record<string, string>
  readonly input?: string | Uint8Array
  /** Receives all of stderr; only its end is kept. */
  readonly onStderr?: (text: string) => void
  /** How its process is started; as a child of this one if absent. */
  readonly start?: StartProcess
}

/** Git ended with an error. `stderr` may hold local paths and is for classification only, never for a user. */
export class GitFailed extends Data.TaggedError("GitFailed")<{ readonly stderr: string }> {}

/** How many bytes of stderr are kept: git's verdict is at the end. */
const stderrKept = 8_192

/**
 * How many bytes one git process may allocate: a server that lists branches endlessly makes git keep them all (3.8 GB
 * in 30 s, git 2.39). A repository with a million branches takes 0.4 GB over protocol 0. Packs are mapped and do not
 * count.
 */
const memoryLimit = 768 * 1024 * 1024

/** Only a shell can set the limit (RLIMIT_DATA) for the process that it turns into; it has no effect on macOS. */
const limited = `ulimit -d ${memoryLimit / 1024} 2>/dev/null; exec git "$@"`

interface Running {
  readonly git: GitProcess
  /** Resolves with the exit code when the process has exited and its pipes are closed. */
  readonly closed: Promise<number | null>
  readonly stderr: () => string
}

const start = async (command: GitCommand): Promise<Running> => {
  const { start: startProcess = startChild, directory, environment } = command
  const git = await startProcess({
    command: ["/bin/sh", "-c", limited, "git", ...command.arguments],
    directory,
    environment,
  })
  let kept = ""
  git.stderr.setEncoding("utf8").on("data", (text: string) => {
    kept = (kept + text).slice(-stderrKept)
    command.onStderr?.(text)
  })
  const closed = git.ended.then(({ code, signal, error }) => {
    if (error !== undefined) kept = `cannot run git: ${error}`
    else if (signal !== null) kept += `\nended by ${signal}`
    return code
  })
  // Git may end before it has read everything; its exit code tells.
  git.stdin.on("error", () => {})
  git.stdin.end(command.input ?? "")
  return { git, closed, stderr: () => kept }
}

const stop = async ({ git, closed }: Running): Promise<void> => {
  if (git.pid !== undefined) killGroup(git.pid)
  git.stdout.destroy()
  await closed
}

/**
 * Runs git and passes its stdout to `consume`, which may end it early by throwing a `SourceError`. However this ends,
 * including by interruption, which the signal reports to `consume`, the whole process group is killed and awaited.
 */
export const runGit = <A>(
  command: GitCommand,
  consume: (stdout: AsyncIterable<Buffer>, signal: AbortSignal) => Promise<A>,
): Effect.Effect<A, GitFailed | SourceError> =>
  Effect.acquireUseRelease(
    Effect.promise(() => start(command)),
    ({ git, closed, stderr }) =>
      Effect.tryPromise({
        try: async (signal) => {
          const result = await consume(git.stdout, signal)
          if ((await closed) !== 0) throw new GitFailed({ stderr: stderr() })
          return result
        },
        catch: (error) => (error instanceof SourceError ? error : new GitFailed({ stderr: stderr() || String(error) })),
      }),
    (running) => Effect.promise(() => stop(running)),
  )

/** Runs git and returns its output as text; fails if there is more than `maxBytes`. */
export const gitText = (command: GitCommand, maxBytes = 65_536): Effect.Effect<string, GitFailed | SourceError> =>
  runGit(command, async (stdout) => {
    const chunks: Array<Buffer> = []
    let length = 0
    for await (const chunk of stdout) {
      length += chunk.length
      if (length > maxBytes) throw new GitFailed({ stderr: "output too long" })
      chunks.push(chunk)
    }
    return Buffer.concat(chunks).toString("utf8")
  })
