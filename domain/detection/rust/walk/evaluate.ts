import { assign } from "./assignment.ts"
import { evaluateIf, evaluateMatch } from "./control/branches.ts"
import { evaluateCall } from "./calls/calls.ts"
import { evaluateArray, evaluateRange, evaluateRepeat, evaluateStruct, evaluateTuple } from "./values/composites.ts"
import type { Value } from "../terms/events.ts"
import { evaluateLiteral } from "./values/literals.ts"
import { breakLoop, evaluateLoop } from "./loops.ts"
import { evaluateMacro } from "./calls/macros.ts"
import { evaluateMethod } from "./calls/methods.ts"
import { evaluateBinary, evaluateCast, evaluateTry, evaluateUnary } from "./values/operators.ts"
import { evaluateFieldOf, evaluateIndex, evaluatePath } from "./values/places.ts"
import type { Expression } from "../syntax/syntax.ts"
import { namedType } from "../crate/types.ts"
import { exit, returnValue } from "./control/leaving.ts"
import { bindClosure } from "./entering/closures.ts"
import type { Walk } from "./state/walk.ts"

/** The term of an expression. `tail` makes each branch of an `if` or `match` a return of the function. */
export const evaluate = (walk: Walk, node: Expression, tail = false): Value => {
  switch (node.kind) {
    case "path":
      return evaluatePath(walk, node)
    case "literal":
      return evaluateLiteral(walk, node)
    case "call":
      return evaluateCall(walk, node)
    case "methodCall":
      return evaluateMethod(walk, node)
    case "macro":
      return evaluateMacro(walk, node)
    case "struct":
      return evaluateStruct(walk, node)
    case "closure":
      return { ...walk.opaque([]), closure: bindClosure(walk, node) }
    case "block":
      return walk.block(node)
    case "field":
      return evaluateFieldOf(walk, node)
    case "index":
      return evaluateIndex(walk, node)
    case "unary":
      return evaluateUnary(walk, node)
    case "reference":
      return walk.expression(node.operand)
    case "binary":
      return evaluateBinary(walk, node)
    case "assign":
      return assign(walk, node)
    case "cast":
      return evaluateCast(walk, node)
    case "try":
      return evaluateTry(walk, node)
    case "await":
      return walk.expression(node.value)
    case "range":
      return evaluateRange(walk, node)
    case "tuple":
      return evaluateTuple(walk, node)
    case "array":
      return evaluateArray(walk, node)
    case "repeat":
      return evaluateRepeat(walk, node)
    case "if":
      return evaluateIf(walk, node, tail)
    case "let":
      return { term: walk.condition(node), type: namedType("bool") }
    case "match":
      return evaluateMatch(walk, node, tail)
    case "for":
    case "while":
    case "loop":
      return evaluateLoop(walk, node)
    case "return":
      if (node.value === undefined) exit(walk, node, walk.unit)
      else returnValue(walk, node.value)
      return { ...walk.unit, never: true }
    case "break":
      if (node.value !== undefined) walk.expression(node.value)
      breakLoop(walk)
      return { ...walk.unit, never: true }
    case "continue":
      walk.die("jump")
      return { ...walk.unit, never: true }
    case "unknown":
      return walk.opaque([])
  }
}
