import type { SourceFile } from "../../SourceFile.ts"
import type * as S from "../syntax.ts"
import { beginsContract, parseContract, parseMember } from "./definition.ts"
import { fitted } from "./fitted.ts"
import { kindOf, Name, StringLiteral, tokenize } from "./lexer.ts"
import { TokenStream } from "./TokenStream.ts"

const K = {
  pragma: kindOf("pragma"),
  import: kindOf("import"),
  semicolon: kindOf(";"),
  star: kindOf("*"),
  openBrace: kindOf("{"),
  closeBrace: kindOf("}"),
  comma: kindOf(","),
}

/**
 * Parses a Solidity file of any version from 0.4 to 0.8. Never throws: what it cannot understand is listed in `errors`
 * and skipped. A definition in place of a statement shows that a brace is missing and closes whatever is open. Takes
 * time linear in the length of the text. Written by hand because tree-sitter-solidity 1.2.13 reads `a + b[i]` as `(a +
 * b)[i]` and turns the functions after a dropped brace into variables.
 */
export const parseSolidity = (file: SourceFile): S.SourceUnit => {
  const p = new TokenStream(tokenize(file.text))
  const pragmas: Array<S.PragmaDirective> = []
  const imports: Array<S.ImportDirective> = []
  const items: Array<S.SourceItem> = []
  let last: S.ContractDefinition | undefined
  /** Members that come after the closing brace of `last`. */
  let late: Array<S.ContractMember> = []
  let lastIndex = -1
  const giveBack = (): void => {
    if (last !== undefined && late.length > 0) items[lastIndex] = { ...last, members: [...last.members, ...late] }
    late = []
  }
  while (!p.atEnd) {
    if (p.kind === K.pragma) pragmas.push(parsePragma(p))
    else if (p.kind === K.import) imports.push(parseImport(p))
    else if (beginsContract(p)) {
      giveBack()
      last = parseContract(p)
      lastIndex = items.push(last) - 1
    } else {
      const found: Array<S.ContractMember> = []
      parseMember(p, found)
      for (const member of found) {
        // A superfluous closing brace ended the contract early: its members go back to it.
        if (last !== undefined && belongsToContract(member)) {
          p.error(member.start, member.start)
          late.push(member)
        } else if (member.kind !== "ModifierDefinition") items.push(member)
      }
    }
  }
  giveBack()
  return {
    kind: "SourceUnit",
    file,
    pragmas: fitted(pragmas),
    imports: fitted(imports),
    items: fitted(items),
    errors: p.errors,
    problems: [...p.problems],
    start: 0,
    end: file.text.length,
  }
}

const belongsToContract = (member: S.ContractMember): boolean => {
  switch (member.kind) {
    case "FunctionDefinition":
      return member.functionKind !== "function" || member.visibility !== "default" || member.modifiers.length > 0
    case "ModifierDefinition":
      return true
    case "StateVariableDeclaration":
      return !member.constant
    default:
      return false
  }
}

const parsePragma = (p: TokenStream): S.PragmaDirective => {
  const start = p.start
  p.advance()
  const name = p.text
  p.advance()
  const from = p.lastEnd
  while (!p.atEnd && p.kind !== K.semicolon && p.kind !== K.closeBrace && p.kind !== K.import && p.kind !== K.pragma)
    p.advance()
  const value = p.tokens.text.slice(from, p.lastEnd).trim()
  p.expect(K.semicolon)
  return { kind: "PragmaDirective", name, value, start, end: p.endFrom(start) }
}

const parseImport = (p: TokenStream): S.ImportDirective => {
  const start = p.start
  p.advance()
  let alias: string | undefined
  let symbols: Array<{ name: string; alias?: string }> | undefined
  const takeAlias = (): string | undefined => {
    if (!p.takeWord("as") || !p.isName()) return undefined
    const name = p.text
    p.advance()
    return name
  }
  if (p.take(K.openBrace)) {
    symbols = []
    while (p.isName()) {
      const name = p.text
      p.advance()
      const as = takeAlias()
      symbols.push(as === undefined ? { name } : { name, alias: as })
      if (!p.take(K.comma)) break
    }
    p.expect(K.closeBrace)
    p.takeWord("from")
  } else if (p.take(K.star)) {
    alias = takeAlias()
    p.takeWord("from")
  } else if (p.kind === Name) {
    // `import A from "x"` binds the whole file to A.
    alias = p.text
    p.advance()
    p.takeWord("from")
  }
  const path = p.kind === StringLiteral ? p.text.slice(1, -1) : ""
  if (p.kind === StringLiteral) p.advance()
  else p.errorHere()
  alias ??= takeAlias()
  p.expect(K.semicolon)
  return {
    kind: "ImportDirective",
    path,
    ...(alias === undefined ? {} : { alias }),
    ...(symbols === undefined ? {} : { symbols }),
    start,
    end: p.endFrom(start),
  }
}
