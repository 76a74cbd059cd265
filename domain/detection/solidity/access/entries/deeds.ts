import type { CallSite, StorageAccess } from "../../flow/graph/events.ts"
import type { Flow } from "../../program.ts"
import { has, merge, noOrigins, type Origins, Source } from "../../flow/graph/origins.ts"
import { isComputedSlot } from "../../flow/graph/storagePlace.ts"
import type { Reached } from "../../flow/functionSummary.ts"
import { isZero } from "../../flow/values/isZero.ts"
import type { StateVariable } from "../../model.ts"
import { isTakenBack } from "../../questions/call/loan.ts"
import { destroys } from "../../questions/deployment/ephemeral.ts"
import { type Demands, demandsOn, isOutcome } from "../../demands/demands.ts"
import { outward } from "../../demands/outward.ts"
import { sidesOf } from "../../flow/facts/facts.ts"
import { toggles } from "../../demands/toggles.ts"
import { namedEntry } from "./namedEntries.ts"

/** An effect of an entry point that outlasts its caller's transaction. */
export interface Deed {
  readonly flow: Flow
  readonly reached: Reached<StorageAccess | CallSite>
  readonly demands: Demands
  /** What is written or passed, and what selects the place, in terms of the entry point. */
  readonly value: Origins
  readonly keys: Origins
  /** For a write. */
  readonly variable?: StateVariable
  readonly path?: string
  /** For a call that changes a named entry of a contract that stores values for others. */
  readonly entryName?: string
}

/** Whether stored state is changed. */
export const isWrite = ({ variable, entryName }: Deed): boolean => variable !== undefined || entryName !== undefined

/** The variable that is changed: of slots in assembly, the constant that says which one. */
export const changedIn = ({ variable, keys: { sources, keys, state } }: Deed): StateVariable | undefined =>
  variable === undefined || !isComputedSlot(variable)
    ? variable
    : sources === Source.constant && keys === 0 && state.length === 1
      ? state[0]
      : undefined

/** Whether it changes what the contract keeps once, and not the entry of a table. */
export const isSingle = (deed: Deed): boolean => {
  const changed = changedIn(deed)
  return changed !== undefined && (deed.keys.sources === 0 || changed !== deed.variable)
}

/** Whether what was stored is removed. */
export const isCleared = ({ reached: { event } }: Deed): boolean =>
  event.kind !== "call" && (event.operation === "delete" || (event.value !== undefined && isZero(event.value)))

/** Limit: deeds of one function that are examined. */
const deedLimit = 200

/** Limit: memory writes before an assembly call that are taken for its input. */
const laidOutLimit = 20

/** Queries to something without source, recognized by their names: `keys.contains(key)`. */
const isQuestion = ({ target, name, resultIgnored }: CallSite): boolean =>
  target === undefined && !resultIgnored && /^(?:contains|length|at|is[A-Z]\w*|has[A-Z]\w*)$/.test(name)

/** `_msgSender()`: it is given nothing, and what it answers is used. */
const isGetter = ({ args, resultIgnored }: CallSite): boolean => args.length === 0 && !resultIgnored

/** What a function does, itself and through its callees. */
export const deedsOf = (flow: Flow): ReadonlyArray<Deed> => {
  const deeds: Array<Deed> = []
  for (const reached of flow.writes) {
    if (deeds.length >= deedLimit) break
    const { place, event } = reached
    const variable = place?.variables[0]
    if (place === undefined || variable === undefined || variable.transient) continue
    deeds.push({
      flow,
      reached,
      demands: demandsOn(flow, reached),
      value: event.value === undefined ? noOrigins : outward(flow, reached, event.value),
      keys: place.keys,
      variable,
      path: place.path,
    })
  }
  for (const reached of flow.externalCalls) {
    if (deeds.length >= deedLimit) break
    const { event } = reached
    if ((event.isStatic && event.value === undefined) || isQuestion(event)) continue
    const deed = callDeed(flow, reached)
    // Functions of the contract itself, run for the same sender, perform their own checks, other than of who admitted
    // them.
    if (event.callKind === "delegatecall" && deed.keys.sources === Source.self && !letsIn(flow)) continue
    deeds.push(deed)
  }
  for (const site of flow.calls()) {
    // A function that a base without source offers to everyone performs its own checks.
    if (destroys(site) || (site.callKind === "unknown" && site.name.startsWith("_") && !isGetter(site)))
      deeds.push(callDeed(flow, { event: site, via: [], at: site.at, order: site.order, place: undefined }))
  }
  return deeds
}

