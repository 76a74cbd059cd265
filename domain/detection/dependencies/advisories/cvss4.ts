/**
 * CVSS 4.0 scores of the macro vectors, in tenths. There is one line per EQ1 and EQ2 (00, 01, 10, 11, 20, 21) and one
 * group per EQ3 and EQ6 (00, 01, 10, 11, 21), which contains EQ4 (1, 2) and EQ5 (0, 1, 2); EQ4 is 0 with environmental
 * metrics only. https://www.first.org/cvss/v4.0/specification-document, section 8.2
 */
const table: ReadonlyArray<ReadonlyArray<ReadonlyArray<number>>> = [
  "100 93 91 93 89 81 | 96 87 81 90 80 68 | 93 89 81 88 78 69 | 92 81 65 80 70 48 | 79 69 50 69 55 27",
  "95 90 84 92 82 72 | 91 83 71 81 71 53 | 92 80 70 84 71 50 | 82 72 59 70 52 30 | 71 52 29 63 29 17",
  "94 86 77 87 74 63 | 89 74 64 75 63 49 | 86 74 59 72 57 52 | 76 58 50 57 52 25 | 65 58 26 53 21 13",
  "90 75 61 77 68 52 | 77 62 53 66 59 30 | 74 57 47 61 57 24 | 59 57 23 52 29 16 | 58 26 15 23 13 6",
  "86 74 56 70 52 40 | 74 61 34 54 40 22 | 72 55 46 53 34 19 | 57 41 19 36 19 8 | 47 21 11 24 9 4",
  "73 59 41 54 45 20 | 55 40 20 43 22 11 | 61 48 20 46 17 8 | 51 18 9 18 7 2 | 24 12 5 10 3 1",
].map((line) => line.split("|").map((group) => group.trim().split(" ").map(Number)))

/** The values of the metrics, most severe first; a step is a tenth of severity distance. */
const levels: Record<string, string> = {
  AV: "NALP",
  AC: "LH",
  AT: "NP",
  PR: "NLH",
  UI: "NPA",
  VC: "HLN",
  VI: "HLN",
  VA: "HLN",
  // `S`, safety, precedes `H` and needs environmental metrics.
  SC: "_HLN",
  SI: "_HLN",
  SA: "_HLN",
  E: "APU",
}

/** The steps of each metric from its most severe value; undefined if one is missing or unknown. */
const stepsOf = (vector: string): Readonly<Record<string, number>> | undefined => {
  if (!vector.startsWith("CVSS:4.0/") || vector.length > 400) return undefined
  const given = new Map(vector.split("/").map((one) => [one.split(":")[0]!, one.split(":")[1] ?? ""]))
  const steps: Record<string, number> = {}
  for (const [metric, values] of Object.entries(levels)) {
    const value = given.get(metric)
    const assumed = metric === "E" && (value === undefined || value === "X") ? "A" : (value ?? "")
    const step = assumed.length === 1 && assumed !== "_" ? values.indexOf(assumed) : -1
    if (step === -1) return undefined
    steps[metric] = step
  }
  return steps
}

type Steps = Readonly<Record<string, number>>

/** The most severe vectors of each level of an equivalence set, and how many steps deep the level is. */
interface Level {
  readonly highest: ReadonlyArray<Steps>
  readonly depth: number
}

const level = (depth: number, ...highest: ReadonlyArray<Steps>): Level => ({ depth, highest })

const eq1: ReadonlyArray<Level> = [
  level(1, { AV: 0, PR: 0, UI: 0 }),
  level(4, { AV: 1, PR: 0, UI: 0 }, { AV: 0, PR: 1, UI: 0 }, { AV: 0, PR: 0, UI: 1 }),
  level(5, { AV: 3, PR: 0, UI: 0 }, { AV: 1, PR: 1, UI: 1 }),
]
const eq2: ReadonlyArray<Level> = [level(1, { AC: 0, AT: 0 }), level(2, { AC: 1, AT: 0 }, { AC: 0, AT: 1 })]
/** EQ3 with EQ6, by the places in the table that base metrics reach. */
const eq36: Readonly<Record<number, Level>> = {
  0: level(7, { VC: 0, VI: 0, VA: 0 }),
  2: level(8, { VC: 1, VI: 0, VA: 0 }, { VC: 0, VI: 1, VA: 0 }),
  4: level(10, { VC: 1, VI: 1, VA: 1 }),
}
const eq4: ReadonlyArray<Level> = [level(5, { SC: 1, SI: 1, SA: 1 }), level(4, { SC: 2, SI: 2, SA: 2 })]

/** How far into its level a vector lies, 0 to 1. */
const depthIn = ({ highest, depth }: Level, steps: Steps): number => {
  const distances = highest.map((from) => Object.entries(from).map(([metric, at]) => steps[metric]! - at))
  const below = distances.find((all) => all.every((one) => one >= 0)) ?? []
  return below.reduce((sum, one) => sum + one, 0) / depth
}

/**
 * The score, 0 to 10, of a CVSS 4.0 vector from its base metrics and its exploit maturity; undefined if it is not one.
 * https://www.first.org/cvss/v4.0/specification-document, section 8
 */
export const cvss4Score = (vector: string): number | undefined => {
  const steps = stepsOf(vector)
  if (steps === undefined) return undefined
  const at = (metric: string): number => steps[metric]!
  if (["VC", "VI", "VA"].every((one) => at(one) === 2) && ["SC", "SI", "SA"].every((one) => at(one) === 3)) return 0

  const open = [at("AV"), at("PR"), at("UI")].filter((one) => one === 0).length
  const one = open === 3 ? 0 : open > 0 && at("AV") !== 3 ? 1 : 2
  const two = at("AC") === 0 && at("AT") === 0 ? 0 : 1
  const three = at("VC") === 0 && at("VI") === 0 ? 0 : [at("VC"), at("VI"), at("VA")].includes(0) ? 2 : 4
  const four = [at("SC"), at("SI"), at("SA")].includes(1) ? 0 : 1
  const five = at("E")

  const score = (...[a, b, c, d, e]: readonly [number, number, number, number, number]): number | undefined =>
    d > 1 || e > 2 ? undefined : table[a * 2 + b]?.[c]?.[d * 3 + e]
  const value = score(one, two, three, four, five)!
  // The next lower vector in each set. Of the two below the first level of EQ3 with EQ6, the higher one counts.
  const below = three === 0 ? [1, 2] : three === 2 ? [3] : []
  const lower = [
    { next: one < 2 ? score(one + 1, two, three, four, five) : undefined, part: depthIn(eq1[one]!, steps) },
    { next: two < 1 ? score(one, two + 1, three, four, five) : undefined, part: depthIn(eq2[two]!, steps) },
    {
      next: below.length === 0 ? undefined : Math.max(...below.map((c) => score(one, two, c, four, five)!)),
      part: depthIn(eq36[three]!, steps),
    },
    { next: score(one, two, three, four + 1, five), part: depthIn(eq4[four]!, steps) },
    { next: score(one, two, three, four, five + 1), part: 0 },
  ].filter((set): set is { next: number; part: number } => set.next !== undefined)
  const mean = lower.reduce((sum, { next, part }) => sum + (value - next) * part, 0) / Math.max(1, lower.length)
  return Math.round(Math.min(100, Math.max(0, value - mean)) + 1e-9) / 10
}
