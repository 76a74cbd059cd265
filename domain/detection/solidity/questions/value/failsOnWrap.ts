import { oncePer } from "../../../oncePer.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import { has, type Origins, Source } from "../../flow/graph/origins.ts"
import type { LocalVariable } from "../../model.ts"
import type { Flow } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"
import type { CallerNumber } from "./callerNumbers.ts"
import { isLargeFunction } from "../largeFunction.ts"
import { constantNumber } from "./constantNumber.ts"
import { sameExpression } from "./sameExpression.ts"
import { type Operation, operationOf } from "./wrappingOperation.ts"

/** A compiler-checked sum or difference of a parameter and stored state. */
interface CheckedUse {
  readonly parameter: LocalVariable
  readonly operator: "+" | "-"
  readonly at: FlowNode
}

const checkedUses = oncePer((flow: Flow): ReadonlyArray<CheckedUse> => {
  const uses: Array<CheckedUse> = []
  for (const at of flow.nodes) {
    if (at.expression === undefined || at.unchecked || !at.callable.source.version.checkedArithmetic) continue
    walk(at.expression, (e) => {
      const operation = operationOf(flow.program, e)
      if (operation?.operator !== "+" && operation?.operator !== "-") return
      const [left, right] = [flow.origins(operation.left, at), flow.origins(operation.right, at)]
      const amounts = operation.operator === "-" || isStored(left) ? [[right, left]] : [[left, right]]
      for (const [amount, stored] of amounts) {
        // What has no declaration here is inherited from a base without source.
        if (!isStored(stored!) && !has(stored!, Source.unknown)) continue
        for (const parameter of amount!.parameters) uses.push({ parameter, operator: operation.operator, at })
      }
    })
  }
  return uses
})

/**
 * Whether checked arithmetic has limited the number before: `balance -= amount` reverts unless the balance suffices,
 * and if `total += amount` fits, a part of the total fits as well.
 */
export const isLimitedByCheckedUse = (flow: Flow, operation: Operation, at: FlowNode, by: CallerNumber): boolean => {
  const limits = (where: Flow, before: FlowNode, isNumber: (parameter: LocalVariable) => boolean): boolean =>
    !isLargeFunction(where) &&
    checkedUses(where).some(
      (use) =>
        (use.operator === "-" || operation.operator === "+") &&
        isNumber(use.parameter) &&
        use.at !== before &&
        where.dominates(use.at, before),
    )
  const own = [operation.left, operation.right].flatMap((side) => flow.origins(side, at).parameters)
  return limits(by.flow, by.at, (one) => one === by.parameter) || limits(flow, at, (one) => own.includes(one))
}

/** Also behind a storage pointer that a library or helper receives. */
const isStored = (value: Origins): boolean =>
  has(value, Source.state) ||
  value.parameters.some(
    ({ type }) =>
      type.kind === "mapping" || ((type.kind === "struct" || type.kind === "array") && type.location === "storage"),
  )

/** The index at which an array element is read: `list[list.length - 1]` reverts for an empty list. */
export const indexThatFails = (flow: Flow, e: S.Node): S.Expression | undefined => {
  if (e.kind !== "IndexAccess" || e.index === undefined) return undefined
  const kind = flow.program.typeOf(e.base).kind
  if (kind !== "array" && kind !== "bytes") return undefined
  const operation = operationOf(flow.program, e.index)
  const isBelow = operation?.operator === "-" && constantNumber(flow.program, operation.right) !== undefined
  return isBelow ? e.index : undefined
}

/**
 * Whether a number is subtracted from the length of an array that the function reads an element of: an empty array
 * fails there.
 */
export const isLengthOfReadArray = (flow: Flow, { operator, left, right }: Operation): boolean => {
  if (operator !== "-" || left.kind !== "MemberAccess" || left.member !== "length") return false
  if (constantNumber(flow.program, right) === undefined || isLargeFunction(flow)) return false
  const isRead = (e: S.Node): boolean =>
    e.kind === "IndexAccess" && e.index !== undefined && sameExpression(flow.program, e.base, left.object)
  return flow.nodes.some(({ expression }) => {
    let read = false
    if (expression !== undefined) walk(expression, (e) => void (read ||= isRead(e)))
    return read
  })
}
