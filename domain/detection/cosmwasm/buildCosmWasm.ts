import { ecosystemsOf } from "../rust/ecosystem.ts"
import type { Crate, FunctionDefinition } from "../rust/crate.ts"
import { type Event, type Scope, successOf, type Value } from "../rust/events.ts"
import type { RustProject } from "../rust/program.ts"
import type { Expression } from "../rust/syntax.ts"
import { type Term, TermTable } from "../rust/terms.ts"
import { nodesOf } from "../rust/nodes.ts"
import { isNamed, namedType, pointee, resolveType, type RustType, unknownType } from "../rust/types.ts"
import { Walk } from "../rust/walk.ts"
import type { CosmWasmCrate, CosmWasmProgram, EntryKind, EntryPoint, Handler, StorageContainer } from "./model.ts"
import { entryKinds } from "./model.ts"
import { cosmwasmSemantics, isContainer, storedType } from "./semantics.ts"

const isDeps = (type: RustType): boolean =>
  isNamed(
    type,
    "Deps",
    "DepsMut",
    "Extern",
    "ExecCtx",
    "InstantiateCtx",
    "QueryCtx",
    "MigrateCtx",
    "ReplyCtx",
    "SudoCtx",
  )

const sylviaKinds: Record<string, EntryKind> = {
  exec: "execute",
  query: "query",
  instantiate: "instantiate",
  migrate: "migrate",
  sudo: "sudo",
  reply: "reply",
}

/** Names of the entry points before version 0.14. */
const oldKinds: Record<string, EntryKind> = { init: "instantiate", handle: "execute" }

/** By attribute and name, by name and signature, or by Sylvia's `#[sv::msg(exec)]`. */
const kindOf = (project: RustProject, definition: FunctionDefinition): EntryKind | undefined => {
  for (const attribute of definition.item.attributes) {
    if (attribute.name !== "msg") continue
    const kind = attribute.args.map((one) => sylviaKinds[one.name]).find((one) => one !== undefined)
    if (kind !== undefined && definition.owner !== undefined) return kind
  }
  if (definition.owner !== undefined || definition.item.body === undefined) return undefined
  const old = definition.parameters.length >= 3 ? oldKinds[definition.name] : undefined
  const kind = entryKinds.find((one) => one === definition.name) ?? old
  if (kind === undefined) return undefined
  const marked = definition.item.attributes.some(
    (one) => one.name === "entry_point" || one.args.some((arg) => arg.name.endsWith("entry_point")),
  )
  if (marked) return kind
  const [first] = definition.parameters
  return first !== undefined &&
    isDeps(resolveType({ resolver: project.resolver, module: definition.module }, first.type))
    ? kind
    : undefined
}

type Arm = NonNullable<Scope["arm"]>

/** Whether a match is on the message itself, on what a variant of it holds, or on a message inside it. */
const isDispatch = (arm: Arm, message: Term | undefined): boolean => {
  if (!arm.variant.includes("::") || message === undefined) return false
  let one = arm.value
  while (one.kind === "payload" && one.name === "0") one = one.base
  return one === message || (one.kind === "call" && one.name === "from_json")
}

const chainOf = (scope: Scope, message: Term | undefined): ReadonlyArray<Scope> => {
  const chain: Array<Scope> = []
  for (let one: Scope | undefined = scope; one !== undefined; one = one.parent)
    if (one.arm !== undefined && isDispatch(one.arm, message)) chain.unshift(one)
  return chain
}

const handlersOf = (entry: Omit<EntryPoint, "handlers">): ReadonlyArray<Handler> => {
  const chains = new Map<Scope, ReadonlyArray<Scope>>()
  const chainByEvent = entry.events.map((event) => {
    const known = chains.get(event.scope)
    if (known !== undefined) return known
    const chain = chainOf(event.scope, entry.message)
    chains.set(event.scope, chain)
    return chain
  })
  const inner = new Set<Scope>()
  const leaves = new Map<Scope, ReadonlyArray<Scope>>()
  for (const chain of chainByEvent) {
    for (const scope of chain.slice(0, -1)) inner.add(scope)
    const last = chain.at(-1)
    if (last !== undefined) leaves.set(last, chain)
  }
  for (const scope of inner) leaves.delete(scope)
  const handlers: Array<Handler> = []
  const finished = (chain: ReadonlyArray<Scope>): void => {
    const events = entry.events.filter((_, index) => chainByEvent[index]!.every((scope, at) => chain[at] === scope))
    const last = chain.at(-1)
    const called =
      last === undefined
        ? undefined
        : events.find(
            (event) => event.scope !== last && event.function !== last.frame.function && isBelow(event.scope, last),
          )
    handlers.push({
      // Completed by the caller: the entry point holds its handlers.
      entry: entry as EntryPoint,
      message: chain.map((scope) => scope.arm!.variant).join(" > "),
      function: called?.function ?? last?.frame.function ?? entry.function,
      place:
        last?.arm === undefined
          ? { file: entry.function.module.file, span: entry.function.item.nameSpan }
          : { file: last.frame.function.module.file, span: last.arm.node },
      events,
      facts: last === undefined ? entry.walk.success : successOf(last),
    })
  }
  if (leaves.size === 0) finished([])
  else for (const chain of leaves.values()) finished(chain)
  return handlers
}

