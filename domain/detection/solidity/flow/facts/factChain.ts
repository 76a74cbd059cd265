import { callerCheck, restrictive } from "./callerCheck.ts"
import type { Fact } from "./facts.ts"
import type { StateVariable } from "../../model.ts"
import { Source } from "../graph/origins.ts"

const flagSources = Source.state | Source.literal | Source.constant | Source.immutable | Source.self

/** State variables that a fact compares only with fixed values, as locks and the flags of initializers do. */
const flagsOf = (fact: Fact): ReadonlyArray<StateVariable> => {
  if (fact.kind === "any") return fact.options.flatMap((option) => option.flatMap(flagsOf))
  const { left, right } = fact
  if (((left.sources | (right?.sources ?? 0)) & ~flagSources) !== 0 || left.keys !== 0 || (right?.keys ?? 0) !== 0)
    return []
  return [...left.state, ...(right?.state ?? [])].filter((v) => !v.constant && !v.immutable)
}

/** What holds at a step, as a list shared with the steps that dominate it. */
export interface FactChain {
  readonly facts: ReadonlyArray<Fact>
  readonly up: FactChain | undefined
  /** Whether a fact here or further up keeps strangers out. */
  readonly restrictive: boolean
  /** State variables that facts here or further up compare with fixed values, nearest first. */
  readonly flags: ReadonlyArray<StateVariable>
}

const withFlags = (facts: ReadonlyArray<Fact>, up: ReadonlyArray<StateVariable>): ReadonlyArray<StateVariable> => {
  const own = facts.flatMap(flagsOf)
  return own.length === 0 || (own.length === 1 && own[0] === up[0]) ? up : [...new Set([...own, ...up])].slice(0, 64)
}

/** Adds facts to what holds further up. */
export const link = (facts: ReadonlyArray<Fact>, up: FactChain | undefined): FactChain => ({
  facts,
  up,
  flags: withFlags(facts, up?.flags ?? []),
  restrictive:
    up?.restrictive === true ||
    facts.some((fact) => {
      const check = callerCheck(fact)
      return check !== undefined && restrictive.has(check.kind)
    }),
})
