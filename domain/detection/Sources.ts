/** The text of a file, or why it cannot be analysed, in words for its author. */
export type ReadResult = { readonly text: string } | { readonly reason: string }

/** The files of one analysis; reading is synchronous because the engine runs in a thread of its own. */
export interface Sources {
  /** Relative paths with forward slashes. */
  readonly paths: ReadonlyArray<string>
  readonly read: (path: string) => ReadResult
}
