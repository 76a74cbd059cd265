import { type CallEvent, examined, type Value } from "./events.ts"
import type { FunctionDefinition } from "./crate.ts"
import { dereferenced } from "./dereference.ts"
import { lookUp } from "./names.ts"
import {
  comparingMacros,
  divergingMacros,
  elementClosures,
  equalityFunctions,
  errorMacros,
  keepsOutcome,
  numericMethod,
  outcomeClosures,
  requireMacros,
  resultOfMethod,
  transparentMethods,
  unwrappingMethods,
} from "./std.ts"
import type { Expression, MacroCall, MethodCall } from "./syntax.ts"
import { bindPattern } from "./patterns.ts"
import type { Term } from "./terms.ts"
import {
  definitionOf,
  elementType,
  isNamed,
  isOutcome,
  isScalar,
  namedType,
  pointee,
  type RustType,
  substitute,
  successType,
  unknownType,
} from "./types.ts"
import type { CallSite, Walk } from "./walk.ts"

const record = (walk: Walk, site: CallSite, result: () => Value): Value => {
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
  const value = result()
  event.result = value
  return { ...value, event }
}

/** Closures that nothing else ran run once on unknown values, so that what they do is seen. */
const runClosures = (walk: Walk, site: CallSite, input: Value | undefined): Value | undefined => {
  let last: Value | undefined
  for (const { closure } of site.args) {
    if (closure === undefined) continue
    const { value } = walk.branch(() => {
      const result = walk.runClosure(closure, input === undefined ? [] : [input])
      return result
    })
    last = value
  }
  return last
}

/** A predicate such as `keys_eq(a, b)`; what it says becomes a comparison. */
const equality = (walk: Walk, name: string, args: ReadonlyArray<Value>): Value | undefined => {
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
  if (!walk.canEnter(target)) return false
  const { start, end } = target.item
  return end - start < 700 || site.args.length === 0 || site.args.some((one) => !isScalar(one.type))
}

const declaredResult = (walk: Walk, target: FunctionDefinition): RustType => walk.typeIn(target, target.item.result)

/** `load::<Vault>(bytes)`: the type that the caller names stands for the function's own parameter. */
const instantiated = (walk: Walk, site: CallSite, target: FunctionDefinition, value: Value): Value => {
  const { generics } = target.item
  if (site.generics.length === 0 || generics.length === 0) return value
  const type = substitute(
    value.type,
    generics,
    site.generics.map((one) => walk.type(one)),
  )
  const inner = successType(type)
  const cast = walk.semantics.cast?.({ ...value, type: inner }, inner, site.node, walk)
  return { ...value, type, ...(cast === undefined ? {} : { term: cast.term }) }
}

/** A call that no model knows: followed into the project, or a term of its own. */
const generic = (walk: Walk, site: CallSite): Value => {
  const { target } = site
  if (target !== undefined && worthEntering(walk, site, target))
    return instantiated(walk, site, target, walk.enter(target, site.args, site.node))
  const input =
    site.method && site.args[0] !== undefined
      ? elementClosures.has(site.name) && !isOutcome(site.args[0].type)
        ? walk.elementOf(site.args[0])
        : { ...site.args[0], type: successType(site.args[0].type) }
      : undefined
  const closed = runClosures(walk, site, input)
  const terms = site.args.filter((one) => one.closure === undefined).map((one) => one.term)
  const term = walk.terms.call(site.name, site.path, closed === undefined ? terms : [...terms, closed.term], target)
  const type = target === undefined ? guessType(walk, site) : declaredResult(walk, target)
  return { term, type, onSuccess: closed?.onSuccess ?? [] }
}

const isUnit = (type: RustType): boolean => type.kind === "tuple" && type.elements.length === 0

const constructors =
  /^(new\w*|default|from\w*|try_from\w*|zero|one|max|min|percent|permille|unchecked|deserialize|load\w*|unpack\w*|with_\w+|get|deserialize_unchecked|try_deserialize\w*)$/

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
      return namedType("Option", [walk.elementOf(receiver).type])
    if (site.name === "parse" && site.generics[0] !== undefined) return walk.type(site.generics[0])
  }
  return unknownType
}

