export const accessLimits = {
  rows: 5_000,
  /** For the JSON of a table, and of the changes between two. */
  bytes: 2_000_000,
  /** For the part of it that a result shows. */
  shownRows: 200,
  shownBytes: 100_000,
  effectsOfRow: 12,
  /** Characters of a name or condition taken from a repository. */
  text: 120,
} as const

/** A name or condition from a repository, on one line and within its limit; code stays code when it is truncated. */
export const shortened = (text: string): string => {
  const line = text.replace(/\s+/g, " ").trim()
  if (line.length <= accessLimits.text) return line
  const start = line.slice(0, accessLimits.text)
  return start.split("`").length % 2 === 0 ? `${start}…\`` : `${start}…`
}
