import type { Block, Expression, Statement } from "../../domain/detection/rust/syntax/syntax.ts"
import { isConditional, isTestOnly } from "./rustAttributes.ts"
import type { Lowering } from "./rustLowering.ts"
import { label, operands, skipped } from "./rustOperands.ts"
import { child, childOfType, has, type RawNode } from "./rustTree.ts"

const lowerStatements = (
  l: Lowering,
  nodes: ReadonlyArray<RawNode>,
  into: Array<Statement>,
): Expression | undefined => {
  let tail: Expression | undefined
  let attributes: Array<RawNode> = []
  for (const node of nodes) {
    if (node.type === "attribute_item") {
      attributes.push(node)
      continue
    }
    if (!node.named || node.type === "empty_statement" || skipped.has(node.type)) {
      if (node.type === "ERROR") lowerStatements(l, node.children, into)
      continue
    }
    const lowered = attributes.map(l.attribute)
    attributes = []
    if (isTestOnly(lowered)) continue
    const span = { ...l.span(node), ...(lowered.some(isConditional) ? { attributes: lowered } : {}) }
    if (node.type === "let_declaration") {
      const type = child(node, "type")
      const value = child(node, "value")
      const otherwise = child(node, "alternative")
      const pattern = l.pattern(child(node, "pattern"))
      const mutable = has(node, "mutable_specifier")
      into.push({
        ...span,
        kind: "let",
        pattern: pattern.kind === "binding" && mutable ? { ...pattern, mutable } : pattern,
        ...(type === undefined ? {} : { type: l.type(type) }),
        ...(value === undefined ? {} : { value: l.expression(value) }),
        ...(otherwise === undefined ? {} : { otherwise: l.block(otherwise) }),
      })
      continue
    }
    if (node.type === "expression_statement") {
      const inner = operands(node)[0]
      if (inner === undefined) continue
      into.push({ ...span, kind: "expression", expression: l.expression(inner), semicolon: has(node, ";") })
      continue
    }
    if (/_(item|declaration|definition)$/.test(node.type)) {
      const item = l.item(node, lowered)
      if (item !== undefined) into.push({ ...span, kind: "item", item })
      continue
    }
    if (tail !== undefined)
      into.push({ start: tail.start, end: tail.end, kind: "expression", expression: tail, semicolon: false })
    tail = undefined
    if (span.attributes === undefined) tail = l.expression(node)
    else into.push({ ...span, kind: "expression", expression: l.expression(node), semicolon: false })
  }
  return tail
}

export const lowerBlock = (l: Lowering, node: RawNode | undefined): Block => {
  if (node === undefined) return { start: 0, end: 0, kind: "block", statements: [] }
  const span = l.span(node)
  if (
    node.type === "unsafe_block" ||
    node.type === "async_block" ||
    node.type === "const_block" ||
    node.type === "gen_block"
  ) {
    const inner = lowerBlock(l, childOfType(node, "block"))
    const modifier = node.type === "unsafe_block" ? "unsafe" : node.type === "async_block" ? "async" : "const"
    return { ...inner, ...span, modifier }
  }
  if (node.type !== "block") {
    const only = l.expression(node)
    return { ...span, kind: "block", statements: [], tail: only }
  }
  const statements: Array<Statement> = []
  let tail = lowerStatements(l, node.children, statements)
  const last = statements.at(-1)
  if (tail === undefined && last?.kind === "expression" && !last.semicolon && last.attributes === undefined) {
    statements.pop()
    tail = last.expression
  }
  return { ...span, kind: "block", statements, ...(tail === undefined ? {} : { tail }), ...label(l, node) }
}
