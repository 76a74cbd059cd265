import type { FunctionDefinition } from "../../crate/crate.ts"
import { elementOf } from "../values/elements.ts"
import type { CallEvent, Value } from "../../terms/events.ts"
import type { CallSite } from "../state/platform.ts"
import { elementClosures, equalityFunctions, numericMethod, resultOfMethod } from "../values/std.ts"
import {
  isOutcome,
  isNamed,
  isScalar,
  namedType,
  type RustType,
  selfTypeOf,
  substitute,
  successType,
  unknownType,
} from "../../crate/types.ts"
import { walkBranch } from "../control/branching.ts"
import { canEnter, enter } from "../entering/enter.ts"
import { bindClosure, runClosure } from "../entering/closures.ts"
import { partAt } from "../state/typeArguments.ts"
import type { Walk } from "../state/walk.ts"
import { isNewIterator } from "../values/cursors.ts"
import type { Term } from "../../terms/terms.ts"

export const record = (walk: Walk, site: CallSite, result: () => Value): Value => {
  const event: CallEvent = walk.emit({
    ...walk.at(site.node),
    kind: "call",
    name: site.name,
    path: site.path,
    method: site.method,
    args: site.args,
    target: site.target,
    result: site.args[0] ?? walk.unit,
  })
  const iterators = site.args.filter((_, index) => isNewIterator(site.nodes[index])).map(({ term }) => term)
  const value = walk.iterating(iterators, result)
  event.result = value
  return { ...value, event }
}

/** Closures that nothing else ran are run once on unknown values, so that their effects are seen. */
export const runClosures = (walk: Walk, site: CallSite, input: Value | undefined): Value | undefined => {
  let last: Value | undefined
  for (const { closure } of site.args) {
    if (closure === undefined) continue
    const { value } = walkBranch(walk, () => {
      const result = runClosure(walk, closure, input === undefined ? [] : [input])
      return result
    })
    last = value
  }
  return last
}

/** A predicate such as `keys_eq(a, b)`; its result becomes a comparison. */
export const equality = (walk: Walk, name: string, args: ReadonlyArray<Value>): Value | undefined => {
  const kind = equalityFunctions[name]
  const [left, right] = args
  if (kind === undefined || left === undefined || right === undefined || args.length > 3) return undefined
  const equal = walk.terms.binary("==", left.term, right.term)
  if (kind === "true") return { term: equal, type: namedType("bool") }
  const result = walk.terms.call(name, "", [left.term, right.term])
  const zero = walk.terms.binary("==", result, walk.terms.literal("integer", "0"))
  walk.implied.set(zero, { whenTrue: [equal], whenFalse: [walk.terms.not(equal)] })
  return { term: result, type: namedType("i32") }
}

const worthEntering = (walk: Walk, site: CallSite, target: FunctionDefinition): boolean => {
  if (!canEnter(walk, target)) return false
  const { start, end } = target.item
  return (
    end - start < 700 ||
    site.args.length === 0 ||
    site.args.some((one) => !isScalar(one.type) || isNamed(one.type, "str"))
  )
}

const declaredResult = (walk: Walk, target: FunctionDefinition): RustType => walk.typeIn(target, target.item.result)

/** The type that the caller names in place of a function's own: `Base<Config>::default()`, or `Vault::load(bytes)` of a trait. */
const ofNamedType = (
  { resolver }: Walk,
  { selfType }: CallSite,
  { owner }: FunctionDefinition,
  type: RustType,
): RustType => {
  if (selfType === undefined || owner === undefined) return type
  if (owner.kind === "trait") return substitute(type, ["Self"], [selfType])
  const { generics } = owner.item
  if (generics.length === 0 || selfType.kind !== "named" || selfType.args.length === 0) return type
  const self = selfTypeOf(resolver, owner)
  return substitute(
    type,
    generics,
    generics.map((one) => partAt(self, selfType, one) ?? namedType(one)),
  )
}

/** `load::<Vault>(bytes)`: the types that the caller names replace the function's own parameters. */
const instantiated = (walk: Walk, site: CallSite, target: FunctionDefinition, value: Value): Value => {
  const generics = site.generics.length === 0 ? [] : target.item.generics
  const own = ofNamedType(walk, site, target, value.type)
  if (own === value.type && generics.length === 0) return value
  const type = substitute(
    own,
    generics,
    site.generics.map((one) => walk.type(one)),
  )
  const inner = successType(type)
  const cast = walk.semantics.cast?.({ ...value, type: successType(value.type) }, inner, site.node, walk)
  return { ...value, type, ...(cast === undefined ? {} : { term: cast.term }) }
}

