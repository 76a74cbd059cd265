import { indexBy } from "../../../indexBy.ts"
import { oncePer, oncePerPair } from "../../../oncePer.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import type { Origins } from "../../flow/graph/origins.ts"
import { SomeEvents } from "../../flow/graph/someEvents.ts"
import { isZero } from "../../flow/values/isZero.ts"
import type { Declaration } from "../../model.ts"
import type { Flow } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"
import { isLargeFunction } from "../largeFunction.ts"
import { compares, ordering, shared } from "./callerNumbers.ts"

interface Insisted {
  readonly node: FlowNode
  readonly condition: S.Expression
}

/** Conditions with an outcome that reverts, including those passed to a function such as `_require(bool, uint256)`. */
const insistedOn = (flow: Flow): ReadonlyArray<Insisted> => {
  const own = flow.conditionNodes().flatMap((node): ReadonlyArray<Insisted> => {
    const branches = node.succs.filter((b) => b.kind === "branch")
    const expression = node.expression as S.Expression
    return branches.every((b) => flow.reaches(b, flow.exit)) ? [] : [{ node, condition: expression }]
  })
  const handedOn = flow.calls().flatMap(({ at, callKind, target, args }): ReadonlyArray<Insisted> => {
    if ((callKind !== "internal" && callKind !== "library") || target?.implemented !== true) return []
    return target.parameters.flatMap((parameter, index) => {
      const arg = args[index]
      if (parameter.type.kind !== "bool" || arg?.kind !== "BinaryOperation") return []
      const insists = flow.program
        .flow(target)
        .summary.exitFacts.some(
          (fact) => fact.kind === "relation" && fact.right === undefined && fact.left.parameters.includes(parameter),
        )
      return insists ? [{ node: at, condition: arg }] : []
    })
  })
  return [...own, ...handedOn]
}

/** The steps that name each declaration. */
const readersOf = oncePer((flow: Flow): ReadonlyMap<object, ReadonlyArray<FlowNode>> =>
  indexBy(flow.nodes, ({ expression }) => {
    const named: Array<Declaration> = []
    if (expression !== undefined)
      walk(expression, (e) => {
        const declaration = e.kind === "Identifier" ? flow.program.referenceOf(e) : undefined
        if (declaration !== undefined) named.push(declaration)
      })
    return named
  }),
)

/** Conditions with an outcome that never reads the variables: math that returns an error code instead of reverting. */
const decidingUse = (flow: Flow, kept: ReadonlyArray<object>): ReadonlyArray<Insisted> => {
  const readers = new Set(kept.flatMap((variable) => readersOf(flow).get(variable) ?? []))
  const reads = new SomeEvents(
    flow,
    [...readers].map((at) => ({ at, order: 0 })),
  )
  return [...readers].flatMap((node): ReadonlyArray<Insisted> => {
    const branches = node.succs.filter(({ kind }) => kind === "branch")
    const read = branches.filter((branch) => reads.follow(branch))
    return read.length === 1 && branches.length === 2 ? [{ node, condition: node.expression as S.Expression }] : []
  })
}

/** Two values that conditions compare, and the steps that do so. */
interface Compared {
  readonly left: Origins
  readonly right: Origins
  readonly steps: Set<FlowNode>
  readonly events: () => SomeEvents
}

type Comparisons = ReadonlyMap<unknown, ReadonlyArray<Compared>>

/** What conditions compare, by what either side has in common with others; `==` counts with a quotient. */
const comparisonsIn = (flow: Flow, conditions: ReadonlyArray<Insisted>): Comparisons => {
  const found = new Map<string, Compared>()
  const numbers = new Map<unknown, number>()
  const named = (value: Origins): string =>
    shared(value)
      .map((one) => {
        if (!numbers.has(one)) numbers.set(one, numbers.size)
        return numbers.get(one)
      })
      .join()
  for (const { node, condition } of conditions) {
    const stack: Array<S.Expression> = [condition]
    for (let e = stack.pop(); e !== undefined; e = stack.pop()) {
      if (e.kind === "UnaryOperation") stack.push(e.operand)
      if (e.kind !== "BinaryOperation") continue
      stack.push(e.left, e.right)
      if (isZero(e.left) || isZero(e.right)) continue
      const quotient = [e.left, e.right].some((side) => side.kind === "BinaryOperation" && side.operator === "/")
      if (!ordering.has(e.operator) && !((e.operator === "==" || e.operator === "!=") && quotient)) continue
      const left = flow.origins(e.left, node)
      const right = flow.origins(e.right, node)
      const key = `${named(left)} ${named(right)}`
      const same = found.get(key)
      if (same !== undefined) same.steps.add(node)
      else {
        const steps = new Set([node])
        found.set(key, { left, right, steps, events: eventsAt(flow, steps) })
      }
    }
  }
  return indexBy(found.values(), ({ left, right }) => new Set([...shared(left), ...shared(right)]))
}

const eventsAt = (flow: Flow, steps: ReadonlySet<FlowNode>): (() => SomeEvents) => {
  let events: SomeEvents | undefined
  return () =>
    (events ??= new SomeEvents(
      flow,
      [...steps].map((at) => ({ at, order: 0 })),
    ))
}

const insistedComparisons = oncePer((flow: Flow) => comparisonsIn(flow, insistedOn(flow)))

const decidingComparisons = oncePerPair((flow: Flow, kept: object) => comparisonsIn(flow, decidingUse(flow, [kept])))

const comparisonsAfter = (flow: Flow, { definitions }: FlowNode): ReadonlyArray<Comparisons> => {
  const [first, ...others] = definitions
  if (first === undefined) return [insistedComparisons(flow)]
  const deciding =
    others.length === 0
      ? decidingComparisons(flow, first.variable)
      : comparisonsIn(
          flow,
          decidingUse(
            flow,
            definitions.map(({ variable }) => variable),
          ),
        )
  return [insistedComparisons(flow), deciding]
}

/**
 * Whether a condition after the operation decides whether its result is used, as SafeMath checks its results. What a
 * long condition compares is looked up: hundreds of operations follow hundreds of comparisons of the same two values.
 */
export const checkedAfter = (flow: Flow, at: FlowNode, chosen: Origins, result: Origins): boolean =>
  !isLargeFunction(flow) &&
  comparisonsAfter(flow, at).some((comparisons) =>
    shared(chosen).some((one) =>
      comparisons
        .get(one)
        ?.some(
          ({ left, right, steps, events }) =>
            compares(left, right, chosen, result) && (steps.has(at) || events().follow(at)),
        ),
    ),
  )
