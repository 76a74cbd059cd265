import type { Rule } from "../../domain/detection/Rule.ts"
import type { Verdict } from "./bench.ts"
import { ecosystemOf, type Sample, samplesIn, samplesNear, samplesOf } from "./benches.ts"
import { mutation } from "./loading.ts"
import type { Schema } from "./schema.ts"

/** A rule on a program: what it says, and which mutants could make a difference to that. */
export interface Exam {
  readonly rule: Rule<unknown>
  readonly sample: Sample
  readonly usual: Verdict
  readonly witnessed: Uint8Array
  /** Guards evaluated. */
  readonly steps: number
}

export const same = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every((place) => b.has(place))

/** Runs a rule without any mutant, and notes what its guards witness. */
export const examine = (rule: Rule<unknown>, sample: Sample): Exam => {
  mutation.witnessed = new Uint8Array(mutation.witnessed.length)
  mutation.begin(-1, Infinity)
  const usual = sample.bench(rule)
  return { rule, sample, usual, witnessed: mutation.witnessed, steps: mutation.steps }
}

/** What a rule says with the mutant; undefined if it throws or would hang, which the coverage of a scan names. */
export const verdictWith = (index: number, { rule, sample, steps }: Exam): Verdict | undefined => {
  mutation.begin(index, 100_000 + 100 * steps)
  try {
    return sample.bench(rule)
  } catch {
    return undefined
  } finally {
    mutation.begin(-1, Infinity)
  }
}

/** Whether a mutant says the same: the same lines, and in the rule's own examples the same texts, severity and confidence. */
export const saysTheSame = (index: number, exam: Exam): boolean => {
  const found = verdictWith(index, exam)
  if (found === undefined || !same(found.places, exam.usual.places)) return false
  return exam.sample.expected === undefined || same(found.told, exam.usual.told)
}

/** Works out anew, with the mutant, what is worked out when files are loaded. */
export const withEarly = <A>(index: number, { unwatched }: Schema, run: () => A): A => {
  if (!unwatched.has(index)) return run()
  mutation.begin(index, 100_000)
  try {
    for (const again of mutation.again) again()
    return run()
  } finally {
    mutation.begin(-1, Infinity)
    for (const again of mutation.again) again()
  }
}

export const isWitnessed = (index: number, { unwatched }: Schema, { witnessed, steps }: Exam): boolean =>
  witnessed[index] === 1 || (unwatched.has(index) && (steps > 0 || unwatched.size === witnessed.length))

/** Runs the rules on their own examples and on programs near them. */
export const examsOf = async (rules: ReadonlyArray<Rule<unknown>>): Promise<ReadonlyArray<Exam>> => {
  const exams: Array<Exam> = []
  for (const rule of rules) {
    const samples = [...(await samplesOf(rule)), ...(await samplesNear(rule.meta.id))]
    for (const sample of samples) exams.push(examine(rule, sample))
  }
  return exams
}

/** More rules than these on the examples of all rules take too long. */
const mostRules = 12

/** Runs the rules on the examples of all rules. */
export const examsOfOthers = async (rules: ReadonlyArray<Rule<unknown>>): Promise<ReadonlyArray<Exam>> => {
  const [first] = rules
  if (first === undefined || rules.length > mostRules) return []
  const samples = await samplesIn(ecosystemOf(first.meta.id))
  return rules.flatMap((rule) => samples.map((sample) => examine(rule, sample)))
}

/** Where rules do not say of their own examples what is marked in them. */
export const wrongIn = (exams: ReadonlyArray<Exam>): ReadonlyArray<string> =>
  exams.flatMap(({ rule, sample: { name, expected }, usual: { places } }) => {
    if (expected === undefined) return []
    const more = [...places].filter((place) => !expected.has(place)).map((place) => `flags ${place}`)
    const fewer = [...expected].filter((place) => !places.has(place)).map((place) => `does not flag ${place}`)
    return [...more, ...fewer].map((what) => `${rule.meta.id}: ${name}: ${what}`)
  })
