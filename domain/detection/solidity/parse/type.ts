import type * as S from "../syntax.ts"
import { parseExpression } from "./expression.ts"
import { fitted } from "./fitted.ts"
import { kindOf, SizedType } from "./lexer.ts"
import type { TokenStream } from "./TokenStream.ts"

const K = {
  open: kindOf("("),
  close: kindOf(")"),
  openIndex: kindOf("["),
  closeIndex: kindOf("]"),
  comma: kindOf(","),
  dot: kindOf("."),
  arrow: kindOf("=>"),
  mapping: kindOf("mapping"),
  function: kindOf("function"),
  returns: kindOf("returns"),
  payable: kindOf("payable"),
  address: kindOf("address"),
  indexed: kindOf("indexed"),
}

const elementary = new Set([
  SizedType,
  ...["address", "bool", "string", "bytes", "byte", "int", "uint", "fixed", "ufixed", "var"].map(kindOf),
])
const locations = new Map<number, S.DataLocation>(
  (["memory", "storage", "calldata"] as const).map((word) => [kindOf(word), word]),
)
export const visibilities = new Map<number, S.Visibility>(
  (["public", "private", "internal", "external"] as const).map((word) => [kindOf(word), word]),
)
export const mutabilities = new Map<number, S.Mutability>(
  (["pure", "view", "payable", "constant"] as const).map((word) => [kindOf(word), word]),
)

export const isElementaryType = (kind: number): boolean => elementary.has(kind)
export const isLocation = (kind: number): boolean => locations.has(kind)
const beginsType = (p: TokenStream): boolean =>
  isElementaryType(p.kind) || p.kind === K.mapping || p.kind === K.function || p.isName()

export const parseElementaryType = (p: TokenStream): S.ElementaryTypeName => {
  const start = p.start
  let name = p.text
  const address = p.kind === K.address
  p.advance()
  if (address && p.take(K.payable)) name = "address payable"
  return { kind: "ElementaryTypeName", name, start, end: p.endFrom(start) }
}

/** `A.B.C`; consumes nothing if there is no name. */
export const parsePath = (p: TokenStream): ReadonlyArray<string> => {
  const path: Array<string> = []
  if (!p.isName()) {
    p.errorHere()
    return path
  }
  do {
    path.push(p.text)
    p.advance()
  } while (p.kind === K.dot && p.isName(1) && p.take(K.dot))
  return fitted(path)
}

export const parseType = (p: TokenStream): S.TypeName => {
  const start = p.start
  let type: S.TypeName = p.nested(
    () => parseBaseType(p),
    () => {
      p.skipInside()
      return { kind: "ElementaryTypeName", name: "", ...p.span(start) }
    },
  )
  while (p.kind === K.openIndex) {
    p.advance()
    const length = p.kind === K.closeIndex ? undefined : parseExpression(p)
    p.expect(K.closeIndex)
    type = {
      kind: "ArrayTypeName",
      base: type,
      ...(length === undefined ? {} : { length }),
      start,
      end: p.endFrom(start),
    }
  }
  return type
}

const parseBaseType = (p: TokenStream): S.TypeName => {
  const start = p.start
  if (isElementaryType(p.kind)) return parseElementaryType(p)
  if (p.take(K.mapping)) {
    p.expect(K.open)
    const key = parseType(p)
    const keyName = p.isName() ? p.text : undefined
    if (keyName !== undefined) p.advance()
    p.expect(K.arrow)
    const value = parseType(p)
    const valueName = p.isName() ? p.text : undefined
    if (valueName !== undefined) p.advance()
    p.expect(K.close)
    return {
      kind: "MappingTypeName",
      key,
      value,
      ...(keyName === undefined ? {} : { keyName }),
      ...(valueName === undefined ? {} : { valueName }),
      start,
      end: p.endFrom(start),
    }
  }
  if (p.take(K.function)) {
    const parameters = parseVariables(p, "functionType")
    let visibility: S.Visibility = "default"
    let mutability: S.Mutability = "nonpayable"
    for (;;) {
      const v = visibilities.get(p.kind)
      const m = mutabilities.get(p.kind)
      if (v !== undefined) visibility = v
      else if (m !== undefined) mutability = m
      else break
      p.advance()
    }
    const returns = p.take(K.returns) ? parseVariables(p, "functionType") : []
    return { kind: "FunctionTypeName", parameters, returns, visibility, mutability, start, end: p.endFrom(start) }
  }
  return { kind: "UserDefinedTypeName", path: parsePath(p), start, end: p.endFrom(start) }
}

/** One variable: type, `indexed`, location and name, all optional except the type. */
export const parseVariable = (p: TokenStream, role: S.VariableRole): S.VariableDeclaration => {
  const start = p.start
  const typeName = parseType(p)
  let location: S.DataLocation | undefined
  let indexed = false
  for (;;) {
    const found = locations.get(p.kind)
    if (found !== undefined) location = found
    else if (p.kind === K.indexed) indexed = true
    else break
    p.advance()
  }
  const nameStart = p.start
  let name = ""
  if (p.isName()) {
    name = p.text
    p.advance()
  }
  return {
    kind: "VariableDeclaration",
    role,
    name,
    nameSpan: { start: nameStart, end: nameStart + name.length },
    typeName,
    ...(location === undefined ? {} : { location }),
    ...(indexed ? { indexed } : {}),
    start,
    end: p.endFrom(start),
  }
}

/** A list of variables in parentheses. */
export const parseVariables = (p: TokenStream, role: S.VariableRole): ReadonlyArray<S.VariableDeclaration> => {
  const variables: Array<S.VariableDeclaration> = []
  if (!p.expect(K.open)) return variables
  while (p.kind !== K.close && beginsType(p)) {
    variables.push(parseVariable(p, role))
    if (!p.take(K.comma)) break
  }
  if (!p.take(K.close)) {
    p.errorHere()
    // Anything odd before the parenthesis is skipped; if there is no parenthesis before the body, it alone is missing.
    if (p.closesBeforeBody()) {
      p.skipInside()
      p.take(K.close)
    }
  }
  return fitted(variables)
}
