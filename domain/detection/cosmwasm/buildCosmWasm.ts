import { deployedCrates } from "../rust/crate/deployed.ts"
import { ecosystemsOf } from "../rust/crate/ecosystem.ts"
import { type Event, isWithin, ofKind, type WalkScope, successOf, type Value } from "../rust/terms/events.ts"
import { toldBy } from "../rust/terms/facts.ts"
import type { RustProject } from "../rust/crate/program.ts"
import type { FunctionDefinition, ImplDefinition } from "../rust/crate/crate.ts"
import type { Resolver } from "../rust/crate/resolve.ts"
import { oncePer } from "../oncePer.ts"
import { everySubterm, type Term, TermTable } from "../rust/terms/terms.ts"
import { definitionOf, isNamed, resolveType, selfTypeOf, type RustType, unknownType } from "../rust/crate/types.ts"
import type { Walk } from "../rust/walk/state/walk.ts"
import { unreachedEvents } from "../rust/walk/calls/unreached.ts"
import { walkFunction } from "../rust/walk/walkFunction.ts"
import { containersOf } from "./program/containers.ts"
import { isContext, isDeps } from "./program/context.ts"
import { frameworkChecksOf } from "./program/frameworkChecks.ts"
import { entryPointsOf, type FoundEntry } from "./program/entryPoints.ts"
import type { CosmWasmCrate, CosmWasmProgram, EntryPoint, Handler } from "./program/model.ts"
import { cosmwasmSemantics } from "./program/semantics.ts"

type Arm = NonNullable<WalkScope["arm"]>

/**
 * Fields of a variant that contain another message: `Extension(msg)`, `Extension { msg }`, `UpdateOwnership { action
 * }`.
 */
const innerMessage = /^(0|(\w+_)?(msg|message|action))$/

/** The translated message: a dispatcher maps each variant to one of another type. */
const isTranslated = (value: Term, message: Term): boolean => {
  if (value.kind !== "choice" || !value.alternatives.every(({ kind }) => kind === "struct")) return false
  const variants = new Set<string>()
  for (const one of everySubterm([value])) if (one.kind === "payload" && one.base === message) variants.add(one.variant)
  return variants.size > 1
}

/** Whether a match is on the message itself, on the contents of one of its variants, or on a message inside it. */
const isDispatch = (arm: Arm, message: Term | undefined): boolean => {
  if (!arm.variant.includes("::") || message === undefined) return false
  let one = arm.value
  while (one.kind === "payload" && innerMessage.test(one.name)) one = one.base
  return one === message || (one.kind === "call" && one.name === "from_json") || isTranslated(one, message)
}

const chainOf = (scope: WalkScope, message: Term | undefined): ReadonlyArray<WalkScope> => {
  const chain: Array<WalkScope> = []
  for (let one: WalkScope | undefined = scope; one !== undefined; one = one.parent)
    if (one.arm !== undefined && isDispatch(one.arm, message)) chain.unshift(one)
  return chain
}

/** The arms that lead to no other arm, each with those above it, and the events by their innermost enclosing arm. */
interface Dispatch {
  readonly leaves: ReadonlyMap<WalkScope, ReadonlyArray<WalkScope>>
  readonly byLast: ReadonlyMap<WalkScope | undefined, ReadonlyArray<number>>
}

const dispatchOf = (entry: Omit<EntryPoint, "handlers">): Dispatch => {
  const chains = new Map<WalkScope, ReadonlyArray<WalkScope>>()
  const chainByEvent = entry.events.map((event) => {
    const known = chains.get(event.scope)
    if (known !== undefined) return known
    const chain = chainOf(event.scope, entry.message)
    chains.set(event.scope, chain)
    return chain
  })
  const inner = new Set<WalkScope>()
  const leaves = new Map<WalkScope, ReadonlyArray<WalkScope>>()
  for (const chain of chainByEvent) {
    for (const scope of chain.slice(0, -1)) inner.add(scope)
    const last = chain.at(-1)
    if (last !== undefined) leaves.set(last, chain)
  }
  for (const scope of inner) leaves.delete(scope)
  // Translation precedes the code that it leads to.
  const translated = [...leaves.keys()].find(({ arm }) => isTranslated(arm!.value, entry.message!))
  for (const scope of leaves.keys())
    if (translated !== undefined && scope.endOrder < translated.startOrder) leaves.delete(scope)
  // A scope has one chain: the last scope alone determines what is on another chain, without visiting all events for
  // each of 27,000 arms.
  const indices = entry.events.map((_, index) => index)
  return { leaves, byLast: Map.groupBy(indices, (index) => chainByEvent[index]!.at(-1)) }
}

