import { deployedCrates } from "../rust/crate/deployed.ts"
import { ecosystemsOf } from "../rust/crate/ecosystem.ts"
import type { Crate, FunctionDefinition, StructDefinition } from "../rust/crate/crate.ts"
import { type Event, ofKind, type Value } from "../rust/terms/events.ts"
import type { RustProject } from "../rust/crate/program.ts"
import { type Term, TermTable } from "../rust/terms/terms.ts"
import { isNamed, pointee, resolveType, type RustType } from "../rust/crate/types.ts"
import type { Semantics } from "../rust/walk/state/platform.ts"
import { SharedCalls } from "../rust/walk/state/sharedCalls.ts"
import type { Walk } from "../rust/walk/state/walk.ts"
import { unreachedEvents } from "../rust/walk/calls/unreached.ts"
import { walkFunction } from "../rust/walk/walkFunction.ts"
import { accountInfo, wrapperOf } from "./program/accountTypes.ts"
import { accountsOf, isPlatformType, learnAccessControl, learnConstraints } from "./program/anchor.ts"
import { contextOf, declaredHandlers, fallbackHandlers, handlerName, isAccountSet } from "./program/dialects.ts"
import { withLearnedRecords } from "./records/learnedRecords.ts"
import {
  type Account,
  accountsInTransaction,
  type Instruction,
  type SolanaCrate,
  type SolanaProgram,
} from "./program/model.ts"
import { type NativeHandler, nativeHandlers } from "./program/native.ts"
import { solanaSemantics, stateOf } from "./program/semantics.ts"

type Argument = Value & { readonly name: string }

const parametersOf = (
  project: RustProject,
  terms: TermTable,
  definition: FunctionDefinition,
): ReadonlyArray<Argument> =>
  definition.parameters.map(({ name, type }) => ({
    name,
    term: terms.parameter("", name),
    type: resolveType({ resolver: project.resolver, module: definition.module }, type),
  }))

const isAccountTerm = (term: Term, lists: ReadonlySet<Term>): boolean => {
  if (term.kind !== "element") return false
  return lists.has(term.base) || (term.base.kind === "field" && term.base.name === "remaining_accounts")
}

const anchorInstruction = (
  project: RustProject,
  terms: TermTable,
  handler: FunctionDefinition,
  shared: SharedCalls,
  callee: Instruction["callee"],
): Instruction | undefined => {
  const context = contextOf(project.resolver, handler)
  if (context === undefined) return undefined
  const { struct } = context
  const set: RustType = { kind: "named", name: struct.name, path: struct.name, definition: struct, args: [] }
  const parameters = parametersOf(project, terms, handler).map((one, index) => {
    // The program stores the `&mut self` of a `#[state]`.
    if (one.name === "self") return { ...one, term: stateOf(terms, one.term) }
    return context.direct && index === context.index ? { ...one, type: set } : one
  })
  const given = parameters[context.index]!.term
  const base = context.direct ? given : terms.field(given, "accounts")
  const args = parameters.filter(
    ({ name }, index) => index !== context.index && name !== "self" && !isPlatformType(parameters[index]!.type),
  )
  const semantics: Semantics = {
    ...solanaSemantics,
    prepare: (walk) => {
      learnConstraints(walk, struct, base, args)
      learnAccessControl(walk, handler)
    },
    entered: learnAccessControl,
  }
  const values = new Map<string, Value>(parameters.map((one, index) => [String(index), one]))
  const walk = walkFunction(project.resolver, terms, semantics, handler, values, true, shared)
  return {
    name: handlerName(handler),
    kind: "anchor",
    handler,
    context: struct,
    accounts: accountsOf(project.resolver, walk, struct, base).slice(0, accountsInTransaction),
    arguments: args,
    events: walk.events,
    walk,
    callee,
  }
}

/** The account in a struct that only wraps one: `Signer { info }`. */
const unwrapped = (term: Term): Term => {
  const only = term.kind === "struct" && term.fields.length === 1 ? term.fields[0]![1] : undefined
  return only === undefined ? term : unwrapped(only)
}

const isAddress = (type: RustType): boolean => isNamed(type, "Pubkey", "Address")

