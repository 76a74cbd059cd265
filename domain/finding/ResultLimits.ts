/**
 * How large a result and its parts may become, whatever a repository contains. Texts are limited where a rule, a parser
 * or a fetcher reports them, in UTF-16 code units; lists where a report is put together, in bytes of their JSON.
 */
export const resultLimits = {
  /** A whole result, its Markdown report included; a SARIF log as well. The lists below leave room for the rest. */
  bytes: 8_000_000,
  findings: 4_500_000,
  suppressed: 400_000,
  filesSkipped: 400_000,
  programs: 200_000,
  /** As a string in the JSON result. */
  markdown: 2_200_000,
  /** One finding: of a longer one, steps of the trace are left out. */
  finding: 16_000,
  /** Notes of an engine that are shown; others are counted. */
  notes: 50,

  /** What is special about one occurrence, or what to do about it. */
  message: 1_000,
  /** A reason, a note, a step of a trace, a title. */
  note: 500,
  /** A name inside such a text: of a longer one the beginning and the end are shown. */
  name: 200,
  /** The path of what a limit left out; git's own limit is 4,096 bytes. */
  path: 1_024,
  /** Contract and function around a finding, as its fingerprint sees them. */
  scope: 2_000,
} as const
