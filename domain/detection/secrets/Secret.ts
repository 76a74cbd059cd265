import type { SourceFile, Span } from "../SourceFile.ts"

/** What a secret is for; each kind is a rule. */
export const secretKinds = ["private-key", "mnemonic", "rpc-key", "cloud-key"] as const
export type SecretKind = (typeof secretKinds)[number]

/** Where a secret stands: the span is the part that has to be masked, a URL around it stays readable. */
export interface Secret extends Span {
  readonly kind: SecretKind
  /** What it is, to go on after "This is". */
  readonly what: string
  /** The name it is given, or empty. */
  readonly name: string
}

/** Looks for some kinds of secrets; linear in the text. */
export type SecretFinder = (file: SourceFile) => ReadonlyArray<Secret>
