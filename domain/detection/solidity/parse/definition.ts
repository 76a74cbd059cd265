import type * as S from "../syntax.ts"
import { parseArguments, parseExpression } from "./expression.ts"
import { fitted } from "./fitted.ts"
import { kindOf, Name } from "./lexer.ts"
import { beginsDefinition, parseBlock, parseStatements } from "./statement.ts"
import type { TokenStream } from "./TokenStream.ts"
import { mutabilities, parsePath, parseType, parseVariables, visibilities } from "./type.ts"

const K = {
  open: kindOf("("),
  close: kindOf(")"),
  openIndex: kindOf("["),
  openBrace: kindOf("{"),
  closeBrace: kindOf("}"),
  comma: kindOf(","),
  semicolon: kindOf(";"),
  equals: kindOf("="),
  is: kindOf("is"),
  star: kindOf("*"),
  for: kindOf("for"),
  function: kindOf("function"),
  constructor: kindOf("constructor"),
  modifier: kindOf("modifier"),
  event: kindOf("event"),
  struct: kindOf("struct"),
  enum: kindOf("enum"),
  using: kindOf("using"),
  contract: kindOf("contract"),
  interface: kindOf("interface"),
  library: kindOf("library"),
  abstract: kindOf("abstract"),
  virtual: kindOf("virtual"),
  override: kindOf("override"),
  returns: kindOf("returns"),
  anonymous: kindOf("anonymous"),
  constant: kindOf("constant"),
  immutable: kindOf("immutable"),
  mapping: kindOf("mapping"),
}

type Named = { readonly name: string; readonly nameSpan: { readonly start: number; readonly end: number } }

const takeName = (p: TokenStream, keyword?: number): Named => {
  const start = p.start
  if (!p.isName() && p.kind !== keyword) {
    p.errorHere()
    return { name: "", nameSpan: { start, end: start } }
  }
  const name = p.text
  p.advance()
  return { name, nameSpan: { start, end: p.endFrom(start) } }
}

/** The semicolon after a definition; a missing one is harmless. */
const end = (p: TokenStream): void => {
  p.expect(K.semicolon)
}

const parseOverride = (p: TokenStream): S.OverrideSpecifier => {
  const start = p.start
  p.advance()
  const bases: Array<ReadonlyArray<string>> = []
  if (p.take(K.open)) {
    while (p.isName()) {
      bases.push(parsePath(p))
      if (!p.take(K.comma)) break
    }
    p.expect(K.close)
  }
  return { kind: "OverrideSpecifier", bases: fitted(bases), start, end: p.endFrom(start) }
}

export const parseContract = (p: TokenStream): S.ContractDefinition => {
  const start = p.start
  const abstract = p.take(K.abstract)
  const contractKind = p.kind === K.interface ? "interface" : p.kind === K.library ? "library" : "contract"
  p.advance()
  const named = takeName(p)
  const bases: Array<S.InheritanceSpecifier> = []
  let layout: S.Expression | undefined
  for (;;) {
    if (p.take(K.is)) {
      do {
        const from = p.start
        const path = parsePath(p)
        if (path.length === 0) break
        const args = p.kind === K.open ? parseArguments(p).args : undefined
        bases.push({
          kind: "InheritanceSpecifier",
          path,
          ...(args === undefined ? {} : { args }),
          start: from,
          end: p.endFrom(from),
        })
      } while (p.take(K.comma))
    } else if (p.isWord("layout")) {
      p.advance()
      p.takeWord("at")
      layout = parseExpression(p)
    } else break
  }
  p.expect(K.openBrace)
  const members: Array<S.ContractMember> = []
  while (!p.atEnd && !(beginsDefinition(p) && beginsContract(p))) {
    if (p.take(K.closeBrace)) {
      return {
        kind: "ContractDefinition",
        contractKind,
        abstract,
        ...named,
        bases: fitted(bases),
        ...optional("layout", layout),
        members: fitted(members),
        start,
        end: p.endFrom(start),
      }
    }
    parseMember(p, members)
  }
  p.errorHere()
  return {
    kind: "ContractDefinition",
    contractKind,
    abstract,
    ...named,
    bases: fitted(bases),
    ...optional("layout", layout),
    members: fitted(members),
    start,
    end: Math.max(start, p.lastEnd),
  }
}

const optional = <K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } =>
  // One computed key: the object has exactly the type's shape, which TypeScript cannot see.
  (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V }

export const beginsContract = (p: TokenStream): boolean =>
  p.kind === K.contract ||
  p.kind === K.interface ||
  p.kind === K.library ||
  (p.kind === K.abstract && p.peek(1) === K.contract)

/** Puts one member of a contract (or definition at file level) into `members`; always consumes at least one token. */
export const parseMember = (p: TokenStream, members: Array<S.ContractMember>): void => {
  const before = p.index
  const member = parseMemberAt(p)
  if (member !== undefined) members.push(member)
  else if (p.index === before) {
    p.errorHere()
    p.advance()
  }
}