/** The outcome of the closure that a macro declares the type with, whose function this is: `Signed::new(account)`. */
const ofDeclaringMacro = (walk: Walk, { target, method, path, args }: CallSite): Value | undefined => {
  if (target !== undefined || method) return undefined
  const { declaringClosures } = walk.frame.function.module.crate
  const node = declaringClosures.size === 0 ? undefined : declaringClosures.get(path.split("::").at(-2) ?? "")
  const [given] = args
  if (node === undefined || given === undefined) return undefined
  const { onSuccess = [] } = runClosure(walk, bindClosure(walk, node), args)
  return { ...given, onSuccess: [...(given.onSuccess ?? []), ...onSuccess] }
}

/** A call that no model recognizes: followed into the project, or a term of its own. */
export const generic = (walk: Walk, site: CallSite): Value => {
  const { target } = site
  if (target !== undefined && worthEntering(walk, site, target))
    return instantiated(walk, site, target, enter(walk, target, site.args, site.node))
  const declared = ofDeclaringMacro(walk, site)
  if (declared !== undefined) return declared
  const input =
    site.method && site.args[0] !== undefined
      ? elementClosures.has(site.name) && !isOutcome(site.args[0].type)
        ? elementOf(walk, site.args[0])
        : { ...site.args[0], type: successType(site.args[0].type) }
      : undefined
  const closed = runClosures(walk, site, input)
  const terms = site.args.filter((one) => one.closure === undefined).map((one) => one.term)
  const term = walk.terms.call(site.name, site.path, closed === undefined ? terms : [...terms, closed.term], target)
  const type = target === undefined ? guessType(walk, site) : declaredResult(walk, target)
  const found = factsOfFound(walk, site, closed?.term)
  const success = site.name.startsWith("binary_search") ? "Ok" : "Some"
  if (found.length > 0) walk.implied.set(walk.terms.is(term, success), { whenTrue: found, whenFalse: [] })
  return { term, type, onSuccess: [...(closed?.onSuccess ?? []), ...found] }
}

/** What holds where a search finds an element, with the outcome of its closure; as `any` and `contains` would say it. */
const factsOfFound = (walk: Walk, { name, args }: CallSite, closed: Term | undefined): ReadonlyArray<Term> => {
  const [list, key] = args.map((one) => one.term)
  const anyIs = (left: Term, right: Term | undefined) =>
    list === undefined || right === undefined
      ? []
      : [walk.terms.call("any", "", [list, walk.terms.binary("==", left, right)])]
  switch (name) {
    case "find":
    case "position":
    case "rposition":
      return closed === undefined ? [] : walk.consequences(closed, true)
    case "binary_search":
      return list === undefined || key === undefined ? [] : [walk.terms.call("contains", "", [list, key])]
    case "binary_search_by_key":
      return closed === undefined ? [] : anyIs(closed, key)
    case "binary_search_by":
      return closed?.kind === "call" && closed.name === "cmp" ? anyIs(closed.args[0]!, closed.args[1]) : []
    default:
      return []
  }
}

const constructors =
  /^(new\w*|default|from\w*|try_from\w*|zero|one|max|min|percent|permille|unchecked|deserialize|load\w*|unpack\w*|with_\w+|get|deserialize_unchecked|try_deserialize\w*|try_accounts)$/

const guessType = (walk: Walk, site: CallSite): RustType => {
  if (site.selfType !== undefined && constructors.test(site.name)) return site.selfType
  const [receiver] = site.args
  if (site.method && receiver !== undefined) {
    if (numericMethod.test(site.name)) return successType(receiver.type)
    if (site.name === "collect" && site.generics[0] !== undefined) return walk.type(site.generics[0])
    const known = resultOfMethod(site.name)
    if (known !== undefined) return namedType(known)
    if (/^(unwrap_or|min|max|rev|skip|take|filter|chain|step_by|enumerate|zip|or|or_else|xor|drain)$/.test(site.name))
      return receiver.type
    if (
      site.name === "get" ||
      site.name === "first" ||
      site.name === "last" ||
      site.name === "find" ||
      site.name === "next" ||
      site.name === "pop"
    )
      return namedType("Option", [elementOf(walk, receiver).type])
    if (site.name === "parse" && site.generics[0] !== undefined) return walk.type(site.generics[0])
  }
  return unknownType
}
