import type { Expression } from "../../domain/detection/rust/syntax/syntax.ts"
import type { Lowering } from "./rustLowering.ts"
import { operands } from "./rustOperands.ts"
import { child, type RawNode } from "./rustTree.ts"

export const lowerCall = (l: Lowering, node: RawNode): Expression => {
  const span = l.span(node)
  const callee = child(node, "function")
  const list = child(node, "arguments")
  const args = (list === undefined ? [] : operands(list)).map((one) => l.expression(one))
  const generic = callee?.type === "generic_function" ? callee : undefined
  const method = generic === undefined ? callee : child(generic, "function")
  if (method?.type === "field_expression") {
    const field = child(method, "field")
    if (field !== undefined && field.type === "field_identifier") {
      const types = generic === undefined ? undefined : child(generic, "type_arguments")
      return {
        ...span,
        kind: "methodCall",
        receiver: l.expression(child(method, "value")),
        method: l.text(field),
        methodSpan: l.span(field),
        generics:
          types === undefined
            ? []
            : operands(types)
                .filter((one) => one.type !== "lifetime")
                .map((one) => l.type(one)),
        args,
      }
    }
  }
  return { ...span, kind: "call", callee: l.expression(callee), args }
}
