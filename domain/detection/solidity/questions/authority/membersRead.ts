import type { Relation } from "../../flow/facts/facts.ts"
import type { StateVariable } from "../../model.ts"
import type { Program } from "../../program.ts"
import { walk } from "../../visit.ts"
import { membersIn } from "./authorities.ts"

/** The members of structs that a comparison reads: `.state` of `order.state == State.Open`. */
export const membersRead = (program: Program, fact: Relation, variable: StateVariable): ReadonlyArray<string> => {
  const members = new Set<string>()
  walk(fact.expression, (node) => {
    if (node.kind === "MemberAccess" && program.typeOf(node.object).kind === "struct") members.add(`.${node.member}`)
  })
  return members.size > 0 ? [...members] : [...new Set(membersIn(program, fact, variable))]
}
