import type { BuiltinModel, Call, Callable, Declaration, FunctionModel, LocalVariable } from "../model.ts"
import type * as S from "../syntax.ts"
import type { Type } from "../types.ts"

/** What names, calls and expressions mean; filled in once for all bodies. */
export interface Bindings {
  /** Identifiers, members (`msg.sender`, `Lib.CONST`; struct members have none) and Yul names. */
  readonly references: Map<S.Expression | S.YulIdentifier | S.YulFunctionCall, Declaration>
  readonly types: Map<S.Expression, Type>
  readonly calls: Map<S.FunctionCall, Call>
  readonly locals: Map<S.VariableDeclaration, LocalVariable>
  /** The calls in the text of each function or modifier (arguments of modifiers count towards the function). */
  readonly callsIn: Map<Callable, Array<Call>>
  /** Functions that are mentioned without being called: they may run through a pointer. */
  readonly functionValues: Set<FunctionModel>
}

const builtins = new Map<string, BuiltinModel>()

/** What a name of the language means; one model for each. */
export const builtin = (name: string): BuiltinModel => {
  let model = builtins.get(name)
  if (model === undefined) builtins.set(name, (model = { kind: "Builtin", name }))
  return model
}
