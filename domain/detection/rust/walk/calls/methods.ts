import type { FunctionDefinition } from "../../crate/crate.ts"
import { anyOption } from "../../crate/resolve.ts"
import { dereferenced } from "../values/dereference.ts"
import type { Value } from "../../terms/events.ts"
import { equality, generic, record } from "./followCall.ts"
import type { CallSite } from "../state/platform.ts"
import { standardMethod } from "./standardMethods.ts"
import type { MethodCall } from "../../syntax/syntax.ts"
import { definitionOf, pointee, successType } from "../../crate/types.ts"
import type { Walk } from "../state/walk.ts"

const methodTarget = (walk: Walk, receiver: Value, node: MethodCall): FunctionDefinition | undefined => {
  const type = pointee(successType(receiver.type))
  // Of a type parameter, the value tells which type it is.
  const made = receiver.term.kind === "struct" ? receiver.term.definition : undefined
  const definition = definitionOf(type) ?? (made?.kind === "struct" ? made : undefined)
  if (definition !== undefined) {
    const method = walk.resolver.method(definition, node.method)
    if (method !== undefined) return method
    if (/^(try_)?into$/.test(node.method) && node.args.length === 0) return walk.resolver.conversion(definition)
  }
  if (type.kind === "named") {
    const added = walk.resolver.extensionMethod(type.name, type.args, node.method, walk.frame.function.module.crate)
    if (added !== undefined) return added
    const only = definition === undefined ? walk.resolver.onlyImplementation(type.name, node.method) : undefined
    if (only?.item.self !== undefined) return only
    for (const arg of type.args) {
      const inner = definitionOf(arg)
      const method = inner === undefined ? undefined : walk.resolver.method(inner, node.method)
      // `STATE.load(storage)` on an `Item<State>` is not `State::load(storage)`, which takes no `self`.
      if (method?.item.self !== undefined && method.item.parameters.length === node.args.length) return method
    }
    const ofAny = walk.resolver.extensionMethod(anyOption, [], node.method, walk.frame.function.module.crate)
    if (ofAny !== undefined) return ofAny
  }
  if (type.kind !== "unknown") return undefined
  // For an unknown receiver: the method of that name and arity in the crate, if there is only one.
  return node.method.length > 3
    ? walk.resolver.onlyMethod(walk.frame.function.module.crate, node.method, node.args.length)
    : undefined
}

export const evaluateMethod = (walk: Walk, node: MethodCall): Value => {
  const written = walk.expression(node.receiver)
  if (walk.isDead) return { ...walk.unit, never: true }
  // A wrapper without the method dereferences to a value that has it, also of a type without source: `Account<'_, T>`.
  const holder = dereferenced(
    walk,
    written,
    (one) => one === undefined || walk.resolver.method(one, node.method) !== undefined,
  )
  const target = methodTarget(walk, holder ?? written, node)
  const receiver = target === undefined ? written : (holder ?? written)
  const rest = node.args.map((one) => walk.expression(one))
  if (walk.isDead) return { ...walk.unit, never: true }
  const args = [receiver, ...rest]
  const { method: name } = node
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
