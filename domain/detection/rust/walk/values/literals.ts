import type { Value } from "../../terms/events.ts"
import type { Expression } from "../../syntax/syntax.ts"
import { namedType, unknownType } from "../../crate/types.ts"
import type { Walk } from "../state/walk.ts"

const literalType = (node: Expression & { kind: "literal" }) => {
  switch (node.type) {
    case "integer":
    case "float":
      return node.suffix === undefined ? unknownType : namedType(node.suffix)
    case "boolean":
      return namedType("bool")
    case "string":
      return namedType("str")
    case "char":
      return namedType("char")
    case "byte":
      return namedType("u8")
    default:
      return { kind: "list", element: namedType("u8") } as const
  }
}

export const evaluateLiteral = (walk: Walk, node: Expression & { kind: "literal" }): Value => ({
  term: walk.terms.literal(node.type, node.value),
  type: literalType(node),
})
