import type { Term } from "./terms.ts"

/** `None`, `vec![]`, `String::new()`, an empty text. */
export const isEmptyValue = (term: Term): boolean =>
  (term.kind === "literal" && /^("")?$/.test(term.value)) ||
  (term.kind === "constant" && /(^|::)None$/.test(term.path)) ||
  (term.kind === "list" && term.elements.length === 0) ||
  (term.kind === "call" && term.args.every(isEmptyValue) && /^(from|new|default|unchecked|vec)$/.test(term.name))
