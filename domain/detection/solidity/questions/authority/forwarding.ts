import type { FlowNode } from "../../flow/graph/graph.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import type { ContractModel, FunctionModel, StateVariable } from "../../model.ts"
import { declaredWhole } from "../../flow/graph/storagePlace.ts"
import type { Flow, Program } from "../../program.ts"

/** A contract that hands calls it does not know to another one's code. */
export interface Forwarder {
  readonly contract: ContractModel
  readonly flow: Flow
  readonly site: CallSite
  /** The node of `flow` from which the site is reached. */
  readonly at: FlowNode
}

const memo = new WeakMap<Program, ReadonlyArray<Forwarder>>()

/** Proxies: contracts whose fallback function delegates. */
export const forwarders = (program: Program): ReadonlyArray<Forwarder> => {
  let found = memo.get(program)
  if (found === undefined) {
    found = program.functions.flatMap((fn) => {
      if ((fn.role !== "fallback" && fn.role !== "receive") || !fn.implemented) return []
      const flow = program.flow(fn)
      const call = flow.externalCalls.find(({ event }) => isDelegating(event))
      return call === undefined || flow.context === undefined
        ? []
        : [{ contract: flow.context, flow, site: call.event, at: call.at }]
    })
    memo.set(program, found)
  }
  return found
}

export const isDelegating = ({ callKind }: CallSite): boolean => callKind === "delegatecall" || callKind === "callcode"

/** Variables that take slots from zero on, in their order. */
export const layoutOf = (program: Program, contract: ContractModel): ReadonlyArray<StateVariable> =>
  program.stateVariablesOf(contract).filter((v) => !v.constant && !v.immutable && !v.transient && v.node !== undefined)

/** One inherits from the other, or they are one. */
export const areRelated = (a: ContractModel, b: ContractModel): boolean =>
  a.linearization.includes(b) || b.linearization.includes(a)

/** A function of the code behind a forwarder by which anyone overwrites an address that the forwarder keeps. */
export interface Exposed {
  readonly fn: FunctionModel
  readonly ours: StateVariable
}

/** Undefined where the type of the target is not known, or nothing that matters can be overwritten. */
export const exposedBy = ({ contract, flow, site }: Forwarder): Exposed | undefined => {
  const { program } = flow
  if (site.receiver === undefined) return undefined
  const inside = site.at.callable.kind === "Function" ? program.flow(site.at.callable) : flow
  const layout = layoutOf(program, contract)
  for (const { type } of inside.expand(inside.origins(site.receiver, site.at)).state) {
    if (type.kind !== "contract" || areRelated(type.contract, contract)) continue
    const theirs = layoutOf(program, type.contract)
    for (const fn of program.functionsOf(type.contract)) {
      if (!fn.implemented || !program.graph.isEntryPoint(fn)) continue
      const inner = program.flow(fn)
      for (const { place, at } of inner.writes) {
        const index = theirs.findIndex(
          (variable) => place !== undefined && place.variables.some((v) => declaredWhole(v) === variable),
        )
        const ours = index < 0 ? undefined : layout[index]
        if (ours === undefined || (ours.type.kind !== "address" && ours.type.kind !== "contract")) continue
        if (!inner.isRestricted(at)) return { fn, ours }
      }
    }
  }
  return undefined
}
