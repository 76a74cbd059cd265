import type { Value } from "../../terms/events.ts"
import { elementType, successType, unknownType } from "../../crate/types.ts"
import type { Walk } from "../state/walk.ts"

/** The argument of a loop over a list, or of a closure on it: any of its elements. */
export const elementOf = (walk: Walk, list: Value): Value => {
  const { term } = list
  const { terms } = walk
  if (term.kind === "call" && term.path === "") {
    const [first, second] = term.args
    if (term.name === "mapped" && first !== undefined) return { term: first, type: elementType(list.type) }
    if (term.name === "enumerate" && first !== undefined) {
      const inner = elementOf(walk, { term: first, type: list.type })
      return {
        term: terms.list([terms.opaque([]), inner.term], true),
        type: { kind: "tuple", elements: [{ kind: "named", name: "usize", path: "usize", args: [] }, inner.type] },
      }
    }
    if (term.name === "zip" && first !== undefined && second !== undefined) {
      const inner = elementOf(walk, { term: first, type: list.type })
      return {
        term: terms.list([inner.term, terms.element(second)], true),
        type: { kind: "tuple", elements: [inner.type, unknownType] },
      }
    }
    if (
      /^(rev|skip|take|filter|step_by|chain|skip_while|take_while|windows|chunks|chunks_exact|drain|keys|values|peekable|fuse)$/.test(
        term.name,
      ) &&
      first !== undefined
    )
      return elementOf(walk, { term: first, type: list.type })
  }
  return { term: terms.element(term), type: elementType(successType(list.type)) }
}
