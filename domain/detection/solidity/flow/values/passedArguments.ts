import type { LocalVariable } from "../../model.ts"
import { recursionLimit } from "./everyCaller.ts"
import type { Flow } from "../../program.ts"
import { merge, noOrigins, type Origins, substitute } from "../graph/origins.ts"

/** How many callers are considered for one parameter. */
const callerLimit = 24

/** What the callers of an internal function pass for its parameters. */
export class PassedArguments {
  private readonly flow: Flow
  private readonly memo = new Map<LocalVariable, Origins>()

  constructor(flow: Flow) {
    this.flow = flow
  }

  /**
   * Replaces parameters by what callers pass, and recursively the callers' own parameters; those of entry points stay.
   */
  expand(value: Origins, depth: number): Origins {
    if (value.parameters.length === 0 && value.keyParameters.length === 0) return value
    const { fn, program } = this.flow
    if (program.graph.isEntryPoint(fn) || program.functionValues.has(fn)) return value
    return substitute(value, (p) => this.of(p, depth))
  }

  /** Everything that callers pass for a parameter; undefined if there are no callers. */
  private of(parameter: LocalVariable, depth: number): Origins | undefined {
    if (this.memo.has(parameter)) return this.memo.get(parameter)
    const edges = this.flow.program.graph.callers(this.flow.fn)
    if (edges.length === 0 || depth > recursionLimit) return undefined
    // A parameter handed on in a cycle adds nothing to what enters the cycle.
    this.memo.set(parameter, noOrigins)
    const index = this.flow.fn.parameters.indexOf(parameter)
    let result = noOrigins
    for (const edge of edges.slice(0, callerLimit)) {
      const caller = this.flow.program.flowIfBuilt(edge.from)
      const site = caller?.siteOf(edge.call.node)
      const arg = site?.args[index]
      if (caller !== undefined && site !== undefined && arg !== undefined) {
        result = merge(result, caller.expand(caller.origins(arg, site.at), depth + 1))
      }
    }
    this.memo.set(parameter, result)
    return result
  }
}
