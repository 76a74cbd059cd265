import { show } from "../../rust/terms/show.ts"
import type { Term } from "../../rust/terms/terms.ts"
import { storedPlace } from "../program/semantics.ts"

/** Limit: depth of nested terms in the text. */
const depthLimit = 8

/**
 * A condition as an expert on the contract would write it: `ADMINS contains info.sender`, `VOTERS[info.sender] exists`.
 */
export const conditionText = (term: Term, depth = 0): string => {
  if (depth > depthLimit) return "…"
  const of = (one: Term): string => conditionText(one, depth + 1)
  const place = storedPlace(term)
  if (place !== undefined && (term.kind === "call" || term.kind === "constant")) {
    const name = place.container.kind === "constant" ? place.container.name : show(place.container)
    return place.key === undefined ? name : `${name}[${of(place.key)}]`
  }
  switch (term.kind) {
    case "field":
      return `${of(term.base)}.${term.name}`
    case "payload":
      // of the message itself: `msg.amount`
      return `${of(term.base)}.${term.name}`
    case "constant":
      return term.name
    case "struct":
      return `${shortPath(term.path)} { ${term.fields.map(([name, value]) => `${name}: ${of(value)}`).join(", ")} }`
    case "list":
      return term.elements.map(of).join(", ")
    case "binary":
      return `${of(term.left)} ${term.operator} ${of(term.right)}`
    case "not":
      return `not ${of(term.operand)}`
    case "is":
      if (term.variant === "Some") return `${of(term.value)} exists`
      return term.variant === "None" ? `${of(term.value)} does not exist` : `${of(term.value)} is ${term.variant}`
    case "succeeded":
      return storedPlace(term.call) === undefined ? of(term.call) : `${of(term.call)} exists`
    case "choice":
      return term.alternatives.map(of).join(" or ")
    case "call":
      return callText(term, of)
    default:
      return show(term)
  }
}

const callText = (term: Term & { readonly kind: "call" }, of: (one: Term) => string): string => {
  const { path, name, args } = term
  const [first, second] = args
  if (path === "" && /^addr_(validate|canonicalize|humanize)$/.test(name) && args.length > 0) return of(args.at(-1)!)
  if (name === "any" && first !== undefined && second?.kind === "binary" && second.operator === "==") {
    const other = [second.left, second.right].find((side) => !(side.kind === "element" && side.base === first))
    return other === undefined ? show(term) : `${of(first)} contains ${of(other)}`
  }
  return path === "" && first !== undefined
    ? `${of(first)}.${name}(${args.slice(1).map(of).join(", ")})`
    : `${shortPath(path) || name}(${args.map(of).join(", ")})`
}

const shortPath = (path: string): string => path.split("::").slice(-2).join("::")
