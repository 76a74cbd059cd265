import type { CallSite } from "../graph/events.ts"
import type { Flow } from "../../program.ts"

/** How many callers are followed in a row. */
export const recursionLimit = 64

/** Asks all callers of an internal function the same question. */
export class EveryCaller {
  private readonly flow: Flow
  private readonly memo = new Map<string, boolean>()

  constructor(flow: Flow) {
    this.flow = flow
  }

  /**
   * For an internal function: whether the test holds at every call of it. False for functions that outsiders can call.
   */
  passes(question: string, depth: number, test: (caller: Flow, site: CallSite) => boolean): boolean {
    const memo = this.memo.get(question)
    if (memo !== undefined) return memo
    const { fn, program } = this.flow
    if (program.graph.isEntryPoint(fn) || program.functionValues.has(fn) || depth > recursionLimit) return false
    // A cycle of internal functions is as safe as the ways into it.
    this.memo.set(question, true)
    const result = program.graph.callers(fn).every(({ from, call }) => {
      const caller = program.flowIfBuilt(from)
      if (caller === undefined || from === fn) return true
      const site = caller.siteOf(call.node)
      return site === undefined || test(caller, site)
    })
    this.memo.set(question, result)
    return result
  }
}
