import type { Event } from "../../flow/graph/events.ts"
import { isQuestion as isNamedQuestion } from "../../flow/facts/unseenGuards.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import type { Flow } from "../../program.ts"

/** Conditions without an effect, because both branches lead to the same step: `if (msg.sender != owner) {}`. */
export const idleConditions = (flow: Flow): ReadonlyArray<FlowNode> =>
  flow.conditionNodes().filter((node) => {
    const [yes, no] = node.succs
    return (
      node.node?.kind === "IfStatement" &&
      yes?.succs.length === 1 &&
      no?.succs.length === 1 &&
      yes.succs[0] === no.succs[0] &&
      node.definitions.length === 0 &&
      node.events.every(isQuestion)
    )
  })

const isQuestion = (event: Event): boolean =>
  event.kind === "read" ||
  (event.kind === "call" &&
    (event.isStatic ||
      event.callKind === "conversion" ||
      event.callKind === "builtin" ||
      (event.callKind === "unknown" && (isNamedQuestion(event.name) || event.name === "_msgSender")) ||
      event.target?.mutability === "view" ||
      event.target?.mutability === "pure"))
