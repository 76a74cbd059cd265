import { Source } from "../../flow/graph/origins.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import type { Flow } from "../../program.ts"
import { idleConditions } from "../../questions/value/idleCondition.ts"

/**
 * Conditions about the sender or an account parameter on which nothing depends, also the failure of a call that can do
 * nothing except fail.
 */
export const idleGuards = (flow: Flow): ReadonlyArray<FlowNode> => [...idleQuestions(flow), ...swallowed(flow)]

const swallowed = (flow: Flow): ReadonlyArray<FlowNode> =>
  flow.calls().flatMap(({ target, at }) => {
    const { node } = at
    if (node?.kind !== "TryStatement" || target?.returns.length !== 0) return []
    const isView = target.mutability === "view" || target.mutability === "pure"
    return isView && [node, ...node.catches].every(({ body }) => body.statements.length === 0) ? [at] : []
  })

const idleQuestions = (flow: Flow): ReadonlyArray<FlowNode> =>
  idleConditions(flow).filter((node) => {
    const { sources, keys, parameters, keyParameters } = flow.origins(node.expression!, node)
    return (
      ((sources | keys) & Source.sender) !== 0 ||
      [...parameters, ...keyParameters].some(({ type }) => type.kind === "address")
    )
  })
