import { accessOf } from "../../access/entries/entries.ts"
import { has, Source } from "../../flow/graph/origins.ts"
import type { ContractModel } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import { originsThrough } from "../authority/callOut.ts"

/**
 * Whether a call in the contract's name gives nothing to whoever chooses it, as far as the source shows: it never takes
 * tokens from others, so that nobody approves it; it knows no account, so that none is likely to know it; and ether and
 * tokens that reach it go on within the call, or go to the caller of this function anyway.
 */
export const hasNothingToLose = (flow: Flow): boolean => {
  const { program, context } = flow
  if (context === undefined || context.missingBases.length > 0 || knowsAccounts(program, context)) return false
  const flows = program
    .functionsOf(context)
    .filter(({ role, implemented }) => implemented && role !== "constructor")
    .map((fn) => program.flow(fn))
  return (
    flows.every((each) => !takesTokens(each) && passesEther(each)) &&
    (handsOverAll(flow) || !flows.some((each) => each.calls().some(({ name }) => handlesTokens.test(name))))
  )
}

const knowsAccounts = (program: Program, context: ContractModel): boolean =>
  program.stateVariablesOf(context).some(({ type }) => type.kind === "address") ||
  accessOf(program).entries.some(({ contract, guarded }) => guarded && contract === context)

const handlesTokens = /^(?:safe)?(?:transfer|approve|forceApprove|increaseAllowance|mint|burn|deposit|withdraw|redeem)/i

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