export const evaluateCall = (walk: Walk, node: Expression & { kind: "call" }): Value => {
  const { callee } = node
  if (callee.kind !== "path") {
    const value = walk.expression(callee)
    const args = node.args.map((one) => walk.expression(one))
    if (value.closure !== undefined) return walk.runClosure(value.closure, args)
    return walk.opaque([value.term, ...args.map((one) => one.term)])
  }
  const { path: written } = callee
  const name = written.segments.at(-1)?.name ?? ""
  const local = written.segments.length === 1 ? walk.local(name) : undefined
  const args = node.args.map((one) => walk.expression(one))
  if (walk.isDead) return { ...walk.unit, never: true }
  if (local?.closure !== undefined) return walk.runClosure(local.closure, args)
  if (local?.callee !== undefined && walk.canEnter(local.callee)) return walk.enter(local.callee, args, node)
  const [first] = args
  if ((name === "Ok" || name === "Some") && args.length === 1 && first !== undefined) {
    const { onSuccess: _, failure: __, event: ___, ...plain } = first
    return { ...plain, type: namedType(name === "Ok" ? "Result" : "Option", [first.type]) }
  }
  if (name === "Err")
    return {
      term: walk.terms.call(
        "Err",
        "Err",
        args.map((one) => one.term),
      ),
      type: namedType("Result", [unknownType]),
      failure: true,
    }

  const found = written.selfType === undefined ? lookUp(walk, written) : undefined
  const definition = found?.definition
  const selfType = prefixType(walk, node)
  let target = definition?.kind === "function" ? definition : undefined
  if (target === undefined && selfType !== undefined) {
    const type = definitionOf(selfType)
    if (type !== undefined)
      target = walk.resolver.method(
        type,
        name,
        written.selfType === undefined ? undefined : written.segments.at(-2)?.name,
      )
  }
  const path = found?.path ?? written.segments.map((one) => one.name).join("::")
  if (definition?.kind === "variant" || definition?.kind === "struct") {
    const of = definition.kind === "variant" ? definition.enum : definition
    const term = walk.terms.struct(
      path,
      args.map((one, index) => [String(index), one.term] as const),
      undefined,
      of,
    )
    const value: Value = { term, type: { kind: "named", name: of.name, path: of.name, definition: of, args: [] } }
    walk.emit({ ...walk.at(node), kind: "struct", value })
    return value
  }
  if (selfType?.kind === "named" && selfType.name === "Vec" && (name === "new" || name === "with_capacity"))
    return {
      term: walk.terms.list([], false),
      type: selfType.args.length > 0 ? selfType : namedType("Vec", [unknownType]),
    }
  // Hints for the compiler.
  if (first !== undefined && args.length === 1 && /(^|::)(un)?likely$/.test(path) && target === undefined) return first
  if (first !== undefined && /(^|::)mem::(take|replace)$/.test(path)) return { term: first.term, type: first.type }
  const site: CallSite = {
    name,
    path,
    method: false,
    args,
    nodes: node.args,
    generics: written.segments.at(-1)?.generics ?? [],
    selfType,
    target,
    node,
  }
  return record(
    walk,
    site,
    () => walk.semantics.call?.(site, walk) ?? equality(walk, name, args) ?? generic(walk, site),
  )
}

/** `T` of `T::f`, where it names a type. */
const prefixType = (walk: Walk, node: Expression & { kind: "call" }): RustType | undefined => {
  if (node.callee.kind !== "path") return undefined
  const { path } = node.callee
  if (path.selfType !== undefined) return walk.type(path.selfType)
  const prefix = path.segments.slice(0, -1)
  const last = prefix.at(-1)
  if (last === undefined || !/^[A-Z]|^[iu]\d+$|^[iu]size$/.test(last.name)) return undefined
  return walk.type({
    start: path.start,
    end: path.end,
    kind: "path",
    path: { start: path.start, end: path.end, segments: prefix },
  })
}

