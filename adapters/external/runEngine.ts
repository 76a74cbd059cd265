import { execFile, spawn } from "node:child_process"
import { constants } from "node:fs"
import { open, readdir } from "node:fs/promises"
import { homedir, setPriority } from "node:os"
import { join, relative } from "node:path"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { maskedText } from "../../domain/detection/secrets/masked.ts"
import type { ExternalRun } from "../../domain/external/ExternalResult.ts"
import { maxSources, type Preset } from "../../domain/external/presets.ts"
import { readOutput } from "./readOutput.ts"
import { scratchCopy } from "./scratchCopy.ts"

export interface EngineLimits {
  readonly time: Duration.Duration
  /** What each process may allocate (RLIMIT_DATA); it has no effect on macOS. */
  readonly memoryMegabytes: number
  /** For the report, and for any file that is written. */
  readonly outputMegabytes: number
}

export const engineLimits: EngineLimits = { time: Duration.minutes(10), memoryMegabytes: 8_000, outputMegabytes: 25 }

/** The end of an engine's error output that is shown. */
const saidKept = 2_000

/** Separate namespaces: no network, and all processes end with the first one. */
const namespaces = ["--map-root-user", "--pid", "--fork", "--kill-child", "--net"] as const

let isolating: Promise<boolean> | undefined

/** Whether this system lets us disable the network; checked once. */
export const canIsolate = (): Promise<boolean> =>
  (isolating ??= new Promise((resolve) =>
    execFile("unshare", [...namespaces, "true"], { timeout: 5_000 }, (error) => resolve(error === null)),
  ))

/** Only a shell can set limits for the process that it turns into. */
const limited = ({ memoryMegabytes, outputMegabytes }: EngineLimits): string =>
  `ulimit -d ${memoryMegabytes * 1_000} 2>/dev/null; ulimit -f ${outputMegabytes * 2_000}; ulimit -c 0; exec "$@"`

const behindOthers = (pid: number): void => {
  try {
    setPriority(pid, 5)
  } catch {
    // It has ended, or a sandbox forbids it: nothing depends on it.
  }
}

interface Ended {
  readonly stdout: Buffer<ArrayBuffer>
  /** Why there is no output to read, or what was printed besides it. */
  readonly said: string
  readonly killed: string | undefined
}

/** An engine's arguments besides its options; a path never looks like an option. */
const sourcesOf = async ({ sources }: Preset, directory: string): Promise<ReadonlyArray<string>> => {
  if (sources === undefined) return []
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const found = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(sources))
    .map((entry) => `./${relative(directory, join(entry.parentPath, entry.name))}`)
    .filter((path) => !path.includes("/node_modules/"))
  if (found.length === 0) throw new Error(`there is no file ${sources}`)
  return found.toSorted().slice(0, maxSources)
}

const run = async (
  { command, args, needsNetwork }: Preset,
  directory: string,
  limits: EngineLimits,
  signal: AbortSignal,
): Promise<Ended> => {
  const isolation = (await canIsolate())
    ? ["unshare", ...namespaces.filter((one) => one !== "--net" || needsNetwork !== true)]
    : []
  return new Promise((resolve) => {
    const child = spawn("/bin/sh", ["-c", limited(limits), "engine", ...isolation, command, ...args], {
      cwd: directory,
      // Nothing of ours: no key, no token, no home directory. For Rust, its toolchains but not cargo's folder, which
      // contains credentials.
      env: {
        PATH: process.env["PATH"] ?? "/usr/bin:/bin",
        RUSTUP_HOME: process.env["RUSTUP_HOME"] ?? join(homedir(), ".rustup"),
        HOME: directory,
        LANG: "C.UTF-8",
        TERM: "dumb",
      },
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    })
    // Its children inherit it: request handling has priority.
    if (child.pid !== undefined) behindOthers(child.pid)
    let killed: string | undefined
    const kill = (reason: string): void => {
      killed ??= reason
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL")
      } catch (error) {
        // ESRCH: the group has already ended.
        if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error
      }
    }
    const late = (): void => kill(`it took longer than ${Duration.toSeconds(limits.time)} s`)
    const timer = setTimeout(late, Duration.toMillis(limits.time))
    const onAbort = (): void => kill("it was interrupted")
    signal.addEventListener("abort", onAbort)
    if (signal.aborted) onAbort()
    const chunks: Array<Buffer> = []
    let bytes = 0
    let said = ""
    child.stdout.on("data", (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > limits.outputMegabytes * 1_000_000) kill(`it wrote more than ${limits.outputMegabytes} MB`)
      else chunks.push(chunk)
    })
    child.stderr.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-saidKept)))
    child.on("error", (error) => (said += error.message))
    child.on("close", (code, endedBy) => {
      clearTimeout(timer)
      signal.removeEventListener("abort", onAbort)
      // Processes that the engine left in its group end with it.
      kill("it ended")
      const how = endedBy === null ? `it ended with ${code}` : `it was ended by ${endedBy}`
      resolve({
        stdout: Buffer.concat(chunks),
        said: said.trim() === "" ? how : `${how}: ${said.trim().slice(-300)}`,
        killed: killed === "it ended" ? undefined : killed,
      })
    })
  })
}

/** A report that an engine wrote, never through a link; undefined if there is none. */
const readReport = async (path: string, maxBytes: number): Promise<Buffer<ArrayBuffer> | undefined> => {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => undefined)
  if (file === undefined) return undefined
  try {
    const entry = await file.stat()
    return entry.isFile() && entry.size <= maxBytes ? await file.readFile() : undefined
  } finally {
    await file.close()
  }
}

const ranOver = async (
  preset: Preset,
  folder: string,
  limits: EngineLimits,
  signal: AbortSignal,
): Promise<ReadonlyArray<ExternalRun>> => {
  const { directory, remove } = await scratchCopy(folder)
  try {
    const args = [...preset.args, ...(await sourcesOf(preset, directory))]
    const { stdout, said, killed } = await run({ ...preset, args }, directory, limits, signal)
    if (killed !== undefined) throw new Error(killed)
    const bytes =
      preset.output === undefined
        ? stdout
        : await readReport(join(directory, preset.output), limits.outputMegabytes * 1_000_000)
    // A copy, because small buffers share their memory.
    const read = bytes === undefined ? "empty" : await readOutput({ bytes: new Uint8Array(bytes), root: directory })
    if (read === "empty") throw new Error(`it wrote no report; ${said}`)
    if ("failure" in read) throw new Error(`its report ${read.failure}; ${said}`)
    return read.runs
  } finally {
    await remove()
  }
}

/**
 * Runs another engine on a copy of a folder. It may run code from the repository, which only an operator can enable.
 * Any failure is described in one sentence; the processes and the copy are removed in every case.
 */
export const runEngine = (
  preset: Preset,
  folder: string,
  limits: EngineLimits = engineLimits,
): Effect.Effect<ReadonlyArray<ExternalRun>, string> =>
  Effect.callback((resume) => {
    const abort = new AbortController()
    const settled = ranOver(preset, folder, limits, abort.signal).then(
      (runs) => resume(Effect.succeed(runs)),
      (error: unknown) => resume(Effect.fail(maskedText("", error instanceof Error ? error.message : String(error)))),
    )
    // Interruption completes once the processes and the copy are gone.
    return Effect.suspend(() => {
      abort.abort()
      return Effect.promise(() => settled)
    })
  })
