import { constants } from "node:fs"
import { open } from "node:fs/promises"

/**
 * The bytes of a regular file of at most `maxBytes`; undefined if there is no such file. Folders may come from
 * strangers: opening a pipe would wait for a writer that never comes, and a device has no end.
 */
export const readRegular = async (path: string, maxBytes: number, flags = 0): Promise<Buffer | undefined> => {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | flags).catch(() => undefined)
  if (file === undefined) return undefined
  try {
    const stat = await file.stat()
    return stat.isFile() && stat.size <= maxBytes ? await file.readFile() : undefined
  } catch {
    return undefined
  } finally {
    await file.close()
  }
}
