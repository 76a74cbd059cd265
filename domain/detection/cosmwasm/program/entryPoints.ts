import type { ConstDefinition, Crate, FunctionDefinition } from "../../rust/crate/crate.ts"
import type { RustProject } from "../../rust/crate/program.ts"
import type { Attribute, Expression, FunctionItem } from "../../rust/syntax/syntax.ts"
import { isNamed, resolveType, unknownType } from "../../rust/crate/types.ts"
import { isContext, isDeps } from "./context.ts"
import { type EntryKind, entryKinds } from "./model.ts"

/** A function that the chain, or a framework on its behalf, calls. */
export interface FoundEntry {
  readonly definition: FunctionDefinition
  readonly kind: EntryKind
  /** Whether the framework lets only authorized accounts call it. */
  readonly authorized: boolean
}

/** `#[sv::msg(exec)]` and the like in Sylvia. */
const sylviaKinds: Readonly<Record<string, EntryKind>> = {
  exec: "execute",
  query: "query",
  instantiate: "instantiate",
  migrate: "migrate",
  sudo: "sudo",
  reply: "reply",
}

/** Names of the entry points before version 0.14. */
const oldKinds: Readonly<Record<string, EntryKind>> = { init: "instantiate", handle: "execute" }

/** The kind of an entry point with another name, by the type of its message. */
const messageKinds: ReadonlyArray<readonly [RegExp, EntryKind]> = [
  [/^(\w*)(Instantiate|Init)Msg$/, "instantiate"],
  [/^(\w*)(Execute|Handle)Msg$/, "execute"],
  [/^(\w*)QueryMsg$/, "query"],
  [/^(\w*)MigrateMsg$/, "migrate"],
  [/^(\w*)SudoMsg$/, "sudo"],
  [/^Reply$/, "reply"],
]

/**
 * The builder methods that register handlers in Abstract's contracts. Only its own client and contracts can call some
 * of them.
 */
const builders: Readonly<Record<string, EntryKind>> = {
  with_instantiate: "instantiate",
  with_execute: "execute",
  with_receive: "execute",
  with_query: "query",
  with_migrate: "migrate",
  with_sudo: "sudo",
  with_replies: "reply",
  with_ibc_callback: "sudo",
  with_ibc_callbacks: "sudo",
  with_module_ibc: "sudo",
  with_nois_callback: "sudo",
}

const isEntryMark = ({ name, args }: Attribute): boolean =>
  name === "entry_point" || args.some((arg) => arg.name.endsWith("entry_point"))

const typeOf = (project: RustProject, { module }: FunctionDefinition, type: Parameters<typeof resolveType>[1]) =>
  resolveType({ resolver: project.resolver, module }, type)

/** `exec` of `#[sv::msg(exec)]`. */
const sylviaKind = ({ attributes }: FunctionItem): EntryKind | undefined =>
  attributes
    .filter(({ name }) => name === "msg")
    .flatMap(({ args }) => args.map((one) => sylviaKinds[one.name]))
    .find((one) => one !== undefined)

/** `execute` for a method that is given an `ExecCtx`. */
const contextKind = (project: RustProject, definition: FunctionDefinition): EntryKind | undefined => {
  const [self, context] = definition.parameters
  if (self?.name !== "self" || context === undefined) return undefined
  const type = typeOf(project, definition, context.type)
  const name = type.kind === "named" ? /^(\w+)Ctx$/.exec(type.name)?.[1]?.toLowerCase() : undefined
  return name !== undefined && Object.hasOwn(sylviaKinds, name) ? sylviaKinds[name] : undefined
}

/** A method's attribute is in the interface that it implements: `impl AdminApi for Vault`. */
const interfaceKind = (project: RustProject, definition: FunctionDefinition): EntryKind | undefined => {
  const { owner, module, name } = definition
  const path = owner?.kind === "impl" ? owner.item.trait?.segments.map((one) => one.name) : undefined
  if (path === undefined) return undefined
  const found = project.resolver.resolve(module, path, "type")
  // Interfaces are often in packages without source: then the context tells.
  if (found.kind !== "definition") return contextKind(project, definition)
  if (found.definition.kind !== "trait") return undefined
  for (const one of found.definition.item.items)
    if (one.kind === "function" && one.name === name) return sylviaKind(one)
  return undefined
}

