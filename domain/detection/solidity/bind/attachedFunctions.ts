import { lowLevelCalls } from "../builtins.ts"
import type { ContractModel, FunctionModel, SourceModel } from "../model.ts"
import type * as S from "../syntax.ts"
import { convertibility, type Type } from "../types.ts"
import type { BodyScope } from "./bodyScope.ts"
import { overload } from "./overload.ts"

interface Attached {
  /** Absent for `using L for *`. */
  readonly type?: Type
  readonly library?: ContractModel
  readonly functions: ReadonlyArray<FunctionModel>
  /** The library is not among the sources. */
  readonly missing: boolean
}

const none: ReadonlyArray<never> = []

/** Functions that `using` attaches to the values of a type. */
export class AttachedFunctions {
  private readonly scope: BodyScope
  private readonly globalUsings: ReadonlyArray<{ readonly using: S.UsingDirective; readonly source: SourceModel }>
  private readonly memo = new Map<ContractModel | SourceModel, ReadonlyArray<Attached>>()

  constructor(scope: BodyScope, sources: ReadonlyArray<SourceModel>) {
    this.scope = scope
    this.globalUsings = sources.flatMap((source) =>
      source.usings.filter((u) => u.global).map((using) => ({ using, source })),
    )
  }

  /** The function that a member call of a value means; `missing`: one of a library that is not among the sources. */
  target(
    object: Type,
    name: string,
    args: ReadonlyArray<Type>,
    e: S.FunctionCall,
  ): FunctionModel | "missing" | undefined {
    let missing = false
    const candidates: Array<FunctionModel> = []
    for (const attached of this.attached()) {
      if (attached.type !== undefined && object.kind !== "unknown" && convertibility(object, attached.type) === 0)
        continue
      if (attached.missing) missing = true
      const named = attached.library === undefined ? attached.functions : (attached.library.names.get(name) ?? none)
      for (const d of named) {
        if (d.kind !== "Function" || d.name !== name || candidates.includes(d)) continue
        const first = d.parameters[0]
        if (first !== undefined && convertibility(object, first.type) > 0) candidates.push(d)
      }
    }
    const target = overload(candidates, args, e, object)
    if (target !== undefined) return target
    // of a contract that is not there either, only what such libraries are for is taken for theirs
    if (missing && object.kind === "unknown") return /^(safe|force|try)[A-Z]/.test(name) ? "missing" : undefined
    // safeTransfer of a library that is not there, but not a plain member of a contract or address
    if (!missing || (object.kind === "address" && lowLevelCalls.has(name))) return undefined
    if ((object.kind === "array" || object.kind === "bytes") && (name === "push" || name === "pop")) return undefined
    return object.kind === "contract" && this.scope.scopes.member(object.contract, name).length > 0
      ? undefined
      : "missing"
  }

  private attached(): ReadonlyArray<Attached> {
    const key = this.scope.contract ?? this.scope.source
    const memo = this.memo.get(key)
    if (memo !== undefined) return memo
    const result: Array<Attached> = []
    const add = (using: S.UsingDirective, source: SourceModel, contract: ContractModel | undefined): void => {
      const type = using.typeName === undefined ? undefined : this.scope.scopes.type(using.typeName, source, contract)
      const of = type === undefined || type.kind === "unknown" ? {} : { type }
      if (using.braces) {
        const functions = using.functions.flatMap(({ path }) => {
          const owner = path.length > 1 ? this.scope.scopes.path(path.slice(0, -1), source, contract) : undefined
          const name = path[path.length - 1]!
          const found =
            owner?.kind === "Contract" ? (owner.names.get(name) ?? none) : this.scope.scopes.global(source, name)
          return found.filter((d) => d.kind === "Function")
        })
        result.push({ ...of, functions, missing: functions.length < using.functions.length })
      } else {
        const library = this.scope.scopes.path(using.functions[0]?.path ?? [], source, contract)
        result.push(
          library?.kind === "Contract"
            ? { ...of, library, functions: [], missing: false }
            : { ...of, functions: [], missing: true },
        )
      }
    }
    // since 0.7 `using` is not inherited; to follow it anyway only finds what old code needs
    for (const c of this.scope.contract?.linearization ?? []) {
      for (const member of c.node.members) if (member.kind === "UsingDirective") add(member, c.source, c)
    }
    for (const using of this.scope.source.usings) add(using, this.scope.source, undefined)
    for (const { using, source } of this.globalUsings) if (source !== this.scope.source) add(using, source, undefined)
    this.memo.set(key, result)
    return result
  }
}
