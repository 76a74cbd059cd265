import type * as S from "../syntax.ts"
import { fitted } from "./fitted.ts"
import { DecimalNumber, HexNumber, HexString, kindOf, Name, StringLiteral } from "./lexer.ts"
import type { TokenStream } from "./TokenStream.ts"

const K = {
  open: kindOf("("),
  close: kindOf(")"),
  openBrace: kindOf("{"),
  closeBrace: kindOf("}"),
  comma: kindOf(","),
  assign: kindOf(":="),
  oldAssign: kindOf("=:"),
  colon: kindOf(":"),
  equals: kindOf("="),
  arrow: kindOf("->"),
  dot: kindOf("."),
  let: kindOf("let"),
  if: kindOf("if"),
  for: kindOf("for"),
  function: kindOf("function"),
  case: kindOf("case"),
  default: kindOf("default"),
  break: kindOf("break"),
  continue: kindOf("continue"),
  true: kindOf("true"),
  false: kindOf("false"),
  return: kindOf("return"),
  byte: kindOf("byte"),
  address: kindOf("address"),
}

/** Reserved in Solidity, opcodes in Yul. */
const opcodes = new Set([K.return, K.byte, K.address])

/** Opcodes that old assembly also writes without parentheses. */
const bare = new Set(
  (
    "caller callvalue calldatasize gas address origin gasprice timestamp number difficulty prevrandao coinbase gaslimit " +
    "returndatasize msize codesize chainid selfbalance basefee stop invalid"
  ).split(" "),
)

const isYulName = (p: TokenStream): boolean => p.isName() || opcodes.has(p.kind)

export const parseYulBlock = (p: TokenStream): S.YulBlock => {
  const start = p.start
  return p.nested(
    () => {
      const statements: Array<S.YulStatement> = []
      if (!p.expect(K.openBrace)) return { kind: "YulBlock", statements: fitted(statements), ...p.span(start) }
      while (p.kind !== K.closeBrace && !p.atEnd) {
        const before = p.index
        statements.push(parseYulStatement(p))
        if (p.index === before) {
          // A Solidity function here means that braces are missing: leave it to the contract.
          if (p.kind === K.function && p.peek(2) === K.open) break
          p.errorHere()
          p.advance()
        }
      }
      p.expect(K.closeBrace)
      return { kind: "YulBlock", statements: fitted(statements), ...p.span(start) }
    },
    () => {
      p.advance()
      p.skipInside()
      p.take(K.closeBrace)
      return { kind: "YulBlock", statements: [{ kind: "YulUnknown", ...p.span(start) }], ...p.span(start) }
    },
  )
}

const parseYulStatement = (p: TokenStream): S.YulStatement => {
  const start = p.start
  const kind = p.kind
  if (kind === K.openBrace) return parseYulBlock(p)
  if (kind === K.let) {
    p.advance()
    const names = parseYulNames(p)
    const value = takeAssign(p) ? parseYulExpression(p) : undefined
    return { kind: "YulVariableDeclaration", names, ...(value === undefined ? {} : { value }), ...p.span(start) }
  }
  if (kind === K.if) {
    p.advance()
    const condition = parseYulExpression(p)
    const body = parseYulBlock(p)
    return { kind: "YulIf", condition, body, ...p.span(start) }
  }
  if (kind === K.for) {
    p.advance()
    const init = parseYulBlock(p)
    const condition = parseYulExpression(p)
    const update = parseYulBlock(p)
    const body = parseYulBlock(p)
    return { kind: "YulFor", init, condition, update, body, ...p.span(start) }
  }
  if (kind === Name && p.text === "switch") return parseYulSwitch(p)
  if (kind === K.function) return parseYulFunction(p)
  if (kind === K.break || kind === K.continue) {
    p.advance()
    return { kind: kind === K.break ? "YulBreak" : "YulContinue", ...p.span(start) }
  }
  if (kind === Name && p.text === "leave") {
    p.advance()
    return { kind: "YulLeave", ...p.span(start) }
  }
  if (kind === K.oldAssign || kind === K.equals) {
    // 0.4: `mload(0x40) =: x`
    p.advance()
    const target = parseYulIdentifier(p)
    return {
      kind: "YulAssignment",
      targets: [target],
      value: { kind: "YulUnknown", start, end: start },
      ...p.span(start),
    }
  }
  if (isYulName(p)) {
    if (p.peek(1) === K.colon && p.peek(2) !== K.equals) {
      // A label, as in 0.4.
      p.advance()
      p.advance()
      return { kind: "YulUnknown", ...p.span(start) }
    }
    if (p.peek(1) !== K.open) {
      const targets = parseYulNames(p)
      if (takeAssign(p)) return { kind: "YulAssignment", targets, value: parseYulExpression(p), ...p.span(start) }
      const only = targets[0]
      const expression: S.YulExpression =
        only !== undefined && bare.has(only.name)
          ? { kind: "YulFunctionCall", name: only.name, args: fitted([]), start, end: only.end }
          : (only ?? { kind: "YulUnknown", start, end: start })
      return { kind: "YulExpressionStatement", expression, ...p.span(start) }
    }
  }
  return { kind: "YulExpressionStatement", expression: parseYulExpression(p), ...p.span(start) }
}