const methodTarget = (walk: Walk, receiver: Value, node: MethodCall): FunctionDefinition | undefined => {
  const type = pointee(successType(receiver.type))
  const definition = definitionOf(type)
  if (definition !== undefined) {
    const method = walk.resolver.method(definition, node.method)
    if (method !== undefined) return method
    if (/^(try_)?into$/.test(node.method) && node.args.length === 0) return walk.resolver.conversion(definition)
  }
  if (type.kind === "named") {
    const added = walk.resolver.extensionMethod(type.name, node.method, walk.frame.function.module.crate)
    if (added !== undefined) return added
    for (const arg of type.args) {
      const inner = definitionOf(arg)
      const method = inner === undefined ? undefined : walk.resolver.method(inner, node.method)
      if (method !== undefined) return method
    }
  }
  if (type.kind !== "unknown") return undefined
  // An unknown receiver: the one method of that name and arity in the crate, if there is only one.
  const matching = walk.frame.function.module.crate.functions.filter(
    (one) =>
      one.name === node.method &&
      one.item.self !== undefined &&
      one.item.parameters.length === node.args.length &&
      one.item.body !== undefined,
  )
  return matching.length === 1 && node.method.length > 3 ? matching[0] : undefined
}

export const evaluateMethod = (walk: Walk, node: MethodCall): Value => {
  const written = walk.expression(node.receiver)
  if (walk.isDead) return { ...walk.unit, never: true }
  const receiver =
    dereferenced(walk, written, (struct) => walk.resolver.method(struct, node.method) !== undefined) ?? written
  const rest = node.args.map((one) => walk.expression(one))
  if (walk.isDead) return { ...walk.unit, never: true }
  const args = [receiver, ...rest]
  const { method: name } = node
  const target = methodTarget(walk, receiver, node)
  const site: CallSite = {
    name,
    path: "",
    method: true,
    args,
    nodes: [node.receiver, ...node.args],
    generics: node.generics,
    selfType: undefined,
    target,
    node,
  }
  const known = walk.semantics.call?.(site, walk)
  if (known !== undefined) return record(walk, site, () => known)
  if (target === undefined) {
    const standard = standardMethod(walk, site, receiver, rest)
    if (standard !== undefined) return standard
  }
  return record(
    walk,
    site,
    () => (target === undefined ? equality(walk, name, args) : undefined) ?? generic(walk, site),
  )
}