const handlersOf = (entry: Omit<EntryPoint, "handlers">): ReadonlyArray<Handler> => {
  const { leaves, byLast } = dispatchOf(entry)
  // Code after the dispatch may be reached from a single arm: the others `return`.
  const variantsAmong = toldBy((fact) => (fact.kind === "is" && fact.value === entry.message ? [fact.variant] : []))
  const variants = new Map<number, string>()
  for (const index of leaves.size === 0 ? [] : (byLast.get(undefined) ?? [])) {
    const [variant] = variantsAmong(entry.events[index]!.facts)
    if (variant !== undefined) variants.set(index, variant)
  }
  const isReached = (index: number, { arm }: WalkScope): boolean => {
    const variant = variants.get(index)
    return variant === undefined || arm!.value !== entry.message || arm!.variant.split(" | ").includes(variant)
  }
  const handlers: Array<Handler> = []
  const finished = (chain: ReadonlyArray<WalkScope>): void => {
    const events = [undefined, ...chain]
      .flatMap((scope) => byLast.get(scope) ?? [])
      .filter((index) => chain[0] === undefined || isReached(index, chain[0]))
      .toSorted((a, b) => a - b)
      .map((index) => entry.events[index]!)
    const last = chain.at(-1)
    const facts = last === undefined ? entry.walk.success : successOf(last)
    // `_ => base.execute(msg)` does not reach the arms of variants matched before.
    if ([...facts].some((fact) => fact.kind === "not" && facts.has(fact.operand))) return
    const called =
      last === undefined
        ? undefined
        : events.find(
            (event) => event.scope !== last && event.function !== last.frame.function && isWithin(event.scope, last),
          )
    handlers.push({
      // Completed by the caller: the entry point contains its handlers.
      entry: entry as EntryPoint,
      message: chain.map((scope) => scope.arm!.variant).join(" > "),
      function: called?.function ?? last?.frame.function ?? entry.function,
      place:
        last?.arm === undefined
          ? { file: entry.function.module.file, span: entry.function.item.nameSpan }
          : { file: last.frame.function.module.file, span: last.arm.node },
      events,
      facts,
    })
  }
  if (leaves.size === 0) finished([])
  else for (const chain of leaves.values()) finished(chain)
  return handlers
}

/** `module: DemoApp`, an alias of `AppContract<…>`. */
const isContractType = (type: RustType): boolean =>
  type.kind === "named" && /^(App|Adapter|Api|Standalone|Extension)Contract$/.test(type.name)

type Parameter = NonNullable<EntryPoint["parts"]>[number]

/** Whether it is the message, or a part of it. */
const isInput = ({ type, name }: Parameter): boolean =>
  !isDeps(type) && !isContext(type) && !isNamed(type, "Env", "MessageInfo") && name !== "self"

const isReply = ({ type }: Parameter): boolean => isNamed(type, "Reply")

/** The contract that a method is called on, as its constructor makes it: its containers are the same in all of them. */
const contractsOf = (resolver: Resolver, terms: TermTable): ((method: FunctionDefinition) => Term | undefined) => {
  const made = oncePer((owner: ImplDefinition): Term | undefined => {
    const struct = definitionOf(selfTypeOf(resolver, owner))
    const constructor = struct === undefined ? undefined : resolver.method(struct, "new")
    if (constructor === undefined || constructor.parameters.length > 0) return undefined
    const { events } = walkFunction(resolver, terms, cosmwasmSemantics, constructor, new Map())
    const term = ofKind(events, "exit").findLast(({ success }) => success)?.value.term
    return term?.kind === "struct" ? term : undefined
  })
  return ({ owner, parameters }) => (owner?.kind === "impl" && parameters[0]?.name === "self" ? made(owner) : undefined)
}

