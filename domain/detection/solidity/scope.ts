import type { ContractModel, Declaration, SourceModel } from "./model.ts"
import type * as S from "./syntax.ts"
import { elementaryType, type Type, unknownType, withLocation } from "./types.ts"
import { isBuiltinName } from "./builtins.ts"

/** With more imports than this, a name declared in several files is not searched for. */
const searchLimit = 2000

type Named = ReadonlyArray<Declaration>

/** The file that contains a file-level declaration. */
const sourceOf = (declaration: Declaration): SourceModel | undefined =>
  "source" in declaration ? declaration.source : undefined

const none: Named = []

/** Looks up names as Solidity does, from contracts outward; if imports are missing, finally in the whole program. */
export class Scopes {
  private readonly globals = new Map<string, Array<Declaration>>()
  private readonly contractMemo = new Map<ContractModel, Map<string, Named>>()
  private readonly sourceMemo = new Map<SourceModel, Map<string, Named>>()

  constructor(sources: ReadonlyArray<SourceModel>) {
    for (const source of sources) {
      for (const [name, declarations] of source.names) {
        const all = this.globals.get(name)
        if (all === undefined) this.globals.set(name, [...declarations])
        else all.push(...declarations)
      }
    }
  }

  /** Whether any file declares the name. */
  isDeclared(name: string): boolean {
    return this.globals.has(name)
  }

  /** A free function or constant declared after the table was built. */
  declareGlobal(name: string, declaration: Declaration): void {
    const all = this.globals.get(name)
    if (all === undefined) this.globals.set(name, [declaration])
    else all.push(declaration)
  }

  /** What a name means in a contract: the most derived declaration, or all overloads of a function. */
  member(contract: ContractModel, name: string): Named {
    let memo = this.contractMemo.get(contract)
    if (memo === undefined) this.contractMemo.set(contract, (memo = new Map()))
    const found = memo.get(name)
    if (found !== undefined) return found
    let result: Array<Declaration> | undefined
    const signatures = new Set<string>()
    for (const c of contract.linearization) {
      const declared = c.names.get(name)
      if (declared === undefined) continue
      if (result === undefined) {
        result = [...declared]
        for (const d of declared) if (d.kind === "Function") signatures.add(d.signature)
      } else if (result[0]?.kind === "Function") {
        for (const d of declared) {
          if (d.kind !== "Function" || signatures.has(d.signature)) continue
          signatures.add(d.signature)
          result.push(d)
        }
      }
    }
    memo.set(name, result ?? none)
    return result ?? none
  }

  /** What a name means at file level. */
  global(source: SourceModel, name: string): Named {
    let memo = this.sourceMemo.get(source)
    if (memo === undefined) this.sourceMemo.set(source, (memo = new Map()))
    let found = memo.get(name)
    if (found === undefined) {
      found = this.search(source, name)
      memo.set(name, found)
    }
    return found
  }

  private search(source: SourceModel, name: string): Named {
    const own = source.names.get(name)
    if (own !== undefined) return own
    for (const { directive, source: target } of source.imports) {
      if (directive.alias === name) return target === undefined ? none : [target]
      const symbol = directive.symbols?.find((s) => (s.alias ?? s.name) === name)
      if (symbol === undefined) continue
      if (target !== undefined && target !== source) {
        const there = target.names.get(symbol.name)
        if (there !== undefined) return there
      }
      return target === undefined ? this.onlyOne(symbol.name) : this.among(target, symbol.name)
    }
    if (isBuiltinName(name)) return none
    return this.among(source, name)
  }

  /** The only declarations there are or, of several, those of the nearest imported file. */
  private among(source: SourceModel, name: string): Named {
    const only = this.onlyOne(name)
    if (only.length > 0 || !this.globals.has(name)) return only
    const seen = new Set<SourceModel>([source])
    const queue: Array<SourceModel> = [source]
    for (let i = 0; i < queue.length && i < searchLimit; i++) {
      const there = queue[i]!.names.get(name)
      if (there !== undefined) return there
      for (const { source: target } of queue[i]!.imports) {
        if (target === undefined || seen.has(target)) continue
        seen.add(target)
        queue.push(target)
      }
    }
    return none
  }

  /**
   * What the only file that declares a name says about it, in place of a missing file. If several files declare the
   * name, each may mean a different contract: the name is then unknown, and guards are judged by how they are called.
   */
  private onlyOne(name: string): Named {
    const all = this.globals.get(name) ?? none
    return all.every((d) => sourceOf(d) === sourceOf(all[0]!)) ? all : none
  }

  /** A dotted name, from a contract (and its bases) outward. */
  path(path: ReadonlyArray<string>, source: SourceModel, contract: ContractModel | undefined): Declaration | undefined {
    const [first, ...rest] = path
    if (first === undefined) return undefined
    let found: Declaration | undefined
    if (contract !== undefined) found = this.member(contract, first)[0]
    found ??= this.global(source, first)[0]
    for (const name of rest) {
      if (found?.kind === "Contract") found = this.member(found, name)[0]
      else if (found?.kind === "Source") found = this.global(found, name)[0]
      else return undefined
    }
    return found
  }

  type(
    typeName: S.TypeName | undefined,
    source: SourceModel,
    contract: ContractModel | undefined,
    location?: S.DataLocation,
  ): Type {
    if (typeName === undefined) return unknownType
    switch (typeName.kind) {
      case "ElementaryTypeName":
        return elementaryType(typeName.name, location)
      case "MappingTypeName":
        return {
          kind: "mapping",
          key: this.type(typeName.key, source, contract),
          value: this.type(typeName.value, source, contract, "storage"),
        }
      case "ArrayTypeName": {
        const length = typeName.length === undefined ? undefined : literalNumber(typeName.length)
        return {
          kind: "array",
          base: this.type(typeName.base, source, contract, location),
          fixed: typeName.length !== undefined,
          ...(length === undefined ? {} : { length }),
          ...(location === undefined ? {} : { location }),
        }
      }
      case "FunctionTypeName":
        return {
          kind: "function",
          parameters: typeName.parameters.map((p) => this.type(p.typeName, source, contract, p.location)),
          returns: typeName.returns.map((p) => this.type(p.typeName, source, contract, p.location)),
          external: typeName.visibility === "external",
          node: typeName,
        }
      case "UserDefinedTypeName": {
        const found = this.path(typeName.path, source, contract)
        return found === undefined
          ? { kind: "unknown", name: typeName.path.join(".") }
          : withLocation(declaredType(found), location)
      }
    }
  }
}

const literalNumber = (e: S.Expression): number | undefined => {
  if (e.kind !== "Literal") return undefined
  const value = Number(e.value.replaceAll("_", ""))
  return Number.isFinite(value) ? value : undefined
}

/** The type that a type name stands for. */
export const declaredType = (declaration: Declaration): Type => {
  switch (declaration.kind) {
    case "Contract":
      return { kind: "contract", contract: declaration }
    case "Struct":
      return { kind: "struct", struct: declaration }
    case "Enum":
      return { kind: "enum", enum: declaration }
    case "UserType":
      return { kind: "userType", definition: declaration }
    default:
      return unknownType
  }
}
