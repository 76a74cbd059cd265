import { examined, type Value } from "./events.ts"
import { dereferenced } from "./dereference.ts"
import { lookUp } from "./names.ts"
import { evaluateCall, evaluateMacro, evaluateMethod } from "./calls.ts"
import { selectedVariant } from "./patterns.ts"
import { arithmetic, comparisons } from "./std.ts"
import type { Expression, MatchArm } from "./syntax.ts"
import type { Term } from "./terms.ts"
import {
  definitionOf,
  elementType,
  fieldType,
  integerBits,
  namedType,
  pointee,
  successType,
  unknownType,
} from "./types.ts"
import type { Walk } from "./walk.ts"

const assignedIn = new WeakMap<object, ReadonlySet<string>>()

/** Names of locals that a loop's body assigns. */
const assignments = (body: object): ReadonlySet<string> => {
  const known = assignedIn.get(body)
  if (known !== undefined) return known
  const names = new Set<string>()
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return
    if (Array.isArray(node)) {
      for (const one of node) visit(one)
      return
    }
    const one = node as { kind?: string; left?: Expression; operand?: Expression; mutable?: boolean } // any node of the tree
    const target = one.kind === "assign" ? one.left : undefined
    if (target?.kind === "path" && target.path.segments.length === 1) names.add(target.path.segments[0]!.name)
    for (const value of Object.values(node)) if (typeof value === "object") visit(value)
  }
  visit(body)
  assignedIn.set(body, names)
  return names
}

const evaluatePath = (walk: Walk, node: Expression & { kind: "path" }): Value => {
  const { segments, selfType } = node.path
  const [only] = segments
  if (segments.length === 1 && only !== undefined) {
    const local = walk.local(only.name)
    if (local !== undefined) return local
    if (only.name === "None")
      return { term: walk.terms.constant("None"), type: namedType("Option", [unknownType]), failure: true }
  }
  if (selfType !== undefined)
    return { term: walk.terms.constant(segments.map((one) => one.name).join("::")), type: unknownType }
  const { path, definition } = lookUp(walk, node.path)
  if (definition?.kind === "const") {
    const type = walk.typeIn({ module: definition.module }, definition.item.type)
    return { term: walk.terms.constant(path, definition), type }
  }
  if (definition?.kind === "variant")
    return {
      term: walk.terms.constant(path),
      type: {
        kind: "named",
        name: definition.enum.name,
        path: definition.enum.name,
        definition: definition.enum,
        args: [],
      },
    }
  if (definition?.kind === "struct" || definition?.kind === "enum")
    return {
      term: walk.terms.constant(path),
      type: { kind: "named", name: definition.name, path: definition.name, definition, args: [] },
    }
  if (definition?.kind === "function") return { term: walk.terms.constant(path), type: unknownType, callee: definition }
  return { term: walk.terms.constant(path), type: unknownType }
}

/** Fields of structs and of what smart pointers hold; models know those of their platform's types. */
export const evaluateField = (walk: Walk, base: Value, name: string): Value => {
  const known = walk.semantics.field?.(base, name, walk)
  if (known !== undefined) return known
  if (base.type.kind === "tuple")
    return { term: walk.terms.field(base.term, name), type: base.type.elements[Number(name)] ?? unknownType }
  return { term: walk.terms.field(base.term, name), type: fieldType(walk.resolver, successType(base.type), name) }
}

