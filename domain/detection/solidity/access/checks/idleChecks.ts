import { indexBy } from "../../../indexBy.ts"
import { oncePer } from "../../../oncePer.ts"
import type { FunctionModel, ModifierModel } from "../../model.ts"
import type { Program } from "../../program.ts"
import type * as S from "../../syntax.ts"

// Checks that functions rely on and that check nothing.

export interface IdleCheck {
  /** Without statements, or a question about an account that is always answered with yes. */
  readonly reason: "empty modifier" | "empty function" | "always true"
  readonly check: ModifierModel | FunctionModel
  /** The functions that rely on it. */
  readonly named: ReadonlyArray<FunctionModel>
}

/** Those that no derived contract overrides. */
export const idleChecks = (program: Program): ReadonlyArray<IdleCheck> => {
  const modifiers = program.modifiers.filter(
    ({ node: { body, virtual } }) => body !== undefined && !virtual && body.statements.every(isPlaceholder),
  )
  const guarded = indexBy(
    program.functions.filter((fn) => program.graph.isEntryPoint(fn)),
    (fn) => fn.modifiers.flatMap(({ modifier }) => modifier ?? []),
  )
  const found = modifiers.map((check): IdleCheck => ({
    reason: "empty modifier",
    check,
    named: guarded.get(check) ?? [],
  }))
  const functions = program.functions.flatMap((check): ReadonlyArray<IdleCheck> => {
    const reason = idleFunction(program, check)
    return reason === undefined ? [] : [{ reason, check, named: callersOf(program, check) }]
  })
  return [...found, ...functions].filter(({ named }) => named.length > 0)
}

const isPlaceholder = ({ kind }: { readonly kind: string }): boolean => kind === "PlaceholderStatement"

const idleFunction = (program: Program, fn: FunctionModel): IdleCheck["reason"] | undefined => {
  const { node, mutability, returns, parameters, modifiers, role } = fn
  if (node.body === undefined || role !== "function" || modifiers.length > 0) return undefined
  if (mutability !== "view" && mutability !== "pure") return undefined
  const { statements } = node.body
  // a function that changes and returns nothing can only revert
  if (returns.length === 0) return statements.length === 0 && isSole(program, fn) ? "empty function" : undefined
  const asksAccount = parameters.some(({ type }) => type.kind === "address")
  return asksAccount && statements.length === 1 && isYes(statements[0]!) && isSole(program, fn)
    ? "always true"
    : undefined
}

/**
 * Where another contract decides the same question differently, a policy without restrictions is one of several; what
 * an abstract contract says is for others to override. What no other can replace is a helper, and not a policy.
 */
const isSole = (program: Program, { signature, visibility, node, contract }: FunctionModel): boolean =>
  (visibility !== "external" && visibility !== "public" && !node.virtual && node.override === undefined) ||
  ((implementations(program).get(signature) ?? 0) < 2 && !(node.virtual && contract?.node.abstract === true))

const implementations = oncePer((program: Program): ReadonlyMap<string, number> => {
  const count = new Map<string, number>()
  for (const { signature, implemented } of program.functions)
    if (implemented) count.set(signature, (count.get(signature) ?? 0) + 1)
  return count
})

const isYes = (statement: S.Statement): boolean =>
  statement.kind === "ReturnStatement" && statement.value?.kind === "Literal" && statement.value.value === "true"

/** Functions that call it, for a question possibly through an interface. */
const callersOf = (program: Program, fn: FunctionModel): ReadonlyArray<FunctionModel> =>
  fn.returns.length === 0
    ? [...new Set(program.graph.callers(fn).map(({ from }) => from))].filter((from) => from !== fn)
    : (askers(program).get(fn.signature) ?? [])

/** The functions that use the answer to a question, by its signature. */
const askers = oncePer((program: Program): ReadonlyMap<string, ReadonlyArray<FunctionModel>> => {
  const found = new Map<string, Array<FunctionModel>>()
  for (const flow of program.allFlows()) {
    for (const { target, resultIgnored } of flow.calls()) {
      if (target === undefined || target === flow.fn || resultIgnored || target.returns[0]?.type.kind !== "bool")
        continue
      const known = found.get(target.signature)
      if (known === undefined) found.set(target.signature, [flow.fn])
      else if (known.at(-1) !== flow.fn) known.push(flow.fn)
    }
  }
  return found
})
