import type { Fact } from "../../flow/facts/facts.ts"
import type { CallSite, StorageAccess } from "../../flow/graph/events.ts"
import { has, type Origins, Source } from "../../flow/graph/origins.ts"
import { declaredWhole, isComputedSlot, isPartOf } from "../../flow/graph/storagePlace.ts"
import type { ContractModel, FunctionModel, StateVariable } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import { areRelated } from "../../questions/authority/forwarding.ts"
import { isProxySetup } from "../../questions/deployment/borrowedCode.ts"
import { isLowered } from "../../questions/value/lowered.ts"
import { callsInitializer, isChainedInit, runsWithinInitializer } from "../../questions/deployment/initializer.ts"
import { sourceRoles } from "../../../SourceRole.ts"
import { oncePer, oncePerPair } from "../../../oncePer.ts"
import { changedIn, type Deed, deedsOf, isCleared, sendsTokensToCaller, isOwn } from "./deeds.ts"
import { askedBy } from "./asked.ts"
import { isOverriddenWithCheck } from "./overriddenWithCheck.ts"
import { callScopedVariables } from "./callScoped.ts"
import { type Phase, phasesIn } from "./phases.ts"
import { toggles } from "../../demands/toggles.ts"

/** An entry point that changes something. */
export interface Entry {
  readonly flow: Flow
  readonly fn: FunctionModel
  readonly contract: ContractModel
  readonly deeds: ReadonlyArray<Deed>
  /** Whether a caller check precedes every deed. */
  readonly guarded: boolean
  /**
   * The deeds open to anyone that do not only concern the sender; none if derived contracts are responsible for them,
   * see `isOverriddenWithCheck`.
   */
  readonly open: ReadonlyArray<Deed>
  /** See `askedBy`. */
  readonly asked: ReadonlySet<string>
  /** See `phasesIn`. */
  readonly phases: ReadonlySet<Phase>
  /** Whether it belongs to the project's tests, which are not evidence for deployed contracts. */
  readonly test: boolean
}

/** What the program lets each caller do. */
export interface Access {
  readonly entries: ReadonlyArray<Entry>
  readonly entryOf: ReadonlyMap<FunctionModel, Entry>
  /** The deeds with the same effect: writing a variable, or calling a function of some contract. */
  readonly bySubject: ReadonlyMap<Subject, ReadonlyArray<{ readonly entry: Entry; readonly deed: Deed }>>
  readonly bySignature: ReadonlyMap<string, ReadonlyArray<Entry>>
  readonly byName: ReadonlyMap<string, ReadonlyArray<Entry>>
  readonly own: ReadonlyMap<ContractModel, ReadonlyArray<Entry>>
  /** State that functions read, other than text. */
  readonly used: ReadonlySet<StateVariable>
}

/** A variable, or a call as text. */
export type Subject = StateVariable | string

export const accessOf = oncePer((program: Program): Access => {
  const entries: Array<Entry> = []
  const entryOf = new Map<FunctionModel, Entry>()
  const bySubject = new Map<Subject, Array<{ entry: Entry; deed: Deed }>>()
  const bySignature = new Map<string, Array<Entry>>()
  const byName = new Map<string, Array<Entry>>()
  const own = new Map<ContractModel, Array<Entry>>()
  const used = new Set<StateVariable>()
  const locks = toggles(program).all
  const roleOf = sourceRoles(program.everything.sources.map(({ file }) => file.path))
  const done = new Map<Flow, ReadonlyArray<Deed>>()
  const guarded = new Set<FunctionModel>()
  for (const flow of program.allFlows()) {
    for (const { place } of flow.reads)
      for (const variable of place?.variables ?? []) if (!isText(variable)) used.add(variable)
    const { fn } = flow
    if (fn.contract === undefined || !program.graph.isEntryPoint(fn)) continue
    if (fn.mutability === "view" || fn.mutability === "pure") continue
    // What always reverts, to answer with the error, changes nothing.
    if (!flow.isReachable(flow.exit)) continue
    const deeds = deedsOf(flow).filter(({ variable }) => variable === undefined || !locks.has(variable))
    if (deeds.length > 0) done.set(flow, deeds)
  }
  const parked = callScopedVariables(program, done.keys())
  for (const [flow, all] of done) {
    const deeds = all.filter(({ variable }) => variable === undefined || !parked.has(declaredWhole(variable)))
    if (deeds.length === 0) done.delete(flow)
    else {
      done.set(flow, deeds)
      if (deeds.every(({ demands }) => demands.standing === "guarded")) guarded.add(flow.fn)
    }
  }
  for (const [flow, deeds] of done) {
    const { fn } = flow
    const isOpen = (deed: Deed): boolean =>
      deed.demands.standing === "open" && (!isOwn(deed) || sendsTokensToCaller(deed, deeds))
    const open = deeds.filter(isOpen)
    const entry: Entry = {
      flow,
      fn,
      contract: fn.contract!, // entry points are functions of contracts
      deeds,
      guarded: guarded.has(fn),
      open: open.length > 0 && (isOverriddenWithCheck(program, fn, guarded) || isProxySetup(program, fn)) ? [] : open,
      asked: new Set(askedBy(program, fn).map(({ check }) => check)),
      phases: phasesIn(program, flow),
      test: roleOf(fn.source.file.path) === "test",
    }
    entries.push(entry)
    entryOf.set(fn, entry)
    grouped(bySignature, fn.signature, entry)
    grouped(byName, fn.name, entry)
    grouped(own, entry.contract, entry)
    const seen = new Set<Subject>()
    for (const deed of deeds) {
      const subject = subjectOf(deed)
      if (subject === undefined || seen.has(subject)) continue
      seen.add(subject)
      grouped(bySubject, subject, { entry, deed })
    }
  }
  return { entries, entryOf, bySubject, bySignature, byName, own, used }
})

