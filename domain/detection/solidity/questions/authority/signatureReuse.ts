import { oncePer } from "../../../oncePer.ts"
import { type Fact, type Relation, relationsIn, sidesOf } from "../../flow/facts/facts.ts"
import { has, only, type Origins, Source } from "../../flow/graph/origins.ts"
import { Shape } from "../../flow/graph/shape.ts"
import { isSomewhere } from "../../flow/graph/storagePlace.ts"
import type { StateVariable } from "../../model.ts"
import type { Flow } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"
import type { Recovery } from "./recoveredSigner.ts"
import type { Effect } from "./signedEffect.ts"

/** Elsewhere: in another deployment, or on another chain. */
export type Reuse = "here" | "elsewhere"

/**
 * Amounts that are compared and lowered (balances, allowances) are used up gradually: they do not prevent a repetition.
 */
const isAmount = (flow: Flow, variable: StateVariable): boolean =>
  flow.writes.every(
    ({ event, place }) =>
      place?.variables.includes(variable) !== true ||
      event.operation === "compound" ||
      (event.value !== undefined && flow.origins(event.value, event.at).state.includes(variable)),
  )

/** Whether a signed total is recorded, and only the excess over the record is paid: a second time, that is nothing. */
const paysDifference = (flow: Flow, digest: Origins): boolean =>
  totalsRecorded(flow).some(({ parameters }) => parameters.every((p) => digest.parameters.includes(p)))

/** Numbers of the caller's that replace what is also deducted from something. */
const totalsRecorded = oncePer((flow: Flow): ReadonlyArray<Origins> => {
  const deducted = new Set<StateVariable>()
  for (const node of flow.stepsWith(Shape.sum | Shape.call))
    if (node.expression !== undefined)
      walk(node.expression, (e) => {
        const less =
          e.kind === "BinaryOperation" && e.operator === "-"
            ? e.right
            : e.kind === "FunctionCall" && e.callee.kind === "MemberAccess" && e.callee.member === "sub"
              ? e.args[0]
              : undefined
        if (less !== undefined) for (const v of flow.origins(less, node).state) deducted.add(v)
      })
  return flow.writes.flatMap(({ event, place }) => {
    if (event.operation !== "assign" || event.value === undefined) return []
    const value = flow.origins(event.value, event.at)
    return only(value, Source.parameter) && place?.variables.some((v) => deducted.has(v)) === true ? [value] : []
  })
})

/** Whether whoever submits the signature supplies the number, or it only differs from the stored one. */
const isSubmitters = (fact: Relation, digest: Origins): boolean => {
  const told = sidesOf(fact).find((side) => only(side, Source.parameter))
  return told !== undefined && (fact.operator === "!=" || !told.parameters.some((p) => digest.parameters.includes(p)))
}

/** Whether the function also goes on with the opposite outcome. */
const isEither = (f: Fact, fact: Fact): boolean =>
  f.kind === "relation" &&
  relationsIn([fact]).some(({ expression, operator }) => expression === f.expression && operator !== f.operator)

const isSignedBySender = (fact: Fact): boolean =>
  fact.kind === "relation" &&
  fact.operator === "==" &&
  sidesOf(fact).some((side) => has(side, Source.recovered)) &&
  sidesOf(fact).some((side) => side.sources === Source.sender)

/** State that a check requires and that this function changes: a second run with the same signature fails the check. */
const consumed = (flow: Flow, effect: Effect, digest: Origins): boolean => {
  const isBySender = has(digest, Source.sender) || flow.facts(flow.exit).some(isSignedBySender)
  // What is counted for whoever submits the signature does not concern the signer.
  const written = new Set(
    flow.writes.flatMap(({ place }) =>
      place === undefined || (place.keys.sources === Source.sender && !isBySender) ? [] : place.variables,
    ),
  )
  if (digest.state.some((v) => written.has(v))) return true
  const stops = (fact: Fact): boolean => {
    if (fact.kind === "any") return fact.options.every((option) => option.some((f) => !isEither(f, fact) && stops(f)))
    if (sidesOf(fact).some((side) => has(side, Source.recovered)) || isSubmitters(fact, digest)) return false
    return sidesOf(fact).some(({ state }) =>
      state.some((v) => written.has(v) && !(fact.operator !== "==" && isAmount(flow, v))),
    )
  }
  return flow.facts(effect.at).some(stops) || flow.facts(flow.exit).some(stops) || paysDifference(flow, digest)
}

/** Functions without source that keep count: `_useNonce(owner)`, `nonces.increment()`, `used.set(index)`. */
const countsElsewhere = oncePer((flow: Flow): boolean => {
  for (const site of flow.calls()) {
    if (site.target !== undefined && site.callKind !== "external") continue
    if (/nonce|consume|useUnordered/i.test(site.name)) return true
    const isMark = /^(set|setTo|add|remove)$/.test(site.name) && site.receiver !== undefined
    // It is not Yul but a Solidity expression.
    if (isMark && isSomewhere(flow.place(site.receiver as S.Expression, site.at))) return true
  }
  return false
})

const unclear = Source.unknown | Source.external | Source.lowLevel

/** Whether the digest includes this contract or this chain. */
const isBound = (digest: Origins): boolean =>
  has(digest, Source.self | Source.chainId) ||
  // A precomputed separator.
  digest.state.some((v) => v.type.kind === "fixedBytes" && !v.constant)

/** Where the same signature can be used again after it authorized an effect; undefined if nowhere. */
export const reuse = (flow: Flow, { digest }: Recovery, effect: Effect): Reuse | undefined => {
  if (has(digest, unclear) || countsElsewhere(flow)) return undefined
  if (!consumed(flow, effect, digest)) return "here"
  return isBound(digest) ? undefined : "elsewhere"
}
