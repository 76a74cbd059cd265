import { lowLevelCalls } from "../builtins.ts"
import type { ContractModel, FunctionModel, SourceModel } from "../model.ts"
import type * as S from "../syntax.ts"
import { convertibility, type Type } from "../types.ts"
import type { BodyScope } from "./bodyScope.ts"
import { mostOverloads, overload } from "./overload.ts"

/**
 * How much one contract, one source or all `global` directives may attach, so that 8,000 directives and as many calls
 * do not multiply.
 */
interface Attached {
  readonly named: ReadonlyMap<string, ReadonlyArray<AttachedUnderName>>
  /** The types for which a library is missing from the sources; undefined is any type. */
  readonly missing: ReadonlyArray<Type | undefined>
}

interface AttachedUnderName {
  /** Undefined means any type, as in `using L for *`. */
  readonly types: ReadonlyArray<Type | undefined>
  readonly functions: ReadonlyArray<FunctionModel>
}

/** A directive, and where its names are looked up. */
interface Directive {
  readonly using: S.UsingDirective
  readonly source: SourceModel
  readonly contract?: ContractModel
}

const none: ReadonlyArray<never> = []

/** Functions that `using` attaches to the values of a type. */
export class AttachedFunctions {
  private readonly scope: BodyScope
  private readonly globalDirectives: ReadonlyArray<Directive>
  private readonly memo = new Map<ContractModel | SourceModel | "global", Attached>()

  constructor(scope: BodyScope, sources: ReadonlyArray<SourceModel>) {
    this.scope = scope
    this.globalDirectives = sources.flatMap((source) =>
      source.usings.filter((u) => u.global).map((using) => ({ using, source })),
    )
  }

  /**
   * The function that a member call on a value refers to; `missing`: one of a library that is not among the sources.
   */
  target(
    object: Type,
    name: string,
    args: ReadonlyArray<Type>,
    e: S.FunctionCall,
  ): FunctionModel | "missing" | undefined {
    const fits = (type: Type | undefined): boolean =>
      type === undefined || object.kind === "unknown" || convertibility(object, type) !== 0
    const attached = this.attached()
    const candidates = new Set<FunctionModel>()
    for (const { named } of attached) {
      for (const { types, functions } of named.get(name) ?? none) {
        if (candidates.size >= mostOverloads || !types.some(fits)) continue
        for (const d of functions) {
          const first = d.parameters[0]
          if (first !== undefined && convertibility(object, first.type) > 0) candidates.add(d)
        }
      }
    }
    const target = overload([...candidates], args, e, object)
    if (target !== undefined) return target
    const missing = attached.some((one) => one.missing.some(fits))
    // If the contract itself is missing as well, only what such libraries are used for counts as theirs.
    if (missing && object.kind === "unknown") return /^(safe|force|try)[A-Z]/.test(name) ? "missing" : undefined
    // safeTransfer of a missing library, but not a plain member of a contract or address.
    if (!missing || (object.kind === "address" && lowLevelCalls.has(name))) return undefined
    if ((object.kind === "array" || object.kind === "bytes") && (name === "push" || name === "pop")) return undefined
    return object.kind === "contract" && this.scope.scopes.member(object.contract, name).length > 0
      ? undefined
      : "missing"
  }

  private attached(): ReadonlyArray<Attached> {
    const { contract, source } = this.scope
    return [
      // Since 0.7, `using` is not inherited; following it anyway only finds what old code needs.
      ...(contract?.linearization ?? []).map((c) =>
        this.once(c, () =>
          c.node.members.flatMap((member) =>
            member.kind === "UsingDirective" ? [{ using: member, source: c.source, contract: c }] : [],
          ),
        ),
      ),
      this.once(source, () => source.usings.map((using) => ({ using, source }))),
      this.once("global", () => this.globalDirectives),
    ]
  }

  private once(key: ContractModel | SourceModel | "global", directives: () => ReadonlyArray<Directive>): Attached {
    const memo = this.memo.get(key)
    if (memo !== undefined) return memo
    const attached = this.attachedBy(directives())
    this.memo.set(key, attached)
    return attached
  }

  private attachedBy(directives: ReadonlyArray<Directive>): Attached {
    const { scopes } = this.scope
    const named = new Map<string, Array<AttachedUnderName>>()
    const missing: Array<Type | undefined> = []
    const libraries = new Map<ContractModel, Array<Type | undefined>>()
    const add = (name: string, attached: AttachedUnderName): void => {
      const under = named.get(name)
      if (under === undefined) named.set(name, [attached])
      else under.push(attached)
    }
    for (const { using, source, contract } of directives) {
      const resolved = using.typeName === undefined ? undefined : scopes.type(using.typeName, source, contract)
      const type = resolved?.kind === "unknown" ? undefined : resolved
      if (using.braces) {
        let found = 0
        for (const { path } of using.functions) {
          const owner = path.length > 1 ? scopes.path(path.slice(0, -1), source, contract) : undefined
          const name = path[path.length - 1]!
          const declared = owner?.kind === "Contract" ? (owner.names.get(name) ?? none) : scopes.global(source, name)
          const functions = declared.filter((d) => d.kind === "Function")
          found += functions.length
          for (const d of functions) add(d.name, { types: [type], functions: [d] })
        }
        if (found < using.functions.length) missing.push(type)
        continue
      }
      const library = scopes.path(using.functions[0]?.path ?? [], source, contract)
      if (library?.kind !== "Contract") {
        missing.push(type)
        continue
      }
      const known = libraries.get(library)
      if (known !== undefined) {
        known.push(type)
        continue
      }
      const types = [type]
      libraries.set(library, types)
      for (const [name, declared] of library.names) {
        const functions = declared.filter((d) => d.kind === "Function").filter((d) => d.name === name)
        if (functions.length > 0) add(name, { types, functions })
      }
    }
    return { named, missing }
  }
}
