import { oncePer } from "../../../oncePer.ts"
import { restrictive } from "../../flow/facts/callerCheck.ts"
import type { Fact } from "../../flow/facts/facts.ts"
import type { StorageAccess } from "../../flow/graph/events.ts"
import { has, only, type Origins, Source } from "../../flow/graph/origins.ts"
import { isComputedSlot } from "../../flow/graph/storagePlace.ts"
import type { Reached } from "../../flow/functionSummary.ts"
import type { StateVariable } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import type { Payout } from "../../questions/call/payments.ts"
import { originsThrough } from "../../questions/authority/callOut.ts"

// What entitles somebody to a payment, and whether the payment uses it up.

const selected = Source.sender | Source.parameter

/** The record that entitles to a payment and is the same afterwards, so that the payment can be repeated. */
export const unsettledRecord = (flow: Flow, payout: Payout): StateVariable | undefined => {
  const { call } = payout
  const amount = originsThrough(flow, call, payout.amount)
  const facts = flow.facts(call.at)
  const isRecord = only(amount, Source.state) && (amount.keys & selected) !== 0
  const record = isRecord
    ? amount.state[0]
    : only(amount, Source.parameter)
      ? facts.flatMap((fact) => entriesFor(fact, amount)).find((v) => isDepositTable(flow.program, v))
      : undefined
  if (record === undefined || isComputedSlot(record)) return undefined
  const to = originsThrough(flow, call, payout.to)
  const isTheirs = !isRecord || (amount.keys & Source.sender) !== 0 || has(to, Source.sender) || isFor(to, amount)
  if (!has(to, selected | Source.state) || !isTheirs) return undefined
  if (isTrusted(flow, payout, amount) || isSettledElsewhere(flow, payout) || writesUnknown(flow)) return undefined
  const entitling = new Set([record, ...amount.state, ...facts.flatMap(stateIn)])
  return flow.writes.some((write) => settles(flow, write, entitling, isRecord ? [] : amount.parameters))
    ? undefined
    : record
}

/** Whether who is paid is selected like the amount, or named to select it. */
const isFor = (to: Origins, amount: Origins): boolean =>
  [...to.parameters, ...to.keyParameters].some((p) => amount.keyParameters.includes(p))

const stateIn = (fact: Fact): ReadonlyArray<StateVariable> =>
  fact.kind === "any"
    ? fact.options.flatMap((option) => option.flatMap(stateIn))
    : [...fact.left.state, ...(fact.right?.state ?? [])]

/** Entries of the sender that an amount is compared with: `require(balances[msg.sender] >= amount)`. */
const entriesFor = (fact: Fact, { parameters }: Origins): ReadonlyArray<StateVariable> => {
  if (fact.kind === "any" || fact.right === undefined) return []
  const sides = [fact.left, fact.right]
  if (!sides.some((side) => side.parameters.some((p) => parameters.includes(p)))) return []
  return sides.flatMap((side) => (only(side, Source.state) && (side.keys & Source.sender) !== 0 ? side.state : []))
}

/** Whether only a particular account may do it; whoever owns the entry owns it once. */
const isTrusted = (flow: Flow, { call: { at } }: Payout, amount: Origins): boolean =>
  flow.isRestricted(at) &&
  !flow
    .callerChecks(at)
    .filter(({ kind }) => restrictive.has(kind))
    .every(
      ({ fact }) =>
        fact.kind === "relation" &&
        [fact.left, fact.right].some((side) => side?.keyParameters.some((p) => amount.keyParameters.includes(p))),
    )

/** Whether another contract, or a base without source, is called first and may take what the caller hands in. */
const isSettledElsewhere = (flow: Flow, { call }: Payout): boolean =>
  flow.fn.mutability === "payable" ||
  flow.externalCalls.some(({ event, at }) => at !== call.at && !event.isStatic && flow.dominates(at, call.at)) ||
  flow.calls().some(({ callKind, at }) => callKind === "unknown" && at !== call.at) ||
  flow.externalCalls.some(({ event }) => event.callKind === "delegatecall")

/** Whether a function that it calls writes through a pointer of which it is not known where it points. */
const writesUnknown = (flow: Flow): boolean => {
  const known = new Set(flow.writes.map(({ event }) => event))
  return flow
    .calls()
    .some(
      ({ callKind, target }) =>
        callKind === "internal" &&
        target?.implemented === true &&
        flow.program
          .flow(target)
          .writes.some(({ place, event }) => (place?.parameters.length ?? 0) > 0 && !known.has(event)),
    )
}

/** Whether what entitles to the payment is changed, or an entry is changed by the amount that the caller names. */
const settles = (
  flow: Flow,
  { place, event, via, at }: Reached<StorageAccess>,
  entitling: ReadonlySet<StateVariable>,
  named: Origins["parameters"],
): boolean => {
  if (place === undefined) return true
  if (place.variables.some((v) => entitling.has(v) || isComputedSlot(v))) return true
  // the entry of an asset is a total
  const isTotal = !has(place.keys, Source.sender) && place.keys.parameters.every(({ type }) => type.kind === "contract")
  if (named.length === 0 || isTotal) return false
  const handed = via[0]?.args ?? [event.value ?? event.expression]
  return handed.some((arg) => {
    const { sources, parameters } = flow.origins(arg, at)
    return (sources & Source.unknown) !== 0 || parameters.some((p) => named.includes(p))
  })
}

const depositTables = oncePer((program: Program): ReadonlySet<StateVariable> => {
  const tables = new Set<StateVariable>()
  for (const flow of program.allFlows()) {
    const taken = new Set(
      flow
        .calls()
        .filter(({ name, args }) => /transferFrom$/i.test(name) && args.length > 2)
        .flatMap(({ args, at }) => flow.origins(args.at(-1)!, at).parameters),
    )
    for (const { place, event, via, at } of flow.writes) {
      if (via.length > 0 || event.value === undefined) continue
      const value = flow.origins(event.value, at)
      const isPaid =
        has(value, Source.value) || (has(value, Source.parameter) && value.parameters.some((p) => taken.has(p)))
      if (isPaid) for (const v of place?.variables ?? []) tables.add(v)
    }
  }
  return tables
})

/** Ether or tokens of senders that are added to their entry. */
const isDepositTable = (program: Program, variable: StateVariable): boolean => depositTables(program).has(variable)
