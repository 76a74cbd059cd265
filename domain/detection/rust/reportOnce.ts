import type { Match } from "../Rule.ts"

/** A helper that several instructions call yields its events for each of them: one place is one finding. */
export const reportOnce = (report: (match: Match) => void): ((match: Match) => void) => {
  const seen = new Set<string>()
  return (match) => {
    const place = `${match.file.path}:${match.span.start}`
    if (seen.has(place)) return
    seen.add(place)
    report(match)
  }
}