const takeAssign = (p: TokenStream): boolean => {
  if (p.take(K.assign)) return true
  if (p.kind !== K.colon || p.peek(1) !== K.equals) return false
  p.advance()
  p.advance()
  return true
}

const parseYulIdentifier = (p: TokenStream): S.YulIdentifier => {
  const start = p.start
  if (!isYulName(p)) {
    p.errorHere()
    return { kind: "YulIdentifier", name: "", start, end: start }
  }
  let name = p.text
  p.advance()
  while (p.kind === K.dot) {
    p.advance()
    name += `.${p.text}`
    p.advance()
  }
  return { kind: "YulIdentifier", name, start, end: p.endFrom(start) }
}

/** One or more names, with or without parentheses; the type that early Yul allowed (`x:u256`) is dropped. */
const parseYulNames = (p: TokenStream): ReadonlyArray<S.YulIdentifier> => {
  const names: Array<S.YulIdentifier> = []
  const parenthesis = p.take(K.open)
  while (isYulName(p)) {
    names.push(parseYulIdentifier(p))
    if (p.kind === K.colon && p.peek(1) === Name) {
      p.advance()
      p.advance()
    }
    if (!p.take(K.comma)) break
  }
  if (parenthesis) p.expect(K.close)
  return fitted(names)
}

const parseYulSwitch = (p: TokenStream): S.YulSwitch => {
  const start = p.start
  p.advance()
  const subject = parseYulExpression(p)
  const cases: Array<S.YulSwitch["cases"][number]> = []
  while (p.kind === K.case || p.kind === K.default) {
    const from = p.start
    const isCase = p.kind === K.case
    p.advance()
    const value = isCase ? parseYulExpression(p) : undefined
    const body = parseYulBlock(p)
    cases.push({ ...(value?.kind === "YulLiteral" ? { value } : {}), body, ...p.span(from) })
  }
  return { kind: "YulSwitch", subject, cases: fitted(cases), ...p.span(start) }
}

const parseYulFunction = (p: TokenStream): S.YulStatement => {
  const start = p.start
  // `function f(uint a)` is not Yul; the block's loop decides what it means.
  if (
    p.peek(2) === K.open &&
    p.peek(3) !== K.close &&
    p.peek(4) !== K.comma &&
    p.peek(4) !== K.close &&
    p.peek(4) !== K.colon
  )
    return { kind: "YulUnknown", start, end: start }
  p.advance()
  const name = parseYulIdentifier(p).name
  const parameters = p.kind === K.open ? parseYulNames(p) : []
  const returns = p.take(K.arrow) ? parseYulNames(p) : []
  const body = parseYulBlock(p)
  return { kind: "YulFunctionDefinition", name, parameters, returns, body, ...p.span(start) }
}

const parseYulExpression = (p: TokenStream): S.YulExpression =>
  p.nested(
    () => parseYulTerm(p),
    () => {
      const start = p.start
      p.skipInside()
      return { kind: "YulUnknown", ...p.span(start) }
    },
  )

const parseYulTerm = (p: TokenStream): S.YulExpression => {
  const start = p.start
  const kind = p.kind
  if (kind === DecimalNumber || kind === HexNumber) {
    const literalKind = kind === HexNumber ? "hexNumber" : "number"
    const value = p.text
    p.advance()
    return { kind: "YulLiteral", literalKind, value, start, end: p.endFrom(start) }
  }
  if (kind === StringLiteral || kind === HexString) {
    const text = p.text
    p.advance()
    const literalKind = kind === StringLiteral ? "string" : "hexString"
    return {
      kind: "YulLiteral",
      literalKind,
      value: text.slice(kind === HexString ? 4 : 1, -1),
      start,
      end: p.endFrom(start),
    }
  }
  if (kind === K.true || kind === K.false) {
    p.advance()
    return {
      kind: "YulLiteral",
      literalKind: "bool",
      value: kind === K.true ? "true" : "false",
      start,
      end: p.endFrom(start),
    }
  }
  if (!isYulName(p)) {
    p.errorHere()
    return { kind: "YulUnknown", start, end: start }
  }
  const { name } = parseYulIdentifier(p)
  if (p.kind === K.open) {
    p.advance()
    const args: Array<S.YulExpression> = []
    while (p.kind !== K.close && !p.atEnd) {
      const before = p.index
      args.push(parseYulExpression(p))
      if (!p.take(K.comma) || p.index === before) break
    }
    p.expect(K.close)
    return { kind: "YulFunctionCall", name, args: fitted(args), start, end: p.endFrom(start) }
  }
  if (bare.has(name)) return { kind: "YulFunctionCall", name, args: fitted([]), start, end: p.endFrom(start) }
  return { kind: "YulIdentifier", name, start, end: p.endFrom(start) }
}
