import { platform, setPriority } from "node:os"

/** Of 19 levels: a thread at this one gets a third of the time of a normal one, and all idle time. */
const niceness = 5

/**
 * Lowers the calling thread's priority below that of others, such as the one that answers requests. Only Linux has
 * per-thread priorities; elsewhere, this would slow down the whole process.
 */
export const behindOthers = (): void => {
  if (platform() !== "linux") return
  try {
    setPriority(niceness)
  } catch {
    // A sandbox may forbid it: nothing depends on it.
  }
}
