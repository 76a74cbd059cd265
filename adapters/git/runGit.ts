import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { SourceError } from "../../application/ports/SourceFetcher.ts"

export interface GitCommand {
  readonly arguments: ReadonlyArray<string>
  readonly directory: string
  readonly environment: Record<string, string>
  readonly input?: string | Uint8Array
  /** Sees all of stderr; only its end is kept. */
  readonly onStderr?: (text: string) => void
}

/** Git ended with an error. `stderr` may hold local paths and is for classification only, never for a user. */
export class GitFailed extends Data.TaggedError("GitFailed")<{ readonly stderr: string }> {}

/** Bytes of stderr that are kept: git's verdict stands at the end. */
const stderrKept = 8_192

/**
 * Bytes that one git process may allocate: a server that lists branches without end makes git keep them all (3.8 GB in
 * 30 s, git 2.39). A repository with a million branches takes 0.4 GB over protocol 0. Packs are mapped and do not count.
 */
const memoryLimit = 768 * 1024 * 1024

/** Only a shell can set the limit (RLIMIT_DATA) for the process that it turns into; it has no effect on macOS. */
const limited = `ulimit -d ${memoryLimit / 1024} 2>/dev/null; exec git "$@"`

interface Running {
  readonly child: ChildProcessWithoutNullStreams
  /** Resolves when the process is gone and its pipes are closed. */
  readonly closed: Promise<number | null>
  readonly stderr: () => string
}

const start = (command: GitCommand): Running => {
  // A group of its own: git starts helpers for the transport, and all of them have to end together.
  const child = spawn("/bin/sh", ["-c", limited, "git", ...command.arguments], {
    cwd: command.directory,
    env: command.environment,
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  })
  let kept = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    kept = (kept + text).slice(-stderrKept)
    command.onStderr?.(text)
  })
  const closed = new Promise<number | null>((resolve) => {
    child.on("error", (error) => {
      kept = `cannot run git: ${error.message}`
      if (child.pid === undefined) resolve(null)
    })
    child.on("close", (code, signal) => {
      if (signal !== null) kept += `\nended by ${signal}`
      resolve(code)
    })
  })
  // Git may end before it has read everything; its exit code tells.
  child.stdin.on("error", () => {})
  child.stdin.end(command.input ?? "")
  return { child, closed, stderr: () => kept }
}

const stop = async ({ child, closed }: Running): Promise<void> => {
  if (child.pid !== undefined) {
    try {
      process.kill(-child.pid, "SIGKILL")
    } catch {
      // The group is gone already.
    }
  }
  child.stdout.destroy()
  await closed
}

/**
 * Runs git and hands its stdout to `consume`, which may end it early by throwing a `SourceError`. The whole process
 * group is killed and awaited on every way out, interruption included, of which the signal tells `consume`.
 */
export const runGit = <A>(
  command: GitCommand,
  consume: (stdout: AsyncIterable<Buffer>, signal: AbortSignal) => Promise<A>,
): Effect.Effect<A, GitFailed | SourceError> =>
  Effect.acquireUseRelease(
    Effect.sync(() => start(command)),
    ({ child, closed, stderr }) =>
      Effect.tryPromise({
        try: async (signal) => {
          const result = await consume(child.stdout, signal)
          if ((await closed) !== 0) throw new GitFailed({ stderr: stderr() })
          return result
        },
        catch: (error) => (error instanceof SourceError ? error : new GitFailed({ stderr: stderr() || String(error) })),
      }),
    (running) => Effect.promise(() => stop(running)),
  )

/** Runs git for its output as text, which is cut off with an error beyond `maxBytes`. */
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
