import type * as S from "../syntax.ts"
import { parseExpression } from "./expression.ts"
import { fitted } from "./fitted.ts"
import { kindOf, Name, StringLiteral } from "./lexer.ts"
import type { TokenStream } from "./TokenStream.ts"
import { isElementaryType, isLocation, parseVariable, parseVariables } from "./type.ts"
import { parseYulBlock } from "./yul.ts"

const K = {
  open: kindOf("("),
  close: kindOf(")"),
  openIndex: kindOf("["),
  closeIndex: kindOf("]"),
  openBrace: kindOf("{"),
  closeBrace: kindOf("}"),
  comma: kindOf(","),
  semicolon: kindOf(";"),
  dot: kindOf("."),
  equals: kindOf("="),
  is: kindOf("is"),
  if: kindOf("if"),
  else: kindOf("else"),
  for: kindOf("for"),
  while: kindOf("while"),
  do: kindOf("do"),
  try: kindOf("try"),
  catch: kindOf("catch"),
  return: kindOf("return"),
  returns: kindOf("returns"),
  emit: kindOf("emit"),
  break: kindOf("break"),
  continue: kindOf("continue"),
  unchecked: kindOf("unchecked"),
  assembly: kindOf("assembly"),
  function: kindOf("function"),
  mapping: kindOf("mapping"),
  var: kindOf("var"),
  address: kindOf("address"),
  payable: kindOf("payable"),
  contract: kindOf("contract"),
  interface: kindOf("interface"),
  library: kindOf("library"),
  abstract: kindOf("abstract"),
  modifier: kindOf("modifier"),
  event: kindOf("event"),
  struct: kindOf("struct"),
  enum: kindOf("enum"),
  constructor: kindOf("constructor"),
  using: kindOf("using"),
  import: kindOf("import"),
  external: kindOf("external"),
  constant: kindOf("constant"),
}

/** Whether a contract or a member of one certainly begins here, which inside a body shows that a brace is missing. */
export const beginsDefinition = (p: TokenStream): boolean => {
  switch (p.kind) {
    case K.function:
      return p.isName(1) && p.peek(2) === K.open
    case K.modifier:
      return p.isName(1) && (p.peek(2) === K.open || p.peek(2) === K.openBrace)
    case K.contract:
    case K.interface:
    case K.library:
      return p.isName(1) && (p.peek(2) === K.openBrace || p.peek(2) === K.is)
    case K.struct:
    case K.enum:
      return p.isName(1) && p.peek(2) === K.openBrace
    case K.event:
      return p.isName(1) && p.peek(2) === K.open
    case K.abstract:
      return p.peek(1) === K.contract
    case K.constructor:
      return p.peek(1) === K.open
    case K.using:
    case K.import:
      return true
    default:
      return (
        (p.isWord("receive") || p.isWord("fallback")) &&
        p.peek(1) === K.open &&
        p.peek(2) === K.close &&
        p.peek(3) === K.external
      )
  }
}

/** A body: statements up to the closing brace, or up to a definition that shows that the brace is missing. */
export const parseBlock = (p: TokenStream, start = p.start, unchecked = false): S.Block => {
  p.expect(K.openBrace)
  const statements = parseStatements(p)
  if (!p.take(K.closeBrace)) p.errorHere()
  return { kind: "Block", unchecked, statements, start, end: Math.max(start, p.lastEnd) }
}

export const parseStatements = (p: TokenStream): ReadonlyArray<S.Statement> => {
  const statements: Array<S.Statement> = []
  while (p.kind !== K.closeBrace && !p.atEnd && !beginsDefinition(p)) {
    const before = p.index
    statements.push(parseStatement(p))
    if (p.index === before) {
      p.errorHere()
      p.advance()
    }
  }
  return fitted(statements)
}

const parseStatement = (p: TokenStream): S.Statement =>
  p.nested(
    () => parseAnyStatement(p),
    () => {
      const start = p.start
      do p.skipStatement()
      while (p.take(K.else))
      return { kind: "UnknownStatement", ...p.span(start) }
    },
  )

const condition = (p: TokenStream): S.Expression => {
  p.expect(K.open)
  const e = parseExpression(p)
  p.expect(K.close)
  return e
}

