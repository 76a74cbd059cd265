import { elementOf } from "../values/elements.ts"
import { examined, type Value } from "../../terms/events.ts"
import { beyond } from "../../terms/facts.ts"
import { record, runClosures } from "./followCall.ts"
import type { CallSite } from "../state/platform.ts"
import { gathered } from "../control/statements.ts"
import { keepsOutcome, outcomeClosures, transparentMethods, unwrappingMethods } from "../values/std.ts"
import {
  definitionOf,
  elementType,
  isNamed,
  isOutcome,
  namedType,
  pointee,
  type RustType,
  successType,
} from "../../crate/types.ts"
import type { Term } from "../../terms/terms.ts"
import { walkBranch } from "../control/branching.ts"
import { runClosure, takeOver } from "../entering/closures.ts"
import { succeeding } from "../values/outcomes.ts"
import type { Walk } from "../state/walk.ts"

const isUnit = (type: RustType): boolean => type.kind === "tuple" && type.elements.length === 0

/** A local list that grows: pushed values are elements of it. */
const grow = (walk: Walk, site: CallSite, receiver: Value, added: Value | undefined): Value | undefined => {
  if (!/^(push|push_back|extend|append|extend_from_slice)$/.test(site.name) || added === undefined) return undefined
  const [node] = site.nodes
  if (node?.kind !== "path" || node.path.segments.length !== 1) return undefined
  const name = node.path.segments[0]!.name
  if (walk.local(name) === undefined) return undefined
  // Concatenated bytes, such as seeds: only their parts matter.
  if (receiver.term.kind !== "list" && isNamed(elementType(receiver.type), "u8")) {
    const parts =
      receiver.term.kind === "call" && receiver.term.name === "concat" ? receiver.term.args : [receiver.term]
    if (parts.length > 32) return undefined
    walk.assign(name, { ...receiver, term: walk.terms.call("concat", "", [...parts, added.term]) })
    return walk.unit
  }
  if (receiver.term.kind !== "list" || receiver.term.elements.length > 32) return undefined
  const element = site.name.startsWith("push") ? added.term : elementOf(walk, added).term
  const type =
    receiver.type.kind === "named" && receiver.type.args[0]?.kind === "unknown"
      ? { ...receiver.type, args: [added.type] }
      : receiver.type
  walk.assign(name, { term: walk.terms.list([...receiver.term.elements, element], false), type })
  return walk.unit
}

/** Values made here, rather than bytes of somebody's account under a local name. */
const isMadeHere = (term: Term): boolean =>
  term.kind === "list" || (term.kind === "call" && /^(repeat|concat)$/.test(term.name))

/** Bytes of a local that are written over, all of them or a range: `address.copy_from_slice(&hash[12..])`. */
const overwrite = (walk: Walk, site: CallSite, added: Value | undefined): Value | undefined => {
  if (!/^(copy|clone)_from_slice$/.test(site.name) || added === undefined) return undefined
  const [node] = site.nodes
  const whole = node?.kind === "index" ? node.base : node
  if (whole?.kind !== "path" || whole.path.segments.length !== 1) return undefined
  const name = whole.path.segments[0]!.name
  const old = walk.local(name)
  if (old === undefined || !isMadeHere(old.term)) return undefined
  const parts = old.term.kind === "call" && old.term.name === "concat" ? old.term.args : []
  if (parts.length > 32) return undefined
  const term = whole === node ? added.term : walk.terms.call("concat", "", [...parts, added.term])
  walk.assign(name, { ...old, term })
  return walk.unit
}

/** `bytes.map(u64::from_le_bytes)`. */
const numberFrom = (walk: Walk, site: CallSite): Value | undefined => {
  const node = site.nodes[1]
  if (node?.kind !== "path" || node.path.segments.length !== 2) return undefined
  const [of, read] = node.path.segments.map((one) => one.name)
  const [receiver] = site.args
  if (of === undefined || read === undefined || receiver === undefined) return undefined
  if (!/^[iu](8|16|32|64|128|size)$/.test(of) || !/^from_[bln]e_bytes$/.test(read)) return undefined
  const term = walk.terms.call(read, `${of}::${read}`, [receiver.term])
  return { term, type: namedType("Option", [namedType(of)]) }
}