const isBelow = (scope: Scope, outer: Scope): boolean => {
  for (let one: Scope | undefined = scope; one !== undefined; one = one.parent) if (one === outer) return true
  return false
}

const buildEntry = (
  project: RustProject,
  terms: TermTable,
  definition: FunctionDefinition,
  kind: EntryKind,
): EntryPoint => {
  const parameters = definition.parameters.map(({ name, type }) => ({
    name,
    term: terms.parameter("", name),
    type: resolveType({ resolver: project.resolver, module: definition.module }, type),
  }))
  const values = new Map<string, Value>(parameters.map((one, index) => [String(index), one]))
  const walk = new Walk(project.resolver, terms, cosmwasmSemantics, definition, values, [])
  const context = parameters.find(({ type }) => type.kind === "named" && type.name.endsWith("Ctx"))?.term
  const env =
    parameters.find(({ type }) => isNamed(type, "Env"))?.term ??
    (context === undefined ? undefined : terms.field(context, "env"))
  // Before version 0.12 the sender and the coins came with the environment.
  const inEnv = env !== undefined && parameters.some(({ type }) => isNamed(type, "Extern"))
  const info =
    parameters.find(({ type }) => isNamed(type, "MessageInfo"))?.term ??
    (context === undefined ? (inEnv ? terms.field(env, "message") : undefined) : terms.field(context, "info"))
  const message = parameters.find(
    ({ type, name }) => !isDeps(type) && !isNamed(type, "Env", "MessageInfo") && name !== "self",
  )?.term
  const entry: Omit<EntryPoint, "handlers"> & { handlers?: ReadonlyArray<Handler> } = {
    kind,
    function: definition,
    walk,
    events: walk.events,
    sender: info === undefined ? undefined : terms.field(info, "sender"),
    funds: info === undefined ? undefined : terms.field(info, inEnv ? "sent_funds" : "funds"),
    message,
    env,
  }
  entry.handlers = handlersOf(entry)
  return entry as EntryPoint // `handlers` was set in the line above
}

const literalOf = (crate: Crate, node: Expression | undefined): string | undefined => {
  if (node === undefined) return undefined
  if (node.kind === "literal") return node.value
  if (node.kind === "reference") return literalOf(crate, node.operand)
  if (node.kind !== "path") return undefined
  const name = node.path.segments.at(-1)?.name
  for (const module of crate.modules) {
    const found = module.names.get(name ?? "")?.find((one) => one.kind === "const")
    if (found?.kind === "const" && found.item.value?.kind === "literal") return found.item.value.value
  }
  return undefined
}

/** Helpers of cw-controllers that keep an `Item` or, for claims, a `Map` of their own. */
const controllers = ["Admin", "Hooks", "Claims"]

const containersOf = (project: RustProject, terms: TermTable, crate: Crate): ReadonlyArray<StorageContainer> => {
  const found: Array<StorageContainer> = []
  for (const module of crate.modules)
    for (const definitions of module.names.values())
      for (const definition of definitions) {
        if (definition.kind !== "const") continue
        const type = resolveType({ resolver: project.resolver, module }, definition.item.type)
        if (!isContainer(type) && !isNamed(pointee(type), ...controllers)) continue
        const { value } = definition.item
        const key = value?.kind === "call" ? literalOf(crate, value.args[0]) : undefined
        const inner = pointee(type)
        const path = `${crate.name === "" ? "crate" : crate.name}::${module.path}::${definition.name}`.replaceAll(
          "::::",
          "::",
        )
        found.push({
          name: definition.name,
          kind: inner.kind === "named" ? inner.name : "",
          key,
          value: storedType(type),
          type,
          term: terms.constant(path, definition),
          place: { file: module.file, span: definition.item.nameSpan },
        })
      }
  return found
}

