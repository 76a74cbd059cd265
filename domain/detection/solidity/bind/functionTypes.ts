import type { FunctionModel, StateVariable } from "../model.ts"
import type * as S from "../syntax.ts"
import { locationOf, type Type, uint256, unknownType, withLocation } from "../types.ts"

/** The type of an expression that yields no value. */
export const nothing: Type = { kind: "tuple", components: [] }

/** A single component stands for itself. */
export const tuple = (components: ReadonlyArray<Type>): Type =>
  components.length === 1 ? components[0]! : { kind: "tuple", components }

export const functionType = (declared: ReadonlyArray<FunctionModel>, external: boolean): Type => ({
  kind: "function",
  parameters: declared[0]?.parameters.map((p) => p.type) ?? [],
  returns: declared[0]?.returns.map((r) => r.type) ?? [],
  external,
  declared,
})

export const resultType = (fn: FunctionModel): Type => tuple(fn.returns.map((r) => r.type))

/** The getter of a public state variable: mapping keys and array indices become parameters. */
export const getterType = (variable: StateVariable): Type => {
  const parameters: Array<Type> = []
  let type = variable.type
  while (type.kind === "mapping" || type.kind === "array") {
    parameters.push(type.kind === "mapping" ? type.key : uint256)
    type = type.kind === "mapping" ? type.value : type.base
  }
  const returns =
    type.kind === "struct"
      ? type.struct.members.map((m) => m.type).filter((t) => t.kind !== "mapping" && t.kind !== "array")
      : [locationOf(type) === undefined ? type : withLocation(type, "memory")]
  return { kind: "function", parameters, returns, external: true }
}

/** The arguments in the order of the parameters: the receiver of `using` first, named ones sorted in. */
export const inOrder = (
  e: S.FunctionCall,
  target: FunctionModel,
  receiver: S.Expression | undefined,
): ReadonlyArray<S.Expression> => {
  if (e.names === undefined) return receiver === undefined ? e.args : [receiver, ...e.args]
  const parameters = receiver === undefined ? target.parameters : target.parameters.slice(1)
  const sorted = parameters.map((p) => e.args[e.names!.indexOf(p.name)]).filter((a) => a !== undefined)
  const args = sorted.length === e.args.length ? sorted : e.args
  return receiver === undefined ? args : [receiver, ...args]
}

export const inOrderTypes = (e: S.FunctionCall, target: FunctionModel, attached: boolean): ReadonlyArray<Type> => {
  const types = target.parameters.map((p) => p.type)
  if (e.names === undefined) return types
  const head = attached ? types.slice(0, 1) : []
  return [...head, ...e.names.map((name) => target.parameters.find((p) => p.name === name)?.type ?? unknownType)]
}
