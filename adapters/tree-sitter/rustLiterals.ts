import type { Literal } from "../../domain/detection/rust/syntax/syntax.ts"
import type { Lowering } from "./rustLowering.ts"
import type { RawNode } from "./rustTree.ts"

export const lowerLiteral = (l: Lowering, node: RawNode): Literal => {
  const span = l.span(node)
  const text = l.text(node)
  switch (node.type) {
    case "integer_literal":
    case "float_literal": {
      const match = /^(.*?)_?((?:[iu](?:8|16|32|64|128|size))|f32|f64)?$/s.exec(text)
      const isHex = /^0[xX]/.test(text)
      const value = (match?.[1] ?? text).replaceAll("_", "")
      // `0x1f32` ends in digits, not in a suffix; `u` and `i` are not hex digits.
      const suffix = isHex && match?.[2]?.startsWith("f") === true ? undefined : match?.[2]
      return {
        ...span,
        kind: "literal",
        type: node.type === "float_literal" || (!isHex && match?.[2]?.startsWith("f") === true) ? "float" : "integer",
        value: suffix === undefined ? text.replaceAll("_", "") : value,
        ...(suffix === undefined ? {} : { suffix }),
      }
    }
    case "boolean_literal":
      return { ...span, kind: "literal", type: "boolean", value: text }
    case "char_literal":
      return {
        ...span,
        kind: "literal",
        type: text.startsWith("b") ? "byte" : "char",
        value: text.replace(/^b?'|'$/g, ""),
      }
    default: {
      const [opening, kind, hashes = ""] = /^(b|c)?r?(#*)"/.exec(text) ?? []
      const closing = `"${hashes}`
      const isWhole = opening !== undefined && text.length >= opening.length + closing.length && text.endsWith(closing)
      const value = isWhole ? text.slice(opening.length, text.length - closing.length) : text
      return { ...span, kind: "literal", type: isWhole && kind === "b" ? "bytes" : "string", value }
    }
  }
}