/** The subject of a deed, which others can share. */
export const subjectOf = (deed: Deed): Subject | undefined => {
  const { variable, reached, keys, entryName } = deed
  if (entryName !== undefined) return `${entryName.replaceAll(" ", "_")} entry`
  if (variable !== undefined) return changedIn(deed)
  const { event } = reached
  if (event.kind !== "call" || event.name === "") return undefined
  if (isPause(event)) return "pause"
  return `${event.name} ${event.target?.contract?.name ?? keys.state[0]?.name ?? ""}`
}

/** The two positions of Pausable's switch, if its source is missing. */
export const isPause = (event: StorageAccess | CallSite): boolean =>
  event.kind === "call" && event.target === undefined && /^_(un)?pause$/.test(event.name)

const grouped = <K, V>(into: Map<K, Array<V>>, key: K, value: V): void => {
  const known = into.get(key)
  if (known === undefined) into.set(key, [value])
  else known.push(value)
}

/**
 * Whether it sets up what was not set up before, and nobody else can undo that: an initializer, by its effects or its
 * modifier.
 */
export const runsOnce = oncePerPair(
  (access: Access, entry: Entry): boolean =>
    callsInitializer(entry.flow) ||
    runsWithinInitializer(entry.fn) ||
    setsUp(access, entry) ||
    callsMissingPart(entry.flow),
)

/**
 * OpenZeppelin's `__Ownable_init()`: it runs once by itself, or it requires an enclosing initializer and fails without
 * one.
 */
const callsMissingPart = (flow: Flow): boolean =>
  flow
    .calls()
    .some(({ callKind, target, name }) => target === undefined && callKind === "unknown" && isChainedInit(name))

/** The entry point by which a way leads into the program; `way` are the calls from there on, into `inner` at last. */
export const entryOn = (access: Access, way: ReadonlyArray<CallSite>, inner: FunctionModel): Entry | undefined => {
  const first = way[0]?.at.callable
  return access.entryOf.get(first?.kind === "Function" ? first : inner)
}

/** The same, and that it runs once. */
export const beginsOnce = (access: Access, way: ReadonlyArray<CallSite>, inner: FunctionModel): boolean => {
  const entry = entryOn(access, way, inner)
  return entry !== undefined && runsOnce(access, entry)
}

/** Variables that a fact requires to be unset: the flag itself, not an amount computed from it. */
const unsetIn = (fact: Fact): ReadonlyArray<StateVariable> => {
  // The deployed contract may determine which path is taken, unless both result from one comparison.
  if (fact.kind === "any") {
    const unset = fact.options.flatMap((option) => option.flatMap(unsetIn))
    return unset.filter((variable) => !fact.options.some((option) => option.some((f) => isSetIn(f, variable))))
  }
  const sides = fact.right === undefined ? [fact.left] : [fact.left, fact.right]
  const side = sides.find(({ sources }) => (sources & Source.state) !== 0)
  const [variable, ...others] = side?.state ?? []
  if (side === undefined || variable === undefined || others.length > 0 || variable.type.kind === "array") return []
  // a constant determines which slot or entry it is
  if ((side.keys & ~(Source.constant | Source.literal)) !== 0) return []
  const isUnset =
    fact.operator === "false" ||
    (fact.operator === "<=" && fact.withZero) ||
    (fact.operator === "==" && (fact.withZero || side.state.some(({ type }) => type.kind === "enum")))
  return isUnset ? side.state : []
}

