import * as Result from "effect/Result"

/** Characters of a path. */
export const longestPath = 1_000

/**
 * A folder of a repository in the form of its files' paths, without leading or trailing slashes; the failure follows a
 * field's name.
 */
export const parseFolderPath = (text: string): Result.Result<string, string> => {
  const parts = text.split("/").filter((part) => part !== "" && part !== ".")
  if (text.length > longestPath) return Result.fail(`is longer than ${longestPath} characters`)
  if (text.startsWith("/")) return Result.fail("starts with a slash: it must be relative to the repository root")
  if (parts.includes("..")) return Result.fail("leads out of the repository")
  if ([...text].some((character) => character < " " || character === "\u007f" || character === "\\")) {
    return Result.fail("contains a control character or a backslash")
  }
  return parts.length === 0
    ? Result.fail("does not name a folder: omit it to analyze the whole repository")
    : Result.succeed(parts.join("/"))
}

/** Whether a file is in a folder, or is the folder itself; the empty folder contains everything. */
export const isWithin = (folder: string | undefined, file: string): boolean =>
  folder === undefined || file === folder || file.startsWith(`${folder}/`)
