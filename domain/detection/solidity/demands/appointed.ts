import { oncePer } from "../../oncePer.ts"
import type { Expr } from "../flow/graph/graph.ts"
import { isOnEveryPath } from "../flow/onEveryPath.ts"
import { type Fact, type Relation, relationsIn, sidesOf } from "../flow/facts/facts.ts"
import { chosenByCaller, only, Source } from "../flow/graph/origins.ts"
import type { StateVariable } from "../model.ts"
import type { Flow, Program } from "../program.ts"
import { outward } from "./outward.ts"

/**
 * Whether a condition is judged by an account that the caller has just put in place: `hub = h; … require(hub.allows(msg.sender))`.
 * What is required before the account is replaced was required by its predecessor.
 */
export const judgedByAppointee = oncePer((flow: Flow): ((fact: Fact) => boolean) => {
  /** By variable: the conditions of what is required before it is replaced; each join of branches makes facts anew. */
  const set = new Map<StateVariable, ReadonlySet<Expr>>()
  for (const reached of flow.writes) {
    const { place, event, at } = reached
    const [variable, other] = place?.variables ?? []
    if (variable === undefined || other !== undefined || set.has(variable) || place!.keys.sources !== 0) continue
    if ((variable.type.kind !== "address" && variable.type.kind !== "contract") || event.value === undefined) continue
    if (!isOnEveryPath(flow, reached)) continue
    const value = outward(flow, reached, event.value)
    if (only(value, chosenByCaller))
      set.set(variable, new Set(relationsIn(flow.facts(at)).map((fact) => fact.expression)))
  }
  if (set.size === 0) return () => false
  return (fact) =>
    [...set].some(([variable, before]) =>
      relationsIn([fact]).some((f) => !before.has(f.expression) && asks(flow.program, f, variable)),
    )
})

/** Whether the sender is compared with the variable, or the account in it is asked. */
const asks = (program: Program, relation: Relation, variable: StateVariable): boolean => {
  const sides = sidesOf(relation)
  const isCompared = sides.some(({ sources }) => sources === Source.sender)
  return (
    (isCompared && sides.some(({ state }) => state.includes(variable))) ||
    sides.some(({ calls }) =>
      calls.some((call) => {
        const receiver = call.kind === "FunctionCall" ? program.callOf(call)?.receiver : undefined
        return receiver?.kind === "Identifier" && program.referenceOf(receiver) === variable
      }),
    )
  )
}