const isSetIn = (fact: Fact, variable: StateVariable): boolean =>
  fact.kind === "any"
    ? fact.options.some((option) => option.some((f) => isSetIn(f, variable)))
    : (fact.operator === "true" || (fact.withZero && (fact.operator === "!=" || fact.operator === ">"))) &&
      [fact.left, fact.right].some((side) => side?.state.includes(variable) === true && side.keys === 0)

/** Whether this requires something to be unset, which the function has set for good, or sets. */
export const isDoneOnce = (access: Access, entry: Entry, deed: Deed): boolean =>
  asksUnset(access, entry, deed) ||
  (deed.demands.kinds.includes("once") && deed.demands.facts.some((fact) => unsetIn(fact).length > 0))

const asksUnset = (access: Access, entry: Entry, { demands }: Deed): boolean =>
  demands.facts.some((fact) => unsetIn(fact).some((variable) => isSetUpHere(access, entry, variable)))

const setsUp = (access: Access, entry: Entry): boolean => {
  const asks = (deed: Deed): boolean => asksUnset(access, entry, deed)
  // whatever only one of its paths sets up, it does again on the other
  return entry.open.length > 0 ? entry.open.every(asks) : entry.deeds.some(asks)
}

/**
 * The state by which an entry point recognizes that it has run: unset before, set by it, and by nobody else except
 * authorized accounts.
 */
export const onceFlags = (access: Access, entry: Entry): ReadonlyArray<StateVariable> => [
  ...new Set(
    entry.open
      .flatMap(({ demands }) => demands.facts.flatMap(unsetIn))
      .filter((variable) => isSetUpHere(access, entry, variable)),
  ),
]

/** Limit: writers of one variable that are examined. */
const writersLimit = 400

/**
 * Whether the entry point sets what must be unset before it, and everything else that sets it is behind a check or the
 * same condition.
 */
const isSetUpHere = (access: Access, entry: Entry, variable: StateVariable): boolean => {
  const writes = entry.deeds.filter((deed) => deed.variable !== undefined && isSame(deed.variable, variable))
  if (writes.length === 0 || writes.some(isCleared)) return false
  const resets = writes.some(({ value }) => isFixed(value))
  // among indistinguishable slots, the one that records that it has run is set to a fixed number
  if (isComputedSlot(variable) && !resets) return false
  return (access.bySubject.get(writes[0]!.variable!) ?? [])
    .slice(0, writersLimit)
    .every(
      ({ entry: other, deed }) =>
        other === entry ||
        other.fn.signature === entry.fn.signature ||
        !areRelated(other.contract, entry.contract) ||
        (deed.demands.standing === "guarded" && !resets && !isCleared(deed)) ||
        isNow(deed.value) ||
        isRaised(deed) ||
        deed.demands.facts.some((fact) => unsetIn(fact).includes(variable)),
    )
}

/** The time or number of a block is never zero: a variable set to it stays set. */
const isNow = ({ sources }: Origins): boolean =>
  sources !== 0 && (sources & ~(Source.timestamp | Source.blockNumber)) === 0

/** `count += 1`: what has been counted stays so. */
const isRaised = ({ flow: { program }, reached: { event } }: Deed): boolean =>
  event.kind === "write" &&
  (event.operation === "compound" || event.operation === "increment") &&
  !isLowered(program, event)

const isSame = (a: StateVariable, b: StateVariable): boolean => isPartOf(a, b) || isPartOf(b, a)

/** State kept for people to read. */
const isText = ({ type }: StateVariable): boolean => type.kind === "string" || type.kind === "bytes"

/** Sources that rest on the caller's word alone, or on nothing at all. */
const named = Source.parameter | Source.calldata | Source.literal | Source.constant | Source.immutable | Source.self

/**
 * An answer from a contract that the caller chose counts as the caller's word, too, along with the caller's arguments.
 */
export const isCallerControlled = ({ sources, targets }: Origins): boolean =>
  (sources & Source.external) !== 0 && targets !== 0 && (targets & ~(Source.parameter | Source.calldata)) === 0

/** Whether the caller alone chooses the value, possibly between fixed values. */
export const isNamed = (value: Origins): boolean =>
  (value.sources & ~(isCallerControlled(value) ? named | Source.external : named)) === 0 &&
  (has(value, Source.parameter | Source.calldata) ||
    isCallerControlled(value) ||
    ((value.keys & Source.parameter) !== 0 && (value.keys & ~named) === 0))

export const isFixed = (value: Origins): boolean =>
  (value.sources & ~(Source.literal | Source.constant | Source.immutable)) === 0
