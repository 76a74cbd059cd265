import { indexBy } from "../../indexBy.ts"
import { oncePer } from "../../oncePer.ts"
import type {
  Crate,
  Definition,
  EnumDefinition,
  FunctionDefinition,
  ImplDefinition,
  Module,
  TraitDefinition,
  TypeAlias,
  TypeDefinition,
} from "./crate.ts"
import type { Path, TypeNode } from "../syntax/syntax.ts"
import type { RustType } from "./types.ts"

/**
 * Rust keeps types and values apart: `stake::handler(ctx)` inside `fn stake` refers to the module, because all but the
 * last name of a path are types. https://doc.rust-lang.org/reference/names/namespaces.html
 */
export type Namespace = "type" | "value"

/**
 * What a path means: something declared in the project, or a path outside of it with `use` declarations resolved
 * (`token::transfer` is `["anchor_spl", "token", "transfer"]` if `anchor_spl::token` is imported).
 */
export type Resolution =
  | { readonly kind: "definition"; readonly definition: Definition }
  | { readonly kind: "external"; readonly path: ReadonlyArray<string> }

/** Where imports that import each other end. */
const maxSteps = 32

/** Limit: types that implement a trait, of which a method of `dyn Trait` may be any. */
const maxImplementations = 4

/** How many names are looked up to resolve one path; real programs need fewer than 50. */
const maxLookups = 2_000

const external = (path: ReadonlyArray<string>): Resolution => ({ kind: "external", path })

/** By name: an enum of errors has hundreds of variants, most of which are named somewhere. */
const variantsOf = oncePer((definition: EnumDefinition): ReadonlyMap<string, Definition> => {
  const { module, item } = definition
  return new Map(
    item.variants
      .toReversed()
      .map((variant) => [variant.name, { kind: "variant", name: variant.name, module, variant, enum: definition }]),
  )
})

const variantOf = (definition: EnumDefinition, name: string): Definition | undefined => variantsOf(definition).get(name)

const isIn = (namespace: Namespace, definition: Definition): boolean => {
  switch (definition.kind) {
    case "function":
    case "const":
      return namespace === "value"
    case "variant":
      return true
    case "struct":
      return namespace === "type" || definition.item.tuple || definition.item.fields.length === 0
    default:
      return namespace === "type"
  }
}

/** Of twins, the one behind `cfg(feature = "…")` is not what is deployed. */
const isOptional = (definition: Definition): boolean =>
  "item" in definition &&
  definition.item.attributes.some(
    ({ name, args }) => name === "cfg" && args.some((one) => one.name === "feature" || one.name === "debug_assertions"),
  )

/** `admin::ID`, by `declare_id!` in `mod admin`: not the program's own. */
const isDeclaredId = ({ parent }: Module, name: string): boolean =>
  parent !== undefined && /^(ID|id|check_id)$/.test(name)

interface GlobTarget {
  readonly target: Definition
  readonly isPrivate: boolean
}

/** In a module, a block of it, or a module in it. */
const isBelow = (module: Module, outer: Module): boolean => {
  for (let one: Module | undefined = module; one !== undefined; one = one.around ?? one.parent)
    if (one === outer) return true
  return false
}

/** The module around a block: what `self` and `super` start from. */
const nearestModule = (module: Module): Module => {
  let one = module
  while (one.around !== undefined) one = one.around
  return one
}

/** The name under which impls for an `Option` of whatever it may be are known: `impl<T: Key> Named for Option<T>`. */
export const anyOption = "Option<_>"

/** Whether the type that is implemented is written with these arguments, or with any. */
const isFor = ({ item: { selfType, generics } }: ImplDefinition, args: ReadonlyArray<RustType>): boolean => {
  const written = selfType.kind === "path" ? (selfType.path.segments.at(-1)?.generics ?? []) : []
  return written.every((node, index) => {
    const arg = args[index]
    const name = node.kind === "path" ? node.path.segments.at(-1)?.name : undefined
    return arg?.kind !== "named" || name === undefined || name === arg.name || generics.includes(name)
  })
}

/** The name of the last argument that an impl is for; empty if it is for any. */
const lastArgument = ({ item: { selfType, generics } }: ImplDefinition): string => {
  const node = selfType.kind === "path" ? selfType.path.segments.at(-1)?.generics.at(-1) : undefined
  const name = node?.kind === "path" ? node.path.segments.at(-1)?.name : undefined
  return name === undefined || generics.includes(name) ? "" : name
}

