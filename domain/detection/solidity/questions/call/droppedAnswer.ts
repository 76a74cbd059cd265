import { oncePer, oncePerPair } from "../../../oncePer.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import { has, Source } from "../../flow/graph/origins.ts"
import type { FunctionModel } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import type { Type } from "../../types.ts"

/**
 * Calls of functions that change nothing, cannot revert and return a boolean that is ignored: `isListed(token);` where
 * `require(isListed(token));` was meant.
 */
export const droppedAnswers = (flow: Flow): ReadonlyArray<CallSite> =>
  flow.calls().filter(({ resultIgnored, target, isStatic, node, callKind, receiver, at }) => {
    if (!resultIgnored || target === undefined || node.kind !== "FunctionCall") return false
    if (!isStatic && target.mutability !== "view" && target.mutability !== "pure") return false
    if (target.returns.length !== 1 || target.returns[0]!.type.kind !== "bool") return false
    // checks whether the contract that the caller names has the function at all
    if (callKind === "external" && receiver !== undefined && has(flow.origins(receiver, at), Source.parameter))
      return false
    const run = callKind === "external" ? implementations(flow.program, target) : [target]
    return (
      run.length > 0 &&
      run.every((fn) => fn.implemented && !canRefuse(flow.program, fn, 0) && !changesArgument(flow.program, fn))
    )
  })

/** Limit of the implementations examined per function. */
const implementationLimit = 20

const implementationsBySignature = oncePer((program: Program): ReadonlyMap<string, ReadonlyArray<FunctionModel>> => {
  const found = new Map<string, Array<FunctionModel>>()
  for (const fn of program.functions) {
    if (!fn.implemented || fn.returns.length !== 1 || fn.contract === undefined) continue
    const known = found.get(fn.signature)
    if (known === undefined) found.set(fn.signature, [fn])
    else known.push(fn)
  }
  return found
})

/** The implementations that an external call may run. */
const implementations = (program: Program, target: FunctionModel): ReadonlyArray<FunctionModel> => {
  if (target.implemented) return [target]
  return (implementationsBySignature(program).get(target.signature) ?? []).slice(0, implementationLimit)
}

/** Limit of the call depth examined. */
const depthLimit = 3

/** Whether the function changes what the caller passes in memory: `function advance(Machine memory m)`. */
const changesArgument = oncePerPair((program: Program, fn: FunctionModel): boolean =>
  program
    .flow(fn)
    .nodes.some(({ definitions }) =>
      definitions.some(
        ({ variable, keepsOld }) => keepsOld && fn.parameters.some((p) => p === variable && isByReference(p.type)),
      ),
    ),
)

const isByReference = ({ kind }: Type): boolean => kind === "struct" || kind === "array" || kind === "bytes"

const canRefuse = (program: Program, fn: FunctionModel, depth: number): boolean => {
  const flow = program.flow(fn)
  return (
    flow.nodes.some((node) => node.succs.includes(flow.revert) && flow.isReachable(node)) ||
    flow
      .calls()
      .some(
        ({ callKind, target }) =>
          (callKind === "internal" || callKind === "library") &&
          (target?.implemented !== true || depth >= depthLimit || canRefuse(program, target, depth + 1)),
      )
  )
}
