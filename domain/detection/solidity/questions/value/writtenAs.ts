import type { FlowNode } from "../../flow/graph/graph.ts"
import type { Flow } from "../../program.ts"
import type * as S from "../../syntax.ts"

/** Limit: locals followed in a row. */
const depthLimit = 4

/** What an expression stands for: for a local assigned only once, the assigned value and its place. */
export const writtenAs = (
  flow: Flow,
  e: S.Expression,
  at: FlowNode,
  depth = 0,
): { readonly e: S.Expression; readonly at: FlowNode } => {
  const variable = depth < depthLimit ? flow.program.referenceOf(e) : undefined
  if (variable?.kind !== "LocalVariable") return { e, at }
  const { definitions, initial } = flow.values.reaching(variable, at)
  const [only] = definitions
  if (initial || definitions.length !== 1 || only?.value === undefined || only.index !== undefined || only.keepsOld)
    return { e, at }
  // It is not Yul but a Solidity expression.
  return only.value.kind.startsWith("Yul") ? { e, at } : writtenAs(flow, only.value as S.Expression, only.at, depth + 1)
}
