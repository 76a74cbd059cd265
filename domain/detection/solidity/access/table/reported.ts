import { oncePerPair } from "../../../oncePer.ts"
import type { Rule } from "../../../Rule.ts"
import type { Program } from "../../program.ts"

const scopesOfOne = oncePerPair((program: Program, rule: Rule<Program>): ReadonlySet<string> => {
  const scopes = new Set<string>()
  rule.check(program, ({ scope }) => scopes.add(scope))
  return scopes
})

/** The scopes in which rules report something: one problem is one finding. */
export const scopesOf = (program: Program, rules: ReadonlyArray<Rule<Program>>): ReadonlySet<string> =>
  new Set(rules.flatMap((rule) => [...scopesOfOne(program, rule)]))
