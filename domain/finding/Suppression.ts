import { lexicalScan, lexisOf } from "./lexicalScan.ts"
import { slitherDetectorsFor } from "./slitherDetectors.ts"

/** Why a finding is excluded from the counts; `line` is the comment's. */
export interface Suppression {
  readonly reason: string
  readonly line: number
}

/** The suppression comments of one file. */
export interface Suppressions {
  /** The comment that covers a finding which starts on `line`, or undefined. */
  readonly covering: (line: number, ruleId: string, vulnerabilityClass: string) => Suppression | undefined
}

/** A rule id, `<prefix>/*`, `*`, or `slither:<detector>`, where the detector `*` means all. */
type Target = string
type Targets = Map<Target, Suppression>

interface Directive {
  readonly kind: "here" | "next" | "line" | "start" | "end"
  readonly targets: ReadonlyArray<Target>
  readonly suppression: Suppression
}

interface Range extends Suppression {
  readonly from: number
  to: number
}

const none: Suppressions = { covering: () => undefined }

/**
 * Markers by which scanners for secrets consider a line reviewed: Gitleaks, TruffleHog, detect-secrets, GitGuardian.
 */
const secretAllowed = /\b(gitleaks:allow|trufflehog:ignore|pragma: allowlist secret|ggignore)\b/
const secretRules = ["evm", "solana", "cosmwasm"].flatMap((ecosystem) =>
  ["private-key", "mnemonic", "rpc-key", "cloud-key"].map((kind) => `${ecosystem}/access-control/committed-${kind}`),
)

const marker = /assay-ignore|slither-disable|gitleaks:allow|trufflehog:ignore|allowlist secret|ggignore/
/** The directive must begin a line of the comment: prose that only mentions it does not count. */
const assay = /^[\s/*!#]*assay-ignore(?![\w-])([^:\n]*?)(?:(?::|\s--\s)([^]*))?$/
const slither = /^[\s/*!]*slither-disable-(next-line|line|start|end)(?![\w-])[ \t]*((?:[\w-]|,[ \t]*)*)([^]*)$/
const slitherKinds = { "next-line": "next", line: "line", start: "start", end: "end" } as const

/** Maximum length of a stored reason. */
const reasonLength = 500

const reasonOf = (text: string | undefined): string =>
  (text ?? "")
    .replace(/\*\/\s*$/, "")
    .replace(/^[\s:-]+/, "")
    .trim()
    .slice(0, reasonLength)
    .toWellFormed()

const words = (text: string): ReadonlyArray<string> => text.split(/[\s,]+/).filter((word) => word !== "")

/** Reads one line of a comment; undefined if it is not a directive. */
const directiveOf = (text: string, line: number): Directive | undefined => {
  const ours = assay.exec(text)
  if (ours !== null) {
    const named = words(ours[1]!.replace(/\*\/\s*$/, ""))
    const targets = named.length === 0 ? ["*"] : named.map((name) => (name === "all" ? "*" : name))
    return { kind: "here", targets, suppression: { reason: reasonOf(ours[2]), line } }
  }
  const theirs = slither.exec(text)
  if (theirs === null) {
    const allowed = secretAllowed.exec(text)
    return allowed === null
      ? undefined
      : { kind: "line", targets: secretRules, suppression: { reason: allowed[1]!, line } }
  }
  const [, kind, list, rest] = theirs
  const named = words(list!)
  const targets = named.length === 0 || named.includes("all") ? ["slither:*"] : named.map((name) => `slither:${name}`)
  const directive = `slither-disable-${kind} ${named.join(",")}`.trim()
  return {
    // The pattern allows these four only.
    kind: slitherKinds[kind as keyof typeof slitherKinds],
    targets,
    suppression: { reason: reasonOf(rest) || directive, line },
  }
}

/** Every target that covers a rule: itself, its category, its ecosystem, all rules; then Slither's names for it. */
const targetsOf = (ruleId: string, vulnerabilityClass: string): ReadonlyArray<Target> => {
  const targets = [ruleId]
  for (let slash = ruleId.lastIndexOf("/"); slash > 0; slash = ruleId.lastIndexOf("/", slash - 1)) {
    targets.push(`${ruleId.slice(0, slash)}/*`)
  }
  targets.push("*")
  for (const detector of slitherDetectorsFor(vulnerabilityClass)) targets.push(`slither:${detector}`)
  targets.push("slither:*")
  return targets
}

/** The last range that begins at or before `line`; ranges of one target never overlap and are in order. */
const rangeAt = (ranges: ReadonlyArray<Range>, line: number): Range | undefined => {
  let low = 0
  let high = ranges.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ranges[middle]!.from <= line) low = middle + 1
    else high = middle
  }
  const range = ranges[low - 1]
  return range !== undefined && line <= range.to ? range : undefined
}

