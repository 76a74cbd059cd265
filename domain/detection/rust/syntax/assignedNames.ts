import { oncePer } from "../../oncePer.ts"
import type { Expression } from "./syntax.ts"

/** Names of locals that the body of a loop or closure assigns. */
export const assignedNames = oncePer((body: object): ReadonlySet<string> => {
  const names = new Set<string>()
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return
    if (Array.isArray(node)) {
      for (const one of node) visit(one)
      return
    }
    const one = node as { kind?: string; left?: Expression; operand?: Expression; mutable?: boolean } // Any node of the tree.
    const target = one.kind === "assign" ? one.left : undefined
    if (target?.kind === "path" && target.path.segments.length === 1) names.add(target.path.segments[0]!.name)
    for (const value of Object.values(node)) if (typeof value === "object") visit(value)
  }
  visit(body)
  return names
})
