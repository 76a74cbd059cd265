import type { CallSite } from "../effects.ts"
import type { Flow } from "../flow.ts"
import type { ContractModel, StateVariable } from "../model.ts"
import type { Program } from "../program.ts"

/** A contract that hands calls it does not know to another one's code. */
export interface Forwarder {
  readonly contract: ContractModel
  readonly flow: Flow
  readonly site: CallSite
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
        : [{ contract: flow.context, flow, site: call.event }]
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