const assign = (walk: Walk, node: Expression & { kind: "assign" }): Value => {
  const value = walk.expression(node.right)
  if (walk.isDead) return { ...walk.unit, never: true }
  const { left, operator } = node
  if (left.kind === "path" && left.path.segments.length === 1) {
    const name = left.path.segments[0]!.name
    const old = walk.local(name)
    if (old !== undefined) {
      const term = operator === "=" ? value.term : walk.terms.binary(operator, old.term, value.term)
      if (operator !== "=" && arithmetic.has(operator))
        walk.emit({ ...walk.at(node), kind: "operation", operator, left: old, right: value, type: old.type })
      walk.assign(name, { term, type: old.type.kind === "unknown" ? value.type : old.type })
      return walk.unit
    }
  }
  if (left.kind === "tuple" && operator === "=") {
    for (const [index, part] of left.elements.entries())
      if (part.kind === "path" && part.path.segments.length === 1)
        walk.assign(part.path.segments[0]!.name, {
          term: walk.terms.field(value.term, String(index)),
          type: unknownType,
        })
    return walk.unit
  }
  const target = walk.expression(left)
  if (operator !== "=" && arithmetic.has(operator))
    walk.emit({ ...walk.at(node), kind: "operation", operator, left: target, right: value, type: target.type })
  walk.emit({ ...walk.at(node), kind: "assign", target, value, operator })
  // A struct built in this function and changed afterwards: later reads see the new field.
  if (left.kind === "field" && left.base.kind === "path" && left.base.path.segments.length === 1 && operator === "=") {
    const name = left.base.path.segments[0]!.name
    const old = walk.local(name)
    if (old?.term.kind === "struct") {
      const { path, fields, base, definition } = old.term
      const changed = [...fields.filter(([field]) => field !== left.name), [left.name, value.term] as const]
      walk.assign(name, { ...old, term: walk.terms.struct(path, changed, base, definition) })
    }
  }
  return walk.unit
}

const evaluateStruct = (walk: Walk, node: Expression & { kind: "struct" }): Value => {
  const { path, definition } = lookUp(walk, node.path)
  const fields = node.fields.map((field) => [field.name, walk.expression(field.value).term] as const)
  const base = node.base === undefined ? undefined : walk.expression(node.base).term
  const of =
    definition?.kind === "variant"
      ? definition.enum
      : definition?.kind === "struct" || definition?.kind === "enum"
        ? definition
        : undefined
  const term = walk.terms.struct(path, fields, base, of)
  const name = of?.name ?? path.slice(path.lastIndexOf(":") + 1)
  const value: Value = {
    term,
    type: { kind: "named", name, path, args: [], ...(of === undefined ? {} : { definition: of }) },
  }
  walk.emit({ ...walk.at(node), kind: "struct", value })
  return value
}

/** The arms that a match can take: where the value is one variant written in the text, the arm for it. */
const reachable = (walk: Walk, node: Expression & { kind: "match" }, value: Value): ReadonlyArray<MatchArm> => {
  const definition = definitionOf(value.type)
  if (value.term.kind !== "constant" || definition?.kind !== "enum") return node.arms
  const { name } = value.term
  if (!definition.item.variants.some((one) => one.name === name)) return node.arms
  const open = node.arms.filter(({ pattern }) => {
    const [fact, ...rest] = walk.patternFacts(pattern, value)
    if (fact?.kind !== "is" || rest.length > 0) return true
    return fact.variant.slice(fact.variant.lastIndexOf(":") + 1) === name
  })
  return open.length === 0 ? node.arms : open
}

const evaluateMatch = (walk: Walk, node: Expression & { kind: "match" }, tail: boolean): Value => {
  const value = walk.expression(node.value)
  if (walk.isDead) return { ...walk.unit, never: true }
  if (value.event !== undefined) examined(value.event)
  const earlier: Array<Term> = []
  let failing = 0
  let goingOn: ReadonlyArray<Term> | undefined
  const branches = reachable(walk, node, value).map((arm) => {
    const facts = walk.patternFacts(arm.pattern, value)
    const variant = selectedVariant(walk, arm.pattern)
    const branch = walk.branch(
      () => {
        walk.learn(facts.length === 0 ? earlier : facts.flatMap((fact) => walk.consequences(fact, true)))
        walk.bindPattern(arm.pattern, value)
        if (arm.guard !== undefined) walk.assume(walk.condition(arm.guard), true)
        if (!tail) return walk.expression(arm.body)
        walk.returnValue(arm.body)
        return { ...walk.unit, never: true }
      },
      variant === undefined ? undefined : { value: value.term, variant, node: arm },
    )
    if (branch.state.dead === "failure" || (branch.state.dead === false && branch.value.failure === true)) failing++
    else goingOn = goingOn === undefined ? facts : []
    const [first] = facts
    if (arm.guard === undefined && facts.length === 1 && first !== undefined) earlier.push(walk.terms.not(first))
    return branch
  })
  if (failing > 0 && failing < node.arms.length)
    walk.emit({ ...walk.at(node.value), kind: "check", conditions: goingOn ?? [] })
  return walk.join(branches)
}

