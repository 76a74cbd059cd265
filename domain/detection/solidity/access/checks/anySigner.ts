import { Shape } from "../../flow/graph/shape.ts"
import type { Expr, FlowNode } from "../../flow/graph/graph.ts"
import { relationsIn } from "../../flow/facts/facts.ts"
import { isZero } from "../../flow/values/isZero.ts"
import type { LocalVariable } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import { recoveriesIn } from "../../questions/authority/recoveredSigner.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"

// Recovered signers of which only the existence matters: whoever signs is accepted.

export interface Test {
  readonly at: FlowNode
  readonly expression: Expr
}

/** Where a signer is only compared with zero, or with nothing, and not used otherwise, except in an event. */
export const anySigners = (program: Program, flow: Flow): ReadonlyArray<Test> => {
  const recovered = new Set<S.Node>(
    recoveriesIn(program, flow).flatMap(({ site }) => (site.node.kind === "FunctionCall" ? [site.node] : [])),
  )
  const { body } = flow.fn.node
  if (recovered.size === 0 || body === undefined) return []
  const signers = new Set<LocalVariable>()
  for (const { definitions } of flow.nodes)
    for (const { variable, value, index } of definitions)
      if (variable.kind === "LocalVariable" && value !== undefined && recovered.has(value) && (index ?? 0) === 0)
        signers.add(variable)
  const used = otherUses(program, body, signers)
  const tested = new Set<LocalVariable>()
  const found = flow.stepsWith(Shape.equality).flatMap((at) => {
    const found: Array<Test> = []
    if (at.expression !== undefined)
      walk(at.expression, (e) => {
        const side = comparedWithZero(e)
        if (side === undefined) return
        const variable = signerOf(program, side, signers)
        if (variable !== undefined) tested.add(variable)
        if (variable === undefined ? recovered.has(side) : !used.has(variable))
          found.push({ at, expression: e as Expr })
      })
    return found
  })
  const ignored = flow.nodes.flatMap((at) =>
    at.definitions.flatMap(({ variable, value }) =>
      variable.kind === "LocalVariable" &&
      variable.type.kind === "address" &&
      signers.has(variable) &&
      value !== undefined &&
      !used.has(variable) &&
      !tested.has(variable) &&
      !mayAsk(program, value) &&
      !flow.fn.returns.includes(variable)
        ? [{ at, expression: value }]
        : [],
    ),
  )
  return [...found, ...ignored]
}

/** Whether a helper of the project recovers it, and requires anything beyond there being a signer. */
const mayAsk = (program: Program, value: Expr): boolean => {
  const target = value.kind === "FunctionCall" ? program.callOf(value)?.target : undefined
  if (target?.implemented !== true) return false
  const inner = program.flow(target)
  return relationsIn(inner.facts(inner.exit)).some(({ withZero }) => !withZero)
}

const comparedWithZero = (e: S.Node): S.Node | undefined =>
  e.kind !== "BinaryOperation" || (e.operator !== "==" && e.operator !== "!=")
    ? undefined
    : isZero(e.right)
      ? e.left
      : isZero(e.left)
        ? e.right
        : undefined

const signerOf = (program: Program, e: S.Node, signers: ReadonlySet<LocalVariable>): LocalVariable | undefined => {
  const variable = e.kind === "Identifier" ? program.referenceOf(e) : undefined
  return variable?.kind === "LocalVariable" && signers.has(variable) ? variable : undefined
}

/** Which of them are used for more than being set, compared with zero, and shown in events. */
const otherUses = (program: Program, body: S.Node, signers: ReadonlySet<LocalVariable>): ReadonlySet<LocalVariable> => {
  const used = new Set<LocalVariable>()
  const set = new Set<S.Node>()
  walk(body, (part) => {
    if (part.kind === "EmitStatement") for (const arg of part.call.args) set.add(arg)
    if (part.kind === "Assignment" && part.operator === "=") set.add(part.left)
    const tested = comparedWithZero(part)
    if (tested !== undefined) set.add(tested)
    const variable = set.has(part) ? undefined : signerOf(program, part, signers)
    if (variable !== undefined) used.add(variable)
  })
  return used
}