/** Constraints name an optional account by what it is if it is there: `broker.as_ref().map(|one| one.key())`. */
const isOptionalAccount = (type: RustType): boolean =>
  isNamed(pointee(type), "Signer", "UncheckedAccount", "AccountInfo", "SystemAccount", "Account", "InterfaceAccount")

/** Methods that return yes or no. */
const testMethod = (walk: Walk, { name }: CallSite, receiver: Value, first: Value | undefined): Value | undefined => {
  const { terms } = walk
  switch (name) {
    case "is_ok":
    case "is_some": {
      const term = terms.is(receiver.term, name === "is_ok" ? "Ok" : "Some")
      walk.implied.set(term, { whenTrue: receiver.onSuccess ?? [], whenFalse: [] })
      if (receiver.event !== undefined) examined(receiver.event)
      return { term, type: namedType("bool") }
    }
    case "is_err":
    case "is_none": {
      const term = terms.is(receiver.term, name === "is_err" ? "Ok" : "Some")
      walk.implied.set(term, { whenTrue: receiver.onSuccess ?? [], whenFalse: [] })
      if (receiver.event !== undefined) examined(receiver.event)
      return { term: terms.not(term), type: namedType("bool") }
    }
    case "is_empty":
      // An array or slice as written; a `Vec` may have grown.
      return receiver.term.kind === "list" && receiver.type.kind === "list"
        ? { term: terms.literal("boolean", String(receiver.term.elements.length === 0)), type: namedType("bool") }
        : undefined
    case "eq":
    case "ne":
      if (first === undefined) return undefined
      return { term: terms.binary(name === "eq" ? "==" : "!=", receiver.term, first.term), type: namedType("bool") }
    case "lt":
    case "le":
    case "gt":
    case "ge": {
      if (first === undefined) return undefined
      const operators = { lt: "<", le: "<=", gt: ">", ge: ">=" } as const
      return { term: terms.binary(operators[name], receiver.term, first.term), type: namedType("bool") }
    }
    default:
      return undefined
  }
}

const optional = ({ term, type }: Value): Value => ({ term, type: namedType("Option", [type]) })

const isFirst = (turn: Term): boolean => turn.kind === "element" && (turn.index ?? 0) === 0

/** `list.iter_mut()`, also filtered. */
const isMutableIteration = (node: CallSite["nodes"][number] | undefined): boolean => {
  let one = node
  while (one?.kind === "methodCall" && /^(filter|skip|take|rev)$/.test(one.method)) one = one.receiver
  return one?.kind === "methodCall" && one.method === "iter_mut"
}