const evaluateLoop = (walk: Walk, node: Expression & { kind: "for" | "while" | "loop" }): Value => {
  const changed = assignments(node.body)
  if (node.kind === "for") {
    const list = walk.expression(node.iterable)
    const element = walk.elementOf(list)
    walk.loop(changed, element.term, false, () => {
      walk.bindPattern(node.pattern, element)
      walk.block(node.body)
    })
    return walk.unit
  }
  walk.loop(changed, undefined, node.kind === "loop", () => {
    if (node.kind === "while") walk.assume(walk.condition(node.condition), true)
    walk.block(node.body)
  })
  return node.kind === "loop" ? walk.opaque([]) : walk.unit
}

const literalType = (node: Expression & { kind: "literal" }) => {
  switch (node.type) {
    case "integer":
    case "float":
      return node.suffix === undefined ? unknownType : namedType(node.suffix)
    case "boolean":
      return namedType("bool")
    case "string":
      return namedType("str")
    case "char":
      return namedType("char")
    case "byte":
      return namedType("u8")
    default:
      return { kind: "list", element: namedType("u8") } as const
  }
}

const evaluateBinary = (walk: Walk, node: Expression & { kind: "binary" }): Value => {
  const { operator } = node
  if (operator === "&&" || operator === "||") return { term: walk.condition(node), type: namedType("bool") }
  const left = walk.expression(node.left)
  const right = walk.expression(node.right)
  if (comparisons.has(operator))
    return { term: walk.terms.binary(operator, left.term, right.term), type: namedType("bool") }
  const shift = operator === "<<" || operator === ">>"
  const type = left.type.kind !== "unknown" || shift ? left.type : right.type
  const result = successType(type)
  if (arithmetic.has(operator)) walk.emit({ ...walk.at(node), kind: "operation", operator, left, right, type: result })
  return { term: walk.terms.binary(operator, left.term, right.term), type: result }
}

const literalIndex = (term: Term): number | undefined => {
  if (term.kind !== "literal" || term.type !== "integer") return undefined
  const index = Number(term.value)
  return Number.isSafeInteger(index) && index >= 0 ? index : undefined
}

const evaluateIndex = (walk: Walk, node: Expression & { kind: "index" }): Value => {
  const base = walk.expression(node.base)
  const { terms } = walk
  if (node.index.kind === "range") {
    const from = node.index.from === undefined ? terms.literal("integer", "0") : walk.expression(node.index.from).term
    const to = node.index.to === undefined ? [] : [walk.expression(node.index.to).term]
    walk.emit({
      ...walk.at(node),
      kind: "operation",
      operator: "[]",
      left: base,
      right: { term: from, type: namedType("usize") },
      type: base.type,
    })
    if (from === terms.literal("integer", "0") && to.length === 0) return base
    return { term: terms.call("slice", "", [base.term, from, ...to]), type: base.type }
  }
  const index = walk.expression(node.index)
  const type = elementType(base.type)
  walk.emit({ ...walk.at(node), kind: "operation", operator: "[]", left: base, right: index, type })
  return { term: terms.element(base.term, literalIndex(index.term)), type }
}

/** `seeds.is_empty()` where a caller passes `&[]`: one branch is never run. */
const booleanValue = (term: Term): boolean | undefined =>
  term.kind === "literal" && term.type === "boolean" ? term.value === "true" : undefined

