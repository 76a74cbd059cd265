import type { CallSite } from "../graph/events.ts"
import type { Flow } from "../../program.ts"
import { relaysOf } from "./relays.ts"

/** How many callers are followed in a row. */
export const recursionLimit = 64

/** Asks all callers of an internal function, or all relays of an entry point, the same question. */
export class EveryCaller {
  private readonly flow: Flow
  private readonly memo = new Map<string, boolean>()

  constructor(flow: Flow) {
    this.flow = flow
  }

  /**
   * Whether the test holds at every call of an internal function, or at every delegate call that runs an entry point
   * for another contract. False for functions that outsiders can call.
   */
  passes(question: string, depth: number, test: (caller: Flow, site: CallSite) => boolean): boolean {
    const memo = this.memo.get(question)
    if (memo !== undefined) return memo
    const { fn, program } = this.flow
    if (depth > recursionLimit) return false
    const isEntryPoint = program.graph.isEntryPoint(fn)
    if (isEntryPoint ? relaysOf(program, fn).length === 0 : program.functionValues.has(fn)) return false
    // A cycle of internal functions is as safe as the ways into it.
    this.memo.set(question, true)
    const ways = isEntryPoint ? relaysOf(program, fn) : program.graph.callers(fn)
    const result = ways.every(({ from, call }) => {
      const caller = program.flowIfBuilt(from)
      if (caller === undefined || from === fn) return true
      const site = caller.siteOf(call.node)
      return site === undefined || test(caller, site)
    })
    this.memo.set(question, result)
    return result
  }
}