/** The entry point passes its own id before the accounts, whatever name a handler gives it. */
const programIdIndex = (parameters: ReadonlyArray<Argument>, list: number): number => {
  if (parameters.some(({ name }) => /^_?program_id$/.test(name))) return -1
  return list === 1 && isAddress(pointee(parameters[0]!.type)) ? 0 : -1
}

/** What a binding calls an account, and how deep in calls. */
interface Naming {
  readonly term: Term
  readonly name: string
  readonly place: Account["place"]
  readonly depth: number
}

const nativeInstruction = (
  project: RustProject,
  terms: TermTable,
  { definition: handler, list, name, skips }: NativeHandler,
  callee: Instruction["callee"],
): Instruction => {
  const given = parametersOf(project, terms, handler)
  const id = programIdIndex(given, list)
  const parameters = given.map((one, index) =>
    index === id ? { ...one, term: terms.parameter("", "program_id") } : one,
  )
  const lists = new Set([parameters[list]!.term])
  const found = new Map<Term, Account>()
  /** How deep in calls an account got its name. */
  const depths = new Map<Term, number>()
  /** A helper that takes the next account gives all of them the same name; whoever calls it knows better. */
  const rename = ({ term, name, place, depth }: Naming): void => {
    const [account, known] = [found.get(term), depths.get(term)]
    if (account === undefined || known === undefined || depth >= known) return
    depths.set(term, depth)
    found.set(term, { ...account, name: name.replace(/^_/, ""), place })
  }
  const wrapped: Array<Naming & { readonly struct: string }> = []
  const semantics: Semantics = {
    ...solanaSemantics,
    skips,
    bound: (name, value, node, walk) => {
      const term = unwrapped(value.term)
      if (!isAccountTerm(term, lists)) return
      const known = found.get(term)
      const place = { file: walk.file, span: node }
      if (known !== undefined) {
        const naming: Naming = { term, name, place, depth: walk.frame.depth }
        if (value.term.kind === "struct") wrapped.push({ ...naming, struct: value.term.path })
        else rename(naming)
        return
      }
      const isKnownType =
        term === value.term && value.type.kind !== "unknown" && !isNamed(value.type, "Result", "Option")
      const type: RustType = isKnownType ? value.type : accountInfo
      depths.set(term, walk.frame.depth)
      found.set(term, {
        name: name.replace(/^_/, ""),
        term,
        wrapper: wrapperOf(type) ?? "raw",
        type,
        state: undefined,
        optional: false,
        place,
        taken: walk.emit({ ...walk.at(node), kind: "read", value: { term, type } }),
      })
    },
  }
  const values = new Map<string, Value>(parameters.map((one, index) => [String(index), one]))
  const walk = walkFunction(project.resolver, terms, semantics, handler, values)
  // A struct around several accounts, each in its turn, wraps them; one around a single account may be a context.
  for (const namings of Map.groupBy(wrapped, ({ struct }) => struct).values())
    if (new Set(namings.map(({ term }) => term)).size > 1) namings.forEach(rename)
  // Accounts that are never bound to a name: `accounts[0].key`, or fields of a struct that a parser fills.
  for (const event of ofKind(walk.events, "struct")) {
    if (event.value.term.kind !== "struct") continue
    for (const [name, field] of event.value.term.fields) {
      const term = unwrapped(field)
      if (!isAccountTerm(term, lists)) continue
      const known = found.get(term)
      const place = { file: event.file, span: event.node }
      // A struct that only wraps it says nothing about it.
      if (event.value.term.fields.length > 1) rename({ term, name, place, depth: event.scope.frame.depth })
      if (known?.taken !== undefined && known.taken.order < event.order) continue
      found.set(term, {
        name,
        term,
        wrapper: "raw",
        type: accountInfo,
        state: undefined,
        optional: false,
        place,
        taken: event,
      })
    }
  }
  return {
    name: name ?? handler.name,
    kind: "native",
    handler,
    accounts: [...found.values()].slice(0, accountsInTransaction),
    arguments: parameters.filter(
      ({ name, type }, index) =>
        index !== list && index !== id && !isPlatformType(type) && !(isAddress(type) && name.endsWith("program_id")),
    ),
    events: walk.events,
    walk,
    callee,
  }
}

