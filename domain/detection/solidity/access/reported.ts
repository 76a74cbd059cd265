import type { Rule } from "../../Rule.ts"
import type { Program } from "../program.ts"

const memo = new WeakMap<Program, Map<Rule<Program>, ReadonlySet<string>>>()

/** The scopes in which rules report something: one problem is one finding. */
export const scopesOf = (program: Program, rules: ReadonlyArray<Rule<Program>>): ReadonlySet<string> => {
  let known = memo.get(program)
  if (known === undefined) memo.set(program, (known = new Map()))
  const all = new Set<string>()
  for (const rule of rules) {
    let scopes = known.get(rule)
    if (scopes === undefined) {
      const found = new Set<string>()
      rule.check(program, ({ scope }) => found.add(scope))
      known.set(rule, (scopes = found))
    }
    for (const scope of scopes) all.add(scope)
  }
  return all
}