const buildEntry = (
  project: RustProject,
  terms: TermTable,
  contractOf: ReturnType<typeof contractsOf>,
  { definition, kind, authorized }: FoundEntry,
): EntryPoint => {
  const declared = definition.parameters.map(({ name, type }) => ({
    name,
    term: (name === "self" ? contractOf(definition) : undefined) ?? terms.parameter("", name),
    type: resolveType({ resolver: project.resolver, module: definition.module }, type),
  }))
  const context = declared.find(({ type }) => isContext(type))?.term
  // Sylvia makes a message, or a reply, of what a method takes besides its context, and passes on its parts.
  const isSplit =
    context !== undefined && definition.owner !== undefined && declared.some(isInput) && !declared.some(isReply)
  const whole = isSplit ? terms.parameter("", "msg") : undefined
  const partOf = (message: Term, { name, type }: Parameter): Term =>
    kind === "reply"
      ? terms.field(message, isNamed(type, "SubMsgResult") ? "result" : name)
      : terms.payload(message, definition.qualifiedName, name)
  const parameters = declared.map((one) =>
    whole !== undefined && isInput(one) ? { ...one, term: partOf(whole, one) } : one,
  )
  const env =
    parameters.find(({ type }) => isNamed(type, "Env"))?.term ??
    (context === undefined ? undefined : terms.field(context, "env"))
  // Before version 0.12, the environment contained the sender and the coins.
  const inEnv = env !== undefined && parameters.some(({ type }) => isNamed(type, "Extern"))
  // Sylvia's contexts of queries, replies and what the chain calls have no sender.
  const info =
    parameters.find(({ type }) => isNamed(type, "MessageInfo"))?.term ??
    (context === undefined || !/^(execute|instantiate)$/.test(kind)
      ? inEnv
        ? terms.field(env, "message")
        : undefined
      : terms.field(context, "info"))
  const sender = info === undefined ? undefined : terms.field(info, "sender")
  const others = parameters.filter(isInput)
  // Frameworks pass the contract itself before the message.
  const input = others.length > 1 ? others.find(({ type }) => !isContractType(type)) : others[0]
  const message = whole ?? input?.term
  const checks = kind === "execute" ? frameworkChecksOf(definition, input?.type ?? unknownType) : undefined
  const restrict = (walk: Walk): void => {
    if (sender === undefined) return
    const known = terms.call("stored", "", [terms.constant("framework::AUTHORIZED_ADDRESSES")])
    walk.learn([terms.binary("==", sender, known)])
  }
  const values = new Map<string, Value>(parameters.map((one, index) => [String(index), one]))
  const semantics = {
    ...cosmwasmSemantics,
    ...(authorized || checks?.everyMessage === true ? { prepare: restrict } : {}),
    dispatched: (walk: Walk, { variant }: Arm): void => {
      if (checks !== undefined && variant.split(" | ").every((one) => checks.restricted.has(one))) restrict(walk)
    },
  }
  const walk = walkFunction(project.resolver, terms, semantics, definition, values)
  const entry: Omit<EntryPoint, "handlers"> & { handlers?: ReadonlyArray<Handler> } = {
    kind,
    function: definition,
    walk,
    events: walk.events,
    sender,
    funds: info === undefined ? undefined : terms.field(info, inEnv ? "sent_funds" : "funds"),
    message,
    ...(whole === undefined ? {} : { parts: others }),
    env,
  }
  entry.handlers = handlersOf(entry)
  return entry as EntryPoint // `handlers` is set in the line above
}

/** The model of all crates of a project that are written for CosmWasm. */
export const buildCosmWasmProgram = (project: RustProject): CosmWasmProgram => {
  const terms = new TermTable()
  const own = project.crates.filter((crate) => ecosystemsOf(crate).cosmwasm)
  const contractOf = contractsOf(project.resolver, terms)
  const crates = deployedCrates(project, own).map((crate): CosmWasmCrate => {
    const entryPoints = entryPointsOf(project, crate).map((found) => buildEntry(project, terms, contractOf, found))
    return { crate, project, entryPoints, containers: containersOf(project, terms, crate, entryPoints) }
  })
  const unreached = unreachedEvents(
    crates.map(({ crate }) => crate),
    function* () {
      for (const { entryPoints } of crates)
        for (const entry of entryPoints) {
          yield entry.function
          for (const event of entry.events) yield event.function
        }
    },
    (definition) => walkFunction(project.resolver, terms, cosmwasmSemantics, definition, new Map(), false),
  )
  let all: ReadonlyArray<Event> | undefined
  return {
    crates,
    terms,
    events: () =>
      (all ??= [...crates.flatMap((crate) => crate.entryPoints), { events: unreached() }].flatMap(
        ({ events }) => events,
      )),
  }
}
