import { Source } from "../../flow/graph/origins.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import type { Flow } from "../../program.ts"
import { idleConditions } from "../../questions/value/idleCondition.ts"

/** Conditions about the sender or an account parameter on which nothing depends. */
export const idleGuards = (flow: Flow): ReadonlyArray<FlowNode> =>
  idleConditions(flow).filter((node) => {
    const { sources, keys, parameters, keyParameters } = flow.origins(node.expression!, node)
    return (
      ((sources | keys) & Source.sender) !== 0 ||
      [...parameters, ...keyParameters].some(({ type }) => type.kind === "address")
    )
  })
