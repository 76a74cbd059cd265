import type { Expr } from "../../flow/graph/graph.ts"
import type { ContractModel, StateVariable } from "../../model.ts"
import type { Flow } from "../../program.ts"
import type * as S from "../../syntax.ts"

/** Limit: conversions and variables that are followed. */
const stepLimit = 6

/**
 * The contract that an address is known to refer to: by the type that it is converted from, or by its creation, also
 * if the address is stored first.
 */
export const contractBehind = (flow: Flow, e: Expr, steps = 0): ContractModel | undefined => {
  if (steps > stepLimit || e.kind.startsWith("Yul")) return undefined
  const expression = e as S.Expression // It is not Yul, as checked above.
  const { program } = flow
  const type = program.typeOf(expression)
  if (type.kind === "contract") return type.contract
  if (expression.kind === "FunctionCall") {
    const call = program.callOf(expression)
    const [arg] = call?.args ?? []
    return call?.kind === "conversion" && arg !== undefined ? contractBehind(flow, arg, steps + 1) : undefined
  }
  const variable = program.referenceOf(expression)
  if (variable?.kind === "StateVariable") return storedIn(flow, variable, steps + 1)
  if (variable?.kind !== "LocalVariable") return undefined
  const [definition, ...others] = flow.definitionsOf(variable)
  return definition?.value === undefined || others.length > 0
    ? undefined
    : contractBehind(flow, definition.value, steps + 1)
}

/** What a variable holds from the start: its initial value, or what the constructor stores. */
const storedIn = (flow: Flow, variable: StateVariable, steps: number): ContractModel | undefined => {
  if (variable.node?.value !== undefined) return contractBehind(flow, variable.node.value, steps)
  const constructor = variable.contract?.functions.find(({ role }) => role === "constructor")
  if (constructor === undefined) return undefined
  const inner = flow.program.flow(constructor)
  for (const { event, place } of inner.writes) {
    if (event.value === undefined || place?.variables[0] !== variable || place.path !== "") continue
    return contractBehind(inner, event.value, steps)
  }
  return undefined
}

/** The variable that holds an address, whatever it is converted to in between. */
export const holderOf = (flow: Flow, e: Expr, steps = 0): ReturnType<Flow["program"]["referenceOf"]> => {
  if (steps > stepLimit) return undefined
  if (e.kind === "FunctionCall") {
    const call = flow.program.callOf(e)
    const [arg] = call?.args ?? []
    return call?.kind === "conversion" && arg !== undefined ? holderOf(flow, arg, steps + 1) : undefined
  }
  if (e.kind !== "Identifier") return undefined
  const variable = flow.program.referenceOf(e)
  if (variable?.kind !== "LocalVariable") return variable
  const [definition, ...others] = flow.definitionsOf(variable)
  const value = others.length === 0 ? definition?.value : undefined
  return (value === undefined ? undefined : holderOf(flow, value, steps + 1)) ?? variable
}