/** What an expression stands for. `tail` makes each branch of an `if` or `match` a return of the function. */
export const evaluate = (walk: Walk, node: Expression, tail = false): Value => {
  const { terms } = walk
  switch (node.kind) {
    case "path":
      return evaluatePath(walk, node)
    case "literal":
      return { term: terms.literal(node.type, node.value), type: literalType(node) }
    case "call":
      return evaluateCall(walk, node)
    case "methodCall":
      return evaluateMethod(walk, node)
    case "macro":
      return evaluateMacro(walk, node)
    case "struct":
      return evaluateStruct(walk, node)
    case "closure":
      return { term: terms.opaque([]), type: unknownType, closure: node }
    case "block":
      return walk.block(node)
    case "field": {
      const base = walk.expression(node.base)
      walk.current = node
      const holder = dereferenced(walk, base, ({ item }) => item.fields.some(({ name }) => name === node.name))
      return evaluateField(walk, holder ?? base, node.name)
    }
    case "index":
      return evaluateIndex(walk, node)
    case "unary": {
      if (node.operator === "!") {
        const term = walk.condition(node.operand)
        return { term: terms.not(term), type: namedType("bool") }
      }
      const operand = walk.expression(node.operand)
      if (node.operator === "*") return { ...operand, type: pointee(operand.type) }
      walk.emit({
        ...walk.at(node),
        kind: "operation",
        operator: "-",
        left: operand,
        right: undefined,
        type: operand.type,
      })
      return { term: terms.call("neg", "", [operand.term]), type: operand.type }
    }
    case "reference":
      return walk.expression(node.operand)
    case "binary":
      return evaluateBinary(walk, node)
    case "assign":
      return assign(walk, node)
    case "cast": {
      const value = walk.expression(node.value)
      const type = walk.type(node.type)
      const known = walk.semantics.cast?.(value, type, node, walk)
      if (known !== undefined) return known
      if (integerBits(type) === undefined && !(type.kind === "named" && /^f(32|64)$/.test(type.name)))
        return { ...value, type: type.kind === "unknown" ? value.type : type }
      walk.emit({ ...walk.at(node), kind: "operation", operator: "as", left: value, right: undefined, type })
      return { term: terms.cast(value.term, type.kind === "named" ? type.name : ""), type }
    }
    case "try": {
      const value = walk.expression(node.value)
      if (walk.isDead) return value
      if (value.event !== undefined) value.event.handled = true
      if (value.failure === true) {
        walk.die("failure")
        return { ...walk.unit, never: true }
      }
      walk.learn(value.onSuccess ?? [])
      if (value.term.kind === "call") walk.learn([terms.succeeded(value.term)])
      return { term: value.term, type: successType(value.type) }
    }
    case "await":
      return walk.expression(node.value)
    case "range": {
      const from = node.from === undefined ? [] : [walk.expression(node.from).term]
      const to = node.to === undefined ? [] : [walk.expression(node.to).term]
      return { term: terms.call("range", "", [...from, ...to]), type: { kind: "list", element: namedType("usize") } }
    }
    case "tuple": {
      const values = node.elements.map((one) => walk.expression(one))
      return {
        term: terms.list(
          values.map((one) => one.term),
          true,
        ),
        type: { kind: "tuple", elements: values.map((one) => one.type) },
      }
    }
    case "array": {
      const values = node.elements.map((one) => walk.expression(one))
      const element = values.find((one) => one.type.kind !== "unknown")?.type ?? unknownType
      return {
        term: terms.list(
          values.map((one) => one.term),
          false,
        ),
        type: { kind: "list", element },
      }
    }
    case "repeat": {
      const value = walk.expression(node.value)
      const count = walk.expression(node.count)
      return { term: terms.call("repeat", "", [value.term, count.term]), type: { kind: "list", element: value.type } }
    }
    case "if": {
      const condition = walk.condition(node.condition)
      if (walk.isDead) return { ...walk.unit, never: true }
      const run = (part: Expression | undefined) => (): Value => {
        if (tail) {
          if (part === undefined) walk.exit(node, walk.unit)
          else walk.returnValue(part)
          return { ...walk.unit, never: true }
        }
        return part === undefined ? walk.unit : walk.expression(part)
      }
      const always = node.condition.kind === "methodCall" ? booleanValue(condition) : undefined
      if (always !== undefined) {
        const only = walk.branch(run(always ? node.then : node.otherwise))
        if (tail && only.state.dead !== false) {
          walk.die("return")
          return { ...walk.unit, never: true }
        }
        return walk.join([only])
      }
      return walk.decide(node.condition, condition, run(node.then), run(node.otherwise), tail)
    }
    case "let": {
      const term = walk.condition(node)
      return { term, type: namedType("bool") }
    }
    case "match":
      return evaluateMatch(walk, node, tail)
    case "for":
    case "while":
    case "loop":
      return evaluateLoop(walk, node)
    case "return":
      if (node.value === undefined) walk.exit(node, walk.unit)
      else walk.returnValue(node.value)
      return { ...walk.unit, never: true }
    case "break":
      if (node.value !== undefined) walk.expression(node.value)
      walk.breakLoop()
      return { ...walk.unit, never: true }
    case "continue":
      walk.die("jump")
      return { ...walk.unit, never: true }
    case "unknown":
      return walk.opaque([])
  }
}
