import { oncePer } from "../../../oncePer.ts"
import type { FunctionDefinition } from "../../crate/crate.ts"
import { nodesOf } from "../../syntax/nodes.ts"
import type { Expression } from "../../syntax/syntax.ts"

/** The fields that a function moves on by one: `self.at += 1`. */
const steppedIn = oncePer(({ item }: FunctionDefinition): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const node of item.body === undefined ? [] : nodesOf(item.body))
    if (node.kind === "assign" && node.operator === "+" && node.left.kind === "field" && node.right.kind === "literal")
      if (/^1(_?[iu]\w+)?$/.test(node.right.value)) found.add(node.left.name)
  return found
})

/** Whether an index is the position of a reader of one's own, which takes the elements of a list one by one. */
export const isCursor = (definition: FunctionDefinition, index: Expression): boolean =>
  index.kind === "field" && steppedIn(definition).has(index.name)

/** `accounts.iter()` starts at the first element, however far another iterator over the list has come. */
export const isNewIterator = (node: Expression | undefined): boolean => {
  let source = node
  while (source?.kind === "reference") source = source.operand
  return source?.kind === "methodCall" && /^(iter|iter_mut|into_iter)$/.test(source.method)
}
