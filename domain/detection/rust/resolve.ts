import type {
  Crate,
  Definition,
  EnumDefinition,
  FunctionDefinition,
  ImplDefinition,
  Module,
  TypeDefinition,
} from "./crate.ts"

/**
 * What a path means: something declared in the project, or a path outside of it with `use` declarations followed
 * (`token::transfer` is `["anchor_spl", "token", "transfer"]` where `anchor_spl::token` is imported).
 */
export type Resolution =
  | { readonly kind: "definition"; readonly definition: Definition }
  | { readonly kind: "external"; readonly path: ReadonlyArray<string> }

/** Imports that import each other end here. */
const maxSteps = 32

/** Names looked up on the way to one path's meaning; real programs need fewer than 50. */
const maxLookups = 2_000

const external = (path: ReadonlyArray<string>): Resolution => ({ kind: "external", path })

const variantOf = (definition: EnumDefinition, name: string): Definition | undefined => {
  const variant = definition.item.variants.find((one) => one.name === name)
  return variant === undefined
    ? undefined
    : { kind: "variant", name, module: definition.module, variant, enum: definition }
}

/** Names of several crates: those of a workspace see each other. */
export class Resolver {
  readonly crates: ReadonlyMap<string, Crate>
  private readonly implsByType = new Map<TypeDefinition, Array<ImplDefinition>>()
  private readonly conversions = new Map<TypeDefinition, Array<FunctionDefinition>>()
  private readonly implsByName = new Map<string, Array<ImplDefinition>>()
  private readonly cache = new Map<Module, Map<string, Resolution>>()
  private readonly globTargets = new Map<Module, ReadonlyArray<Definition>>()
  /** Imports being followed: one that leads back to itself names nothing. */
  private readonly following = new Map<Module, Set<string>>()
  private lookups = 0

  constructor(crates: ReadonlyArray<Crate>) {
    this.crates = new Map(crates.map((crate) => [crate.name, crate]))
    for (const crate of crates)
      for (const module of crate.modules)
        for (const impl of module.impls) {
          const type = impl.item.selfType
          const path = type.kind === "reference" ? type.type : type
          this.addConversion(module, impl)
          if (path.kind !== "path") continue
          const resolved = this.resolve(
            module,
            path.path.segments.map((segment) => segment.name),
          )
          const target = resolved.kind === "definition" ? resolved.definition : undefined
          if (target?.kind === "struct" || target?.kind === "enum") {
            const known = this.implsByType.get(target)
            if (known === undefined) this.implsByType.set(target, [impl])
            else known.push(impl)
          } else {
            const name = path.path.segments.at(-1)?.name ?? ""
            const known = this.implsByName.get(name)
            if (known === undefined) this.implsByName.set(name, [impl])
            else known.push(impl)
          }
        }
  }

  private addConversion(module: Module, impl: ImplDefinition): void {
    const trait = impl.item.trait?.segments.at(-1)
    const [from] = trait?.generics ?? []
    const method = impl.functions.get("from") ?? impl.functions.get("try_from")
    if (!/^(Try)?From$/.test(trait?.name ?? "") || from?.kind !== "path" || method === undefined) return
    const source = this.resolve(
      module,
      from.path.segments.map((segment) => segment.name),
    )
    if (source.kind !== "definition" || source.definition.kind !== "struct") return
    const known = this.conversions.get(source.definition)
    if (known === undefined) this.conversions.set(source.definition, [method])
    else known.push(method)
  }

  /** What `value.into()` runs, where a struct of the project is made into one other type only. */
  conversion(type: TypeDefinition): FunctionDefinition | undefined {
    const found = this.conversions.get(type) ?? []
    return found.length === 1 ? found[0] : undefined
  }

  /** All impls of a type of the project. */
  implsOf(type: TypeDefinition): ReadonlyArray<ImplDefinition> {
    return this.implsByType.get(type) ?? []
  }

  /** A method or associated function of a type of the project; inherent ones before those of traits. */
  method(type: TypeDefinition, name: string, trait?: string): FunctionDefinition | undefined {
    let found: FunctionDefinition | undefined
    for (const impl of this.implsOf(type)) {
      const method = impl.functions.get(name)
      if (method === undefined) continue
      const ofTrait = impl.item.trait?.segments.at(-1)?.name
      if (trait !== undefined && ofTrait === trait) return method
      if (ofTrait === undefined && trait === undefined) return method
      found ??= method
    }
    return found
  }

  /** A method that a trait of the project adds to a type from outside: `impl Checks for AccountInfo<'_>`; the caller's crate comes first. */
  extensionMethod(typeName: string, name: string, crate: Crate): FunctionDefinition | undefined {
    let found: FunctionDefinition | undefined
    for (const impl of this.implsByName.get(typeName) ?? []) {
      const method = impl.functions.get(name)
      if (method === undefined) continue
      if (impl.module.crate === crate) return method
      found ??= method
    }
    return found
  }

  /** What a path means in a module. `selfType` gives `Self` its meaning. */
  resolve(module: Module, path: ReadonlyArray<string>, selfType?: TypeDefinition): Resolution {
    const key = path.join("::")
    if (path[0] !== "Self") {
      let known = this.cache.get(module)
      if (known === undefined) this.cache.set(module, (known = new Map()))
      const cached = known.get(key)
      if (cached !== undefined) return cached
      this.lookups = 0
      const result = this.walk(module, path, maxSteps)
      known.set(key, result)
      return result
    }
    if (selfType === undefined) return external(path)
    return path.length === 1
      ? { kind: "definition", definition: selfType }
      : this.within(selfType, path.slice(1), maxSteps)
  }

