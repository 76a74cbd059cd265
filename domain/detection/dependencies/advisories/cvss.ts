import type { Severity } from "../../../finding/Severity.ts"

const weights: Record<string, Record<string, number>> = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  UI: { N: 0.85, R: 0.62 },
  C: { N: 0, L: 0.22, H: 0.56 },
  I: { N: 0, L: 0.22, H: 0.56 },
  A: { N: 0, L: 0.22, H: 0.56 },
}

const privileges: Record<"U" | "C", Record<string, number>> = {
  U: { N: 0.85, L: 0.62, H: 0.27 },
  C: { N: 0.85, L: 0.68, H: 0.5 },
}

/** Rounds up to one decimal, in integers so that binary fractions do no harm (CVSS 3.1, appendix A). */
const roundUp = (score: number): number => {
  const scaled = Math.round(score * 100_000)
  return scaled % 10_000 === 0 ? scaled / 100_000 : (Math.floor(scaled / 10_000) + 1) / 10
}

/**
 * The base score, 0 to 10, of a CVSS 3.0 or 3.1 vector; undefined if it is not one.
 * https://www.first.org/cvss/v3.1/specification-document, section 7.1
 */
export const cvss3BaseScore = (vector: string): number | undefined => {
  if (!/^CVSS:3\.[01]\//.test(vector) || vector.length > 300) return undefined
  const metrics = new Map(vector.split("/").map((one) => [one.split(":")[0]!, one.split(":")[1] ?? ""]))
  const weight = (name: string): number | undefined => weights[name]?.[metrics.get(name) ?? ""]
  const scope = metrics.get("S")
  if (scope !== "U" && scope !== "C") return undefined
  const [av, ac, ui, c, i, a] = ["AV", "AC", "UI", "C", "I", "A"].map(weight)
  const pr = privileges[scope][metrics.get("PR") ?? ""]
  if (
    av === undefined ||
    ac === undefined ||
    pr === undefined ||
    ui === undefined ||
    c === undefined ||
    i === undefined ||
    a === undefined
  ) {
    return undefined
  }
  const base = 1 - (1 - c) * (1 - i) * (1 - a)
  const impact = scope === "U" ? 6.42 * base : 7.52 * (base - 0.029) - 3.25 * (base - 0.02) ** 15
  if (impact <= 0) return 0
  const exploitability = 8.22 * av * ac * pr * ui
  return roundUp(Math.min((scope === "U" ? 1 : 1.08) * (impact + exploitability), 10))
}

/** The qualitative scale of both versions 3 and 4. */
export const severityOfScore = (score: number): Severity =>
  score >= 9 ? "critical" : score >= 7 ? "high" : score >= 4 ? "medium" : score > 0 ? "low" : "informational"
