import { oncePer } from "../../oncePer.ts"
import type { Expression, Statement } from "./syntax.ts"

type Node = Expression | Statement

/** Statements and expressions below a node, outermost first and in source order; nested items are left out. */
export const nodesOf = oncePer((root: object): ReadonlyArray<Node> => {
  const found: Array<Node> = []
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return
    if (Array.isArray(value)) {
      for (const one of value) visit(one)
      return
    }
    const node = value as { readonly kind?: string } // Trees hold only nodes, lists of nodes and scalars.
    if (node.kind === "item") return
    // Every node of a body that has a kind is a statement or an expression, or a type or pattern with names of its own.
    if (node.kind !== undefined) found.push(node as Node)
    for (const key in node) {
      const child = (node as Readonly<Record<string, unknown>>)[key]
      if (typeof child === "object" && child !== null) visit(child)
    }
  }
  visit(root)
  return found
})