/** `impl Order for Spot<'_>`: an object that holds accounts, or other values of who made it. */
const borrows = ({ item: { selfType }, module }: ImplDefinition): boolean =>
  module.file.text.slice(selfType.start, selfType.end).includes("'")

/** The names of several crates: those of a workspace see each other. */
export class Resolver {
  readonly crates: ReadonlyMap<string, Crate>
  private readonly byDirectory = new Map<string, Crate>()
  private readonly dependencies = new Map<Crate, ReadonlyMap<string, Crate>>()
  private readonly links = new Map<Crate, ReadonlySet<Crate>>()
  private readonly methodsByName = new Map<Crate, ReadonlyMap<string, ReadonlyArray<FunctionDefinition>>>()
  private readonly traitFunctions = new Map<TraitDefinition, Map<string, FunctionDefinition>>()
  private readonly implsByType = new Map<TypeDefinition, Array<ImplDefinition>>()
  private readonly conversions = new Map<TypeDefinition, Array<{ method: FunctionDefinition; into: string }>>()
  private readonly implsByName = new Map<string, Array<ImplDefinition>>()
  private readonly extensions = new Map<string, ReadonlyMap<string, ReadonlyArray<ImplDefinition>>>()
  /** What traits that a crate implements for any type give to all of them, by name; undefined if two traits do. */
  private readonly blanket = new Map<Crate, Map<string, FunctionDefinition | undefined>>()
  /** Impls by the name of their trait. */
  private readonly implsByTrait = new Map<string, Array<ImplDefinition>>()
  private readonly cache = new Map<Module, Map<string, Resolution>>()
  private readonly globTargets = new Map<Module, ReadonlyArray<GlobTarget>>()
  /** Imports being followed: one that leads back to itself names nothing. */
  private readonly following = new Map<Module, Set<string>>()
  /** What walks asked for: types as they are written, and the type that a path begins with. */
  readonly declaredTypes = new Map<
    TypeNode,
    { readonly module: Module; readonly self: RustType | undefined; readonly type: RustType }
  >()
  readonly prefixes = new Map<Path, TypeNode>()
  private lookups = 0

  constructor(crates: ReadonlyArray<Crate>) {
    this.crates = new Map(crates.map((crate) => [crate.name, crate]))
    for (const crate of crates) {
      if (crate.manifest !== undefined) this.byDirectory.set(crate.manifest.directory, crate)
      for (const one of crate.functions) {
        if (one.owner?.kind !== "trait") continue
        const known = this.traitFunctions.get(one.owner)
        if (known === undefined) this.traitFunctions.set(one.owner, new Map([[one.name, one]]))
        else known.set(one.name, one)
      }
    }
    for (const crate of crates)
      for (const module of crate.modules)
        for (const impl of module.impls) {
          const type = impl.item.selfType
          const path = type.kind === "reference" ? type.type : type
          this.addConversion(module, impl)
          const trait = impl.item.trait?.segments.at(-1)?.name
          if (trait !== undefined) {
            const known = this.implsByTrait.get(trait)
            if (known === undefined) this.implsByTrait.set(trait, [impl])
            else known.push(impl)
          }
          if (path.kind !== "path") continue
          const resolved = this.resolve(
            module,
            path.path.segments.map((segment) => segment.name),
            "type",
          )
          const target = resolved.kind === "definition" ? this.unaliased(resolved.definition) : undefined
          if (target?.kind === "struct" || target?.kind === "enum") {
            const known = this.implsByType.get(target)
            if (known === undefined) this.implsByType.set(target, [impl])
            else known.push(impl)
          } else {
            const last = path.path.segments.at(-1)
            const [inner] = last?.name === "Option" ? last.generics : []
            if (impl.item.generics.includes(last?.name ?? "")) this.addBlanket(impl)
            const ofAny = inner?.kind === "path" && impl.item.generics.includes(inner.path.segments.at(-1)?.name ?? "")
            const name = ofAny ? anyOption : (last?.name ?? "")
            const known = this.implsByName.get(name)
            if (known === undefined) this.implsByName.set(name, [impl])
            else known.push(impl)
          }
        }
  }

