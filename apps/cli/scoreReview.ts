import type { Finding } from "../../domain/finding/Finding.ts"

/** A known problem. */
export interface Label {
  readonly repo: string
  readonly file: string
  readonly lines: readonly [number, number]
  readonly category?: string
}

export interface Score {
  /** How many labels were found, out of how many. */
  readonly found: number
  readonly labels: number
  /** How many findings there are, and how many match a label. */
  readonly findings: number
  readonly right: number
}

const isAt = ({ file, lines: [from, to], category }: Label, { location, category: own }: Finding): boolean =>
  location.file === file &&
  location.lineStart <= to &&
  location.lineEnd >= from &&
  (category === undefined || category === own)

const scoreOf = (labels: ReadonlyArray<Label>, findings: ReadonlyArray<Finding>): Score => ({
  found: labels.filter((label) => findings.some((finding) => isAt(label, finding))).length,
  labels: labels.length,
  findings: findings.length,
  right: findings.filter((finding) => labels.some((label) => isAt(label, finding))).length,
})

/** The passes of a review over the findings of one repository; `labels` are that repository's. */
export const scoreReview = (labels: ReadonlyArray<Label>, findings: ReadonlyArray<Finding>) => {
  const counted = findings.filter(({ severity }) => severity !== "informational")
  const ofRules = counted.filter(({ ruleId }) => !ruleId.startsWith("external/ai/"))
  return {
    rules: scoreOf(labels, ofRules),
    // What remains for a reader who skips findings that the model considers unlikely.
    triage: scoreOf(
      labels,
      ofRules.filter(({ review }) => review?.verdict !== "unlikely"),
    ),
    hunt: scoreOf(
      labels,
      counted.filter(({ ruleId }) => ruleId.startsWith("external/ai/")),
    ),
    all: scoreOf(
      labels,
      counted.filter(({ review }) => review?.verdict !== "unlikely"),
    ),
  }
}

export type Scores = ReturnType<typeof scoreReview>
export const passes = ["rules", "triage", "hunt", "all"] as const

export const added = (a: Score, b: Score): Score => ({
  found: a.found + b.found,
  labels: a.labels + b.labels,
  findings: a.findings + b.findings,
  right: a.right + b.right,
})

const percent = (part: number, whole: number): string => (whole === 0 ? "-" : `${((100 * part) / whole).toFixed(1)} %`)

/** `triage  recall 50.0 % (1/2)  precision 33.3 % (1/3)` */
export const scoreLine = (pass: string, { found, labels, findings, right }: Score): string =>
  `${pass.padEnd(7)} recall ${percent(found, labels)} (${found}/${labels})  precision ${percent(right, findings)} (${right}/${findings})`
