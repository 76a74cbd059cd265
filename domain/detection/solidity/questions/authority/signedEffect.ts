import { type Fact, sidesOf } from "../../flow/facts/facts.ts"
import type { Reached } from "../../flow/functionSummary.ts"
import type { CallSite, Event } from "../../flow/graph/events.ts"
import { has, type Origins, Source } from "../../flow/graph/origins.ts"
import type { Flow } from "../../program.ts"
import type { Recovery } from "./recoveredSigner.ts"

export type Effect = Reached<Event>

const effectsOf = (flow: Flow): ReadonlyArray<Effect> => [
  ...flow.writes,
  ...flow.externalCalls.filter(({ event }) => !event.isStatic),
  ...flow
    .calls()
    .filter((site) => site.target === undefined && inherited.test(site.name))
    .map((event) => ({ event, via: [], at: event.at, order: event.order, place: undefined })),
]

/** What a token's functions do, if its source is missing. */
const inherited = /^_(approve|mint|burn|transfer)$/

/** What happens only because the signature was accepted. */
export const signedEffect = (flow: Flow, recoveries: ReadonlyArray<Recovery>): Effect | undefined =>
  effectsOf(flow).find((effect) => {
    const kinds = flow.callerChecks(effect.at).map(({ kind }) => kind)
    if (kinds.some((k) => k === "owner" || k === "member" || k === "external")) return false
    return (
      kinds.includes("signature") ||
      flow.facts(effect.at).some((fact) => selectsBySigner(fact) || isSignedEitherWay(fact)) ||
      actsForSigner(flow, effect) ||
      recoveries.some(({ site }) => decides(flow, site, effect))
    )
  })

/** Whether an account that is a contract is asked about the signature, and for any other the signer is recovered. */
const isSignedEitherWay = (fact: Fact): boolean =>
  fact.kind === "any"
    ? fact.options.every((option) => option.some(isSignedEitherWay))
    : sidesOf(fact).some((side) => has(side, Source.recovered) || side.calls.some(asksContract))

const asksContract = (call: Origins["calls"][number]): boolean =>
  call.kind === "FunctionCall" && call.callee.kind === "MemberAccess" && call.callee.member === "isValidSignature"

/** Whether a table is queried for the signer. */
const selectsBySigner = (fact: Fact): boolean =>
  fact.kind === "any"
    ? fact.options.every((option) => option.some(selectsBySigner))
    : ((fact.left.keys | (fact.right?.keys ?? 0)) & Source.recovered) !== 0

/** Whether the signer's entry of a table is changed, or its amount decides. */
const actsForSigner = (flow: Flow, { event, place }: Effect): boolean =>
  ((place?.keys.sources ?? 0) & Source.recovered) !== 0 ||
  (event.value !== undefined && (flow.origins(event.value, event.at).keys & Source.recovered) !== 0)

/** Whether a helper that returns yes or no about signatures, or a loop over several of them, precedes the effect. */
const decides = (flow: Flow, site: CallSite, effect: Effect): boolean => {
  if (site.at.loop !== undefined && effect.at.loop !== site.at.loop) return flow.reaches(site.at, effect.at)
  return site.at.kind === "condition" && flow.dominates(site.at, effect.at)
}
