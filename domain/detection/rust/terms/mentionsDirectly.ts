import type { Term } from "./terms.ts"

/** Whether a fact is about an element: it is compared, tested or passed on in it, not only part of what made a value. */
export const mentionsDirectly = (fact: Term, element: Term, depth = 0): boolean => {
  if (fact === element) return true
  if (depth > 8) return false
  switch (fact.kind) {
    case "binary":
      return mentionsDirectly(fact.left, element, depth + 1) || mentionsDirectly(fact.right, element, depth + 1)
    case "not":
      return mentionsDirectly(fact.operand, element, depth + 1)
    case "field":
    case "payload":
    case "element":
      return mentionsDirectly(fact.base, element, depth + 1)
    case "is":
      return mentionsDirectly(fact.value, element, depth + 1)
    case "succeeded":
      return mentionsDirectly(fact.call, element, depth + 1)
    case "call":
      return fact.args.some((one) => mentionsDirectly(one, element, depth + 1))
    default:
      return false
  }
}
