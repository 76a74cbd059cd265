import type { Coverage } from "../analysis/Coverage.ts"
import { severities } from "../finding/Severity.ts"

const number = (count: number): string => count.toLocaleString("en-US")

/** What a result has no room for, a sentence each, for every form of report. */
export const omissions = ({ omitted }: Coverage): ReadonlyArray<string> => {
  const { findings, suppressed = 0, filesSkipped = 0 } = omitted ?? {}
  const counts = severities.flatMap((severity) =>
    findings === undefined || findings[severity] === 0 ? [] : [`${number(findings[severity])} ${severity}`],
  )
  const sentences: Array<string> = []
  if (counts.length > 0) {
    sentences.push(`Not listed for want of room, but counted in the summary: further findings, ${counts.join(", ")}.`)
  }
  if (suppressed > 0) sentences.push(`Not listed for want of room: ${number(suppressed)} further suppressed findings.`)
  if (filesSkipped > 0) {
    sentences.push(`Not listed for want of room: ${number(filesSkipped)} further files that were not analyzed.`)
  }
  return sentences
}

/** One line that warns of an analysis that limits cut short; undefined where none did. */
export const incompleteness = ({ incomplete }: Coverage): string | undefined => {
  if (incomplete === undefined || incomplete.length === 0) return undefined
  const kinds = (["file", "rule", "ecosystem"] as const).flatMap((kind) => {
    const count = incomplete.filter((one) => one.kind === kind).length
    return count === 0 ? [] : [`${count} ${kind}${count === 1 ? "" : "s"}`]
  })
  return `This analysis is not complete: limits of time or memory left out ${kinds.join(", ")}.`
}
