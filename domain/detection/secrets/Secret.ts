import type { SourceFile, Span } from "../SourceFile.ts"

/** What a secret is for; each kind has a rule. */
export const secretKinds = ["private-key", "mnemonic", "rpc-key", "cloud-key"] as const
export type SecretKind = (typeof secretKinds)[number]

/** Where a secret is. The span covers only what must be masked: a URL around it stays readable. */
export interface Secret extends Span {
  readonly kind: SecretKind
  /** What it is, phrased to follow "This is". */
  readonly what: string
  /** The name it is assigned to, or an empty string. */
  readonly name: string
}

/** Looks for some kinds of secrets, in time linear in the text. */
export type SecretFinder = (file: SourceFile) => ReadonlyArray<Secret>
