import { getSystemErrorMessage } from "node:util"
import { hasProperty } from "effect/Predicate"

const described: Readonly<Record<string, string>> = {
  EISDIR: "it is a folder",
  ENOENT: "there is no such file or folder",
}

/** Why the operating system refused something, as the end of a sentence; of other errors, the message. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const known = hasProperty(error, "code") ? described[String(error.code)] : undefined
  if (known !== undefined) return known
  return hasProperty(error, "errno") && typeof error.errno === "number"
    ? getSystemErrorMessage(error.errno)
    : error.message
}