/** Methods that run a closure on the contents of a list or outcome. */
const closureMethod = (walk: Walk, site: CallSite, receiver: Value, first: Value | undefined): Value | undefined => {
  const { terms } = walk
  const { name } = site
  switch (name) {
    case "fold":
    case "try_fold": {
      const closure = site.args[2]?.closure
      if (first === undefined || closure === undefined) return undefined
      const element = elementOf(walk, receiver)
      const { value, state } = walkBranch(walk, () => runClosure(walk, closure, [first, element]), undefined, true)
      takeOver(walk, closure.node, [state.env])
      return {
        term: terms.call(name, "", [receiver.term, first.term, value.term]),
        type: name === "fold" && first.type.kind !== "unknown" ? first.type : value.type,
      }
    }
    case "all": {
      if (first?.closure === undefined) return undefined
      const { closure } = first
      const { value } = walkBranch(walk, () => runClosure(walk, closure, [elementOf(walk, receiver)]), undefined, true)
      const term = terms.call("all", "", [receiver.term, value.term])
      walk.implied.set(term, { whenTrue: walk.consequences(value.term, true), whenFalse: [] })
      return { term, type: namedType("bool") }
    }
    case "for_each":
    case "try_for_each": {
      if (first?.closure === undefined) return undefined
      const { closure } = first
      const element = elementOf(walk, receiver)
      const { value, state } = walkBranch(walk, () => runClosure(walk, closure, [element]), undefined, true)
      takeOver(walk, closure.node, [state.env])
      return {
        term: terms.call(name, "", [receiver.term]),
        type: value.type,
        onSuccess: [...beyond(state.facts, walk.facts), ...(value.onSuccess ?? [])],
      }
    }
    // An option that remains only if the closure accepts its contents.
    case "filter": {
      if (first?.closure === undefined || !isOutcome(receiver.type)) return undefined
      const { closure } = first
      const input = { term: receiver.term, type: successType(receiver.type) }
      const { value, state } = walkBranch(walk, () => runClosure(walk, closure, [input]))
      takeOver(walk, closure.node, [state.env])
      const accepted = walk.consequences(value.term, true)
      return { term: receiver.term, type: receiver.type, onSuccess: [...(receiver.onSuccess ?? []), ...accepted] }
    }
    // The element that is found is changed in place.
    case "find": {
      if (first?.closure === undefined || !isMutableIteration(site.nodes[0])) return undefined
      // What is found next may be another one.
      if (!isFirst(walk.advance(terms.call("find", "", [receiver.term])))) return undefined
      const { closure } = first
      const element = elementOf(walk, receiver)
      const { value, state } = walkBranch(walk, () => runClosure(walk, closure, [element]), undefined, true)
      takeOver(walk, closure.node, [state.env])
      const onSuccess = [terms.is(element.term, "Some"), ...walk.consequences(value.term, true)]
      return { ...optional(element), onSuccess }
    }
    case "and_then":
    case "filter_map":
    case "map": {
      const read = name === "map" ? numberFrom(walk, site) : undefined
      if (read !== undefined) return read
      if (first?.closure === undefined) return undefined
      const { closure } = first
      const overOutcome =
        name !== "filter_map" &&
        (isOutcome(receiver.type) ||
          isOptionalAccount(receiver.type) ||
          (name === "and_then" && outcomeClosures.has(name)))
      const input = overOutcome ? { term: receiver.term, type: successType(receiver.type) } : elementOf(walk, receiver)
      const { value, state } = walkBranch(
        walk,
        () => {
          if (overOutcome) walk.learn(receiver.onSuccess ?? [])
          return runClosure(walk, closure, [input])
        },
        undefined,
        !overOutcome,
      )
      takeOver(walk, closure.node, [state.env])
      const learned = beyond(state.facts, walk.facts)
      const onSuccess = [...(receiver.onSuccess ?? []), ...learned, ...(value.onSuccess ?? [])]
      if (overOutcome)
        return { term: value.term, type: name === "map" ? namedType("Option", [value.type]) : value.type, onSuccess }
      const element = name === "filter_map" ? successType(value.type) : value.type
      // Whichever element is used later went through the closure.
      if (name === "map" && !isOutcome(value.type)) walk.learn([...learned, ...(value.onSuccess ?? [])])
      return { term: terms.call("mapped", "", [value.term]), type: { kind: "list", element }, onSuccess }
    }
    default:
      return undefined
  }
}

/** The two parts of a list or of bytes: before an index, or the first one, and the rest. */
const splitOf = (walk: Walk, { term, type }: Value, at: Value | undefined): Value | undefined => {
  const { terms } = walk
  const rest = terms.call("slice", "", [term, at?.term ?? terms.literal("integer", "1")])
  if (at !== undefined) return { term: terms.list([term, rest], true), type: { kind: "tuple", elements: [type, type] } }
  if (type.kind !== "list") return undefined
  const parts = terms.list([terms.element(term, 0), rest], true)
  return optional({ term: parts, type: { kind: "tuple", elements: [type.element, type] } })
}

