import { oncePer } from "../../oncePer.ts"
import type { FunctionDefinition, ImplDefinition, Module, StructDefinition } from "../../rust/crate/crate.ts"
import type { Resolver } from "../../rust/crate/resolve.ts"
import type { TypeNode } from "../../rust/syntax/syntax.ts"
import { definitionOf, resolveType, type RustType, unknownType } from "../../rust/crate/types.ts"
import { isAccountList } from "./accountTypes.ts"

/** A framework's vocabulary: its crate, its handlers, and where a handler finds its accounts. */
interface Dialect {
  readonly framework: string
  /** The crate that its programs depend on. */
  readonly crate: RegExp
  /** Attributes of modules whose functions are handlers. */
  readonly module?: RegExp
  /** Attributes of functions that are handlers. */
  readonly attribute?: RegExp
  /** A trait with one function that is a handler. */
  readonly trait?: readonly [name: string, functions: RegExp]
  /** A type that only handlers receive, before their accounts. */
  readonly given?: string
  /** Types that contain the accounts as `accounts`; others are the set itself. */
  readonly context?: RegExp
  /** Derives, or attributes, of the struct that declares the accounts. */
  readonly set: RegExp
}

/** The more specific ones come first, since most are built on another. */
export const dialects: ReadonlyArray<Dialect> = [
  { framework: "Bolt", crate: /^bolt[-_]lang$/, module: /^system$/, context: /^Context$/, set: /^system_input$/ },
  {
    framework: "Star Frame",
    crate: /^star[-_]frame$/,
    attribute: /^star_frame_instruction$/,
    trait: ["StarFrameInstruction", /^(process|run_instruction)$/],
    set: /^AccountSet$/,
  },
  {
    framework: "Quasar",
    crate: /^quasar[-_]lang$/,
    module: /^program$/,
    context: /^Ctx(WithRemaining)?$/,
    set: /^Accounts$/,
  },
  { framework: "Solitaire", crate: /^solitaire$/, given: "ExecutionContext", set: /^FromAccounts$/ },
  {
    framework: "Anchor",
    crate: /^anchor[-_]lang$/,
    module: /^(\w+_)?program$/,
    context: /^Context$/,
    set: /^Accounts$/,
  },
]

/** Frameworks without declared sets of accounts, by their crates. */
export const listFrameworks: ReadonlyArray<readonly [RegExp, string]> = [
  [/^steel$/, "Steel"],
  [/^pinocchio/, "Pinocchio"],
  [/^shank$/, "native with shank"],
]

const isContext = (name: string): boolean => dialects.some(({ context }) => context?.test(name))

/** Whether a handler finds its accounts in a type: `Context<Withdraw>`. */
export const isContextType = (type: RustType): boolean =>
  type.kind === "named" && type.definition === undefined && isContext(type.name)

const declaresSet = ({ item }: StructDefinition, set: RegExp): boolean =>
  item.attributes.some(
    (one) =>
      set.test(one.name) ||
      (one.name === "derive" && one.args.some((arg) => set.test(arg.name.split("::").at(-1) ?? ""))),
  )

/** Whether a struct declares accounts in any framework. */
export const isAccountSet = (struct: StructDefinition): boolean => dialects.some(({ set }) => declaresSet(struct, set))

const ownImpl = ({ owner }: FunctionDefinition): ImplDefinition | undefined =>
  owner?.kind === "impl" ? owner : undefined

/** `Self::Accounts<'_, '_>`, as in the impl that contains the handler. */
const associated = (definition: FunctionDefinition, type: TypeNode | undefined): TypeNode | undefined => {
  if (type?.kind === "reference") return associated(definition, type.type)
  if (type?.kind !== "path" || type.path.segments.length !== 2 || type.path.segments[0]!.name !== "Self") return type
  const items = ownImpl(definition)?.item.items ?? []
  const found = items.find((one) => one.kind === "type" && one.name === type.path.segments[1]!.name)
  return found?.kind === "type" ? (found.type ?? type) : type
}

export interface HandlerContext {
  readonly index: number
  readonly struct: StructDefinition
  /** Whether the parameter is the set of accounts itself, without a context around it. */
  readonly direct: boolean
}

