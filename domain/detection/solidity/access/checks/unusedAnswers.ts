import type { CallSite } from "../../flow/graph/events.ts"
import { isQuestion } from "../../flow/facts/unseenGuards.ts"
import type { Definition, Expr, FlowNode } from "../../flow/graph/graph.ts"
import { has, only, type Origins, Source } from "../../flow/graph/origins.ts"
import { Shape } from "../../flow/graph/shape.ts"
import type { Flow } from "../../program.ts"
import { isKnownAccount } from "../../demands/openings.ts"

/** An answer about the sender that nothing uses. */
export const unusedAnswer = (flow: Flow): { readonly node: Expr; readonly at: FlowNode } | undefined =>
  flow.calls().find((site) => isDropped(flow, site) && isAnswer(flow, site)) ?? unusedComparison(flow)

/**
 * Whether it is a function that answers yes or no about the sender; or a known contract's answer about the hash of what
 * is to be done.
 */
const isAnswer = (flow: Flow, { target, callKind, args, at, receiver, name }: CallSite): boolean => {
  const asksSender = (): boolean => args.some((arg) => has(flow.origins(arg, at), Source.sender))
  // the name is all that is known of a function without source
  if (target === undefined) return callKind === "unknown" && isQuestion(name) && asksSender()
  if (target.returns.length !== 1 || target.returns[0]!.type.kind !== "bool") return false
  if (callKind === "external" && receiver !== undefined && isKnownAccount(flow.origins(receiver, at)))
    if (args.some((arg) => isHashOfWord(flow.origins(arg, at)))) return true
  if (target.mutability !== "view" && target.mutability !== "pure") return false
  return asksSender() || (callKind === "internal" && target.implemented && readsSender(flow.program.flow(target)))
}

/** Whether nothing uses the result, or only a local that nothing reads. */
const isDropped = (flow: Flow, { resultIgnored, node, at }: CallSite): boolean =>
  resultIgnored || at.definitions.some(({ variable, value }) => value === node && isUnused(flow, variable))

const isUnused = (flow: Flow, variable: Definition["variable"]): boolean =>
  variable.kind === "LocalVariable" && variable.role === "local" && !flow.isUsed(variable)

/** `bool isOwner = msg.sender == owner;`, which nothing reads. */
const unusedComparison = (flow: Flow): { readonly node: Expr; readonly at: FlowNode } | undefined => {
  for (const at of flow.stepsWith(Shape.equality)) {
    for (const { variable, value } of at.definitions)
      if (value !== undefined && isUnused(flow, variable) && comparesSender(flow, value, at)) return { node: value, at }
  }
  return undefined
}

const comparesSender = (flow: Flow, e: Expr, at: FlowNode): boolean =>
  e.kind === "BinaryOperation" &&
  (e.operator === "||" || e.operator === "&&"
    ? comparesSender(flow, e.left, at) || comparesSender(flow, e.right, at)
    : [e.left, e.right].some((side) => only(flow.origins(side, at), Source.sender)))

const isHashOfWord = (o: Origins): boolean => has(o, Source.hash) && has(o, Source.parameter | Source.calldata)

const readsSender = (flow: Flow): boolean =>
  flow.nodes.some((node) => {
    if (node.expression === undefined) return false
    const { sources, keys } = flow.origins(node.expression, node)
    return ((sources | keys) & Source.sender) !== 0
  })
