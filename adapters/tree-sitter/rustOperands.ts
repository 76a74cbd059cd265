import type { Lowering } from "./rustLowering.ts"
import { childOfType, type RawNode } from "./rustTree.ts"

export const skipped = new Set(["attribute_item", "inner_attribute_item", "label", "ERROR", "mutable_specifier"])

export const operands = (node: RawNode): ReadonlyArray<RawNode> =>
  node.children.filter((one) => (one.named || one.type === "_") && !skipped.has(one.type))

export const label = (l: Lowering, node: RawNode): { label?: string } => {
  const found = childOfType(node, "label")
  return found === undefined ? {} : { label: l.text(found) }
}
