import type { Ecosystem } from "../analysis/Framework.ts"
import type { Category } from "../finding/Category.ts"
import type { Confidence, Severity } from "../finding/Severity.ts"
import type { SourceFile, Span } from "./SourceFile.ts"

/** What a person needs to know about a rule; the catalog, SARIF help and rule pages are generated from it. */
export interface RuleMeta {
  /** `<ecosystem>/<category>/<rule>`; never renamed once released. */
  readonly id: `${Ecosystem}/${Category}/${string}`
  /** The id of the vulnerability class in the taxonomy, for example `reentrancy-eth`. */
  readonly class: string
  readonly title: string
  readonly severity: Severity
  readonly confidence: Confidence
  /** CWE numbers, most specific first. */
  readonly cwe: ReadonlyArray<number>
  /** The number in the Smart Contract Weakness Classification, if there is one. */
  readonly swc?: number
  /** What is wrong and how it can be attacked, in a paragraph or two of plain prose. */
  readonly description: string
  /** What to do about it, in steps that can be followed. */
  readonly remediation: string
  /** URLs of specifications, advisories and write-ups. */
  readonly references: ReadonlyArray<string>
  /**
   * Ids of rules that this one replaces: decisions about their findings, and comments that name them, apply to its
   * findings.
   */
  readonly supersedes?: ReadonlyArray<string>
}

/**
 * Example code that ships with a rule. In a vulnerable example, each line that the rule must flag ends in the comment
 * `// FINDING`; a safe example has no such comment and must not be flagged.
 */
export interface RuleExamples {
  readonly vulnerable: readonly [string, string, ...ReadonlyArray<string>]
  readonly safe: readonly [string, string, ...ReadonlyArray<string>]
  /** The kind of file, if the examples are not source files, such as `Cargo.toml`; the comment is then `# FINDING`. */
  readonly file?: string
}

/** A place in one file. */
export interface Place {
  readonly file: SourceFile
  readonly span: Span
}

/**
 * Something published elsewhere that a match is about, such as an advisory; two of them in one place are two problems.
 */
export interface Subject {
  readonly id: string
  /** Listed before the rule's own. */
  readonly title: string
  readonly remediation: string
  readonly references: ReadonlyArray<string>
}

/** What a rule reports: the place, its scope, and how an attacker gets there. */
export interface Match extends Place {
  /**
   * The enclosing contract and function (or module and item), which is part of the fingerprint:
   * `Vault.withdraw(uint256)`.
   */
  readonly scope: string
  /** What is special about this occurrence; shown before the rule's own description. */
  readonly message?: string
  /** Lower than the rule's own if this occurrence is less certain. */
  readonly confidence?: Confidence
  /** Lower than the rule's own if less is at stake. */
  readonly severity?: Severity
  readonly trace?: ReadonlyArray<Place & { readonly note: string }>
  readonly subject?: Subject
}

/**
 * One check over a program model. `check` is pure and throws only by mistake: the engine then names the rule in the
 * coverage and continues. It reports each problem once.
 */
export interface Rule<Program> {
  readonly meta: RuleMeta
  /** Its matches count wherever they are: in tests, and in files that no front end parses. */
  readonly everywhere?: true
  readonly examples: RuleExamples
  readonly check: (program: Program, report: (match: Match) => void) => void
}
