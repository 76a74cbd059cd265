import type { FlowNode } from "../../flow/graph/graph.ts"
import type { Flow } from "../../program.ts"
import type * as S from "../../syntax.ts"

/** Locals followed in a row. */
const depthLimit = 4

/** What stands for an expression: of a local that one assignment gave its value, what was assigned, and where. */
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
  // not Yul: it is Solidity's expression
  return only.value.kind.startsWith("Yul") ? { e, at } : writtenAs(flow, only.value as S.Expression, only.at, depth + 1)
}
