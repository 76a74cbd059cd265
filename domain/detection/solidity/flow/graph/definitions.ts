import type { LocalVariable } from "../../model.ts"
import type { Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { addDefinition, type Expr, type FlowNode } from "./graph.ts"

/** Adds what the assignments inside an expression define. */
export const defineIn = (program: Program, e: Expr, at: FlowNode): void => {
  switch (e.kind) {
    case "Assignment":
      defineIn(program, e.right, at)
      defineIn(program, e.left, at)
      return defineTarget(program, e.left, e.operator === "=" ? e.right : e, e.operator !== "=", at)
    case "UnaryOperation":
      defineIn(program, e.operand, at)
      if (e.operator === "++" || e.operator === "--") defineTarget(program, e.operand, e.operand, true, at)
      else if (e.operator === "delete" && e.operand.kind === "Identifier")
        defineTarget(program, e.operand, undefined, false, at)
      return
    case "BinaryOperation":
      defineIn(program, e.left, at)
      return defineIn(program, e.right, at)
    case "FunctionCall":
      defineIn(program, e.callee, at)
      for (const arg of e.args) defineIn(program, arg, at)
      return
    case "FunctionCallOptions":
      defineIn(program, e.callee, at)
      for (const option of e.options) defineIn(program, option.value, at)
      return
    case "MemberAccess":
      return defineIn(program, e.object, at)
    case "IndexAccess":
      defineIn(program, e.base, at)
      if (e.index !== undefined) defineIn(program, e.index, at)
      return
    case "Conditional":
      defineIn(program, e.condition, at)
      defineIn(program, e.then, at)
      return defineIn(program, e.else, at)
    case "TupleExpression":
    case "InlineArray":
      for (const c of e.components) if (c !== undefined) defineIn(program, c, at)
      return
  }
}

const defineTarget = (
  program: Program,
  target: S.Expression,
  value: Expr | undefined,
  keepsOld: boolean,
  at: FlowNode,
  index?: number,
): void => {
  if (target.kind === "TupleExpression") {
    target.components.forEach((c, i) => {
      if (c === undefined) return
      if (value?.kind === "TupleExpression") defineTarget(program, c, value.components[i], keepsOld, at)
      else defineTarget(program, c, value, keepsOld, at, i)
    })
    return
  }
  // A write to part of a memory struct or array changes the whole; one through a storage pointer does not move it.
  let root: S.Expression = target
  while (root.kind === "MemberAccess" || root.kind === "IndexAccess")
    root = root.kind === "MemberAccess" ? root.object : root.base
  if (root.kind !== "Identifier") return
  const variable = program.referenceOf(root)
  if (variable?.kind !== "LocalVariable") return
  const part = root !== target
  if (part && "location" in variable.type && variable.type.location === "storage") return
  addDefinition(at, {
    variable,
    keepsOld: keepsOld || part,
    at,
    ...(value === undefined ? {} : { value }),
    ...(index === undefined ? {} : { index }),
  })
}

/** Records that variables take the value, or the values, of an expression. */
export const defineVariables = (
  variables: ReadonlyArray<LocalVariable | undefined>,
  value: S.Expression,
  at: FlowNode,
): void => {
  variables.forEach((variable, i) => {
    if (variable === undefined) return
    const component = value.kind === "TupleExpression" ? value.components[i] : value
    if (component === undefined) return
    addDefinition(at, {
      variable,
      value: component,
      keepsOld: false,
      at,
      ...(variables.length > 1 && value.kind !== "TupleExpression" ? { index: i } : {}),
    })
  })
}