const parseAnyStatement = (p: TokenStream): S.Statement => {
  const start = p.start
  switch (p.kind) {
    case K.openBrace:
      return parseBlock(p)
    case K.unchecked:
      p.advance()
      return parseBlock(p, start, true)
    case K.if:
      return parseIf(p)
    case K.while:
      return parseWhile(p)
    case K.do:
      return parseDoWhile(p)
    case K.for:
      return parseFor(p)
    case K.try:
      return parseTry(p)
    case K.return:
      return parseReturn(p)
    case K.emit: {
      p.advance()
      const call = asCall(parseExpression(p))
      endStatement(p)
      return { kind: "EmitStatement", call, ...p.span(start) }
    }
    case K.break:
    case K.continue: {
      const kind = p.kind === K.break ? "BreakStatement" : "ContinueStatement"
      p.advance()
      endStatement(p)
      return { kind, ...p.span(start) }
    }
    case K.assembly:
      return parseAssembly(p)
    case Name: {
      const found = parseWord(p)
      if (found !== undefined) return found
      break
    }
  }
  const simple = parseSimple(p)
  endStatement(p)
  return { ...simple, end: Math.max(simple.end, p.lastEnd) }
}

const parseIf = (p: TokenStream): S.Statement => {
  const start = p.start
  p.advance()
  const test = condition(p)
  const then = parseStatement(p)
  const otherwise = p.take(K.else) ? parseStatement(p) : undefined
  return {
    kind: "IfStatement",
    condition: test,
    then,
    ...(otherwise === undefined ? {} : { else: otherwise }),
    ...p.span(start),
  }
}

const parseWhile = (p: TokenStream): S.Statement => {
  const start = p.start
  p.advance()
  const test = condition(p)
  return { kind: "WhileStatement", condition: test, body: parseStatement(p), ...p.span(start) }
}

const parseDoWhile = (p: TokenStream): S.Statement => {
  const start = p.start
  p.advance()
  const body = parseStatement(p)
  p.expect(K.while)
  const test = condition(p)
  endStatement(p)
  return { kind: "DoWhileStatement", condition: test, body, ...p.span(start) }
}

const parseReturn = (p: TokenStream): S.Statement => {
  const start = p.start
  p.advance()
  const value = p.kind === K.semicolon || p.kind === K.closeBrace ? undefined : parseExpression(p)
  endStatement(p)
  return { kind: "ReturnStatement", ...(value === undefined ? {} : { value }), ...p.span(start) }
}

/** The statements that begin with a word which is a name elsewhere: `revert Error()`, `throw` and `_`. */
const parseWord = (p: TokenStream): S.Statement | undefined => {
  const start = p.start
  const word = p.text
  const next = p.peek(1)
  if (word === "revert" && p.isName(1)) {
    p.advance()
    const call = asCall(parseExpression(p))
    endStatement(p)
    return { kind: "RevertStatement", call, ...p.span(start) }
  }
  if ((word === "throw" || word === "_") && (next === K.semicolon || next === K.closeBrace)) {
    p.advance()
    endStatement(p)
    return { kind: word === "_" ? "PlaceholderStatement" : "ThrowStatement", ...p.span(start) }
  }
  return undefined
}

/** `emit` and `revert` are followed by a call; in broken text, whatever follows becomes a call without arguments. */
const asCall = (e: S.Expression): S.FunctionCall =>
  e.kind === "FunctionCall" ? e : { kind: "FunctionCall", callee: e, args: [], start: e.start, end: e.end }

/** The semicolon. If it was dropped at the end of a line, the next line is a statement of its own. */
const endStatement = (p: TokenStream): void => {
  if (p.take(K.semicolon)) return
  p.errorHere()
  if (p.kind !== K.closeBrace && !p.onNewLine && !beginsDefinition(p)) p.skipStatement()
}

/** A declaration or an expression, without the semicolon. */
const parseSimple = (p: TokenStream): S.VariableDeclarationStatement | S.ExpressionStatement => {
  const start = p.start
  if (p.kind === K.var) return parseVar(p)
  if (p.kind === K.open) {
    let ahead = 1
    while (p.peek(ahead) === K.comma) ahead++
    if (looksLikeDeclaration(p, ahead)) return parseTupleDeclaration(p)
  } else if (looksLikeDeclaration(p, 0)) {
    const declaration = parseVariable(p, "local")
    return initialized(p, start, [declaration], false)
  }
  return { kind: "ExpressionStatement", expression: parseExpression(p), ...p.span(start) }
}

const initialized = (
  p: TokenStream,
  start: number,
  declarations: ReadonlyArray<S.VariableDeclaration | undefined>,
  tuple: boolean,
): S.VariableDeclarationStatement => {
  const value = p.take(K.equals) ? parseExpression(p) : undefined
  return {
    kind: "VariableDeclarationStatement",
    declarations,
    tuple,
    ...(value === undefined ? {} : { value }),
    ...p.span(start),
  }
}