/** The combined directives of a file, filled in source order. */
class Ledger {
  private readonly lines = new Map<number, Targets>()
  private readonly ranges = new Map<Target, Array<Range>>()
  /** Directives in comments on lines of their own, which wait for the line of code below them. */
  private waiting: Array<Directive> = []
  private waitingUntil = 0

  private cover(line: number, { targets, suppression }: Directive): void {
    const covered = this.lines.get(line) ?? new Map<Target, Suppression>()
    this.lines.set(line, covered)
    for (const target of targets) if (!covered.has(target)) covered.set(target, suppression)
  }

  private toggle({ kind, targets, suppression }: Directive): void {
    for (const target of targets) {
      const ranges = this.ranges.get(target) ?? []
      this.ranges.set(target, ranges)
      const last = ranges.at(-1)
      const open = last !== undefined && last.to === Infinity
      if (kind === "start" && !open) ranges.push({ ...suppression, from: suppression.line, to: Infinity })
      if (kind === "end" && open) last.to = suppression.line
    }
  }

  /** A comment that ends on `lastLine`; a trailing one has code before it on its line. */
  comment(directives: ReadonlyArray<Directive>, firstLine: number, lastLine: number, trailing: boolean): void {
    if (firstLine > this.waitingUntil + 1) this.waiting = []
    this.waitingUntil = lastLine
    for (const directive of directives) {
      const { kind, suppression } = directive
      if (kind === "start" || kind === "end") this.toggle(directive)
      else if (kind === "line") this.cover(suppression.line, directive)
      else {
        if (kind === "here") this.cover(suppression.line, directive)
        if (kind === "next" || !trailing) this.waiting.push(directive)
      }
    }
  }

  code(line: number): void {
    if (this.waiting.length === 0) return
    // Code beside a comment is not yet the next line.
    const early = this.waiting.filter(({ kind, suppression }) => kind === "next" && line === suppression.line)
    for (const directive of line <= this.waitingUntil + 1 ? this.waiting : []) {
      if (!early.includes(directive)) this.cover(line, directive)
    }
    this.waiting = early
  }

  covering(line: number, ruleId: string, vulnerabilityClass: string): Suppression | undefined {
    const here = this.lines.get(line)
    if (here === undefined && this.ranges.size === 0) return undefined
    for (const target of targetsOf(ruleId, vulnerabilityClass)) {
      const range = rangeAt(this.ranges.get(target) ?? [], line)
      const found = here?.get(target) ?? range
      if (found !== undefined) return { reason: found.reason, line: found.line }
    }
    return undefined
  }
}

/**
 * Reads the suppression comments of a file in one pass.
 *
 * `assay-ignore <rule-id>: reason` covers its own line and, on a separate line, the line of code below; several ids are
 * separated by commas or spaces, `evm/reentrancy/*` names a category, and `*`, `all` or no id means all rules. Markers
 * of other secret scanners cover the rules about secrets on their line. `slither-disable-next-line`, `-line`, `-start`
 * and `-end` mean what they mean to Slither; without a detector, all.
 */
export const readSuppressions = (path: string, text: string): Suppressions => {
  if (!marker.test(text)) return none
  const ledger = new Ledger()
  let line = 1
  let at = 0
  let lastCodeLine = 0
  const advance = (end: number): void => {
    let codeLine = 0
    for (; at < end; at++) {
      const c = text.charCodeAt(at)
      if (c === 10) line++
      else if (c > 32 && codeLine !== line) {
        codeLine = line
        ledger.code(line)
        lastCodeLine = line
      }
    }
  }
  lexicalScan(text, lexisOf(path), (part, start, end) => {
    advance(start)
    if (part === "string") return advance(end)
    const firstLine = line
    const comment = text.slice(start, end)
    const directives: Array<Directive> = []
    const hasDirective = marker.test(comment)
    for (let from = 0; from <= comment.length;) {
      const lineBreak = comment.indexOf("\n", from)
      const to = lineBreak === -1 ? comment.length : lineBreak
      const directive = hasDirective ? directiveOf(comment.slice(from, to).trimEnd(), line) : undefined
      if (directive !== undefined) directives.push(directive)
      if (lineBreak !== -1) line++
      from = to + 1
    }
    at = end
    ledger.comment(directives, firstLine, line, lastCodeLine === firstLine)
  })
  advance(text.length)
  return { covering: (at, ruleId, vulnerabilityClass) => ledger.covering(at, ruleId, vulnerabilityClass) }
}
