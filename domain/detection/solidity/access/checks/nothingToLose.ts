import { oncePerPair } from "../../../oncePer.ts"
import { accessOf } from "../entries/entries.ts"
import { has, Source } from "../../flow/graph/origins.ts"
import type { ContractModel } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import { originsThrough } from "../../questions/authority/callOut.ts"

/**
 * Whether a call in the contract's name gives nothing to whoever chooses it, as far as the source shows: it never takes
 * tokens from others, so that nobody approves it; it knows no account, so that none is likely to know it; and ether and
 * tokens that reach it go on within the call, or go to the caller of this function anyway.
 */
export const hasNothingToLose = (flow: Flow): boolean => {
  const { program, context } = flow
  if (context === undefined) return false
  const keeps = kept(program, context)
  return keeps === "nothing" || (keeps === "tokens" && handsOverAll(flow))
}

/** What the functions of a contract let it keep, as far as its source shows. */
const kept = oncePerPair((program: Program, context: ContractModel): "nothing" | "tokens" | "more" => {
  if (knowsAccounts(program, context)) return "more"
  const flows = program
    .functionsOf(context)
    .filter(({ role, implemented }) => implemented && role !== "constructor")
    .map((fn) => program.flow(fn))
  if (flows.some((flow) => takesTokens(flow) || !passesEther(flow))) return "more"
  return context.missingBases.length > 0 || flows.some(handlesTokens) ? "tokens" : "nothing"
})

const knowsAccounts = (program: Program, context: ContractModel): boolean =>
  program.stateVariablesOf(context).some(({ type }) => type.kind === "address") ||
  accessOf(program).entries.some(({ contract, guarded }) => guarded && contract === context)

const movesTokens = /^(?:safe)?(?:transfer|approve|forceApprove|increaseAllowance|mint|burn|deposit|withdraw|redeem)/i

const handlesTokens = (flow: Flow): boolean =>
  flow.externalCalls.some(({ event }) => !event.isStatic && movesTokens.test(event.name)) ||
  flow.calls().some(({ name, callKind }) => callKind === "library" && movesTokens.test(name))

/** Tokens that others have approved, or that their transfer announces. */
const takesTokens = (flow: Flow): boolean =>
  /^on[A-Z0-9]\w*Received$/.test(flow.fn.name) || flow.calls().some(({ name }) => /transferFrom$/i.test(name))

const passesEther = (flow: Flow): boolean =>
  flow.fn.mutability !== "payable" ||
  flow.externalCalls.some(
    (call) => call.event.value !== undefined && has(originsThrough(flow, call, call.event.value), Source.value),
  )

/** Whether it ends by giving its whole balance of a token that the caller names to the caller. */
const handsOverAll = (flow: Flow): boolean =>
  flow.calls().some(({ name, args, at }) => {
    const [to, amount] = args.slice(-2)
    return (
      /^(?:safe)?transfer$/i.test(name) &&
      to !== undefined &&
      amount !== undefined &&
      flow.origins(to, at).sources === Source.sender &&
      has(flow.origins(amount, at), Source.tokenBalance) &&
      flow.dominates(at, flow.exit)
    )
  })
