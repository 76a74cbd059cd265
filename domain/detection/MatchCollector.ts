import { resultLimits } from "../finding/ResultLimits.ts"
import { boundedText, shortened } from "../finding/boundedText.ts"
import type { Severity } from "../finding/Severity.ts"
import type { Match, RuleMeta, Subject } from "./Rule.ts"
import type { SourceFile } from "./SourceFile.ts"

/** Beyond this many matches of one rule in one file, and of all rules of an ecosystem, matches are only counted. */
export const matchLimits = { perRuleAndFile: 1_000, inAll: 20_000 } as const

/** More steps of a trace than this say nothing to a reader. */
const traceLength = 50

/**
 * How many places are remembered to recognize duplicate matches, at 100 bytes each; beyond that, duplicates are
 * counted, too.
 */
const placesKept = 250_000

/**
 * How many characters beyond the limits are read in one analysis in order to shorten texts: 0.5 s. After that, longer
 * texts are left out.
 */
const excessRead = 100_000_000

export interface Collected {
  readonly meta: RuleMeta
  readonly match: Match
}

/** Matches that were only counted. */
export interface LeftOut {
  readonly findings: Readonly<Record<Severity, number>>
  readonly suppressed: number
}

/** Whether a comment in the source asks to suppress the match. */
export type IsSuppressed = (meta: RuleMeta, match: Match) => boolean

/** How much of its limits a file has used. */
interface PerFile {
  readonly places: Set<string>
  /** Matches of each rule. */
  readonly counts: Map<RuleMeta, number>
}

/**
 * Keeps the matches of rules: one per rule and place, so that inherited code counts once, where it is written. Shortens
 * what rules say before anything holds on to it: names and lists come from the sources.
 */
export class MatchCollector {
  readonly matches: Array<Collected> = []
  private readonly files = new Map<SourceFile, PerFile>()
  private readonly isSuppressed: IsSuppressed
  private readonly left = { suppressed: 0, findings: { critical: 0, high: 0, medium: 0, low: 0, informational: 0 } }
  private places = 0
  private limit: number = matchLimits.inAll
  private excess = 0

  constructor(isSuppressed: IsSuppressed) {
    this.isSuppressed = isSuppressed
  }

  add(meta: RuleMeta, match: Match): void {
    const file = this.files.get(match.file) ?? { places: new Set(), counts: new Map() }
    this.files.set(match.file, file)
    const place = `${meta.id} ${match.span.start} ${match.span.end} ${this.within(match.subject?.id ?? "", resultLimits.note, shortened) ?? ""}`
    if (file.places.has(place)) return
    if (this.places < placesKept) {
      file.places.add(place)
      this.places++
    }
    const count = (file.counts.get(meta) ?? 0) + 1
    file.counts.set(meta, count)
    if (count > matchLimits.perRuleAndFile || this.matches.length >= this.limit) this.leaveOut(meta, match)
    else this.matches.push({ meta, match: this.bounded(match) })
  }

  /** Another part of the program begins: of all matches so far, the first in this order are kept. */
  nextPart(inOrder: (a: RuleMeta, b: RuleMeta) => number): void {
    if (this.matches.length > matchLimits.inAll) {
      this.matches.sort((a, b) => inOrder(a.meta, b.meta))
      for (const { meta, match } of this.matches.splice(matchLimits.inAll)) this.leaveOut(meta, match)
    }
    this.limit = this.matches.length + matchLimits.inAll
  }

  /** What the limits kept out. */
  get leftOut(): LeftOut {
    return this.left
  }

  /** Where the limit for one rule and file applied, in words for the coverage. */
  notes(): ReadonlyArray<string> {
    const most = matchLimits.perRuleAndFile
    return [...this.files].flatMap(([{ path }, { counts }]) =>
      [...counts].flatMap(([{ id }, count]) =>
        count > most ? [`${id}: only the first ${most} matches in ${path} are reported`] : [],
      ),
    )
  }

  private leaveOut(meta: RuleMeta, match: Match): void {
    if (this.isSuppressed(meta, match)) this.left.suppressed++
    else this.left.findings[match.severity ?? meta.severity]++
  }

  /** The text within its limit; undefined if too much of such text has been read already. */
  private within(
    text: string,
    length: number,
    bounded: (text: string, length: number) => string = boundedText,
  ): string | undefined {
    if (text.length <= length) return bounded(text, length)
    this.excess += text.length
    return this.excess > excessRead ? undefined : bounded(text, length)
  }

  private subject({ id, title, remediation, references }: Subject): Subject {
    return {
      id,
      title: this.within(title, resultLimits.note) ?? "",
      remediation: this.within(remediation, resultLimits.message) ?? "",
      references: references.slice(0, traceLength).map((url) => this.within(url, resultLimits.note, shortened) ?? ""),
    }
  }

  private bounded(match: Match): Match {
    const { file, span, scope, message, confidence, severity, trace, subject } = match
    const said = message === undefined ? undefined : this.within(message, resultLimits.message)
    return {
      file,
      span,
      scope: this.within(scope, resultLimits.scope, shortened) ?? `${scope.length}`,
      ...(said === undefined ? {} : { message: said }),
      ...(confidence === undefined ? {} : { confidence }),
      ...(severity === undefined ? {} : { severity }),
      ...(subject === undefined ? {} : { subject: this.subject(subject) }),
      ...(trace === undefined
        ? {}
        : {
            trace: trace
              .slice(0, traceLength)
              .map(({ note, ...place }) => ({ ...place, note: this.within(note, resultLimits.note) ?? "" })),
          }),
    }
  }
}
