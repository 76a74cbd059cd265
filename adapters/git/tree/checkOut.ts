import { join } from "node:path"
import * as Effect from "effect/Effect"
import type { SkippedFile } from "../../../domain/analysis/Coverage.ts"
import type { SourceLimits } from "../../../domain/repository/SourceLimits.ts"
import { command, type FetchContext } from "../remote/FetchContext.ts"
import { materialize } from "./materialize.ts"
import { readTree, type SubmoduleEntry } from "./readTree.ts"
import { runGit } from "../process/runGit.ts"

/** The files of a commit below the sources' directory. */
export interface CheckedOut {
  readonly files: ReadonlyArray<string>
  readonly skipped: ReadonlyArray<SkippedFile>
  /** Contracts in unread languages. */
  readonly unread: ReadonlyArray<string>
  readonly submodules: ReadonlyArray<SubmoduleEntry>
  /** Blob ids by path. */
  readonly contentIds: ReadonlyArray<readonly [path: string, id: string]>
  readonly bytes: number
}

/** Writes a fetched commit's files below `prefix`, which all returned paths include. */
export const checkOut = Effect.fnUntraced(function* (
  context: FetchContext,
  commit: string,
  { sources, prefix, limits }: { readonly sources: string; readonly prefix: string; readonly limits: SourceLimits },
  onProgress: (fraction: number) => void,
) {
  const listing = yield* runGit(
    command(context, "local", ["ls-tree", "-r", "-t", "-l", "-z", "--full-tree", `${commit}^{commit}`]),
    (stdout, signal) => readTree(stdout, limits, signal),
  )
  const placed = (path: string): string => (prefix === "" ? path : `${prefix}/${path}`)
  const { files, skipped, bytes } = yield* materialize({
    git: (gitArguments, input) => command(context, "local", gitArguments, { input }),
    files: listing.files,
    directory: join(sources, prefix),
    limits,
    onProgress,
  })
  const checkedOut: CheckedOut = {
    files: files.map(placed),
    skipped: [...listing.skipped, ...skipped].map(({ file, reason }) => ({ file: placed(file), reason })),
    unread: listing.unread.map(placed),
    submodules: listing.submodules,
    contentIds: listing.files.map(({ path, id }) => [placed(path), id] as const),
    bytes,
  }
  return checkedOut
})