/** By attribute and name, by name and signature, by the message's type, or by Sylvia's `#[sv::msg(exec)]`. */
const kindOf = (project: RustProject, definition: FunctionDefinition): EntryKind | undefined => {
  // Interface declarations are implemented elsewhere.
  if (definition.owner !== undefined)
    return definition.item.body === undefined
      ? undefined
      : (sylviaKind(definition.item) ?? interfaceKind(project, definition))
  if (definition.item.body === undefined) return undefined
  const old = definition.parameters.length >= 3 ? oldKinds[definition.name] : undefined
  const kind = entryKinds.find((one) => one === definition.name) ?? old
  const marked = definition.item.attributes.some(isEntryMark)
  const [first] = definition.parameters
  const given = first === undefined ? unknownType : typeOf(project, definition, first.type)
  if (kind !== undefined && (marked || isDeps(given))) return kind
  if (kind === undefined ? !marked : !isContext(given)) return undefined
  const last = definition.parameters.at(-1)
  const type = last === undefined ? unknownType : typeOf(project, definition, last.type)
  const byMessage = type.kind === "named" ? messageKinds.find(([name]) => name.test(type.name))?.[1] : undefined
  return kind === undefined || kind === byMessage ? byMessage : undefined
}

/** Functions named in a builder's arguments: `handlers::execute`, `&[(REPLY_ID, handlers::created)]`. */
const namedIn = (project: RustProject, from: ConstDefinition, node: Expression): ReadonlyArray<FunctionDefinition> => {
  switch (node.kind) {
    case "path": {
      const path = node.path.segments.map(({ name }) => name)
      const found = project.resolver.resolve(from.module, path, "value")
      return found.kind === "definition" && found.definition.kind === "function" ? [found.definition] : []
    }
    case "reference":
      return namedIn(project, from, node.operand)
    case "array":
    case "tuple":
      return node.elements.flatMap((one) => namedIn(project, from, one))
    default:
      return []
  }
}

/** `App::new(…).with_execute(handlers::execute).with_replies(&[…])` as the value of a constant. */
const builtEntries = (project: RustProject, definition: ConstDefinition): ReadonlyArray<FoundEntry> => {
  const found: Array<FoundEntry> = []
  const type = resolveType({ resolver: project.resolver, module: definition.module }, definition.item.type)
  // An adapter's base requires an authorized address before it passes the message on.
  const isAdapter = isNamed(type, "AdapterContract", "ApiContract", "ExtensionContract")
  let node = definition.item.value
  for (let length = 0; node?.kind === "methodCall" && length < 64; length++, node = node.receiver) {
    const kind = Object.hasOwn(builders, node.method) ? builders[node.method] : undefined
    if (kind === undefined) continue
    for (const handler of node.args.flatMap((one) => namedIn(project, definition, one)))
      if (handler.item.body !== undefined)
        found.unshift({ definition: handler, kind, authorized: isAdapter && node.method === "with_execute" })
  }
  return found
}

/** All entry points of a crate, each function once. */
export const entryPointsOf = (project: RustProject, crate: Crate): ReadonlyArray<FoundEntry> => {
  const found = new Map<FunctionDefinition, FoundEntry>()
  for (const { names } of crate.modules)
    for (const one of [...names.values()].flat())
      if (one.kind === "const" && one.item.value?.kind === "methodCall")
        for (const entry of builtEntries(project, one)) found.set(entry.definition, entry)
  return [
    ...crate.functions.flatMap((definition): ReadonlyArray<FoundEntry> => {
      const built = found.get(definition)
      found.delete(definition)
      if (built !== undefined) return [built]
      const kind = kindOf(project, definition)
      return kind === undefined ? [] : [{ definition, kind, authorized: false }]
    }),
    // Handlers of another crate that the contract links.
    ...found.values(),
  ]
}
