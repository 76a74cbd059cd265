import type { Term } from "./terms.ts"

/** A term as short source-like text, for messages and tests. */
export const show = (term: Term, depth = 0): string => {
  if (depth > 8) return "…"
  const of = (one: Term): string => show(one, depth + 1)
  const list = (all: ReadonlyArray<Term>): string => all.map(of).join(", ")
  switch (term.kind) {
    case "parameter":
      return term.name
    case "field":
      return `${of(term.base)}.${term.name}`
    case "element":
      return `${of(term.base)}[${term.index ?? "_"}]`
    case "payload":
      return `${of(term.base)}.<${term.variant}>.${term.name}`
    case "call":
      return `${term.path === "" ? term.name : term.path}(${list(term.args)})`
    case "constant":
      return term.path
    case "literal":
      return term.type === "string" || term.type === "bytes" ? JSON.stringify(term.value) : term.value
    case "struct":
      return `${term.path} { ${term.fields.map(([name, value]) => `${name}: ${of(value)}`).join(", ")} }`
    case "list":
      return term.tuple ? `(${list(term.elements)})` : `[${list(term.elements)}]`
    case "binary":
      return `${of(term.left)} ${term.operator} ${of(term.right)}`
    case "not":
      return `!(${of(term.operand)})`
    case "cast":
      return `${of(term.value)} as ${term.to}`
    case "is":
      return `${of(term.value)} is ${term.variant}`
    case "succeeded":
      return `${of(term.call)} succeeded`
    case "choice":
      return term.alternatives.map(of).join(" or ")
    case "opaque":
      return `?(${list(term.sources)})`
  }
}

/** The names of the fields that lead to a place, joined by dots; empty for the place itself. */
export const fieldsOf = (term: Term): string => {
  const names: Array<string> = []
  for (let one: Term = term; one.kind === "field" || one.kind === "element" || one.kind === "payload"; one = one.base)
    if (one.kind !== "element") names.unshift(one.name)
  return names.join(".")
}
