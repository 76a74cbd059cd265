import type { Match, RuleMeta } from "./Rule.ts"

/** Matches of one rule in one file, and of all rules of an ecosystem, beyond which they are only counted. */
export const matchLimits = { perRuleAndFile: 1_000, inAll: 50_000 } as const

export interface Collected {
  readonly meta: RuleMeta
  readonly match: Match
}

/** Keeps the matches of rules: one per rule and place, so inherited code counts once where it stands. */
export class MatchCollector {
  readonly matches: Array<Collected> = []
  private readonly places = new Set<string>()
  private readonly perFile = new Map<string, number>()
  private readonly accepts: (match: Match) => boolean
  private limit: number = matchLimits.inAll

  constructor(accepts: (match: Match) => boolean) {
    this.accepts = accepts
  }

  add(meta: RuleMeta, match: Match): void {
    if (!this.accepts(match)) return
    const place = `${meta.id} ${match.subject?.id ?? ""} ${match.span.start} ${match.span.end} ${match.file.path}`
    if (this.places.has(place)) return
    const counter = `${meta.id} ${match.file.path}`
    const count = (this.perFile.get(counter) ?? 0) + 1
    this.perFile.set(counter, count)
    if (count > matchLimits.perRuleAndFile || this.matches.length >= this.limit) return
    this.places.add(place)
    this.matches.push({ meta, match })
  }

  /** Another part of the program begins: of all so far, the first in this order are kept. */
  nextPart(inOrder: (a: RuleMeta, b: RuleMeta) => number): void {
    if (this.matches.length > matchLimits.inAll) {
      this.matches.sort((a, b) => inOrder(a.meta, b.meta))
      this.matches.length = matchLimits.inAll
    }
    this.limit = this.matches.length + matchLimits.inAll
  }

  /** What the limits kept out, in words for the coverage. */
  notes(): ReadonlyArray<string> {
    const kept = new Map<string, number>()
    for (const { meta, match } of this.matches) {
      const counter = `${meta.id} ${match.file.path}`
      kept.set(counter, (kept.get(counter) ?? 0) + 1)
    }
    return [...this.perFile]
      .filter(([counter, count]) => count > (kept.get(counter) ?? 0))
      .map(([counter]) => {
        const [rule = "", ...path] = counter.split(" ")
        return `${rule}: only the first ${kept.get(counter) ?? 0} matches in ${path.join(" ")} are reported`
      })
  }
}
