import type { FunctionDefinition } from "../../crate/crate.ts"
import { anyOption } from "../../crate/resolve.ts"
import { dereferenced } from "../values/dereference.ts"
import type { Value } from "../../terms/events.ts"
import { joinBranches, walkBranch } from "../control/branching.ts"
import { equality, generic, record } from "./followCall.ts"
import type { CallSite } from "../state/platform.ts"
import { standardMethod } from "./standardMethods.ts"
import type { MethodCall } from "../../syntax/syntax.ts"
import { definitionOf, pointee, selfTypeOf, successType } from "../../crate/types.ts"
import type { Walk } from "../state/walk.ts"

/** What a method of a trait object may run. */
const implementations = (walk: Walk, receiver: Value, method: string): ReadonlyArray<FunctionDefinition> => {
  const type = pointee(successType(receiver.type))
  return type.kind === "named" && type.definition === undefined
    ? walk.resolver.implementations(type.name, method, walk.frame.function.module.crate)
    : []
}

const methodTarget = (walk: Walk, receiver: Value, node: MethodCall): FunctionDefinition | undefined => {
  const type = pointee(successType(receiver.type))
  // Of a type parameter, the value tells which type it is.
  const made = receiver.term.kind === "struct" ? receiver.term.definition : undefined
  const definition = definitionOf(type) ?? made
  if (definition !== undefined) {
    const method = walk.resolver.method(definition, node.method)
    if (method !== undefined) return method
    if (/^(try_)?into$/.test(node.method)) return walk.resolver.conversion(definition)
  }
  if (type.kind === "named") {
    const added = walk.resolver.extensionMethod(type.name, type.args, node.method, walk.frame.function.module.crate)
    if (added !== undefined) return added
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

const called = (walk: Walk, site: CallSite): Value => {
  const known = walk.semantics.call?.(site, walk)
  if (known !== undefined) return record(walk, site, () => known)
  const { target, name, args } = site
  if (target !== undefined) return record(walk, site, () => generic(walk, site))
  return (
    standardMethod(walk, site, args[0]!, args.slice(1)) ??
    record(walk, site, () => equality(walk, name, args) ?? generic(walk, site))
  )
}

/** A call that runs one of some functions, as one of the arms of a match does. */
const calledOneOf = (walk: Walk, site: CallSite, targets: ReadonlyArray<FunctionDefinition>): Value => {
  const [receiver = walk.unit, ...rest] = site.args
  return joinBranches(
    walk,
    targets.map((target) => {
      const type = target.owner?.kind === "impl" ? selfTypeOf(walk.resolver, target.owner) : undefined
      const args = [{ ...receiver, type: type ?? receiver.type }, ...rest]
      return walkBranch(walk, () => called(walk, { ...site, target, args }))
    }),
  )
}

/** Methods that a struct has from a derive, or that every type has. */
const ofEveryStruct =
  /^(?:clone|eq|ne|cmp|partial_cmp|hash|fmt|into|try_into|borrow|to_owned|serialize|try_to_vec|exit|to_account_(?:infos|metas))$/

/** What a method is called on: a struct of the project without the method can only mean what it dereferences to. */
const receiverOf = (walk: Walk, written: Value, method: string): Value =>
  dereferenced(walk, written, (one) =>
    one === undefined ? !ofEveryStruct.test(method) : walk.resolver.method(one, method) !== undefined,
  ) ?? written

export const evaluateMethod = (walk: Walk, node: MethodCall): Value => {
  const written = walk.expression(node.receiver)
  const receiver = receiverOf(walk, written, node.method)
  const rest = node.args.map((one) => walk.expression(one))
  if (walk.isDead) return { ...walk.unit, never: true }
  const possible = implementations(walk, receiver, node.method)
  const site: CallSite = {
    name: node.method,
    path: "",
    method: true,
    args: [receiver, ...rest],
    nodes: [node.receiver, ...node.args],
    generics: node.generics,
    selfType: undefined,
    target: methodTarget(walk, receiver, node),
    node,
  }
  return possible.length > 0 ? calledOneOf(walk, site, possible) : called(walk, site)
}
