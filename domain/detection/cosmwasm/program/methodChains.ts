import { nodesOf } from "../../rust/syntax/nodes.ts"
import type { FunctionDefinition } from "../../rust/crate/crate.ts"
import type { MethodCall } from "../../rust/syntax/syntax.ts"

/** `load(…)` or `may_load(…)` on a place in storage, with the methods called on it, in order; `?` represents itself. */
export interface LoadChain {
  readonly load: MethodCall
  readonly then: ReadonlyArray<{ readonly name: string; readonly call: MethodCall | undefined }>
}

/** The chains of a function that begin with a load from storage. */
export const loadChains = (definition: FunctionDefinition): ReadonlyArray<LoadChain> => {
  if (definition.item.body === undefined) return []
  const found = new Map<MethodCall, LoadChain["then"]>()
  // From the outside in: the first chain that contains a load is the longest one.
  for (const node of nodesOf(definition.item.body)) {
    if (node.kind !== "methodCall" && node.kind !== "try") continue
    const then: Array<LoadChain["then"][number]> = []
    let one: { readonly kind: string } = node
    for (;;) {
      if (one.kind === "try") {
        then.unshift({ name: "?", call: undefined })
        one = (one as Extract<typeof node, { kind: "try" }>).value // its kind was compared
        continue
      }
      if (one.kind !== "methodCall") break
      const call = one as MethodCall // its kind was compared
      // Storage is the first argument; a `load` without arguments is a different method.
      if (/^(may_)?load$/.test(call.method) && call.args.length > 0) {
        if (!found.has(call)) found.set(call, then)
        break
      }
      then.unshift({ name: call.method, call })
      one = call.receiver
    }
  }
  return [...found].map(([load, then]) => ({ load, then }))
}
