import * as Result from "effect/Result"

/** A caller's revision of a repository: a full ref, a commit, or a short name that is a branch or else a tag. */
export type Revision =
  | { readonly kind: "branch"; readonly name: string }
  | { readonly kind: "tag"; readonly name: string }
  | { readonly kind: "commit"; readonly id: string }
  | { readonly kind: "name"; readonly name: string }

const maxLength = 255

/** SHA-1 or SHA-256, unabbreviated: servers do not resolve abbreviated ones. */
const commitId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i
export const isCommitId = (text: string): boolean => commitId.test(text)

/** Includes characters that are invisible or reverse text, which git would accept. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const forbidden = /[\u0000-\u0020\u007f-\u009f~^:?*[\\\p{Cf}\p{Cs}\p{Z}]/u

const objection = (name: string): string | undefined => {
  if (name === "") return "is empty: omit it for the default branch"
  if (name.length > maxLength) return `is longer than ${maxLength} characters`
  if (name.startsWith("-")) return "starts with a dash"
  if (forbidden.test(name)) return "contains a space, an invisible character or one of ~ ^ : ? * [ \\"
  if (name.startsWith("/") || name.endsWith("/") || name.includes("//"))
    return "has a leading, trailing or double slash"
  if (name.includes("..")) return "contains two dots in a row"
  if (name.endsWith(".")) return "ends with a dot"
  if (name.includes("@{") || name === "@") return "contains @{ or is @, which has a special meaning in git"
  if (name.split("/").some((part) => part.startsWith("."))) return "has a component that starts with a dot"
  if (name.split("/").some((part) => part.endsWith(".lock"))) return "has a component that ends with .lock"
  return name === "HEAD" ? "is HEAD: omit it for the default branch" : undefined
}

/**
 * Reads the full name of a branch or tag, or a commit id, by the rules of git-check-ref-format. What it accepts is
 * never an option, a range or a pattern to git. The failure says what is wrong, to follow the name of a field.
 */
export const parseRevision = (text: string): Result.Result<Revision, string> => {
  const wrong = objection(text)
  if (wrong !== undefined) return Result.fail(wrong)
  if (isCommitId(text)) return Result.succeed({ kind: "commit", id: text.toLowerCase() })
  const [, namespace, name] = /^refs\/(heads|tags)\/(.+)$/.exec(text) ?? []
  if (name !== undefined && name.startsWith("-")) return Result.fail("starts with a dash")
  if (name !== undefined) return Result.succeed({ kind: namespace === "heads" ? "branch" : "tag", name })
  return text.startsWith("refs/")
    ? Result.fail("is neither under refs/heads/ nor under refs/tags/")
    : Result.succeed({ kind: "name", name: text })
}
