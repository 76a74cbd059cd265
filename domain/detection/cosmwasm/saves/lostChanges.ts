import type { FunctionDefinition } from "../../rust/crate/crate.ts"
import { nodesOf } from "../../rust/syntax/nodes.ts"
import type { Expression, MethodCall, Statement } from "../../rust/syntax/syntax.ts"

// Changes to a local variable that are lost: the wrong one of several copies is saved, or a sum is never used. Copies are
// a single term in the walk, so only the source text distinguishes them.

/** A change that is not stored, and what is stored instead. */
export interface LostChange {
  readonly node: Expression
  readonly kind: "other copy" | "sum"
}

type Assign = Extract<Expression, { readonly kind: "assign" }>

/** One variable of a function: where it is bound, used and changed. */
interface Local {
  bindings: number
  value: Expression | undefined
  readonly uses: Set<object>
  /** Uses that pass on or change a part of it. */
  readonly parts: Set<object>
  readonly changes: Array<Expression>
  readonly assigns: Array<Assign>
}

const changing = /^(push|push_back|push_front|pop|insert|remove|extend|retain|clear|truncate|append)$/
const unwrapping = /^(unwrap|expect|map_err|ok_or|ok_or_else|unwrap_or_default|clone|to_owned)$/

const nameOf = (node: Expression): string | undefined =>
  node.kind === "path" && node.path.segments.length === 1 ? node.path.segments[0]!.name : undefined

/** The variable that a place belongs to, as written in the source. */
const rootOf = (node: Expression): Expression => {
  let one = node
  while (one.kind === "field" || one.kind === "index") one = one.base
  return one
}

/** The call of `load` or `may_load` whose result this is, unmodified. */
const loadIn = (node: Expression | undefined): MethodCall | undefined => {
  let one = node
  while (one !== undefined) {
    if (one.kind === "try") one = one.value
    else if (one.kind === "methodCall" && unwrapping.test(one.method)) one = one.receiver
    else return one.kind === "methodCall" && /^(may_)?load$/.test(one.method) && one.args.length > 0 ? one : undefined
  }
  return undefined
}

const readLocals = (nodes: ReadonlyArray<Expression | Statement>): ReadonlyMap<string, Local> => {
  const locals = new Map<string, Local>()
  const local = (name: string): Local => {
    let known = locals.get(name)
    if (known === undefined)
      locals.set(
        name,
        (known = { bindings: 0, value: undefined, uses: new Set(), parts: new Set(), changes: [], assigns: [] }),
      )
    return known
  }
  const partly = (place: Expression, change: Expression | undefined): void => {
    const root = rootOf(place)
    const name = nameOf(root)
    if (name === undefined) return
    local(name).parts.add(root)
    if (change !== undefined) local(name).changes.push(change)
  }
  for (const node of nodes) {
    const kind: string = node.kind // patterns are among the nodes
    if (kind === "binding") local((node as unknown as { readonly name: string }).name).bindings++ // of a binding
    else if (node.kind === "let") {
      const { pattern, value } = node
      if (pattern.kind === "binding") local(pattern.name).value = value
    } else if (node.kind === "path") {
      const name = nameOf(node)
      if (name !== undefined) local(name).uses.add(node)
    } else if (node.kind === "assign") {
      const name = nameOf(node.left)
      if (name !== undefined) local(name).assigns.push(node)
      else partly(node.left, node)
    } else if (node.kind === "field" || node.kind === "index") partly(node, undefined)
    else if (node.kind === "methodCall" && changing.test(node.method)) partly(node.receiver, node)
  }
  return locals
}

/** Names that appear only in the text of a macro, not among its arguments: `format!("{total}")`. */
const namesInMacros = (
  { module }: FunctionDefinition,
  nodes: ReadonlyArray<Expression | Statement>,
): ReadonlySet<string> =>
  new Set(
    nodes.flatMap((node) =>
      node.kind === "macro"
        ? (module.file.text.slice(node.tokens.start, node.tokens.end).match(/[a-z_]\w*/g) ?? [])
        : [],
    ),
  )

const adding = (node: Expression | Statement): boolean =>
  (node.kind === "binary" && node.operator === "+") ||
  (node.kind === "methodCall" && /^(checked_|saturating_|wrapping_)?add$/.test(node.method))

/** A sum that starts from a stored value and is never used. A subtraction may serve as a check. */
const lostSum = ({ bindings, value, uses, assigns }: Local): Expression | undefined => {
  if (bindings !== 1 || value === undefined || assigns.length === 0) return undefined
  if (!nodesOf(value).some((one) => one.kind === "methodCall" && loadIn(one) !== undefined)) return undefined
  const own = new Set<object>(
    assigns.flatMap(({ left, right }) => [left, ...nodesOf(right).filter((one) => uses.has(one))]),
  )
  if (own.size < uses.size) return undefined
  return assigns.findLast(({ operator, right }) => operator === "+" || nodesOf(right).some(adding))
}

/** Changes that a function makes in memory only. */
export const lostChanges = (definition: FunctionDefinition): ReadonlyArray<LostChange> => {
  const { body } = definition.item
  if (body === undefined) return []
  const nodes = nodesOf(body)
  const saves = nodes.filter((one) => one.kind === "methodCall" && one.method === "save")
  if (!nodes.some((one) => one.kind === "methodCall" && loadIn(one) !== undefined)) return []
  const locals = readLocals(nodes)
  const named = namesInMacros(definition, nodes)
  const { text } = definition.module.file
  const textOf = ({ start, end }: Expression): string => text.slice(start, end)
  /** How a variable was loaded, possibly by way of a copy. */
  const loadOf = (name: string, depth = 0): MethodCall | undefined => {
    const local = locals.get(name)
    if (local?.value === undefined || local.bindings !== 1 || depth > 4) return undefined
    const load = loadIn(local.value)
    if (load !== undefined) return load
    const { value } = local
    const copied = value.kind === "methodCall" && value.method === "clone" ? nameOf(value.receiver) : undefined
    return copied === undefined ? undefined : loadOf(copied, depth + 1)
  }
  const keyOf = ({ args }: MethodCall): string => args.slice(1).map(textOf).join()
  /** Another entry of the container is a copy of its own. */
  const isOtherEntry = (node: Expression | Statement, load: MethodCall): boolean => {
    const name = node.kind === "path" ? nameOf(node) : undefined
    const other = name === undefined ? undefined : loadOf(name)
    return other !== undefined && textOf(other.receiver) === textOf(load.receiver) && keyOf(other) !== keyOf(load)
  }
  return [...locals].flatMap(([name, local]): ReadonlyArray<LostChange> => {
    const sum = named.has(name) ? undefined : lostSum(local)
    if (sum !== undefined) return [{ node: sum, kind: "sum" }]
    const { changes, parts, uses } = local
    const load = changes.length === 0 || parts.size < uses.size ? undefined : loadOf(name)
    if (load === undefined) return []
    const save = saves.find((one) => {
      if (one.kind !== "methodCall" || textOf(one.receiver) !== textOf(load.receiver)) return false
      const used = one.start > changes[0]!.start ? one.args.flatMap((argument) => nodesOf(argument)) : undefined
      return used?.some((each) => uses.has(each) || isOtherEntry(each, load)) === false
    })
    return save?.kind === "methodCall" ? [{ node: save, kind: "other copy" }] : []
  })
}
