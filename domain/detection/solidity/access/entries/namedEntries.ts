import { oncePerPair } from "../../../oncePer.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import type { Call } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import type { Reached } from "../../flow/functionSummary.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"

// Some projects keep their state in one contract, under hashed names: `store.setUint(keccak256("fee"), value)`.

/** The names of functions that write to such a store. */
const writes = /^(?:set|add|sub|push|apply|increment|decrement|increase|decrease|delete|remove)(?:[A-Z]|$)/

/** Limit: steps from a key to the text that it is a hash of. */
const depthLimit = 12

/** Limit: length of one name. */
const nameLimit = 120

interface Named {
  readonly flow: Flow
  readonly at: FlowNode
  /** Calls by which the function was reached, outermost first: its parameters are their arguments. */
  readonly via: ReadonlyArray<CallSite>
}

/**
 * The name of the store entry that a call changes, as the project writes it: the hashed texts, or the name of the
 * function that hashes them. Undefined for any other call.
 */
export const namedEntry = (flow: Flow, { event, via }: Reached<CallSite>): string | undefined => {
  const key = event.args[0]
  if (key === undefined || event.isStatic || event.callKind !== "external" || !writes.test(event.name)) return undefined
  const target = via.at(-1)?.target
  const inner = target === undefined ? flow : flow.program.flowIfBuilt(target)
  if (inner === undefined || key.kind.startsWith("Yul")) return undefined
  return nameIn(key as S.Expression, { flow: inner, at: event.at, via }, flow, 0)
}

const nameIn = (e: S.Expression, where: Named, outermost: Flow, depth: number): string | undefined => {
  if (depth > depthLimit) return undefined
  const { program } = where.flow
  if (e.kind === "Identifier") {
    const found = program.referenceOf(e)
    if (found?.kind === "StateVariable")
      return found.node?.value === undefined ? undefined : textOf(program, found.node.value)
    if (found?.kind !== "LocalVariable") return undefined
    const passed = argumentFor(where, outermost, found)
    if (passed !== undefined) return nameIn(passed.e, passed.where, outermost, depth + 1)
    const { definitions, initial } = where.flow.values.reaching(found, where.at)
    const [definition] = definitions
    if (initial || definitions.length !== 1 || definition?.value === undefined || definition.index !== undefined)
      return undefined
    if (definition.keepsOld || definition.value.kind.startsWith("Yul")) return undefined
    return nameIn(definition.value as S.Expression, { ...where, at: definition.at }, outermost, depth + 1)
  }
  if (e.kind !== "FunctionCall") return undefined
  const call = program.callOf(e)
  // a function that hashes a text, with or without its arguments
  if (call?.target !== undefined && call.target.mutability === "pure")
    return hashesText(program, call) ? call.target.name : undefined
  return textOf(program, e)
}

/** The argument for a parameter in the call that led to the function. */
const argumentFor = (
  { flow, via }: Named,
  outermost: Flow,
  parameter: unknown,
): { readonly e: S.Expression; readonly where: Named } | undefined => {
  const site = via.at(-1)
  const arg = site?.args[flow.fn.parameters.findIndex((one) => one === parameter)]
  if (site === undefined || arg === undefined || arg.kind.startsWith("Yul")) return undefined
  const before = via.slice(0, -1)
  const target = before.at(-1)?.target
  const caller = target === undefined ? outermost : flow.program.flowIfBuilt(target)
  if (caller === undefined) return undefined
  return { e: arg as S.Expression, where: { flow: caller, at: site.at, via: before } }
}

/** Whether a text is passed to a function, or written in it: other hashes are ids of items, not names of entries. */
const hashesText = (program: Program, { args, target }: Call): boolean =>
  args.some((arg) => hasText(program, arg)) ||
  (target?.node.body !== undefined && writesText(program, target.node.body))

const writesText = oncePerPair((program: Program, body: S.Node): boolean => hasText(program, body))

const hasText = (program: Program, root: S.Node): boolean => {
  let found = false
  walk(root, (node) => {
    const named = node.kind === "Identifier" || node.kind === "MemberAccess" ? program.referenceOf(node) : undefined
    const value = named?.kind === "StateVariable" && named.constant ? named.node?.value : undefined
    const isName =
      value !== undefined && (value.kind === "Literal" ? isText(value) : textOf(program, value) !== undefined)
    if (isName || (node.kind === "Literal" && isText(node))) found = true
    return !found
  })
  return found
}

const isText = ({ literalKind }: S.Literal): boolean => literalKind === "string"

/** The texts in a hash: `keccak256(abi.encodePacked("node.exists", account))`. */
const textOf = (program: Program, e: S.Expression): string | undefined => {
  if (e.kind !== "FunctionCall" || !program.isBuiltin(e.callee, "keccak256")) return undefined
  const texts: Array<string> = []
  const stack: Array<S.Expression> = [...e.args]
  for (let one = stack.pop(), steps = 0; one !== undefined && steps < 100; one = stack.pop(), steps++) {
    if (one.kind === "FunctionCall") stack.push(...one.args)
    else if (one.kind === "Literal" && one.literalKind === "string") texts.unshift(one.value)
    else if (one.kind === "Identifier" || one.kind === "MemberAccess") {
      const named = program.referenceOf(one)
      if (named?.kind === "StateVariable" && named.constant) texts.unshift(named.name)
    }
  }
  return texts.length === 0 ? undefined : texts.join("").slice(0, nameLimit)
}
