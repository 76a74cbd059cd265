import * as Result from "effect/Result"
import { parseRevision, type Revision } from "../../../domain/repository/Revision.ts"

/** A server's response about the requested refs. */
export interface AdvertisedRefs {
  /** Full ref names, and `HEAD`, that exist. */
  readonly names: ReadonlySet<string>
  /** The full name of the branch that HEAD points to. */
  readonly head: string | undefined
  readonly objectFormat: "sha1" | "sha256"
}

/** What to fetch, and the analysis's name for it. */
export interface Target {
  /** The source side of a refspec: a full ref, `HEAD` or a commit id. */
  readonly ref: string
  readonly branch: string
}

/** Reads the output of `git ls-remote --symref`. Names that no ref may have are ignored. */
export const parseAdvertisedRefs = (output: string): AdvertisedRefs => {
  const names = new Set<string>()
  let head: string | undefined
  let objectFormat: AdvertisedRefs["objectFormat"] = "sha1"
  for (const line of output.split("\n")) {
    const symbolic = /^ref: (refs\/heads\/\S+)\tHEAD$/.exec(line)?.[1]
    if (symbolic !== undefined && Result.isSuccess(parseRevision(symbolic))) head = symbolic
    const [, id, name] = /^([0-9a-f]{40,64})\t(\S+)$/.exec(line) ?? []
    if (id === undefined || name === undefined) continue
    if (id.length === 64) objectFormat = "sha256"
    names.add(name)
  }
  return { names, head, objectFormat }
}

/** Patterns for the refs that a revision may mean; HEAD identifies an empty repository. */
export const refPatterns = (revision: Revision | undefined): ReadonlyArray<string> => {
  switch (revision?.kind) {
    case "branch":
      return ["HEAD", `refs/heads/${revision.name}`]
    case "tag":
      return ["HEAD", `refs/tags/${revision.name}`]
    case "name":
      return ["HEAD", `refs/heads/${revision.name}`, `refs/tags/${revision.name}`]
    default:
      return ["HEAD"]
  }
}

const shortName = (ref: string): string => ref.replace(/^refs\/heads\//, "")

/** The branches to try if HEAD points to none that exists: the only one, or one with a customary name. */
export const substituteForHead = ({ names }: AdvertisedRefs): Target | undefined => {
  const branches = [...names].filter((name) => name.startsWith("refs/heads/") && Result.isSuccess(parseRevision(name)))
  const ref =
    branches.length === 1 ? branches[0] : ["refs/heads/main", "refs/heads/master"].find((name) => names.has(name))
  return ref === undefined ? undefined : { ref, branch: shortName(ref) }
}

/** What a revision means among the existing refs: a short name is a branch, or else a tag. */
export const chooseTarget = (revision: Revision | undefined, refs: AdvertisedRefs): Target | undefined => {
  const existing = (ref: string, branch: string): Target | undefined =>
    refs.names.has(ref) ? { ref, branch } : undefined
  switch (revision?.kind) {
    case undefined:
      if (!refs.names.has("HEAD")) return undefined
      return refs.head === undefined
        ? { ref: "HEAD", branch: "HEAD" }
        : { ref: refs.head, branch: shortName(refs.head) }
    case "commit":
      return { ref: revision.id, branch: revision.id }
    case "branch":
      return existing(`refs/heads/${revision.name}`, revision.name)
    case "tag":
      return existing(`refs/tags/${revision.name}`, `refs/tags/${revision.name}`)
    case "name":
      return (
        existing(`refs/heads/${revision.name}`, revision.name) ?? existing(`refs/tags/${revision.name}`, revision.name)
      )
  }
}