const parseMemberAt = (p: TokenStream): S.ContractMember | undefined => {
  switch (p.kind) {
    case K.function:
      // `function (uint) external f;` is a state variable of function type, `function () {}` the fallback of old
      // versions.
      if (p.peek(1) === K.open && !isOldFallback(p)) return parseStateVariable(p)
      return parseFunction(p, "function")
    case K.constructor:
      return parseFunction(p, "constructor")
    case K.modifier:
      return parseModifier(p)
    case K.event:
      return parseEvent(p)
    case K.struct:
      return parseStruct(p)
    case K.enum:
      return parseEnum(p)
    case K.using:
      return parseUsing(p)
    case K.semicolon:
      p.advance()
      return undefined
    case Name: {
      const word = p.text
      if ((word === "fallback" || word === "receive") && p.peek(1) === K.open) return parseFunction(p, word)
      if (word === "error" && p.isName(1) && p.peek(2) === K.open) return parseError(p)
      if (word === "type" && p.isName(1) && p.peek(2) === K.is) return parseTypeDefinition(p)
      break
    }
  }
  if (p.kind === K.mapping || p.isName() || p.tokens.kinds[p.index]! >= 8) return parseStateVariable(p)
  return undefined
}

/** From `function (` on: a body, or a bare head without a name after it, is the fallback function of old versions. */
const isOldFallback = (p: TokenStream): boolean => {
  if (p.peek(2) !== K.close) return false
  for (let ahead = 3; ; ahead++) {
    const kind = p.peek(ahead)
    if (kind === K.openBrace) return true
    if (kind === K.semicolon) return !p.isName(ahead - 1)
    if (kind === K.equals || kind === K.returns || p.index + ahead >= p.tokens.count) return false
  }
}

const parseFunction = (p: TokenStream, keyword: S.FunctionDefinition["functionKind"]): S.FunctionDefinition => {
  const start = p.start
  p.advance()
  const unnamed = keyword !== "function" || p.kind === K.open
  const named = unnamed
    ? { name: "", nameSpan: { start, end: p.endFrom(start) } }
    : // An ordinary function before 0.5, by mistake.
      takeName(p, K.constructor)
  const functionKind = keyword === "function" && unnamed ? "fallback" : keyword
  const parameters = parseVariables(p, "parameter")
  let visibility: S.Visibility = "default"
  let mutability: S.Mutability = "nonpayable"
  let virtual = false
  let override: S.OverrideSpecifier | undefined
  let returns: ReadonlyArray<S.VariableDeclaration> = []
  const modifiers: Array<S.ModifierInvocation> = []
  for (;;) {
    const v = visibilities.get(p.kind)
    const m = mutabilities.get(p.kind)
    if (v !== undefined) visibility = v
    else if (m !== undefined) mutability = m
    else if (p.kind === K.virtual) virtual = true
    else if (p.kind === K.override) {
      override = parseOverride(p)
      continue
    } else if (p.take(K.returns)) {
      returns = parseVariables(p, "return")
      continue
    } else if (p.isName() && !(p.onNewLine && p.peek(1) !== K.openBrace && looksLikeStatement(p))) {
      modifiers.push(parseInvocation(p))
      continue
    } else break
    p.advance()
  }
  const head = {
    kind: "FunctionDefinition",
    functionKind,
    ...named,
    visibility,
    mutability,
    virtual,
    ...optional("override", override),
    modifiers: fitted(modifiers),
    parameters,
    returns,
    start,
  } as const
  if (p.take(K.semicolon)) return { ...head, end: p.lastEnd }
  const body = parseBody(p)
  return { ...head, ...optional("body", body), end: p.lastEnd }
}

/** After a head whose brace was dropped: `x = 1` or `f.g(…)` on a new line is the body's first statement. */
const looksLikeStatement = (p: TokenStream): boolean => {
  const next = p.peek(1)
  return (
    next === K.equals || next === K.openIndex || (p.isName(1) && (p.peek(2) === K.equals || p.peek(2) === K.semicolon))
  )
}

/** A block; the opening brace may be missing if statements follow rather than another member. */
const parseBody = (p: TokenStream): S.Block | undefined => {
  if (p.kind === K.openBrace) return parseBlock(p)
  p.errorHere()
  if (p.kind === K.closeBrace || p.atEnd || beginsDefinition(p)) return undefined
  const start = p.start
  const statements = parseStatements(p)
  p.take(K.closeBrace)
  return { kind: "Block", unchecked: false, statements, ...p.span(start) }
}

const parseInvocation = (p: TokenStream): S.ModifierInvocation => {
  const start = p.start
  const path = parsePath(p)
  const args = p.kind === K.open ? parseArguments(p).args : undefined
  return { kind: "ModifierInvocation", path, ...optional("args", args), start, end: p.endFrom(start) }
}

const parseModifier = (p: TokenStream): S.ModifierDefinition => {
  const start = p.start
  p.advance()
  const named = takeName(p)
  const parameters = p.kind === K.open ? parseVariables(p, "parameter") : []
  let virtual = false
  let override: S.OverrideSpecifier | undefined
  for (;;) {
    if (p.take(K.virtual)) virtual = true
    else if (p.kind === K.override) override = parseOverride(p)
    else break
  }
  const body = p.take(K.semicolon) ? undefined : parseBody(p)
  return {
    kind: "ModifierDefinition",
    ...named,
    virtual,
    ...optional("override", override),
    parameters,
    ...optional("body", body),
    start,
    end: p.endFrom(start),
  }
}

