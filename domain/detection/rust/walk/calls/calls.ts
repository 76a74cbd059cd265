import type { Value } from "../../terms/events.ts"
import { equality, generic, record } from "./followCall.ts"
import { lookUp } from "../values/names.ts"
import type { CallSite } from "../state/platform.ts"
import type { Expression } from "../../syntax/syntax.ts"
import { definitionOf, namedType, pointee, type RustType, unknownType } from "../../crate/types.ts"
import { canEnter, enter } from "../entering/enter.ts"
import { typeArgument } from "../state/typeArguments.ts"
import { runClosure } from "../entering/closures.ts"
import type { Walk } from "../state/walk.ts"

export const evaluateCall = (walk: Walk, node: Expression & { kind: "call" }): Value => {
  const { callee } = node
  if (callee.kind !== "path") {
    const value = walk.expression(callee)
    const args = node.args.map((one) => walk.expression(one))
    if (value.closure !== undefined) return runClosure(walk, value.closure, args)
    return walk.opaque([value.term, ...args.map((one) => one.term)])
  }
  const { path: written } = callee
  const name = written.segments.at(-1)?.name ?? ""
  const local = written.segments.length === 1 ? walk.local(name) : undefined
  const args = node.args.map((one) => walk.expression(one))
  if (walk.isDead) return { ...walk.unit, never: true }
  if (local?.closure !== undefined) return runClosure(walk, local.closure, args)
  if (local?.callee !== undefined && canEnter(walk, local.callee)) return enter(walk, local.callee, args, node)
  const [first] = args
  if ((name === "Ok" || name === "Some") && args.length === 1 && first !== undefined) {
    const { onSuccess: _, event: __, ...plain } = first
    return { ...plain, failure: false, type: namedType(name === "Ok" ? "Result" : "Option", [first.type]) }
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
    else if (/^(try_)?from$/.test(name) && first !== undefined && selfType.kind === "named") {
      const given = definitionOf(pointee(first.type))
      if (given !== undefined) target = walk.resolver.conversionInto(given, selfType.name)
    }
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
  // Hints to the compiler.
  if (first !== undefined && args.length === 1 && /(^|::)(un)?likely$/.test(path) && target === undefined) return first
  if (first !== undefined && /(^|::)(mem::(take|replace)|convert::identity|(Arc|Box|Rc|RefCell|Cell)::new)$/.test(path))
    return { term: first.term, type: first.type }
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
    () =>
      walk.semantics.call?.(site, walk) ?? mappedView(walk, site) ?? equality(walk, name, args) ?? generic(walk, site),
  )
}

/** `RefMut::map(bytes, |all| …)`: the view, or views, that the closure or a function makes of what is borrowed. */
const mappedView = (walk: Walk, site: CallSite): Value | undefined => {
  const [borrowed, view] = site.args
  if (!/(^|::)(Ref|RefMut)::map(_split)?$/.test(site.path) || borrowed === undefined) return undefined
  const given = { ...borrowed, type: pointee(borrowed.type) }
  if (view?.closure !== undefined) return runClosure(walk, view.closure, [given])
  return view?.callee !== undefined && canEnter(walk, view.callee)
    ? enter(walk, view.callee, [given], site.node)
    : undefined
}

/** `T` of `T::f`, if it names a type. */
const prefixType = (walk: Walk, node: Expression & { kind: "call" }): RustType | undefined => {
  if (node.callee.kind !== "path") return undefined
  const { path } = node.callee
  if (path.selfType !== undefined) return walk.type(path.selfType)
  const prefix = path.segments.slice(0, -1)
  const last = prefix.at(-1)
  if (last === undefined || !/^[A-Z]|^[iu]\d+$|^[iu]size$/.test(last.name)) return undefined
  const given = prefix.length === 1 ? typeArgument(walk, walk.frame, last.name) : undefined
  if (given !== undefined) return given
  const { start, end } = path
  const { prefixes } = walk.resolver
  let type = prefixes.get(path)
  if (type === undefined)
    prefixes.set(path, (type = { start, end, kind: "path", path: { start, end, segments: prefix } }))
  return walk.type(type)
}