  /** `impl Log<'_>` with `type Log<'a> = Queue<'a, Header>` is an impl of `Queue`. */
  private unaliased(definition: Definition): Definition | undefined {
    let one: Definition | undefined = definition
    for (let steps = 0; one?.kind === "type" && steps < maxSteps; steps++) {
      const type: TypeNode | undefined = one.item.type
      if (type?.kind !== "path") return undefined
      const segments = type.path.segments.map((segment) => segment.name)
      const target: Resolution = this.resolve(one.module, segments, "type")
      one = target.kind === "definition" ? target.definition : undefined
    }
    return one
  }

  private addConversion(module: Module, impl: ImplDefinition): void {
    const trait = impl.item.trait?.segments.at(-1)
    const [from] = trait?.generics ?? []
    const method = impl.functions.get("from") ?? impl.functions.get("try_from")
    const given = from?.kind === "reference" ? from.type : from
    if (!/^(Try)?From$/.test(trait?.name ?? "") || given?.kind !== "path" || method === undefined) return
    const source = this.resolve(
      module,
      given.path.segments.map((segment) => segment.name),
      "type",
    )
    if (source.kind !== "definition" || source.definition.kind !== "struct") return
    const { selfType } = impl.item
    const one = { method, into: selfType.kind === "path" ? (selfType.path.segments.at(-1)?.name ?? "") : "" }
    const known = this.conversions.get(source.definition)
    if (known === undefined) this.conversions.set(source.definition, [one])
    else known.push(one)
  }

  /** What `value.into()` runs, if a struct of the project converts to only one other type. */
  conversion(type: TypeDefinition): FunctionDefinition | undefined {
    const found = this.conversions.get(type) ?? []
    return found.length === 1 ? found[0]!.method : undefined
  }

  /** What `CpiContext::from(value)` runs: the type is another crate's, the conversion the project's own. */
  conversionInto(type: TypeDefinition, into: string): FunctionDefinition | undefined {
    return this.conversions.get(type)?.find((one) => one.into === into)?.method
  }

  /** All impls of a type of the project. */
  implsOf(type: TypeDefinition): ReadonlyArray<ImplDefinition> {
    return this.implsByType.get(type) ?? []
  }

