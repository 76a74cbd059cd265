import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/**
 * A file system in memory that only a separate mount namespace sees, so that its mounts disappear with the namespace. The
 * layers of an overlay must not include both the machine's root and a folder on the same disk.
 */
export interface Scratch {
  /** Its path inside the namespace. */
  readonly folder: string
  /** Its path for everybody else, through which this process reaches the namespace. */
  readonly outside: (path: string) => string
  /** The command that runs the one after it in the namespace. */
  readonly enter: ReadonlyArray<string>
  readonly close: () => Promise<void>
}

export const openScratch = async (): Promise<Scratch> => {
  const folder = mkdtempSync(join(tmpdir(), "assay-image-"))
  const holder = spawn(
    "unshare",
    ["--mount", "--propagation=private", "sh", "-euc", `mount -t tmpfs tmpfs ${folder}; echo mounted; exec cat`],
    { stdio: ["pipe", "pipe", "inherit"] },
  )
  const ended = once(holder, "close")
  await Promise.race([
    once(holder.stdout, "data"),
    ended.then(() => {
      throw new Error("no mount namespace could be made: this test needs root on Linux, with the right to mount")
    }),
  ])
  return {
    folder,
    outside: (path) => `/proc/${holder.pid}/root${path}`,
    enter: ["nsenter", `--mount=/proc/${holder.pid}/ns/mnt`],
    close: async () => {
      holder.stdin.end()
      await ended
      rmdirSync(folder)
    },
  }
}
