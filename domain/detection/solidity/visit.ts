import type { Node } from "./syntax.ts"

/** Keys that hold no nodes. */
const plain = new Set(["kind", "start", "end", "name", "nameSpan", "file", "operator", "value"])

const isNode = (x: unknown): x is Node => typeof x === "object" && x !== null && "kind" in x && "start" in x

/** The nodes directly below a node, in source order. */
export const children = (node: Node): Array<Node> => {
  const found: Array<Node> = []
  const take = (x: unknown): void => {
    if (isNode(x)) found.push(x)
    else if (Array.isArray(x)) for (const item of x) take(item)
    // named options and cases: objects without a kind that hold nodes
    else if (typeof x === "object" && x !== null)
      for (const key in x) if (key !== "nameSpan") take((x as Record<string, unknown>)[key])
  }
  for (const key in node) {
    if (plain.has(key) && key !== "value") continue
    const x = (node as unknown as Record<string, unknown>)[key]
    if (typeof x === "object" && x !== null) take(x)
  }
  // `update` of a `for` stands before its body in the text, whatever the order of the fields
  return found.toSorted((a, b) => a.start - b.start || b.end - a.end)
}

/** Visits a tree in source order, without recursion; `visit` returns false to skip what lies below. */
export const walk = (root: Node, visit: (node: Node) => boolean | void): void => {
  const stack: Array<Node> = [root]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (visit(node) === false) continue
    const below = children(node)
    for (let i = below.length - 1; i >= 0; i--) stack.push(below[i]!)
  }
}
