import { oncePer } from "../../oncePer.ts"
import type { Fact } from "../flow/facts/facts.ts"
import type { Expr, FlowNode } from "../flow/graph/graph.ts"
import { has, type Origins, Source } from "../flow/graph/origins.ts"
import type { StateVariable } from "../model.ts"
import type { Flow, Program } from "../program.ts"
import type * as S from "../syntax.ts"
import { walk } from "../visit.ts"

/**
 * Whether what the sender themselves has entered is all that admits them: `require(isAllowed[msg.sender][from])`, where
 * everyone says in `isAllowed[msg.sender]` whom they allow.
 */
export const isSelfGranted = (flow: Flow, fact: Fact): boolean => {
  if (fact.kind === "any" || fact.at.callable !== flow.fn || fact.expression.kind.startsWith("Yul")) return false
  const [variable, other] = fact.left.state
  if (variable === undefined || other !== undefined || !has({ ...fact.left, sources: fact.left.keys }, Source.sender))
    return false
  if (variable.type.kind !== "mapping" || variable.type.value.kind !== "mapping") return false
  if (!grantedBySender(flow.program).has(variable)) return false
  let isOwn = false
  walk(fact.expression as S.Expression, (part) => {
    if (part.kind === "IndexAccess" && firstKeyIsSender(flow, part, variable, fact.at)) isOwn = true
    return !isOwn
  })
  return isOwn
}

/** Nested tables in which everyone writes below their own account, and nobody elsewhere. */
const grantedBySender = oncePer((program: Program): ReadonlySet<StateVariable> => {
  const own = new Set<StateVariable>()
  const others = new Set<StateVariable>()
  for (const flow of program.allFlows())
    for (const { event, place, via } of flow.writes) {
      const [variable] = place?.variables ?? []
      if (via.length > 0 || variable === undefined || variable.type.kind !== "mapping") continue
      if (firstKeyIsSender(flow, event.expression, variable, event.at)) own.add(variable)
      else others.add(variable)
    }
  return new Set([...own].filter((variable) => !others.has(variable)))
})

/** Whether it is an entry of a nested table, of which the sender selects the outer level. */
const firstKeyIsSender = (flow: Flow, e: Expr, variable: StateVariable, at: FlowNode): boolean => {
  const keys = keysOf(flow, e, variable, at)
  return keys !== undefined && keys[0].sources === Source.sender
}

/** What selects an entry of a nested table, outermost level first. */
export const keysOf = (
  flow: Flow,
  e: Expr,
  variable: StateVariable,
  at: FlowNode,
): readonly [Origins, Origins] | undefined => {
  if (e.kind !== "IndexAccess" || e.base.kind !== "IndexAccess" || e.base.base.kind !== "Identifier") return undefined
  if (e.index === undefined || e.base.index === undefined) return undefined
  if (flow.program.referenceOf(e.base.base) !== variable) return undefined
  return [flow.origins(e.base.index, at), flow.origins(e.index, at)]
}
