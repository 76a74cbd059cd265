import { execFile } from "node:child_process"
import { cp, lstat, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"

const limits = { files: 50_000, bytes: 1_000_000_000 } as const

/** A copy of a folder without links and git's own files, for programs that may write anything; `remove` deletes it. */
export const scratchCopy = async (
  folder: string,
): Promise<{ readonly directory: string; readonly remove: () => Promise<void> }> => {
  const directory = await mkdtemp(join(tmpdir(), "assay-engine-"))
  const remove = async () => {
    // Node would remove 50,000 files in one go without responding to anyone.
    await new Promise<void>((resolve) => execFile("rm", ["-rf", "--", directory], () => resolve()))
    await rm(directory, { recursive: true, force: true })
  }
  let [files, bytes] = [0, 0]
  try {
    await cp(folder, directory, {
      recursive: true,
      filter: async (path) => {
        if (basename(path) === ".git") return false
        const entry = await lstat(path).catch(() => undefined)
        if (entry === undefined) return false
        if (entry.isDirectory()) return true
        if (!entry.isFile()) return false
        files++
        bytes += entry.size
        if (files > limits.files || bytes > limits.bytes) {
          throw new Error(`the folder has more than ${limits.files} files or ${limits.bytes / 1_000_000} MB`)
        }
        return true
      },
    })
    return { directory, remove }
  } catch (error) {
    await remove()
    throw error
  }
}
