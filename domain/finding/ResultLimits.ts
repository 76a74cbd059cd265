/**
 * Size limits of a result and its parts, whatever a repository contains. Texts are limited where a rule, a parser or a
 * fetcher reports them, in UTF-16 code units; lists where a report is assembled, in bytes of their JSON.
 */
export const resultLimits = {
  /** A whole result, including its Markdown report; also a SARIF log. The lists below leave room for the rest. */
  bytes: 8_000_000,
  findings: 4_500_000,
  suppressed: 400_000,
  filesSkipped: 400_000,
  programs: 200_000,
  /** As a string in the JSON result. */
  markdown: 2_200_000,
  /** One finding: steps of the trace are omitted from a longer one. */
  finding: 16_000,
  /** Notes of an engine that are shown; others are counted. */
  notes: 50,

  /** What is specific to one occurrence, or what to do about it. */
  message: 1_000,
  /** A reason, a note, a step of a trace, a title. */
  note: 500,
  /** A name inside such a text: of a longer one, the beginning and end are shown. */
  name: 200,
  /** The path of something that a limit skipped; git's own limit is 4,096 bytes. */
  path: 1_024,
  /** Contract and function around a finding, as used in its fingerprint. */
  scope: 2_000,
} as const