const structsOf = (crate: Crate): ReadonlyArray<StructDefinition> =>
  crate.modules.flatMap((module) => [...module.names.values()].flat().filter((one) => one.kind === "struct"))

const isState = (struct: StructDefinition): boolean =>
  struct.item.attributes.some((one) => one.name === "account") ||
  struct.item.attributes.some((one) => one.name === "shank" || one.name === "state")

/** The functions that instructions consist of, apart from their handlers, unless another one calls these. */
const partsOf = (instructions: ReadonlyArray<Instruction>): ReadonlySet<FunctionDefinition> =>
  new Set(
    instructions.flatMap(({ events, handler }) =>
      events.map((event) => event.function).filter((one) => one !== handler),
    ),
  )

const buildCrate = (
  project: RustProject,
  terms: TermTable,
  crate: Crate,
  callee: Instruction["callee"],
): SolanaCrate => {
  const handlers = declaredHandlers(crate.modules, crate.functions, project.resolver)
  const shared = new SharedCalls()
  const made = (handler: FunctionDefinition) => anchorInstruction(project, terms, handler, shared, callee) ?? []
  const declared = handlers.flatMap(made)
  const entered = new Set([...handlers, ...partsOf(declared)])
  const undeclared = fallbackHandlers(crate.modules, crate.functions, project.resolver)
    .filter((one) => !entered.has(one))
    .flatMap(made)
  const parts = partsOf(undeclared)
  const anchor = [...declared, ...undeclared.filter(({ handler }) => !parts.has(handler))]
  // A helper that Anchor's instructions hand their accounts to knows them from there.
  const helpers = new Set(anchor.flatMap(({ events }) => events.map((event) => event.function)))
  const native = nativeHandlers(crate, project.resolver)
    .filter(({ definition }) => !helpers.has(definition))
    .map((one) => nativeInstruction(project, terms, one, callee))
  const instructions = withLearnedRecords([...anchor, ...native])
  const structs = structsOf(crate)
  const read = new Set<unknown>()
  for (const { events } of instructions)
    for (const event of ofKind(events, "call")) {
      if (event.result.term.kind !== "call" || event.result.term.name !== "state") continue
      const type = event.result.type.kind === "named" ? event.result.type.args[0] : undefined
      if (type?.kind === "named" && type.definition !== undefined) read.add(type.definition)
    }
  return {
    crate,
    project,
    instructions,
    stateStructs: structs.filter((one) => isState(one) || read.has(one)),
    accountsStructs: structs.filter((one) => isAccountSet(one)),
  }
}

/**
 * A walk of a single function: its accounts are its parameters, nothing is known about them, and its callees are walked
 * separately.
 */
const standalone = (project: RustProject, terms: TermTable, definition: FunctionDefinition): Walk => {
  const values = new Map<string, Value>(
    parametersOf(project, terms, definition).map((one, index) => [String(index), one]),
  )
  return walkFunction(project.resolver, terms, solanaSemantics, definition, values, false)
}

/** The model of all crates of a project that are written for Solana. */
export const buildSolanaProgram = (project: RustProject): SolanaProgram => {
  const terms = new TermTable()
  const own = project.crates.filter((crate) => ecosystemsOf(crate).solana)
  const byPath = new Map<string, Instruction | undefined>()
  const crates = deployedCrates(project, own).map((crate) =>
    buildCrate(project, terms, crate, (path) => byPath.get(path)),
  )
  for (const { crate, instructions } of crates)
    for (const one of instructions) {
      // Anchor generates the module, so that an import of it remains as it is written: `cpi::deposit`.
      const imported = `cpi::${one.name}`
      byPath.set(imported, byPath.has(imported) ? undefined : one)
      byPath.set(`${crate.libraryName}::${imported}`, one)
    }
  const unreached = unreachedEvents(
    crates.map(({ crate }) => crate),
    function* () {
      for (const { instructions } of crates)
        for (const { events, handler } of instructions) {
          yield handler
          for (const event of events) yield event.function
        }
    },
    (definition) => standalone(project, terms, definition),
  )
  let all: ReadonlyArray<Event> | undefined
  return {
    crates,
    terms,
    unreached,
    events: () =>
      (all ??= [...crates.flatMap((crate) => crate.instructions), { events: unreached() }].flatMap(
        ({ events }) => events,
      )),
  }
}
