/** How much is asked of a model, and how much of an answer is read. */
export const reviewLimits = {
  /** Findings that are judged, worst first. */
  findings: 400,
  /** Findings of one request, and characters of code in it. */
  batch: 8,
  batchCharacters: 24_000,
  /** Entry points per conversation: a program with more gets several. */
  rows: 40,
  /** Contracts that are hunted in, and turns of a conversation there; turns of a refuting one. */
  targets: 20,
  huntTurns: 14,
  refuteTurns: 6,
  /** Claims of one hunt. */
  claims: 5,
  /** Queries per turn, and characters of tool answers per conversation. */
  calls: 8,
  toolCharacters: 120_000,
  /** Patches that are tested: each takes a run of all rules. */
  patches: 10,
  quotes: 6,
  /** Characters of the code that a claim is about. */
  snippet: 4_000,
} as const
