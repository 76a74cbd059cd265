import { readFileSync } from "node:fs"
import { registerHooks } from "node:module"
import { fileURLToPath } from "node:url"
import { parentPort, workerData } from "node:worker_threads"
import { frontEnd } from "../../apps/engine/frontEnds.ts"
import type { Ecosystem } from "../../domain/analysis/Framework.ts"
import { type SomeFrontEnd, someFrontEnd } from "../../domain/detection/FrontEnd.ts"
import type { Rule } from "../../domain/detection/Rule.ts"
import { markedLines } from "../support/exampleMutations.ts"
import { findingsIn } from "../support/exampleRun.ts"
import { applyMutant, mutantsOf } from "./guards.ts"

/** What a thread works on: the mutants of one rule, from one of them on. */
export interface MutantJob {
  /** URL of the rule's file. */
  readonly url: string
  readonly id: string
  readonly from: number
}

/** Said before each mutant, so that a thread which hangs is known to hang in it, and after it. */
export type MutantMessage =
  | { readonly type: "trying"; readonly index: number }
  | { readonly type: "tried"; readonly index: number; readonly killed: boolean }
  | { readonly type: "done" }

const { url, id, from } = workerData as MutantJob
const text = readFileSync(fileURLToPath(url), "utf8")
const mutants = mutantsOf(fileURLToPath(url), text)

registerHooks({
  load: (asked, context, next) => {
    const index = new URL(asked).searchParams.get("mutant")
    if (index === null) return next(asked, context)
    return { format: "module-typescript", source: applyMutant(text, mutants[Number(index)]!), shortCircuit: true }
  },
})

const isRule = (value: unknown): value is Rule<unknown> =>
  typeof value === "object" && value !== null && "meta" in value && (value as Rule<unknown>).meta.id === id

const ruleOf = async (specifier: string): Promise<Rule<unknown>> => {
  const rule = Object.values((await import(specifier)) as object).find(isRule)
  if (rule === undefined) throw new Error(`${specifier} exports no rule ${id}`)
  return rule
}

const complete = await frontEnd(id.split("/")[0] as Ecosystem)

/** The front end with this rule alone. Front ends hand rules their program beside the project's dependencies. */
const withOnly = (rule: Rule<unknown>): SomeFrontEnd =>
  complete((whole) => {
    const check: (typeof whole.rules)[number]["check"] = (program, report) =>
      rule.check((program as { readonly program: unknown }).program, report)
    return someFrontEnd({ ...whole, rules: [{ ...rule, check }] })
  })

/** Whether the rule says of its examples what they say of themselves. */
const keepsItsWord = (rule: Rule<unknown>, { examples }: Rule<unknown>): boolean => {
  const alone = withOnly(rule)
  return [...examples.vulnerable, ...examples.safe].every((example) => {
    const lines = new Set(findingsIn(alone, example, examples.file).map(({ location }) => location.lineStart))
    const expected = markedLines(example)
    return lines.size === expected.length && expected.every((line) => lines.has(line))
  })
}

const port = parentPort
if (port === null) throw new Error("this module runs as a thread")
const say = (message: MutantMessage): void => port.postMessage(message)

const whole = await ruleOf(url)
if (!keepsItsWord(whole, whole)) throw new Error(`the examples of ${id} fail as they are`)
for (let index = from; index < mutants.length; index++) {
  say({ type: "trying", index })
  let killed: boolean
  try {
    killed = !keepsItsWord(await ruleOf(`${url}?mutant=${index}`), whole)
  } catch {
    // A rule that throws is named in the coverage, which the examples do not allow.
    killed = true
  }
  say({ type: "tried", index, killed })
}
say({ type: "done" })
