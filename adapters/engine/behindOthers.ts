import { platform, setPriority } from "node:os"

/** Of 19 levels: a thread at this one gets a third of the time of a normal one, and all idle time. */
const niceness = 5

/**
 * Lets the calling thread have its turn after others, such as the one that answers requests. Only Linux has a priority
 * per thread; elsewhere the whole process would be put back.
 */
export const behindOthers = (): void => {
  if (platform() !== "linux") return
  try {
    setPriority(niceness)
  } catch {
    // A sandbox may forbid it: nothing depends on it.
  }
}