/** What an iterator yields next. */
const nextOf = (walk: Walk, receiver: Value): Value => {
  const { terms } = walk
  const { term } = receiver
  if (term.kind === "call" && term.path === "") {
    // Which of them it is depends on the closure; the next one is another.
    if (term.name === "filter") {
      const turn = walk.advance(term)
      const element = elementOf(walk, receiver)
      const onSuccess = term.args[1] === undefined ? [] : walk.consequences(term.args[1], true)
      return { ...optional(isFirst(turn) ? element : { term: turn, type: element.type }), onSuccess }
    }
    // Each with its index.
    if (term.name === "enumerate" && term.args[0] !== undefined) {
      const element = elementOf(walk, receiver)
      const pair = terms.list([terms.opaque([]), walk.advance(term.args[0])], true)
      return optional({ term: pair, type: element.type })
    }
    // Any of those that a closure made.
    if (term.name === "mapped" && walk.inLoop()) return optional(elementOf(walk, receiver))
  }
  return optional({ term: walk.advance(term), type: elementOf(walk, receiver).type })
}

export const standardMethod = (
  walk: Walk,
  site: CallSite,
  receiver: Value,
  rest: ReadonlyArray<Value>,
): Value | undefined => {
  const { terms } = walk
  const { name } = site
  const [first] = rest
  if (unwrappingMethods.has(name)) {
    if (receiver.event !== undefined) receiver.event.handled = true
    const value = record(walk, site, () => ({ term: receiver.term, type: successType(receiver.type) }))
    if (receiver.failure === true) walk.die("failure")
    walk.learn(receiver.onSuccess ?? [])
    return { term: succeeding(walk.terms, receiver), type: value.type }
  }
  if (transparentMethods.has(name)) {
    for (const one of rest) if (one.closure !== undefined) runClosures(walk, site, undefined)
    if (keepsOutcome.has(name))
      return {
        ...receiver,
        ...(name === "ok_or" || name === "ok_or_else"
          ? { term: succeeding(walk.terms, receiver), type: namedType("Result", [successType(receiver.type)]) }
          : {}),
      }
    const { failure: _, ...kept } = receiver
    return {
      ...kept,
      type:
        name === "unwrap_or_else" || name === "unwrap_or_default" ? successType(receiver.type) : pointee(receiver.type),
    }
  }
  // `a.or(Err(e))` is `a` with another error.
  if (name === "or" && first?.failure === true) return receiver
  const grown = grow(walk, site, receiver, first) ?? overwrite(walk, site, first)
  if (grown !== undefined) return grown
  switch (name) {
    case "collect": {
      const generics = site.generics[0]
      return gathered(walk, receiver, generics === undefined ? receiver.type : walk.type(generics))
    }
    case "get":
    case "first": {
      const index = name === "first" ? 0 : first?.term.kind === "literal" ? Number(first.term.value) : undefined
      if (receiver.type.kind !== "list" && (receiver.type.kind !== "named" || !receiver.type.name.startsWith("Vec")))
        return undefined
      return { term: terms.element(receiver.term, index), type: namedType("Option", [elementOf(walk, receiver).type]) }
    }
    case "split_at":
    case "split_at_mut":
    case "split_first":
    case "split_first_mut":
      return splitOf(walk, receiver, /first/.test(name) ? undefined : first)
    case "next":
      return rest.length > 0 ? undefined : nextOf(walk, receiver)
    case "unwrap_or":
      if (first === undefined) return undefined
      // `check().unwrap_or(())` discards the result as `check().ok()` does.
      if (isUnit(successType(receiver.type)) || isUnit(first.type)) {
        const { failure: _, ...kept } = receiver
        return { ...kept, type: successType(receiver.type) }
      }
      // A struct is a record, or a new one in its place, as with `unwrap_or_default`: changes to it are changes to the
      // record.
      if (definitionOf(successType(receiver.type))?.kind === "struct")
        return { term: receiver.term, type: successType(receiver.type) }
      return { term: terms.choice([receiver.term, first.term]), type: successType(receiver.type) }
    default:
      return testMethod(walk, site, receiver, first) ?? closureMethod(walk, site, receiver, first)
  }
}