/** Containers that a contract keeps as fields: `Self { owner: Item::new("owner") }`, once for each field. */
const fieldContainersOf = (crate: Crate): ReadonlyArray<StorageContainer> => {
  const found = new Map<string, StorageContainer>()
  for (const { item, owner, module } of crate.functions)
    for (const node of item.body === undefined ? [] : nodesOf(item.body)) {
      // Struct patterns are among the nodes too.
      if (node.kind !== "struct" || "rest" in node) continue
      const last = node.path.segments.at(-1)?.name ?? ""
      const self =
        owner !== undefined && "item" in owner && owner.item.kind === "impl" ? owner.item.selfType : undefined
      const type = last === "Self" && self?.kind === "path" ? self.path.segments.at(-1)!.name : last
      for (const { name: field, value } of node.fields) {
        const names = value.kind === "call" && value.callee.kind === "path" ? value.callee.path.segments : []
        const kind = names.at(-2)?.name ?? ""
        const container = namedType(kind)
        if (value.kind !== "call" || names.at(-1)?.name !== "new" || !isContainer(container)) continue
        const name = `${module.path}::${type}.${field}`
        const key = literalOf(crate, value.args[0])
        if (key !== undefined && !found.has(name))
          found.set(name, {
            name: `${type}.${field}`,
            kind,
            key,
            value: unknownType,
            type: container,
            term: undefined,
            place: { file: module.file, span: { start: value.start, end: value.end } },
          })
      }
    }
  return [...found.values()]
}

/** Indexes made anywhere: `MultiIndex::new(function, "asks", "asks__seller")`, whose own namespace comes last. */
const indexesOf = (crate: Crate): ReadonlyArray<StorageContainer> =>
  crate.functions.flatMap(({ item, module }) =>
    (item.body === undefined ? [] : nodesOf(item.body)).flatMap((node): ReadonlyArray<StorageContainer> => {
      if (node.kind !== "call" || node.callee.kind !== "path") return []
      const names = node.callee.path.segments.map(({ name }) => name)
      const kind = names.at(-2) ?? ""
      if (names.at(-1) !== "new" || !/^(Multi|Unique)Index$/.test(kind)) return []
      const key = literalOf(crate, node.args[kind === "MultiIndex" ? 2 : 1])
      if (key === undefined) return []
      const place = { file: module.file, span: { start: node.start, end: node.end } }
      return [{ name: kind, kind, key, value: unknownType, type: namedType(kind), term: undefined, place }]
    }),
  )

/** The model of all crates of a project that are written for CosmWasm. */
export const buildCosmWasmProgram = (project: RustProject): CosmWasmProgram => {
  const terms = new TermTable()
  const crates = project.crates
    .filter((crate) => ecosystemsOf(crate).cosmwasm)
    .map((crate): CosmWasmCrate => ({
      crate,
      project,
      entryPoints: crate.functions.flatMap((definition) => {
        const kind = kindOf(project, definition)
        return kind === undefined ? [] : [buildEntry(project, terms, definition, kind)]
      }),
      containers: [...containersOf(project, terms, crate), ...fieldContainersOf(crate), ...indexesOf(crate)],
    }))
  let rest: ReadonlyArray<Event> | undefined
  const unreached = (): ReadonlyArray<Event> => {
    if (rest !== undefined) return rest
    const seen = new Set<FunctionDefinition>()
    for (const { entryPoints } of crates)
      for (const entry of entryPoints) {
        seen.add(entry.function)
        for (const event of entry.events) seen.add(event.function)
      }
    const found: Array<Event> = []
    for (const { crate } of crates)
      for (const definition of crate.functions) {
        if (seen.has(definition) || definition.item.body === undefined) continue
        seen.add(definition)
        const walk = new Walk(project.resolver, terms, cosmwasmSemantics, definition, new Map(), [])
        for (const event of walk.events) {
          seen.add(event.function)
          found.push(event)
        }
      }
    rest = found
    return rest
  }
  return {
    crates,
    terms,
    *events() {
      for (const { entryPoints } of crates) for (const { events } of entryPoints) yield* events
      yield* unreached()
    },
  }
}