const parseTupleDeclaration = (p: TokenStream): S.VariableDeclarationStatement => {
  const start = p.start
  const declarations: Array<S.VariableDeclaration | undefined> = []
  p.advance()
  for (;;) {
    declarations.push(p.kind === K.comma || p.kind === K.close ? undefined : parseVariable(p, "local"))
    if (!p.take(K.comma)) break
  }
  p.expect(K.close)
  return initialized(p, start, fitted(declarations), true)
}

/** `var x = …`, `var (a, , b) = …` of 0.4. */
const parseVar = (p: TokenStream): S.VariableDeclarationStatement => {
  const start = p.start
  p.advance()
  const name = (): S.VariableDeclaration | undefined => {
    if (!p.isName()) return undefined
    const span = { start: p.start, end: p.start + p.text.length }
    const declared = { kind: "VariableDeclaration", role: "local", name: p.text, nameSpan: span, ...span } as const
    p.advance()
    return declared
  }
  const declarations: Array<S.VariableDeclaration | undefined> = []
  const tuple = p.take(K.open)
  do declarations.push(name())
  while (tuple && p.take(K.comma))
  if (tuple) p.expect(K.close)
  return initialized(p, start, fitted(declarations), tuple)
}

/** Looks past a type for a location or a name, which makes it a declaration; an expression has an operator there. */
const looksLikeDeclaration = (p: TokenStream, from: number): boolean => {
  let ahead = from
  const kind = p.peek(ahead)
  if (kind === K.mapping) return true
  if (kind === K.function) return p.peek(ahead + 1) === K.open
  if (isElementaryType(kind)) {
    ahead++
    if (kind === K.address && p.peek(ahead) === K.payable) ahead++
  } else if (p.isName(ahead)) {
    ahead++
    while (p.peek(ahead) === K.dot && p.isName(ahead + 1)) ahead += 2
  } else return false
  while (p.peek(ahead) === K.openIndex) {
    let level = 1
    for (ahead++; level > 0; ahead++) {
      const inside = p.peek(ahead)
      if (inside === K.openIndex) level++
      else if (inside === K.closeIndex) level--
      else if (
        inside === K.semicolon ||
        inside === K.openBrace ||
        inside === K.closeBrace ||
        p.index + ahead >= p.tokens.count
      )
        return false
    }
  }
  return p.isName(ahead) || isLocation(p.peek(ahead))
}

const parseFor = (p: TokenStream): S.ForStatement => {
  const start = p.start
  p.advance()
  p.expect(K.open)
  const init = p.kind === K.semicolon ? undefined : parseSimple(p)
  p.expect(K.semicolon)
  const test = p.kind === K.semicolon ? undefined : parseExpression(p)
  p.expect(K.semicolon)
  const update = p.kind === K.close ? undefined : parseExpression(p)
  p.expect(K.close)
  const body = parseStatement(p)
  return {
    kind: "ForStatement",
    ...(init === undefined ? {} : { init }),
    ...(test === undefined ? {} : { condition: test }),
    ...(update === undefined ? {} : { update }),
    body,
    ...p.span(start),
  }
}

const parseTry = (p: TokenStream): S.TryStatement => {
  const start = p.start
  p.advance()
  const call = parseExpression(p)
  const returns = p.take(K.returns) ? parseVariables(p, "catch") : []
  const body = parseBlock(p)
  const catches: Array<S.CatchClause> = []
  while (p.kind === K.catch) {
    const from = p.start
    p.advance()
    const name = p.isName() ? p.text : ""
    if (name !== "") p.advance()
    const parameters = p.kind === K.open ? parseVariables(p, "catch") : []
    catches.push({ kind: "CatchClause", name, parameters, body: parseBlock(p), ...p.span(from) })
  }
  return { kind: "TryStatement", call, returns, body, catches: fitted(catches), ...p.span(start) }
}

const parseAssembly = (p: TokenStream): S.InlineAssembly => {
  const start = p.start
  p.advance()
  const flags: Array<string> = []
  if (p.kind === StringLiteral) p.advance()
  if (p.take(K.open)) {
    while (p.kind === StringLiteral) {
      flags.push(p.text.slice(1, -1))
      p.advance()
      if (!p.take(K.comma)) break
    }
    p.expect(K.close)
  }
  return { kind: "InlineAssembly", flags: fitted(flags), body: parseYulBlock(p), ...p.span(start) }
}