/** A local list that grows: what was pushed is an element of it. */
const grow = (walk: Walk, site: CallSite, receiver: Value, added: Value | undefined): Value | undefined => {
  if (!/^(push|push_back|extend|append|extend_from_slice)$/.test(site.name) || added === undefined) return undefined
  const [node] = site.nodes
  if (node?.kind !== "path" || node.path.segments.length !== 1) return undefined
  const name = node.path.segments[0]!.name
  if (walk.local(name) === undefined) return undefined
  // Bytes put together, such as seeds: what they are made of is all that matters.
  if (receiver.term.kind !== "list" && isNamed(elementType(receiver.type), "u8")) {
    const parts =
      receiver.term.kind === "call" && receiver.term.name === "concat" ? receiver.term.args : [receiver.term]
    if (parts.length > 32) return undefined
    walk.assign(name, { ...receiver, term: walk.terms.call("concat", "", [...parts, added.term]) })
    return walk.unit
  }
  if (receiver.term.kind !== "list" || receiver.term.elements.length > 32) return undefined
  const element = site.name.startsWith("push") ? added.term : walk.elementOf(added).term
  const type =
    receiver.type.kind === "named" && receiver.type.args[0]?.kind === "unknown"
      ? { ...receiver.type, args: [added.type] }
      : receiver.type
  walk.assign(name, { term: walk.terms.list([...receiver.term.elements, element], false), type })
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

const standardMethod = (walk: Walk, site: CallSite, receiver: Value, rest: ReadonlyArray<Value>): Value | undefined => {
  const { terms } = walk
  const { name } = site
  const [first] = rest
  if (unwrappingMethods.has(name)) {
    if (receiver.event !== undefined) receiver.event.handled = true
    const value = record(walk, site, () => ({ term: receiver.term, type: successType(receiver.type) }))
    if (receiver.failure === true) walk.die("failure")
    walk.learn(receiver.onSuccess ?? [])
    return { term: value.term, type: value.type }
  }
  if (transparentMethods.has(name)) {
    for (const one of rest) if (one.closure !== undefined) runClosures(walk, site, undefined)
    if (keepsOutcome.has(name))
      return {
        ...receiver,
        ...(name === "ok_or" || name === "ok_or_else"
          ? { type: namedType("Result", [successType(receiver.type)]) }
          : {}),
      }
    const { failure: _, ...kept } = receiver
    return {
      ...kept,
      type:
        name === "unwrap_or_else" || name === "unwrap_or_default" ? successType(receiver.type) : pointee(receiver.type),
    }
  }
  const grown = grow(walk, site, receiver, first)
  if (grown !== undefined) return grown
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
      // An array or slice as it was written; a `Vec` may have grown.
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
    case "collect": {
      const generics = site.generics[0]
      return walk.gathered(receiver, generics === undefined ? receiver.type : walk.type(generics))
    }
    case "get":
    case "first": {
      const index = name === "first" ? 0 : first?.term.kind === "literal" ? Number(first.term.value) : undefined
      if (receiver.type.kind !== "list" && (receiver.type.kind !== "named" || !receiver.type.name.startsWith("Vec")))
        return undefined
      return { term: terms.element(receiver.term, index), type: namedType("Option", [walk.elementOf(receiver).type]) }
    }
    case "split_at":
      if (first === undefined) return undefined
      return {
        term: terms.list([receiver.term, terms.call("slice", "", [receiver.term, first.term])], true),
        type: { kind: "tuple", elements: [receiver.type, receiver.type] },
      }
    case "next":
      if (rest.length > 0) return undefined
      return { term: walk.advance(receiver.term), type: namedType("Option", [walk.elementOf(receiver).type]) }
    case "unwrap_or":
      if (first === undefined) return undefined
      // `check().unwrap_or(())` drops the answer as `check().ok()` does.
      if (isUnit(successType(receiver.type)) || isUnit(first.type)) {
        const { failure: _, ...kept } = receiver
        return { ...kept, type: successType(receiver.type) }
      }
      // A struct is a record or a fresh one in its place, as with `unwrap_or_default`: what is done to it is done to the record.
      if (definitionOf(successType(receiver.type))?.kind === "struct")
        return { term: receiver.term, type: successType(receiver.type) }
      return { term: terms.choice([receiver.term, first.term]), type: successType(receiver.type) }
    case "fold":
    case "try_fold": {
      const closure = site.args[2]?.closure
      if (first === undefined || closure === undefined) return undefined
      const element = walk.elementOf(receiver)
      const { value } = walk.branch(() => walk.runClosure(closure, [first, element]), undefined, true)
      return {
        term: terms.call(name, "", [receiver.term, first.term, value.term]),
        type: name === "fold" && first.type.kind !== "unknown" ? first.type : value.type,
      }
    }
    case "all": {
      if (first?.closure === undefined) return undefined
      const { closure } = first
      const { value } = walk.branch(() => walk.runClosure(closure, [walk.elementOf(receiver)]), undefined, true)
      const term = terms.call("all", "", [receiver.term, value.term])
      walk.implied.set(term, { whenTrue: walk.consequences(value.term, true), whenFalse: [] })
      return { term, type: namedType("bool") }
    }
    case "for_each":
    case "try_for_each": {
      if (first?.closure === undefined) return undefined
      const { closure } = first
      const element = walk.elementOf(receiver)
      const { value, state } = walk.branch(() => walk.runClosure(closure, [element]), undefined, true)
      return {
        term: terms.call(name, "", [receiver.term]),
        type: value.type,
        onSuccess: [...state.facts, ...(value.onSuccess ?? [])],
      }
    }
    case "and_then":
    case "map": {
      const read = name === "map" ? numberFrom(walk, site) : undefined
      if (read !== undefined) return read
      if (first?.closure === undefined) return undefined
      const { closure } = first
      const overOutcome = isOutcome(receiver.type) || (name === "and_then" && outcomeClosures.has(name))
      const input = overOutcome ? { term: receiver.term, type: successType(receiver.type) } : walk.elementOf(receiver)
      const { value, state } = walk.branch(
        () => {
          if (overOutcome) walk.learn(receiver.onSuccess ?? [])
          return walk.runClosure(closure, [input])
        },
        undefined,
        !overOutcome,
      )
      const onSuccess = [...(receiver.onSuccess ?? []), ...state.facts, ...(value.onSuccess ?? [])]
      if (overOutcome)
        return { term: value.term, type: name === "map" ? namedType("Option", [value.type]) : value.type, onSuccess }
      return { term: terms.call("mapped", "", [value.term]), type: { kind: "list", element: value.type }, onSuccess }
    }
    default:
      return undefined
  }
}