const parseEvent = (p: TokenStream): S.EventDefinition => {
  const start = p.start
  p.advance()
  const named = takeName(p)
  const parameters = parseVariables(p, "event")
  const anonymous = p.take(K.anonymous)
  end(p)
  return { kind: "EventDefinition", ...named, parameters, anonymous, start, end: p.endFrom(start) }
}

const parseError = (p: TokenStream): S.ErrorDefinition => {
  const start = p.start
  p.advance()
  const named = takeName(p)
  const parameters = parseVariables(p, "error")
  end(p)
  return { kind: "ErrorDefinition", ...named, parameters, start, end: p.endFrom(start) }
}

const parseStruct = (p: TokenStream): S.StructDefinition => {
  const start = p.start
  p.advance()
  const named = takeName(p)
  const members: Array<S.VariableDeclaration> = []
  p.expect(K.openBrace)
  while (p.kind !== K.closeBrace && !p.atEnd && !beginsDefinition(p)) {
    const before = p.index
    const from = p.start
    const typeName = parseType(p)
    const member = takeName(p)
    end(p)
    if (p.index === before) p.advance()
    else if (member.name !== "")
      members.push({
        kind: "VariableDeclaration",
        role: "member",
        ...member,
        typeName,
        start: from,
        end: p.endFrom(from),
      })
  }
  p.expect(K.closeBrace)
  return { kind: "StructDefinition", ...named, members: fitted(members), start, end: p.endFrom(start) }
}

const parseEnum = (p: TokenStream): S.EnumDefinition => {
  const start = p.start
  p.advance()
  const named = takeName(p)
  const values: Array<S.EnumDefinition["values"][number]> = []
  p.expect(K.openBrace)
  while (p.isName()) {
    const value = takeName(p)
    values.push({ name: value.name, ...value.nameSpan })
    if (!p.take(K.comma)) break
  }
  p.expect(K.closeBrace)
  return { kind: "EnumDefinition", ...named, values: fitted(values), start, end: p.endFrom(start) }
}

const parseTypeDefinition = (p: TokenStream): S.TypeDefinition => {
  const start = p.start
  p.advance()
  const named = takeName(p)
  p.expect(K.is)
  const underlying = parseType(p)
  end(p)
  return { kind: "TypeDefinition", ...named, underlying, start, end: p.endFrom(start) }
}

const parseUsing = (p: TokenStream): S.UsingDirective => {
  const start = p.start
  p.advance()
  const functions: Array<S.UsingDirective["functions"][number]> = []
  const braces = p.take(K.openBrace)
  do {
    const path = parsePath(p)
    if (path.length === 0) break
    let operator: string | undefined
    if (p.takeWord("as")) {
      operator = p.text
      p.advance()
    }
    functions.push({ path, ...optional("operator", operator) })
  } while (braces && p.take(K.comma) && p.isName())
  if (braces) p.expect(K.closeBrace)
  p.expect(K.for)
  const typeName = p.take(K.star) ? undefined : parseType(p)
  const global = p.takeWord("global")
  end(p)
  return {
    kind: "UsingDirective",
    functions: fitted(functions),
    braces,
    ...optional("typeName", typeName),
    global,
    start,
    end: p.endFrom(start),
  }
}

const parseStateVariable = (p: TokenStream): S.StateVariableDeclaration | undefined => {
  const start = p.start
  const before = p.index
  const typeName = parseType(p)
  let visibility: S.Visibility = "default"
  let constant = false
  let immutable = false
  let transient = false
  let override: S.OverrideSpecifier | undefined
  for (;;) {
    const v = visibilities.get(p.kind)
    if (v !== undefined) visibility = v
    else if (p.kind === K.constant) constant = true
    else if (p.kind === K.immutable) immutable = true
    else if (p.isWord("transient") && p.peek(1) !== K.semicolon && p.peek(1) !== K.equals) transient = true
    else if (p.kind === K.override) {
      override = parseOverride(p)
      continue
    } else break
    p.advance()
  }
  if (!p.isName()) {
    p.error(start, Math.max(p.lastEnd, start))
    if (p.index === before) return undefined
    if (p.kind !== K.closeBrace && !beginsDefinition(p)) p.skipStatement()
    return undefined
  }
  const named = takeName(p)
  const value = p.take(K.equals) ? parseExpression(p) : undefined
  if (!p.take(K.semicolon)) {
    p.errorHere()
    if (p.kind !== K.closeBrace && !p.onNewLine && !beginsDefinition(p)) p.skipStatement()
  }
  return {
    kind: "StateVariableDeclaration",
    ...named,
    typeName,
    visibility,
    constant,
    immutable,
    transient,
    ...optional("override", override),
    ...optional("value", value),
    start,
    end: p.endFrom(start),
  }
}