  private walk(module: Module, path: ReadonlyArray<string>, steps: number): Resolution {
    const [first, ...rest] = path
    if (first === undefined || steps <= 0) return external(path)
    if (first === "") return this.walk(module, rest, steps - 1)
    if (first === "self") return this.inside(module, rest, steps)
    if (first === "crate" || first === "$crate") return this.inside(rootOf(module), rest, steps)
    if (first === "super") return module.parent === undefined ? external(path) : this.inside(module.parent, rest, steps)
    const local = this.lookup(module, first, steps, new Set())
    if (local === undefined) {
      const crate = module.crate.name === first ? module.crate : this.crates.get(first)
      const root = crate?.roots[0]
      return root === undefined || rest.length === 0 ? external(path) : this.inside(root, rest, steps - 1, path)
    }
    if (local.kind === "external") return rest.length === 0 ? local : external([...local.path, ...rest])
    return rest.length === 0 ? local : this.within(local.definition, rest, steps)
  }

  private inside(
    module: Module,
    path: ReadonlyArray<string>,
    steps: number,
    whole?: ReadonlyArray<string>,
  ): Resolution {
    const [first, ...rest] = path
    if (first === undefined)
      return { kind: "definition", definition: { kind: "module", name: module.name, module, target: module } }
    if (first === "super" && module.parent !== undefined) return this.inside(module.parent, rest, steps - 1, whole)
    const local = this.lookup(module, first, steps - 1, new Set())
    if (local === undefined) return external(whole ?? path)
    if (local.kind === "external") return external([...local.path, ...rest])
    return rest.length === 0 ? local : this.within(local.definition, rest, steps - 1)
  }

  private within(definition: Definition, path: ReadonlyArray<string>, steps: number): Resolution {
    const [first, ...rest] = path
    if (first === undefined || steps <= 0) return { kind: "definition", definition }
    switch (definition.kind) {
      case "module":
        return this.inside(definition.target, path, steps - 1)
      case "enum": {
        const variant = variantOf(definition, first)
        if (variant !== undefined) return { kind: "definition", definition: variant }
        const method = this.method(definition, first)
        return method === undefined ? external([definition.name, ...path]) : { kind: "definition", definition: method }
      }
      case "struct": {
        const method = this.method(definition, first)
        if (method !== undefined) return { kind: "definition", definition: method }
        return this.associatedConst(definition, first) ?? external([definition.name, ...path])
      }
      case "trait": {
        const item = definition.module.crate.functions.find((one) => one.owner === definition && one.name === first)
        return item === undefined ? external([definition.name, ...path]) : { kind: "definition", definition: item }
      }
      case "type": {
        const type = definition.item.type
        if (type?.kind !== "path") return external([definition.name, ...path])
        const segments = type.path.segments.map((segment) => segment.name)
        const target =
          segments[0] === definition.name ? external(segments) : this.walk(definition.module, segments, steps - 1)
        if (target.kind === "external") return external([...target.path, ...path])
        return this.within(target.definition, path, steps - 1)
      }
      default:
        return rest.length === 0 ? external([definition.name, first]) : external([definition.name, ...path])
    }
  }

  private associatedConst(definition: TypeDefinition, name: string): Resolution | undefined {
    for (const impl of this.implsOf(definition))
      for (const item of impl.item.items)
        if (item.kind === "const" && item.name === name)
          return { kind: "definition", definition: { kind: "const", name, module: impl.module, item } }
    return undefined
  }

  private lookup(module: Module, name: string, steps: number, seen: Set<Module>): Resolution | undefined {
    if (steps <= 0 || seen.has(module) || this.lookups++ > maxLookups) return undefined
    seen.add(module)
    const own = module.names.get(name)?.[0]
    if (own !== undefined) return { kind: "definition", definition: own }
    const imported = module.imports.get(name)
    if (imported !== undefined) {
      const [first] = imported.path
      // `use token::{self}` in a module that has no `token` of its own names the crate.
      if (first === name && imported.path.length === 1) return this.crates.has(name) ? undefined : external([name])
      if (first === name && this.crates.get(first) === undefined) return external(imported.path)
      return this.follow(module, name, imported.path, steps - 1)
    }
    let outside: Resolution | undefined
    // Not a step: a module that was seen once is not looked into again, however many steps were left.
    for (const target of this.globs(module)) {
      if (target.kind === "module") {
        const found = this.lookup(target.target, name, steps, seen)
        if (found?.kind === "definition") return found
        outside ??= found
      } else if (target.kind === "enum") {
        const variant = variantOf(target, name)
        if (variant !== undefined) return { kind: "definition", definition: variant }
      }
    }
    return outside
  }

  private follow(module: Module, name: string, path: ReadonlyArray<string>, steps: number): Resolution | undefined {
    let open = this.following.get(module)
    if (open === undefined) this.following.set(module, (open = new Set()))
    if (open.has(name)) return undefined
    open.add(name)
    const found = this.walk(module, path, steps)
    open.delete(name)
    return found
  }

  /** What a module's `use x::*` declarations name in the project; a glob does not see through others of its module. */
  private globs(module: Module): ReadonlyArray<Definition> {
    const known = this.globTargets.get(module)
    if (known !== undefined) return known
    this.globTargets.set(module, [])
    // The answer is kept: it must not depend on what is left to whoever asks first.
    const { lookups } = this
    const targets = module.globs.flatMap((glob) => {
      this.lookups = 0
      const target = this.walk(module, glob.path, maxSteps)
      return target.kind === "definition" ? [target.definition] : []
    })
    this.lookups = lookups
    this.globTargets.set(module, targets)
    return targets
  }
}

const rootOf = (module: Module): Module => {
  let root = module
  while (root.parent !== undefined) root = root.parent
  // Files that no `mod` reaches still mean the library by `crate`.
  return root.crate.roots[0] ?? root
}
