import * as Effect from "effect/Effect"
import { hasProperty } from "effect/Predicate"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** Another process is using the data directory; two would destroy it. */
export class DataDirectoryInUse extends Schema.TaggedError<DataDirectoryInUse>()("DataDirectoryInUse", {
  dataDirectory: Schema.String,
  pid: Schema.Int,
}) {
  override get message(): string {
    return (
      `Process ${this.pid} is using the data directory ${this.dataDirectory}. ` +
      `Stop it, or choose another directory with --data-dir.`
    )
  }
}

const Holder = Schema.fromJsonString(Schema.Struct({ pid: Schema.Int, started: Schema.NullOr(Schema.String) }))
type Holder = typeof Holder.Type

/** The kernel's fields about a process from its state on, if available (Linux; fields 3 and up of `proc(5)` stat). */
const statOf = (pid: number): ReadonlyArray<string> => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  } catch {
    return []
  }
}

/**
 * When a process started, in clock ticks since boot, if known (field 22). Distinguishes a process from a later one with
 * the same pid, which a container's first process always has.
 */
const startOf = (pid: number): string | null => statOf(pid)[19] ?? null

/** It ended but was not reaped, which in a container without an init process never happens. */
const isZombie = (pid: number): boolean => ["Z", "X"].includes(statOf(pid)[0] ?? "")

const isAlive = ({ pid, started }: Holder): boolean => {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: alive, but owned by another user.
    if (!hasProperty(error, "code") || error.code !== "EPERM") return false
  }
  if (isZombie(pid)) return false
  const now = startOf(pid)
  return started === null || now === null || started === now
}

/** Undefined if there is no lock, or its holder is unreadable. */
const holderOf = (path: string): Holder | undefined => {
  try {
    return Schema.decodeUnknownSync(Holder)(readFileSync(path, "utf8"))
  } catch {
    return undefined
  }
}

/** `link` creates the lock atomically. */
const tryLink = (from: string, to: string): boolean => {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (hasProperty(error, "code") && error.code === "EEXIST") return false
    throw error
  }
}

const acquire = (dataDirectory: string, lock: string): Effect.Effect<void, DataDirectoryInUse> =>
  Effect.suspend(() => {
    const own: Holder = { pid: process.pid, started: startOf(process.pid) }
    const draft = `${lock}.${process.pid}`
    writeFileSync(draft, Schema.encodeSync(Holder)(own), { mode: 0o600 })
    try {
      if (tryLink(draft, lock)) return Effect.void
      const holder = holderOf(lock)
      if (holder !== undefined && isAlive(holder)) {
        return Effect.fail(new DataDirectoryInUse({ dataDirectory, pid: holder.pid }))
      }
      // Renaming removes the stale lock for only one of several processes; the link then decides among them.
      const stale = `${draft}.stale`
      renameSync(lock, stale)
      rmSync(stale)
      if (tryLink(draft, lock)) return Effect.void
      return Effect.fail(new DataDirectoryInUse({ dataDirectory, pid: holderOf(lock)?.pid ?? 0 }))
    } finally {
      rmSync(draft, { force: true })
    }
  })

/** Locks the directory for this process until the scope closes. The lock of a dead process is taken over. */
export const lockDataDirectory = (dataDirectory: string): Effect.Effect<void, DataDirectoryInUse, Scope.Scope> => {
  const lock = join(dataDirectory, "assay.lock")
  return Effect.acquireRelease(acquire(dataDirectory, lock), () => Effect.sync(() => rmSync(lock, { force: true })))
}