/** Whether a flag is set while the function runs that others accept instead of a caller. */
const letsIn = ({ program, writes }: Flow): boolean => {
  const { session } = toggles(program)
  return session.size > 0 && writes.some(({ place }) => place?.variables.some((v) => session.has(v)) === true)
}

/** The memory laid out for an assembly call stands for its arguments. */
const laidOut = (flow: Flow, reached: Reached<CallSite>): Origins => {
  const { node, at } = reached.event
  if (node.kind !== "YulFunctionCall") return noOrigins
  const target = reached.via.at(-1)?.target
  const inner = target === undefined ? flow : flow.program.flowIfBuilt(target)
  if (inner === undefined || inner.nodes[at.id] !== at) return noOrigins
  let value: Origins = noOrigins
  let stores = 0
  for (const step of inner.nodes) {
    const e = step.expression
    if (e?.kind !== "YulFunctionCall" || e.name !== "mstore" || e.args.length !== 2) continue
    if (++stores > laidOutLimit) break
    if (inner.dominates(step, at))
      value = merge(value, outward(flow, { ...reached, event: { ...reached.event, at: step } }, e.args[1]!))
  }
  return value
}

/** What selects an entry, besides its name. */
const selecting = (key: Origins): Origins => ({
  ...key,
  sources: key.sources & ~(Source.hash | Source.literal | Source.constant),
})

/**
 * `require(msg.sender == proxy.admin()); proxy.accept();`: the contract that the caller names decides itself who may ask
 * for that.
 */
const vouchedFor = (demands: Demands, { parameters: [target, ...others] }: Origins): Demands =>
  demands.standing !== "guarded" &&
  target !== undefined &&
  others.length === 0 &&
  demands.facts.some(
    (fact) =>
      fact.kind === "relation" &&
      fact.operator === "==" &&
      sidesOf(fact).some(({ sources }) => sources === Source.sender) &&
      sidesOf(fact).some((side) => has(side, Source.external) && side.targetParameters.includes(target)),
  )
    ? { ...demands, standing: "guarded", kinds: [...demands.kinds, "owner"] }
    : demands

const callDeed = (flow: Flow, reached: Reached<CallSite>): Deed => {
  const { event } = reached
  const entryName = namedEntry(flow, reached)
  if (entryName !== undefined) {
    const [key, ...values] = event.args
    return {
      flow,
      reached,
      demands: demandsOn(flow, reached),
      value: values.reduce<Origins>((sum, e) => merge(sum, outward(flow, reached, e)), noOrigins),
      keys: selecting(outward(flow, reached, key!)),
      entryName,
    }
  }
  const keys = event.receiver === undefined ? noOrigins : outward(flow, reached, event.receiver)
  return {
    flow,
    reached,
    demands: vouchedFor(demandsOn(flow, reached), keys),
    value: [...event.args, ...(event.value === undefined ? [] : [event.value])].reduce<Origins>(
      (sum, e) => merge(sum, outward(flow, reached, e)),
      laidOut(flow, reached),
    ),
    keys,
  }
}

/** Whether the entry of an account that the caller names is made out to the caller. */
export const isTakeover = (deed: Deed): boolean => {
  const { keys, value, variable, path, entryName } = deed
  return (
    (entryName !== undefined || (variable !== undefined && path?.includes("[]") === true)) &&
    value.sources === Source.sender &&
    ((keys.sources | keys.keys) & (Source.sender | Source.recovered)) === 0 &&
    [...keys.parameters, ...keys.keyParameters].some(({ type }) => type.kind === "address") &&
    !claimsFreeEntry(deed)
  )
}

/** Whether the entry is still free: whoever registers first gets it. */
export const claimsFreeEntry = ({ demands, variable }: Deed): boolean =>
  demands.facts.some(
    (fact) =>
      fact.kind === "relation" &&
      (fact.operator === "false" || (fact.operator === "==" && fact.withZero)) &&
      [fact.left, fact.right].some((side) => side?.state.some((v) => v === variable)),
  )

