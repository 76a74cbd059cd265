import type { Place } from "../../Rule.ts"
import type { Flow } from "../program.ts"

/** Trace steps to the functions that see to it. */
export const companySteps = (
  company: ReadonlyArray<Flow>,
  note: string,
): ReadonlyArray<Place & { readonly note: string }> =>
  company.slice(0, 3).map(({ fn }) => ({ file: fn.source.file, span: fn.node.nameSpan, note }))
