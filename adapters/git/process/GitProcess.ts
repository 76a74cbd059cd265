import { spawn } from "node:child_process"
import { PassThrough, Readable, type Writable } from "node:stream"

/** A command line with its entire environment. */
export interface CommandLine {
  readonly command: ReadonlyArray<string>
  readonly directory: string
  readonly environment: Record<string, string>
}

/** How a process ended; `error` if it could not be run at all. */
export interface Ended {
  readonly code: number | null
  readonly signal: string | null
  readonly error?: string
}

/** A process in a group of its own: git starts helpers for the transport, and all of them have to end together. */
export interface GitProcess {
  /** Undefined if it could not be started. */
  readonly pid: number | undefined
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** Resolves when the process has exited and its output has been read or discarded. */
  readonly ended: Promise<Ended>
}

/** Starts a process; never rejects. */
export type StartProcess = (line: CommandLine) => Promise<GitProcess>

/** As a child of this process. */
export const startChild: StartProcess = async ({ command, directory, environment }) => {
  const [program, ...programArguments] = command
  const child = spawn(program!, programArguments, {
    cwd: directory,
    env: environment,
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  })
  const { pid, stdin, stdout, stderr } = child
  const ended = new Promise<Ended>((resolve) => {
    child.on("error", (error) => {
      if (pid === undefined) resolve({ code: null, signal: null, error: error.message })
    })
    child.on("close", (code, signal) => resolve({ code, signal }))
  })
  return { pid, stdin, stdout, stderr, ended }
}

/** Represents a process that could not be started. */
export const neverStarted = (error: string): GitProcess => ({
  pid: undefined,
  stdin: new PassThrough(),
  stdout: Readable.from([]),
  stderr: Readable.from([]),
  ended: Promise.resolve({ code: null, signal: null, error }),
})

/** Ends a process along with everything that it started. */
export const killGroup = (pid: number): void => {
  try {
    process.kill(-pid, "SIGKILL")
  } catch {
    // The group is already gone.
  }
}
