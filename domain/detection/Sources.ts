import type { SourceFile } from "./SourceFile.ts"

/** A file or its text, or why it cannot be analyzed, in words for its author. */
export type ReadResult = SourceFile | { readonly text: string } | { readonly reason: string }

/** The files of one analysis; reading is synchronous because the engine runs in its own thread. */
export interface Sources {
  /** Relative paths with forward slashes. */
  readonly paths: ReadonlyArray<string>
  readonly read: (path: string) => ReadResult
}
