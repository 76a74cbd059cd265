import { oncePer } from "../../../oncePer.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import type { ContractModel, FunctionModel, StateVariable } from "../../model.ts"
import { declaredWhole } from "../../flow/graph/storagePlace.ts"
import type { Flow, Program } from "../../program.ts"
import { layoutOf, overlaps } from "../storage/layout.ts"

/** A contract that forwards calls it does not recognize to another contract's code. */
export interface Forwarder {
  readonly contract: ContractModel
  readonly flow: Flow
  readonly site: CallSite
  /** The node of `flow` from which the site is reached. */
  readonly at: FlowNode
}

/** Proxies: contracts whose fallback function delegates. */
export const forwarders = oncePer((program: Program): ReadonlyArray<Forwarder> =>
  program.functions.flatMap((fn) => {
    if ((fn.role !== "fallback" && fn.role !== "receive") || !fn.implemented) return []
    const flow = program.flow(fn)
    const call = flow.externalCalls.find(({ event }) => isDelegating(event))
    return call === undefined || flow.context === undefined
      ? []
      : [{ contract: flow.context, flow, site: call.event, at: call.at }]
  }),
)

export const isDelegating = ({ callKind }: CallSite): boolean => callKind === "delegatecall" || callKind === "callcode"

/** Whether one inherits from the other, or they are the same. */
export const areRelated = (a: ContractModel, b: ContractModel): boolean =>
  a.linearization.includes(b) || b.linearization.includes(a)

/** A function of the code behind a forwarder that lets anyone overwrite an address stored in the forwarder. */
export interface Exposed {
  readonly fn: FunctionModel
  readonly ours: StateVariable
}

/** The state variables in which a forwarder stores the address of the code it runs. */
export const targetsOf = ({ flow, site }: Forwarder): ReadonlyArray<StateVariable> => {
  if (site.receiver === undefined) return []
  const inside = site.at.callable.kind === "Function" ? flow.program.flow(site.at.callable) : flow
  return inside.expand(inside.origins(site.receiver, site.at)).state
}

/** Undefined if the target's type is unknown, or if nothing important can be overwritten. */
export const exposedBy = (forwarder: Forwarder): Exposed | undefined => {
  const { contract, flow } = forwarder
  const { program } = flow
  const addresses = layoutOf(program, contract).filter(
    ({ variable: { type } }) => type.kind === "address" || type.kind === "contract",
  )
  for (const { type } of targetsOf(forwarder)) {
    if (type.kind !== "contract" || areRelated(type.contract, contract)) continue
    const theirs = layoutOf(program, type.contract)
    for (const fn of program.functionsOf(type.contract)) {
      if (!fn.implemented || !program.graph.isEntryPoint(fn)) continue
      const inner = program.flow(fn)
      for (const { place, at } of inner.writes) {
        const written = theirs.find(
          ({ variable }) => place !== undefined && place.variables.some((v) => declaredWhole(v) === variable),
        )
        const ours = written === undefined ? undefined : addresses.find((address) => overlaps(address, written))
        if (ours !== undefined && !inner.isRestricted(at)) return { fn, ours: ours.variable }
      }
    }
  }
  return undefined
}
