import { oncePer, oncePerPair } from "../../../oncePer.ts"
import { callerCheck } from "../../flow/facts/callerCheck.ts"
import type { ContractModel, FunctionModel } from "../../model.ts"
import type { Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"
import { hasInitializerModifier } from "../deployment/initializer.ts"
import { forwarders, isDelegating } from "./forwarding.ts"
import { isBehindProxy } from "./implementations.ts"

/**
 * Whether a contract may be the code that a proxy runs for its administrator alone: some proxy of the program decides
 * by the caller whose code it runs, and nothing in this code asks who calls.
 */
export const isCodeForSome = oncePerPair(
  (program: Program, contract: ContractModel): boolean =>
    choosesByCaller(program) &&
    isBehindProxy(program, contract) &&
    program.functionsOf(contract).every((fn) => !fn.implemented || hasInitializerModifier(fn) || !asks(program, fn)),
)

const asks = (program: Program, fn: FunctionModel): boolean => {
  const flow = program.flow(fn)
  return (
    flow.hasUnseenCheck(flow.exit) ||
    flow.facts(flow.exit).some((fact) => (callerCheck(fact)?.kind ?? "proof") !== "proof")
  )
}

/** `return msg.sender == admin() ? adminLogic : userLogic`, in a proxy. */
const choosesByCaller = oncePer((program: Program): boolean => {
  const proxies = new Set(forwarders(program).flatMap(({ contract }) => contract.linearization))
  for (const contract of program.contracts) if (contract.missingBases.includes("Proxy")) proxies.add(contract)
  return [...proxies].some(({ functions }) =>
    functions.some((fn) => fn.node.body !== undefined && decidesTarget(program, fn) && branchesOnSender(program, fn)),
  )
})

/** Whether it returns the address of the code, or runs it. */
const decidesTarget = (program: Program, fn: FunctionModel): boolean =>
  fn.returns.some(({ type }) => type.kind === "address") || program.flow(fn).calls().some(isDelegating)

const branchesOnSender = (program: Program, { node }: FunctionModel): boolean => {
  let found = false
  const asksSender = (e: S.Expression): boolean =>
    e.kind === "BinaryOperation" &&
    /^[=!]=$/.test(e.operator) &&
    [e.left, e.right].some((side) => program.isBuiltin(side, "msg.sender"))
  walk(node.body!, (part) => {
    found ||= (part.kind === "Conditional" || part.kind === "IfStatement") && asksSender(part.condition)
    return !found
  })
  return found
}
