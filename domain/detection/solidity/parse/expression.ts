import type * as S from "../syntax.ts"
import { fitted } from "./fitted.ts"
import { DecimalNumber, HexNumber, HexString, kindOf, Name, StringLiteral, UnicodeString } from "./lexer.ts"
import { nestingLimit, type TokenStream } from "./TokenStream.ts"
import { isElementaryType, parseElementaryType, parseType } from "./type.ts"

const K = {
  open: kindOf("("),
  close: kindOf(")"),
  openIndex: kindOf("["),
  closeIndex: kindOf("]"),
  openBrace: kindOf("{"),
  closeBrace: kindOf("}"),
  comma: kindOf(","),
  colon: kindOf(":"),
  dot: kindOf("."),
  question: kindOf("?"),
  new: kindOf("new"),
  payable: kindOf("payable"),
  true: kindOf("true"),
  false: kindOf("false"),
  delete: kindOf("delete"),
  increment: kindOf("++"),
  decrement: kindOf("--"),
  power: kindOf("**"),
  address: kindOf("address"),
}

/** Precedences of solc's parser; higher binds more tightly. */
const binary = new Map<number, { readonly operator: S.BinaryOperator; readonly strength: number }>(
  (
    [
      [["||"], 4],
      [["&&"], 5],
      [["==", "!="], 6],
      [["<", ">", "<=", ">="], 7],
      [["|"], 8],
      [["^"], 9],
      [["&"], 10],
      [["<<", ">>", ">>>"], 11],
      [["+", "-"], 12],
      [["*", "/", "%"], 13],
      [["**"], 14],
    ] as ReadonlyArray<readonly [ReadonlyArray<S.BinaryOperator>, number]>
  ).flatMap(([operators, strength]) =>
    operators.map((operator) => [kindOf(operator), { operator, strength }] as const),
  ),
)

