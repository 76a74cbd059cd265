/** More bases than this are not followed: the longest chain in the audited libraries has 24. */
const maximum = 256

interface Node<A> {
  readonly bases: ReadonlyArray<A>
  linearization: ReadonlyArray<A>
  linearizable: boolean
}

/**
 * Fills in the C3 linearization of every contract, the contract itself first. Solidity lists bases from "most
 * base-like" to "most derived", so they are merged from the right. Cycles are cut at the repeated contract; if C3 has
 * no solution, a depth-first order takes its place. Both set `linearizable` to false. Iterative, because chains may be
 * long.
 */
export const linearizeAll = <A extends Node<A>>(contracts: ReadonlyArray<A>): void => {
  const state = new Map<A, "open" | "done">()
  for (const root of contracts) {
    const stack: Array<A> = [root]
    while (stack.length > 0) {
      const contract = stack[stack.length - 1]!
      const found = state.get(contract)
      if (found === "done") {
        stack.pop()
        continue
      }
      if (found === undefined) {
        state.set(contract, "open")
        for (const base of contract.bases) {
          const baseState = state.get(base)
          if (baseState === undefined) stack.push(base)
          else if (baseState === "open") contract.linearizable = false
        }
        continue
      }
      stack.pop()
      state.set(contract, "done")
      const bases = contract.bases.filter((base) => base !== contract && state.get(base) === "done").toReversed()
      if (bases.length < contract.bases.length) contract.linearizable = false
      const merged = merge([...bases.map((base) => base.linearization), bases])
      if (merged === undefined) contract.linearizable = false
      const order = [contract, ...(merged ?? depthFirst(bases))]
      contract.linearization = order.length > maximum ? order.slice(0, maximum) : order
    }
  }
}

/** The merge step of C3; undefined without a solution. */
const merge = <A>(lists: ReadonlyArray<ReadonlyArray<A>>): Array<A> | undefined => {
  const heads = lists.map(() => 0)
  // The number of lists that contain a contract behind the head: a candidate must be in none.
  const inTail = new Map<A, number>()
  for (const list of lists) for (let i = 1; i < list.length; i++) inTail.set(list[i]!, (inTail.get(list[i]!) ?? 0) + 1)
  const result: Array<A> = []
  for (;;) {
    let candidate: A | undefined
    let open = false
    for (let i = 0; i < lists.length; i++) {
      const head = lists[i]![heads[i]!]
      if (head === undefined) continue
      open = true
      if ((inTail.get(head) ?? 0) === 0) {
        candidate = head
        break
      }
    }
    if (candidate === undefined) return open ? undefined : result
    result.push(candidate)
    if (result.length > maximum) return result
    for (let i = 0; i < lists.length; i++) {
      if (lists[i]![heads[i]!] !== candidate) continue
      heads[i]!++
      const exposed = lists[i]![heads[i]!]
      if (exposed !== undefined) inTail.set(exposed, (inTail.get(exposed) ?? 1) - 1)
    }
  }
}

const depthFirst = <A extends Node<A>>(bases: ReadonlyArray<A>): Array<A> => [
  ...new Set(bases.flatMap((base) => base.linearization)),
]
