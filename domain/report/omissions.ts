import type { Coverage, ProgramCoverage } from "../analysis/Coverage.ts"
import { severities } from "../finding/Severity.ts"

const number = (count: number): string => count.toLocaleString("en-US")

/** What did not fit into a result, one sentence each, for every report format. */
export const omissions = ({ omitted }: Coverage): ReadonlyArray<string> => {
  const { findings, suppressed = 0, filesSkipped = 0 } = omitted ?? {}
  const counts = severities.flatMap((severity) =>
    findings === undefined || findings[severity] === 0 ? [] : [`${number(findings[severity])} ${severity}`],
  )
  const sentences: Array<string> = []
  if (counts.length > 0) {
    sentences.push(
      `Omitted because of the size limit, but counted in the summary: further findings, ${counts.join(", ")}.`,
    )
  }
  if (suppressed > 0)
    sentences.push(`Omitted because of the size limit: ${number(suppressed)} further suppressed findings.`)
  if (filesSkipped > 0) {
    sentences.push(`Omitted because of the size limit: ${number(filesSkipped)} further files that were not analyzed.`)
  }
  return sentences
}

/** Programs named in a warning; the list under the coverage has all. */
const named = 5

/** A one-line warning about programs that were not understood; undefined if all were. */
export const misunderstanding = ({ programs = [] }: Coverage): string | undefined => {
  const warnings = programs.flatMap(({ program, warning }) => (warning === undefined ? [] : [`${program}: ${warning}`]))
  if (warnings.length === 0) return undefined
  const more = warnings.length > named ? `; and ${number(warnings.length - named)} more` : ""
  return `Not understood, so a lack of findings there means little: ${warnings.slice(0, named).join("; ")}${more}.`
}

/**
 * Whether an empty list of findings says nothing at all: there are programs, and none was understood. Solidity has no
 * entry among the programs, so `read` says whether anything else was examined.
 */
export const isVacuous = (
  { programs = [] }: Coverage,
  findings: number,
  read: { readonly framework: string },
): boolean =>
  findings === 0 &&
  (read.framework === "solana" || read.framework === "cosmwasm") &&
  programs.length > 0 &&
  programs.every(({ warning }) => warning !== undefined)

/** One line on how far a program was understood. */
export const understanding = (one: ProgramCoverage): string => {
  const { framework, entryPoints, arms, handlers, understood, inputs, nearlyEmpty, notFollowed, leftOut, warning } = one
  if (handlers === 0 && warning !== undefined) return `${framework}, ${warning}`
  const dispatched = arms === undefined ? "" : `, ${number(arms)} dispatch ${arms === 1 ? "arm" : "arms"}`
  const parts = [
    `${framework}, ${number(entryPoints)} ${entryPoints === 1 ? "entry point" : "entry points"}${dispatched}, ${number(understood)} of ${number(handlers)} handlers understood, ${number(inputs)} accounts or messages read`,
  ]
  if (nearlyEmpty.length > 0) parts.push(`nearly empty: ${nearlyEmpty.join(", ")}`)
  if (notFollowed.length > 0)
    parts.push(`calls not followed: ${notFollowed.map(({ name, reason }) => `${name} (${reason})`).join(", ")}`)
  if (leftOut !== undefined) parts.push(`not in the deployed build: ${leftOut.join(", ")}`)
  if (warning !== undefined) parts.push(warning)
  return parts.join("; ")
}

/** A one-line warning about an analysis that limits cut short; undefined if none did. */
export const incompleteness = ({ incomplete }: Coverage): string | undefined => {
  if (incomplete === undefined || incomplete.length === 0) return undefined
  const kinds = (["file", "rule", "ecosystem"] as const).flatMap((kind) => {
    const count = incomplete.filter((one) => one.kind === kind).length
    return count === 0 ? [] : [`${count} ${kind}${count === 1 ? "" : "s"}`]
  })
  return `This analysis is incomplete: time or memory limits skipped ${kinds.join(", ")}.`
}