/** Whether it belongs to the sender or the signer: the key, the owner stored in the entry, or the account passed. */
export const isOwn = (deed: Deed): boolean => {
  const { keys, value, variable, path, entryName } = deed
  if (isTakeover(deed)) return false
  if (entryName !== undefined) return ((keys.sources | keys.keys | value.sources) & Source.sender) !== 0
  if (variable === undefined) return (value.sources & Source.sender) !== 0 && !isDrawn(deed) && !isDestruction(deed)
  const by = keys.sources | keys.keys
  return (
    ((by & (Source.sender | Source.recovered)) !== 0 && (by & Source.sometimes) === 0) ||
    (value.sources === Source.sender && path?.includes("[]") === true)
  )
}

/** `hookOf(to).tokensReceived(msg.sender, from, to, amount)`: somebody is told who acted, for an account that the caller names. */
export const isNotification = ({ keys, value, reached: { event } }: Deed): boolean =>
  event.kind === "call" &&
  event.callKind === "external" &&
  event.resultIgnored &&
  keys.sources === Source.external &&
  keys.keyParameters.some((p) => p.type.kind === "address" && value.parameters.includes(p))

/** Whoever is paid by it, it ends the contract for everyone. */
const isDestruction = ({ reached: { event } }: Deed): boolean => event.kind === "call" && destroys(event)

/**
 * `pool.withdraw(token, amount, msg.sender)`: what the contract holds elsewhere is sent to the caller. An account named
 * first is the one that pays.
 */
const isDrawn = ({ flow, reached: { event, via } }: Deed): boolean => {
  if (event.kind !== "call" || event.callKind !== "external" || via.length > 0 || event.args.length < 3) return false
  if (!/^(withdraw|redeem)(To)?$/.test(event.name)) return false
  const bySender = event.args.map((arg) => has(flow.origins(arg, event.at), Source.sender))
  return !bySender[0] && bySender.filter(Boolean).length === 1
}

const pays = /^(safe)?transfer(ETH)?$|^sendValue$|^_?(safe)?mint$/i

/** The call that pays, in the function itself; includes the call of a library that makes the transfer. */
const payingSite = ({ reached: { event, via } }: Deed): CallSite | undefined => {
  const site = via[0] ?? event
  return site.kind === "call" && via.length < 8 && pays.test(site.name) && site.args.length > 1 ? site : undefined
}

/** Whether tokens are transferred out, or minted, for somebody. */
export const isPayout = (deed: Deed): boolean => deed.variable === undefined && payingSite(deed) !== undefined

/** Whether something is created for an account that the caller names. */
export const isMade = (deed: Deed): boolean => {
  const site = payingSite(deed)
  return (
    site !== undefined && /mint$/i.test(site.name) && has(deed.flow.origins(site.args[0]!, site.at), Source.parameter)
  )
}

/** Whether tokens leave but return before the function ends. */
export const isRepaidInCall = ({ flow, variable, reached: { event, via } }: Deed): boolean => {
  if (variable !== undefined || event.kind !== "call") return false
  const calls = [...via, event]
  const paying = calls.findIndex(({ name, args }) => pays.test(name) && args.length > 1)
  const site = calls[paying]
  const target = calls[paying - 1]?.target
  const inner = paying === 0 ? flow : target === undefined ? undefined : flow.program.flowIfBuilt(target)
  if (site === undefined || inner === undefined || inner.nodes[site.at.id] !== site.at) return false
  return isTakenBack(inner, { site, amount: inner.origins(site.args.at(-1)!, site.at) }, calls.slice(0, paying))
}

/** Whether tokens go to the caller, and nothing in the function concerns what the caller owns. */
export const sendsTokensToCaller = (deed: Deed, all: ReadonlyArray<Deed>): boolean => {
  const site = payingSite(deed)
  if (site === undefined || deed.variable !== undefined) return false
  // a library receives the token first
  const [to, amount] = site.args.slice(-2)
  const { flow, demands } = deed
  const concerns = (o: Origins): boolean => ((o.sources | o.keys) & (Source.sender | Source.value)) !== 0
  return (
    flow.origins(to!, site.at).sources === Source.sender &&
    !concerns(flow.origins(amount!, site.at)) &&
    !demands.facts.some(
      (fact) => fact.kind === "relation" && sidesOf(fact).some((side) => concerns(side) && !isOutcome(side)),
    ) &&
    !all.some((other) => payingSite(other) !== site && (isOwn(other) || concerns(other.value)))
  )
}