export const evaluateMacro = (walk: Walk, node: MacroCall): Value => {
  const { name } = node
  const { terms } = walk
  if (name === "vec") {
    const values = node.args.map((one) => walk.expression(one))
    const element = values.find((one) => one.type.kind !== "unknown")?.type ?? unknownType
    const items = values.map((one) => one.term)
    const type: RustType = namedType("Vec", [element])
    return { term: node.repeat ? terms.call("repeat", "", items) : terms.list(items, false), type }
  }
  if (name === "matches") {
    const value = node.args[0] === undefined ? walk.opaque([]) : walk.expression(node.args[0])
    if (node.pattern === undefined) return walk.opaque([value.term], namedType("bool"))
    const facts = [...bindPattern(walk, node.pattern, value)]
    if (node.guard !== undefined) facts.push(walk.condition(node.guard))
    let all: Term | undefined
    for (const one of facts) all = all === undefined ? one : terms.binary("&&", all, one)
    return { term: all ?? terms.literal("boolean", "true"), type: namedType("bool") }
  }
  const comparing = comparingMacros[name]
  const [first, second] = node.args
  const rest = (from: number) => node.args.slice(from).map((one) => walk.expression(one))
  if (comparing !== undefined && first !== undefined && second !== undefined) {
    const left = walk.expression(first)
    const right = walk.expression(second)
    if (walk.isDead) return { ...walk.unit, never: true }
    const fact = terms.binary(comparing, left.term, right.term)
    if (!name.startsWith("debug_")) {
      walk.assume(fact, true)
      walk.emit({ ...walk.at(node), kind: "check", conditions: [fact] })
    }
    return walk.unit
  }
  if ((requireMacros.has(name) || /^(require|ensure|assert)_/.test(name)) && first !== undefined) {
    const condition = walk.condition(first)
    if (walk.isDead) return { ...walk.unit, never: true }
    if (!name.startsWith("debug_")) {
      walk.emit({ ...walk.at(node), kind: "check", conditions: walk.consequences(condition, true) })
      walk.assume(condition, true)
    }
    return walk.unit
  }
  const args = rest(0)
  if (walk.isDead) return { ...walk.unit, never: true }
  const path = `${lookUp(walk, node.path).path}!`
  const site: CallSite = {
    name: `${name}!`,
    path,
    method: false,
    args,
    nodes: node.args,
    generics: [],
    selfType: undefined,
    target: undefined,
    node,
  }
  const result = record(walk, site, () => {
    const own = walk.semantics.call?.(site, walk)
    if (own !== undefined) return own
    const term = terms.call(
      `${name}!`,
      path,
      args.map((one) => one.term),
    )
    if (errorMacros.has(name)) return { term, type: namedType("Result", [unknownType]), failure: true }
    return { term, type: name === "format" ? namedType("String") : unknownType }
  })
  if (divergingMacros.has(name)) {
    walk.die("failure")
    return { ...walk.unit, never: true }
  }
  return result
}
