import { createHash } from "node:crypto"
import { chmod, lstat, mkdir, mkdtemp, opendir, readFile, readdir, rm, stat, unlink } from "node:fs/promises"
import { hostname } from "node:os"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { SourceError } from "../../application/ports/analysis/SourceFetcher.ts"
import { startChild, type StartProcess } from "./process/GitProcess.ts"
import { onDisk } from "./onDisk.ts"

const host = createHash("sha256").update(hostname()).digest("hex").slice(0, 8)

/** Milliseconds after which another machine's directory on a shared volume counts as left over. */
const foreignAge = 24 * 3_600_000

/**
 * When a process started, in clock ticks since boot (proc(5), field 22): in a container, a restarted worker gets the
 * same process id as its crashed predecessor. `0` if the system has no /proc.
 */
const startedAt = async (pid: number): Promise<string> => {
  try {
    const line = await readFile(`/proc/${pid}/stat`, "utf8")
    return line.slice(line.lastIndexOf(")") + 2).split(" ")[19] ?? "0"
  } catch {
    return "0"
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

const isLeftOver = async (directory: string, name: string): Promise<boolean> => {
  const [, owner, pid, started] = /^(?:job|launcher)-([0-9a-f]{8})-(\d+)-(\d+)-\w+$/.exec(name) ?? []
  if (owner === undefined) return false
  if (owner !== host) return Date.now() - (await stat(join(directory, name))).mtimeMs > foreignAge
  return !isAlive(Number(pid)) || (await startedAt(Number(pid))) !== started
}

/** How many files are removed at a time. */
const atOnce = 64

/** Folders with at most this many entries are removed by this process. */
const few = 1_000

/**
 * Removes the files of a folder, up to `room` entries; returns the room that is left, negative if it was not enough.
 */
const removeFiles = async (directory: string, room: number): Promise<number> => {
  const folders: Array<string> = []
  let left = room
  let removing: Array<Promise<void>> = []
  for await (const entry of await opendir(directory)) {
    if (--left < 0) break
    const path = join(directory, entry.name)
    if (entry.isDirectory()) folders.push(path)
    // Files that resist, or that another process removes at the same time, are checked at the end.
    else removing.push(unlink(path).catch(() => {}))
    if (removing.length < atOnce) continue
    await Promise.all(removing)
    removing = []
  }
  await Promise.all(removing)
  for (const folder of folders) if (left >= 0) left = await removeFiles(folder, left)
  return left
}

const removeElsewhere = async (path: string, start: StartProcess): Promise<void> => {
  const environment = { PATH: process.env["PATH"] ?? "/usr/bin:/bin" }
  const { stdin, stdout, stderr, ended } = await start({
    command: ["rm", "-rf", "--", path],
    directory: dirname(path),
    environment,
  })
  stdin.on("error", () => {}).end()
  stdout.resume()
  stderr.resume()
  await ended
}

/**
 * Node removes all files of a folder at once, blocking everything else for 0.5 s if there are 50,000; removing them one
 * by one takes more than a second of this thread. That many are therefore removed by another process. Afterwards, Node
 * removes what is left, the folders and whatever resisted, or reports it.
 */
const discard = async (path: string, start: StartProcess): Promise<void> => {
  const left = await removeFiles(path, few).catch(() => 0)
  if (left < 0) await removeElsewhere(path, start)
  await rm(path, { recursive: true, force: true, maxRetries: 3 })
}

/** In a shared place such as /tmp, someone else may have created the directory, or a link in its place. */
const takePossession = async (directory: string): Promise<void> => {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const { uid } = await lstat(directory)
  if (process.getuid !== undefined && uid !== process.getuid()) throw new Error("owned by another user")
  await chmod(directory, 0o700)
}

/** Creates the directory that contains those of fetches, and removes what crashed processes left in it. */
export const prepareWorkDirectory = Effect.fnUntraced(function* (directory: string) {
  yield* Effect.tryPromise({
    try: () => takePossession(directory),
    catch: () =>
      new SourceError({
        message: `Cannot use the work directory ${directory}: it must be a directory owned by this user.`,
        retryable: false,
      }),
  })
  const names = yield* Effect.promise(() => readdir(directory))
  for (const name of names) {
    const removed = yield* Effect.tryPromise(async () => {
      if (!(await isLeftOver(directory, name))) return false
      await discard(join(directory, name), startChild)
      return true
    }).pipe(Effect.orElseSucceed(() => false))
    if (removed) yield* Effect.logInfo("removed the sources of a crashed process", name)
  }
})

/** A directory that only this process may read (0700), removed when the scope closes. */
export const jobDirectory = (
  directory: string,
  use: "job" | "launcher" = "job",
  start: StartProcess = startChild,
): Effect.Effect<string, SourceError, Scope.Scope> =>
  Effect.acquireRelease(
    onDisk(async () => mkdtemp(join(directory, `${use}-${host}-${process.pid}-${await startedAt(process.pid)}-`))),
    (path) =>
      Effect.tryPromise(() => discard(path, start)).pipe(
        Effect.catch(() => Effect.logWarning("could not remove sources, the next start will", path)),
      ),
  )