const assignments = new Map<number, S.Assignment["operator"]>(
  (["=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "<<=", ">>=", ">>>="] as const).map((o) => [kindOf(o), o]),
)

const prefixes = new Map<number, S.UnaryOperation["operator"]>(
  (["!", "~", "-", "+", "++", "--", "delete"] as const).map((o) => [kindOf(o), o]),
)

const units = new Set("wei gwei szabo finney ether seconds minutes hours days weeks years".split(" "))

const unknown = (p: TokenStream): S.UnknownExpression => {
  const start = p.start
  p.skipInside()
  return { kind: "UnknownExpression", ...p.span(start) }
}

/** Any expression, including assignments and `?:`. Consumes nothing if none begins here (and records the error). */
export const parseExpression = (p: TokenStream): S.Expression =>
  p.nested(
    () => parseAssignment(p),
    () => unknown(p),
  )

const parseAssignment = (p: TokenStream): S.Expression => {
  const start = p.start
  const left = parseBinary(p, 4)
  if (p.take(K.question)) {
    const then = parseExpression(p)
    p.expect(K.colon)
    const otherwise = parseExpression(p)
    return { kind: "Conditional", condition: left, then, else: otherwise, start, end: p.endFrom(start) }
  }
  const operator = assignments.get(p.kind)
  if (operator === undefined) return left
  p.advance()
  const right = parseExpression(p)
  return { kind: "Assignment", operator, left, right, start, end: p.endFrom(start) }
}

const parseBinary = (p: TokenStream, strength: number): S.Expression => {
  const start = p.start
  let left = parseUnary(p)
  for (let length = 0; ; length++) {
    const found = binary.get(p.kind)
    if (found === undefined || found.strength < strength) return left
    if (length >= nestingLimit) {
      p.problems.add(`an operator chain of more than ${nestingLimit} terms was not analyzed`)
      p.skipInside()
      return { kind: "UnknownExpression", ...p.span(start) }
    }
    p.advance()
    // `**` is the only right-associative operator.
    const right = parseBinary(p, p.tokens.kinds[p.index - 1] === K.power ? found.strength : found.strength + 1)
    left = { kind: "BinaryOperation", operator: found.operator, left, right, start, end: p.endFrom(start) }
  }
}

const parseUnary = (p: TokenStream): S.Expression => {
  const operator = prefixes.get(p.kind)
  if (operator === undefined) return parsePostfix(p)
  const start = p.start
  p.advance()
  const operand = p.nested(
    () => parseUnary(p),
    () => unknown(p),
  )
  return { kind: "UnaryOperation", operator, prefix: true, operand, start, end: p.endFrom(start) }
}

const parsePostfix = (p: TokenStream): S.Expression => {
  const start = p.start
  let e = parsePrimary(p)
  for (let length = 0; ; length++) {
    if (length >= nestingLimit) {
      p.problems.add(`a chain of more than ${nestingLimit} members or calls was not analyzed`)
      p.skipInside()
      return { kind: "UnknownExpression", ...p.span(start) }
    }
    const kind = p.kind
    if (kind === K.dot) {
      p.advance()
      // Any word can be a member: .address, .default, .constant.
      const member = p.text
      if (/^[\w$]/.test(member)) p.advance()
      else p.errorHere()
      e = { kind: "MemberAccess", object: e, member, start, end: p.endFrom(start) }
    } else if (kind === K.open) {
      e = parseCall(p, e, start)
    } else if (kind === K.openIndex) {
      e = parseIndex(p, e, start)
    } else if (kind === K.openBrace && p.isName(1) && p.peek(2) === K.colon) {
      const { names, values } = parseNamed(p)
      const options = names.map((name, i) => ({ name, value: values[i]! }))
      e = { kind: "FunctionCallOptions", callee: e, options, start, end: p.endFrom(start) }
    } else if (kind === K.increment || kind === K.decrement) {
      p.advance()
      const operator = kind === K.increment ? "++" : "--"
      e = { kind: "UnaryOperation", operator, prefix: false, operand: e, start, end: p.endFrom(start) }
    } else return e
  }
}

/** `{a: 1, b: 2}`, from its brace on. */
const parseNamed = (p: TokenStream): { names: ReadonlyArray<string>; values: ReadonlyArray<S.Expression> } => {
  const names: Array<string> = []
  const values: Array<S.Expression> = []
  p.expect(K.openBrace)
  while (p.isName()) {
    names.push(p.text)
    p.advance()
    p.expect(K.colon)
    values.push(parseExpression(p))
    if (!p.take(K.comma)) break
  }
  p.expect(K.closeBrace)
  return { names: fitted(names), values: fitted(values) }
}

/** Arguments in parentheses, with `p` at the opening one. */
export const parseArguments = (
  p: TokenStream,
): { args: ReadonlyArray<S.Expression>; names?: ReadonlyArray<string> } => {
  p.expect(K.open)
  if (p.kind === K.openBrace) {
    const { names, values } = parseNamed(p)
    p.expect(K.close)
    return { args: values, names }
  }
  const args: Array<S.Expression> = []
  while (p.kind !== K.close && !p.atEnd) {
    const before = p.index
    args.push(parseExpression(p))
    if (!p.take(K.comma) || p.index === before) break
  }
  p.expect(K.close)
  return { args: fitted(args) }
}

const parseCall = (p: TokenStream, callee: S.Expression, start: number): S.FunctionCall => {
  const { args, names } = parseArguments(p)
  return { kind: "FunctionCall", callee, args, ...(names === undefined ? {} : { names }), start, end: p.endFrom(start) }
}

const parseIndex = (p: TokenStream, base: S.Expression, start: number): S.Expression => {
  p.advance()
  const from = p.kind === K.closeIndex || p.kind === K.colon ? undefined : parseExpression(p)
  if (p.take(K.colon)) {
    const to = p.kind === K.closeIndex ? undefined : parseExpression(p)
    p.expect(K.closeIndex)
    return {
      kind: "IndexRangeAccess",
      base,
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      start,
      end: p.endFrom(start),
    }
  }
  p.expect(K.closeIndex)
  return { kind: "IndexAccess", base, ...(from === undefined ? {} : { index: from }), start, end: p.endFrom(start) }
}

const parsePrimary = (p: TokenStream): S.Expression => {
  const start = p.start
  const kind = p.kind
  if (kind === Name) {
    const name = p.text
    p.advance()
    if (name === "type" && p.kind === K.open) {
      p.advance()
      const typeName = parseType(p)
      p.expect(K.close)
      return { kind: "TypeExpression", typeName, start, end: p.endFrom(start) }
    }
    return { kind: "Identifier", name, start, end: p.endFrom(start) }
  }
  if (kind === DecimalNumber || kind === HexNumber) return parseNumber(p)
  if (kind === StringLiteral || kind === HexString || kind === UnicodeString) return parseString(p)
  if (kind === K.open) return parseTuple(p)
  if (kind === K.true || kind === K.false) {
    p.advance()
    return {
      kind: "Literal",
      literalKind: "bool",
      value: kind === K.true ? "true" : "false",
      start,
      end: p.endFrom(start),
    }
  }
  if (kind === K.new) {
    p.advance()
    const typeName = parseType(p)
    return { kind: "NewExpression", typeName, start, end: p.endFrom(start) }
  }
  if (kind === K.payable) {
    p.advance()
    const typeName = { kind: "ElementaryTypeName", name: "payable", start, end: p.endFrom(start) } as const
    return { kind: "TypeNameExpression", typeName, start, end: p.endFrom(start) }
  }
  if (isElementaryType(kind)) {
    const typeName = parseElementaryType(p)
    return { kind: "TypeNameExpression", typeName, start, end: p.endFrom(start) }
  }
  if (kind === K.openIndex) {
    p.advance()
    const components: Array<S.Expression> = []
    while (p.kind !== K.closeIndex && !p.atEnd) {
      components.push(parseExpression(p))
      if (!p.take(K.comma)) break
    }
    p.expect(K.closeIndex)
    return { kind: "InlineArray", components: fitted(components), start, end: p.endFrom(start) }
  }
  if (p.isName()) {
    const name = p.text
    p.advance()
    return { kind: "Identifier", name, start, end: p.endFrom(start) }
  }
  p.errorHere()
  return { kind: "UnknownExpression", start, end: start }
}

const parseNumber = (p: TokenStream): S.Literal => {
  const start = p.start
  const literalKind = p.kind === HexNumber ? "hexNumber" : "number"
  const value = p.text
  p.advance()
  const unit = p.kind === Name && units.has(p.text) ? p.text : undefined
  if (unit !== undefined) p.advance()
  return { kind: "Literal", literalKind, value, ...(unit === undefined ? {} : { unit }), start, end: p.endFrom(start) }
}

const parseString = (p: TokenStream): S.Literal => {
  const start = p.start
  const kind = p.kind
  const literalKind = kind === StringLiteral ? "string" : kind === HexString ? "hexString" : "unicodeString"
  let value = ""
  while (p.kind === kind) {
    const text = p.text
    const quote = kind === StringLiteral ? 0 : kind === HexString ? 3 : 7
    // A string that breaks off at the end of its line has no closing quote.
    const closed = text.length > quote + 1 && text.endsWith(text[quote]!)
    value += text.slice(quote + 1, closed ? -1 : undefined)
    p.advance()
  }
  return { kind: "Literal", literalKind, value, start, end: p.endFrom(start) }
}

const parseTuple = (p: TokenStream): S.Expression => {
  const start = p.start
  p.advance()
  const components: Array<S.Expression | undefined> = []
  let commas = 0
  while (p.kind !== K.close && !p.atEnd) {
    if (p.kind === K.comma) components.push(undefined)
    else components.push(parseExpression(p))
    if (!p.take(K.comma)) break
    commas++
  }
  if (commas > 0 && components.length === commas) components.push(undefined)
  p.expect(K.close)
  const only = components[0]
  // The span grows to include the parentheses, so that a finding's snippet is what the author wrote.
  if (commas === 0 && only !== undefined) return { ...only, start, end: p.endFrom(start) }
  return { kind: "TupleExpression", components: fitted(components), start, end: p.endFrom(start) }
}