/** The parameter that contains a handler's accounts: `ctx: Context<Withdraw>`, `accounts: &mut WithdrawAccounts`. */
export const contextOf = (resolver: Resolver, definition: FunctionDefinition): HandlerContext | undefined => {
  for (const [index, { type }] of definition.parameters.entries()) {
    const resolved = resolveType({ resolver, module: definition.module }, associated(definition, type))
    if (resolved.kind !== "named") continue
    if (isContextType(resolved)) {
      const struct = definitionOf(resolved.args.at(-1) ?? unknownType)
      if (struct?.kind === "struct") return { index, struct, direct: false }
    }
    const struct = definitionOf(resolved)
    const isDirect = dialects.some(
      ({ context, set }) => context === undefined && struct?.kind === "struct" && declaresSet(struct, set),
    )
    if (struct?.kind === "struct" && isDirect) return { index, struct, direct: true }
  }
  return undefined
}

const hasAttribute = (attributes: ReadonlyArray<{ readonly name: string }>, name: RegExp | undefined): boolean =>
  name !== undefined && attributes.some((one) => name.test(one.name))

const isMarked = (resolver: Resolver, definition: FunctionDefinition): boolean =>
  dialects.some(({ attribute, trait, given }) => {
    if (hasAttribute(definition.item.attributes, attribute)) return true
    const of = ownImpl(definition)?.item.trait?.segments.at(-1)?.name
    if (trait !== undefined && of === trait[0] && trait[1].test(definition.name)) return true
    if (given === undefined || definition.owner !== undefined) return false
    return definition.parameters.some(({ type }) => {
      const resolved = resolveType({ resolver, module: definition.module }, type)
      return resolved.kind === "named" && resolved.name === given
    })
  })

const isProgramModule = (module: Module): boolean => dialects.some((one) => hasAttribute(module.attributes, one.module))

/**
 * Functions that a framework runs as instructions: those in marked modules, marked functions, and before Anchor 0.22
 * also those of its `#[state]`.
 */
export const declaredHandlers = (
  modules: ReadonlyArray<Module>,
  functions: ReadonlyArray<FunctionDefinition>,
  resolver: Resolver,
): ReadonlyArray<FunctionDefinition> => {
  const ofModules = modules
    .filter(isProgramModule)
    .flatMap((module) => [...module.names.values()].flat())
    .flatMap((one): ReadonlyArray<FunctionDefinition> => {
      if (one.kind === "function") return [one]
      if (one.kind !== "struct" || !one.item.attributes.some(({ name }) => name === "state")) return []
      const methods = resolver.implsOf(one).flatMap((impl) => [...impl.functions.values()])
      return methods.filter((method) => contextOf(resolver, method) !== undefined)
    })
  const marked = functions.filter((one) => isMarked(resolver, one) && contextOf(resolver, one)?.direct === true)
  return [...new Set([...ofModules, ...marked])].filter(
    (one) => one.parameters.length > 0 && one.item.body !== undefined,
  )
}

/**
 * Functions that an Anchor program may run for data that it does not know: its fallback receives a list of accounts and
 * hands it to code that makes a context of it. Which function that code runs is a value: `const HANDLER: fn(…) = pay`.
 */
export const fallbackHandlers = (
  modules: ReadonlyArray<Module>,
  functions: ReadonlyArray<FunctionDefinition>,
  resolver: Resolver,
): ReadonlyArray<FunctionDefinition> => {
  const isFallback = ({ module, parameters }: FunctionDefinition): boolean =>
    parameters.some(({ type }) => type !== undefined && isAccountList(resolveType({ resolver, module }, type)))
  const hasFallback = modules
    .filter(isProgramModule)
    .some((module) => [...module.names.values()].flat().some((one) => one.kind === "function" && isFallback(one)))
  if (!hasFallback) return []
  return functions.filter((one) => {
    if (one.owner !== undefined || one.item.body === undefined) return false
    const context = contextOf(resolver, one)
    return context?.direct === false && one.parameters[context.index]!.type?.kind === "path"
  })
}

/** The name of an instruction: the type that implements a trait, if the function has the same name everywhere. */
export const handlerName = (definition: FunctionDefinition): string => {
  const impl = ownImpl(definition)
  const isOfTrait = dialects.some(
    ({ trait }) => trait !== undefined && impl?.item.trait?.segments.at(-1)?.name === trait[0],
  )
  const self = impl?.item.selfType
  return isOfTrait && self?.kind === "path" ? (self.path.segments.at(-1)?.name ?? definition.name) : definition.name
}

/**
 * A component struct named by a field of Bolt's `#[system_input]` is an account that contains it. It is queried for
 * every field that a walk encounters.
 */
export const isComponentField = oncePer((struct: StructDefinition): boolean => declaresSet(struct, /^system_input$/))