  /**
   * A method or associated function of a type of the project; inherent ones take precedence over those of traits,
   * provided ones over defaults.
   */
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
    return found ?? this.defaultMethod(type, name) ?? this.blanketMethod(type, name)
  }

  /** `impl<T: Owned> Checked for T`: its functions, and the bodies that the trait gives. */
  private addBlanket(impl: ImplDefinition): void {
    const trait = this.traitOf(impl)
    const given = trait === undefined ? [] : (this.traitFunctions.get(trait) ?? [])
    const { crate } = impl.module
    const known = this.blanket.get(crate) ?? new Map<string, FunctionDefinition | undefined>()
    this.blanket.set(crate, known)
    for (const [name, one] of new Map([...given, ...impl.functions]))
      if (one.item.body !== undefined) known.set(name, known.has(name) ? undefined : one)
  }

  /** What the type's crate, or one that it links, gives to all types. */
  private blanketMethod({ module: { crate } }: TypeDefinition, name: string): FunctionDefinition | undefined {
    if (this.blanket.size === 0) return undefined
    const own = this.blanket.get(crate)
    if (own?.has(name)) return own.get(name)
    for (const linked of this.dependenciesOf(crate).values()) {
      const found = this.blanket.get(linked)?.get(name)
      if (found !== undefined) return found
    }
    return undefined
  }

  private traitOf({ item, module }: ImplDefinition): TraitDefinition | undefined {
    if (item.trait === undefined) return undefined
    const path = item.trait.segments.map((segment) => segment.name)
    const trait = this.resolve(module, path, "type")
    return trait.kind === "definition" && trait.definition.kind === "trait" ? trait.definition : undefined
  }

  /** The body that a trait of the project gives to all of its implementors. */
  private defaultMethod(type: TypeDefinition, name: string): FunctionDefinition | undefined {
    for (const impl of this.implsOf(type)) {
      const trait = this.traitOf(impl)
      const method = trait === undefined ? undefined : this.traitFunctions.get(trait)?.get(name)
      if (method?.item.body !== undefined) return method
    }
    return undefined
  }

  /**
   * What a method of `dyn Trait` or `impl Trait` may run: that of each type that implements the trait, in crates that
   * link one another. Empty if they are too many to follow, or if some borrow what they hold: it was checked where the
   * object was made, and which one that was is not known here.
   */
  implementations(trait: string, name: string, from: Crate): ReadonlyArray<FunctionDefinition> {
    const all = this.implsByTrait.get(trait)
    if (all === undefined) return []
    // A trait of so many types is not asked which of them its caller can see.
    if (all.length > maxImplementations * 4) return []
    const links = this.linkedFrom(from)
    const seen = all.filter(
      ({ module: { crate } }) => crate === from || links.has(crate) || this.linkedFrom(crate).has(from),
    )
    if (seen.length > maxImplementations || (seen.length > 1 && seen.some(borrows))) return []
    return seen.flatMap((impl) => impl.functions.get(name) ?? [])
  }

  /** The one method of a crate with this name and number of arguments; undefined if there are several. */
  onlyMethod(crate: Crate, name: string, arguments_: number): FunctionDefinition | undefined {
    let methods = this.methodsByName.get(crate)
    if (methods === undefined) {
      const found = new Map<string, Array<FunctionDefinition>>()
      for (const one of crate.functions) {
        if (one.item.self === undefined || one.item.body === undefined) continue
        const known = found.get(one.name)
        if (known === undefined) found.set(one.name, [one])
        else known.push(one)
      }
      this.methodsByName.set(crate, (methods = found))
    }
    const matching = methods.get(name)?.filter(({ item }) => item.parameters.length === arguments_)
    return matching?.length === 1 ? matching[0] : undefined
  }

  /**
   * The crate that a name means in another: Cargo.toml may rename it or give its folder, and workspaces share names.
   */
  private crateNamed(from: Crate, name: string): Crate | undefined {
    if (name === from.name || name === from.libraryName) return from
    return this.dependenciesOf(from).get(name) ?? this.crates.get(name)
  }

  /** The crates of the project that a crate links. */
  linkedFrom(crate: Crate): ReadonlySet<Crate> {
    let links = this.links.get(crate)
    if (links === undefined) this.links.set(crate, (links = new Set(this.dependenciesOf(crate).values())))
    return links
  }

  private dependenciesOf(from: Crate): ReadonlyMap<string, Crate> {
    let own = this.dependencies.get(from)
    if (own === undefined) {
      const found = new Map<string, Crate>()
      for (const one of from.manifest?.dependencies ?? []) {
        if (one.kind !== "normal") continue
        const crate =
          (one.path === undefined ? undefined : this.byDirectory.get(one.path)) ??
          this.crates.get(one.package.replaceAll("-", "_"))
        const renamed = one.name.replaceAll("-", "_")
        if (crate === undefined || crate === from) continue
        // A renamed dependency has no other name; one that is not renamed may have a library of another name.
        found.set(one.package === one.name ? crate.libraryName : renamed, crate)
        found.set(renamed, crate)
      }
      this.dependencies.set(from, (own = found))
    }
    return own
  }

  /** The impls for a foreign type by method, and by method and last argument: `pay`, `pay Withdraw`, `pay ` for any. */
  private extensionsOf(typeName: string): ReadonlyMap<string, ReadonlyArray<ImplDefinition>> {
    let found = this.extensions.get(typeName)
    if (found === undefined) {
      found = indexBy(this.implsByName.get(typeName) ?? [], (impl) =>
        [...impl.functions.keys()].flatMap((name) => [name, `${name} ${lastArgument(impl)}`]),
      )
      this.extensions.set(typeName, found)
    }
    return found
  }

  /**
   * A method that a trait of the project adds to a foreign type: `impl Checks for AccountInfo<'_>`, or the one of several
   * for these arguments: `impl Pays for Context<Withdraw<'_>>`; the caller's crate comes first.
   */
  extensionMethod(
    typeName: string,
    args: ReadonlyArray<RustType>,
    name: string,
    crate: Crate,
  ): FunctionDefinition | undefined {
    const impls = this.extensionsOf(typeName)
    const all = impls.get(name) ?? []
    const last = args.at(-1)
    const near =
      last?.kind === "named" ? [...(impls.get(`${name} ${last.name}`) ?? []), ...(impls.get(`${name} `) ?? [])] : all
    const fitting = near.filter((impl) => isFor(impl, args))
    const first = fitting.find(({ module }) => module.crate === crate) ?? fitting[0] ?? all[0]
    return first?.functions.get(name)
  }

  /**
   * What a path means in a module, as a type or as a value; if it is only one of the two, that one. `selfType`
   * determines what `Self` means.
   */
  resolve(
    module: Module,
    path: ReadonlyArray<string>,
    namespace: Namespace = "value",
    selfType?: TypeDefinition | TraitDefinition,
  ): Resolution {
    if (path[0] === "Self") {
      if (selfType === undefined) return external(path)
      return path.length === 1
        ? { kind: "definition", definition: selfType }
        : this.within(selfType, path.slice(1), namespace, maxSteps)
    }
    const key = `${namespace} ${path.join("::")}`
    let known = this.cache.get(module)
    if (known === undefined) this.cache.set(module, (known = new Map()))
    const cached = known.get(key)
    if (cached !== undefined) return cached
    this.lookups = 0
    let result = this.walk(module, path, namespace, maxSteps)
    if (result.kind === "external") {
      const other = this.walk(module, path, namespace === "type" ? "value" : "type", maxSteps)
      if (other.kind === "definition") result = other
    }
    known.set(key, result)
    return result
  }

  private walk(module: Module, path: ReadonlyArray<string>, namespace: Namespace, steps: number): Resolution {
    const [first, ...rest] = path
    if (first === undefined || steps <= 0) return external(path)
    if (first === "self") return this.inside(nearestModule(module), rest, namespace, steps)
    if (first === "crate" || first === "$crate") return this.inside(rootOf(module), rest, namespace, steps)
    if (first === "super") {
      const { parent } = nearestModule(module)
      return parent === undefined ? external(path) : this.inside(parent, rest, namespace, steps)
    }
    // `::name` is a crate since 2018; before, it was a path from the root.
    const local =
      first === ""
        ? undefined
        : this.lookup(module, first, rest.length === 0 ? namespace : "type", steps, new Set<Module>())
    if (local === undefined) {
      const [name, ...below] = first === "" ? rest : path
      const root = name === undefined ? undefined : this.crateNamed(module.crate, name)?.roots[0]
      if (root === undefined || below.length === 0)
        return first === "" && root === undefined
          ? this.inside(rootOf(module), rest, namespace, steps, rest)
          : external(path)
      return this.inside(root, below, namespace, steps - 1, path)
    }
    if (local.kind === "external") return rest.length === 0 ? local : external([...local.path, ...rest])
    return rest.length === 0 ? local : this.within(local.definition, rest, namespace, steps)
  }

  private inside(
    module: Module,
    path: ReadonlyArray<string>,
    namespace: Namespace,
    steps: number,
    whole?: ReadonlyArray<string>,
  ): Resolution {
    const [first, ...rest] = path
    if (first === undefined)
      return { kind: "definition", definition: { kind: "module", name: module.name, module, target: module } }
    if (first === "super" && module.parent !== undefined)
      return this.inside(module.parent, rest, namespace, steps - 1, whole)
    const local = this.lookup(module, first, rest.length === 0 ? namespace : "type", steps - 1, new Set())
    if (local === undefined) return external(whole ?? (isDeclaredId(module, first) ? [module.name, first] : path))
    if (local.kind === "external") return external([...local.path, ...rest])
    return rest.length === 0 ? local : this.within(local.definition, rest, namespace, steps - 1)
  }

  private within(definition: Definition, path: ReadonlyArray<string>, namespace: Namespace, steps: number): Resolution {
    const [first, ...rest] = path
    if (first === undefined || steps <= 0) return { kind: "definition", definition }
    switch (definition.kind) {
      case "module":
        return this.inside(definition.target, path, namespace, steps - 1)
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
        const item = this.traitFunctions.get(definition)?.get(first)
        return item === undefined ? external([definition.name, ...path]) : { kind: "definition", definition: item }
      }
      case "type": {
        const type = definition.item.type
        if (type?.kind !== "path") return external([definition.name, ...path])
        const segments = type.path.segments.map((segment) => segment.name)
        const target =
          segments[0] === definition.name
            ? external(segments)
            : this.walk(definition.module, segments, "type", steps - 1)
        if (target.kind === "external") return external([...target.path, ...path])
        const own = this.methodOfAlias(definition, first)
        if (own !== undefined) return { kind: "definition", definition: own }
        return this.within(target.definition, path, namespace, steps - 1)
      }
      default:
        return rest.length === 0 ? external([definition.name, first]) : external([definition.name, ...path])
    }
  }

  /** Two aliases of one type, `Queue<Bids>` and `Queue<Asks>`, may each have a method of that name. */
  private methodOfAlias(alias: TypeAlias, name: string): FunctionDefinition | undefined {
    const target = this.unaliased(alias)
    if (target?.kind !== "struct" && target?.kind !== "enum") return undefined
    return this.implsOf(target)
      .find(
        ({ item: { selfType, trait }, functions }) =>
          trait === undefined &&
          functions.has(name) &&
          selfType.kind === "path" &&
          selfType.path.segments.at(-1)?.name === alias.name,
      )
      ?.functions.get(name)
  }

  private associatedConst(definition: TypeDefinition, name: string): Resolution | undefined {
    for (const impl of this.implsOf(definition))
      for (const item of impl.item.items)
        if (item.kind === "const" && item.name === name)
          return { kind: "definition", definition: { kind: "const", name, module: impl.module, item } }
    return undefined
  }

  private lookup(
    module: Module,
    name: string,
    namespace: Namespace,
    steps: number,
    seen: Set<Module>,
    from = module,
  ): Resolution | undefined {
    if (steps <= 0 || seen.has(module) || this.lookups++ > maxLookups) return undefined
    seen.add(module)
    const all = module.names.get(name)?.filter((one) => isIn(namespace, one)) ?? []
    const own = all.find((one) => all.length === 1 || !isOptional(one)) ?? all[0]
    if (own !== undefined) return { kind: "definition", definition: own }
    let outside: Resolution | undefined
    const isInside = isBelow(from, module)
    for (const imported of module.imports.get(name) ?? []) {
      if (imported.isPrivate && !isInside) continue
      const found = this.imported(module, name, imported.path, namespace, steps)
      if (found?.kind === "definition" && isIn(namespace, found.definition)) return found
      if (found?.kind === "external") outside ??= found
    }
    if (outside !== undefined) return outside
    // Does not count as a step: a module that was seen once is not searched again, however many steps are left.
    for (const { target, isPrivate } of this.globs(module)) {
      if (isPrivate && !isInside) continue
      if (target.kind === "module") {
        const found = this.lookup(target.target, name, namespace, steps, seen, from)
        if (found?.kind === "definition") return found
        outside ??= found
      } else if (target.kind === "enum") {
        const variant = variantOf(target, name)
        if (variant !== undefined) return { kind: "definition", definition: variant }
      }
    }
    return (
      outside ??
      (module.around === undefined ? undefined : this.lookup(module.around, name, namespace, steps, seen, from))
    )
  }

  private imported(
    module: Module,
    name: string,
    path: ReadonlyArray<string>,
    namespace: Namespace,
    steps: number,
  ): Resolution | undefined {
    const [first] = path
    // `use token::{self}` in a module that has no `token` of its own names the crate.
    if (first === name && path.length === 1) {
      const root = this.crateNamed(module.crate, name)?.roots[0]
      return root === undefined ? external([name]) : this.inside(root, [], namespace, steps)
    }
    // `use stake::stake` beside `mod stake`: the first segment is the module, or a crate.
    if (
      first === name &&
      module.names.get(name)?.some((one) => isIn("type", one)) !== true &&
      this.crateNamed(module.crate, first) === undefined
    )
      return external(path)
    return this.follow(module, name, path, namespace, steps - 1)
  }

  private follow(
    module: Module,
    name: string,
    path: ReadonlyArray<string>,
    namespace: Namespace,
    steps: number,
  ): Resolution | undefined {
    let open = this.following.get(module)
    if (open === undefined) this.following.set(module, (open = new Set()))
    const key = `${namespace} ${name} ${path.join("::")}`
    if (open.has(key)) return undefined
    open.add(key)
    const found = this.walk(module, path, namespace, steps)
    open.delete(key)
    return found
  }

  /**
   * What a module's `use x::*` declarations name in the project; a glob does not see through other globs of its module.
   */
  private globs(module: Module): ReadonlyArray<GlobTarget> {
    const known = this.globTargets.get(module)
    if (known !== undefined) return known
    this.globTargets.set(module, [])
    // The answer is cached, so it must not depend on how many steps the first caller has left.
    const { lookups } = this
    const targets = module.globs.flatMap((glob) => {
      this.lookups = 0
      const target = this.walk(module, glob.path, "type", maxSteps)
      return target.kind === "definition" ? [{ target: target.definition, isPrivate: glob.isPrivate }] : []
    })
    this.lookups = lookups
    this.globTargets.set(module, targets)
    return targets
  }
}

const rootOf = (module: Module): Module => {
  let root = module
  while (root.parent !== undefined) root = root.parent
  // In files that no `mod` reaches, `crate` still means the library.
  return root.crate.roots[0] ?? root
}
