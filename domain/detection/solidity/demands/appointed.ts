import { oncePer } from "../../oncePer.ts"
import { isOnEveryPath } from "../flow/onEveryPath.ts"
import { type Fact, type Relation, relationsIn } from "../flow/facts/facts.ts"
import type { Expr } from "../flow/graph/graph.ts"
import { chosenByCaller, has, type Origins, Source } from "../flow/graph/origins.ts"
import type { StateVariable } from "../model.ts"
import type { Flow, Program } from "../program.ts"
import { outward } from "./outward.ts"

/**
 * Whether a condition is judged by an account that the caller has just put in place: `hub = h; … require(hub.allows(msg.sender))`.
 * What is required before the account is replaced was required by its predecessor.
 */
export const judgedByAppointee = oncePer((flow: Flow): ((fact: Fact) => boolean) => {
  /** By variable: what is required before it is replaced. */
  const set = new Map<StateVariable, ReadonlySet<Fact>>()
  for (const reached of flow.writes) {
    const { place, event, at } = reached
    const [variable, other] = place?.variables ?? []
    if (variable === undefined || other !== undefined || set.has(variable) || place!.keys.sources !== 0) continue
    if ((variable.type.kind !== "address" && variable.type.kind !== "contract") || event.value === undefined) continue
    if (!isOnEveryPath(flow, reached)) continue
    const value = outward(flow, reached, event.value)
    if (value.sources === 0 || (value.sources & ~chosenByCaller) !== 0) continue
    set.set(variable, new Set(flow.facts(at)))
  }
  if (set.size === 0) return () => false
  return (fact) =>
    [...set].some(
      ([variable, before]) => !before.has(fact) && relationsIn([fact]).some((f) => asks(flow.program, f, variable)),
    )
})

/** Whether the sender is compared with the variable, or the account in it is asked about the sender. */
const asks = (program: Program, { left, right }: Relation, variable: StateVariable): boolean => {
  const isIt = (side: Origins | undefined): boolean => side?.state.includes(variable) === true
  if (left.sources === Source.sender || right?.sources === Source.sender) return isIt(left) || isIt(right)
  return [left, right].some(
    (side) =>
      side !== undefined &&
      has(side, Source.external) &&
      side.calls.some(
        (call) => call.kind === "FunctionCall" && refersTo(program, program.callOf(call)?.receiver, variable),
      ),
  )
}

const refersTo = (program: Program, e: Expr | undefined, variable: StateVariable): boolean => {
  if (e?.kind !== "Identifier") return false
  return program.referenceOf(e) === variable
}
