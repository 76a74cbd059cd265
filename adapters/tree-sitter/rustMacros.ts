import type { Expression, MacroCall } from "../../domain/detection/rust/syntax/syntax.ts"
import type { Lowering } from "./rustLowering.ts"
import { child, childOfType, type RawNode } from "./rustTree.ts"

type Writable<T> = { -readonly [K in keyof T]: T[K] }

const isOperand = (node: RawNode): boolean => node.named && node.type !== "attribute_item"

/** A macro call whose tokens are parsed again: as call arguments, elements of an array, or value and pattern. */
export const lowerMacro = (l: Lowering, node: RawNode): MacroCall => {
  const tree = childOfType(node, "token_tree")
  const macro = child(node, "macro")
  const path = macro === undefined ? { ...l.span(node), segments: [] } : l.path(macro)
  const inner = tree === undefined ? { start: node.end, end: node.end } : { start: tree.start + 1, end: tree.end - 1 }
  const opening = tree?.children[0]?.type
  const name = path.segments.at(-1)?.name ?? ""
  const args: Array<Expression> = []
  const call: Writable<MacroCall> = {
    ...l.span(node),
    kind: "macro",
    name,
    path,
    args,
    parsed: tree !== undefined && tree.children.length <= 2,
    delimiter: opening === "[" || opening === "{" ? opening : "(",
    tokens: l.span(inner),
    repeat: false,
  }
  if (tree === undefined || tree.children.length <= 2) return call
  if (name === "matches" || name === "assert_matches") {
    const comma = tree.children.find((one) => one.type === ",")
    if (comma === undefined) return call
    let end = inner.end
    const last = tree.children.at(-2)
    if (last !== undefined && last !== comma && last.type === ",") end = last.start
    l.reparse({
      span: { start: inner.start, end: comma.start },
      as: "arguments",
      done: (list) => {
        const value = list?.children.find(isOperand)
        if (value !== undefined) args.push(l.expression(value))
      },
    })
    l.reparse({
      span: { start: comma.end, end },
      as: "arm",
      done: (arm) => {
        const match = arm === undefined ? undefined : child(arm, "pattern")
        if (match === undefined) return
        call.pattern = l.pattern(match)
        call.parsed = true
        const guard = child(match, "condition")
        if (guard !== undefined) call.guard = l.expression(guard)
      },
    })
    return call
  }
  const elements = opening === "["
  l.reparse({
    span: inner,
    as: elements ? "elements" : "arguments",
    done: (list) => {
      if (list === undefined) return
      call.parsed = true
      call.repeat = elements && list.children.some((one) => one.type === ";")
      for (const one of list.children) if (isOperand(one)) args.push(l.expression(one))
    },
  })
  return call
}
