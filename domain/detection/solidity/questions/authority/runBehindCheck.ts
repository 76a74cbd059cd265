import { oncePer } from "../../../oncePer.ts"
import type { ContractModel } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import type { Expr } from "../../flow/graph/graph.ts"
import { walk } from "../../visit.ts"
import { demandsAt } from "../../demands/demands.ts"

/**
 * Whether a function is the other half of one that keeps strangers out: a proxy checks the caller and runs the function
 * of the same signature of another contract by `delegatecall`, on its own state.
 */
export const isRunBehindCheck = ({ fn, program }: Flow): boolean => {
  const proxy = checkingProxies(program).get(fn.signature)
  return proxy !== undefined && fn.contract !== undefined && !fn.contract.linearization.includes(proxy)
}

const checkingProxies = oncePer((program: Program): ReadonlyMap<string, ContractModel> => {
  const found = new Map<string, ContractModel>()
  for (const flow of program.allFlows()) {
    const { fn } = flow
    if (fn.contract === undefined || !program.graph.isEntryPoint(fn)) continue
    const runs = flow
      .calls()
      .find(({ callKind, args }) => callKind === "delegatecall" && args.some(selects(program, fn.name)))
    if (runs !== undefined && demandsAt(flow, runs.at).standing === "guarded") found.set(fn.signature, fn.contract)
  }
  return found
})

/** `msg.data`, `abi.encodeWithSelector(ILogic.run.selector, data)`, `abi.encodeCall(ILogic.run, (data))`. */
const selects =
  (program: Program, name: string) =>
  (arg: Expr): boolean => {
    let isSame = false
    walk(arg, (part) => {
      if (part.kind === "MemberAccess") isSame ||= part.member === name || program.isBuiltin(part, "msg.data")
      return !isSame
    })
    return isSame
  }
