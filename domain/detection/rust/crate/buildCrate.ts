import {
  checkOfMacro,
  forwardedCheck,
  type ForwardingMacro,
  forwardingMacro,
  type MacroCheck,
  nestedMacros,
} from "./checkMacros.ts"
import type { Crate, Definition, FunctionDefinition, ImplDefinition, Import, Module, TraitDefinition } from "./crate.ts"
import type { Manifest } from "./manifest.ts"
import { folder, join } from "./paths.ts"
import type { Closure, FunctionItem, Item, ModuleItem, RustFile, TypeNode } from "../syntax/syntax.ts"

type Writable<T> = { -readonly [K in keyof T]: T[K] }
interface ModuleInProgress extends Module {
  readonly modules: Map<string, Module>
  readonly names: Map<string, Array<Definition>>
  readonly imports: Map<string, Array<Import>>
  readonly globs: Array<Import>
  readonly impls: Array<ImplDefinition>
  readonly macros: Array<Module["macros"][number]>
}

/** Inline modules are nested in the text; no program comes close to this many levels. */
const maxModuleDepth = 64

/** The last name of a type: `Account` in `a::Account<'info, T>`, also behind references. */
export const typeName = (type: TypeNode | undefined): string => {
  if (type === undefined) return ""
  if (type.kind === "path") return type.path.segments.at(-1)?.name ?? ""
  return type.kind === "reference" || type.kind === "pointer" ? typeName(type.type) : ""
}

const defineFunction = (
  item: FunctionItem,
  module: Module,
  owner: ImplDefinition | TraitDefinition | undefined,
): FunctionDefinition => {
  const ownerName = owner?.kind === "impl" ? typeName(owner.item.selfType) : owner?.name
  const scope = ownerName === undefined || ownerName === "" ? module.name : ownerName
  const self =
    item.self === undefined ? [] : [{ name: "self", type: owner?.kind === "impl" ? owner.item.selfType : undefined }]
  const rest = item.parameters.map(({ pattern, type }) => ({
    name: pattern.kind === "binding" ? pattern.name : "_",
    type,
  }))
  return {
    kind: "function",
    name: item.name,
    module,
    item,
    qualifiedName: scope === "" ? item.name : `${scope}::${item.name}`,
    parameters: [...self, ...rest],
    ...(owner === undefined ? {} : { owner }),
  }
}

/** Where the text of `mod name;` may be, in the order in which the compiler looks. */
const candidates = (
  item: ModuleItem,
  file: string,
  isRoot: boolean,
  inline: ReadonlyArray<string>,
): ReadonlyArray<string> => {
  const base = file.slice(file.lastIndexOf("/") + 1)
  const stem = base.replace(/\.rs$/, "")
  const own = isRoot || stem === "mod" ? folder(file) : join(folder(file), stem)
  const attribute = item.attributes.find((one) => one.name === "path")?.value
  if (attribute?.kind === "literal") {
    const from = inline.length === 0 ? folder(file) : join(own, ...inline)
    return [join(from, attribute.value)]
  }
  const at = join(own, ...inline)
  return [join(at, `${item.name}.rs`), join(at, item.name, "mod.rs")]
}

/** Where a module's items are in the text. */
interface ModulePlace {
  readonly isRoot: boolean
  /** The inline modules around them, in this file. */
  readonly inline: ReadonlyArray<string>
  readonly depth: number
}

class CrateBuilder {
  readonly modules: Array<Module> = []
  readonly functions: Array<FunctionDefinition> = []
  readonly roots: Array<Module> = []
  readonly checkMacros = new Map<string, MacroCheck>()
  readonly declaringClosures = new Map<string, Closure>()
  private readonly forwarding = new Map<string, ReadonlyArray<{ name: string; forwarding: ForwardingMacro }>>()
  readonly crate: Crate
  private readonly byPath: ReadonlyMap<string, RustFile>
  private readonly used = new Set<RustFile>()

  constructor(name: string, manifest: Manifest | undefined, files: ReadonlyArray<RustFile>) {
    const libraryName = (manifest?.libraryName ?? name).replaceAll("-", "_")
    const { roots, modules, functions, checkMacros, declaringClosures } = this
    this.crate = { name, libraryName, manifest, files, roots, modules, functions, checkMacros, declaringClosures }
    this.byPath = new Map(files.map((file) => [file.file.path, file]))
  }

  fileAt(path: string): RustFile | undefined {
    return this.byPath.get(path)
  }

  /** Makes a file that no module has claimed the root of a tree of modules. */
  addRoot(file: RustFile): void {
    if (this.used.has(file)) return
    this.used.add(file)
    const root = this.newModule("", file.file, undefined, file.attributes)
    this.roots.push(root)
    this.addAll(root, file.items, { isRoot: true, inline: [], depth: 0 })
  }

  private addAll(module: ModuleInProgress, items: ReadonlyArray<Item>, at: ModulePlace): void {
    this.modules.push(module)
    for (const item of items) this.add(item, module, at)
  }

  private add(item: Item, module: ModuleInProgress, at: ModulePlace): void {
    switch (item.kind) {
      case "module":
        this.addModule(item, module, at)
        break
      case "use":
        for (const { start, end, path, alias } of item.imports) {
          const one = { start, end, path, alias, isPrivate: item.visibility === "private" }
          if (alias === "*") module.globs.push(one)
          else if (alias !== "_") addImport(module, one)
        }
        break
      case "externCrate": {
        const { start, end, name, alias } = item
        if (alias !== undefined)
          addImport(module, { start, end, path: [name], alias, isPrivate: item.visibility === "private" })
        break
      }
      case "struct":
        declare(module, { kind: "struct", name: item.name, module, item })
        break
      case "enum":
        declare(module, { kind: "enum", name: item.name, module, item })
        break
      case "const":
        declare(module, { kind: "const", name: item.name, module, item })
        break
      case "type":
        declare(module, { kind: "type", name: item.name, module, item })
        break
      case "function":
        declare(module, this.addFunction(item, module, undefined, at))
        break
      case "trait": {
        const definition: TraitDefinition = { kind: "trait", name: item.name, module, item }
        this.addMethods(item.items, module, definition, at)
        declare(module, definition)
        break
      }
      case "impl": {
        const definition: Writable<ImplDefinition> = { kind: "impl", item, module, functions: new Map() }
        definition.functions = this.addMethods(item.items, module, definition, at)
        module.impls.push(definition)
        break
      }
      case "macro": {
        module.macros.push(item)
        const [type, closure] = item.call.args
        if (type?.kind === "path" && closure?.kind === "closure")
          this.declaringClosures.set(type.path.segments.at(-1)!.name, closure)
        break
      }
      case "macroDefinition": {
        const text = module.file.text.slice(item.start, item.end)
        this.addMacro(item.name, text)
        for (const { name, definition } of nestedMacros(text)) this.addMacro(name, definition)
        break
      }
    }
  }

  private addMacro(name: string, text: string): void {
    const check = checkOfMacro(text)
    if (check !== undefined) return this.addCheck(name, check)
    const forwarding = forwardingMacro(text)
    if (forwarding === undefined) return
    const known = this.checkMacros.get(forwarding.to)
    const own = known === undefined ? undefined : forwardedCheck(forwarding, known)
    if (own !== undefined) this.addCheck(name, own)
    else this.forwarding.set(forwarding.to, [...(this.forwarding.get(forwarding.to) ?? []), { name, forwarding }])
  }

  /** A macro may hand on to one that is defined below it. */
  private addCheck(name: string, check: MacroCheck): void {
    this.checkMacros.set(name, check)
    const waiting = this.forwarding.get(name) ?? []
    this.forwarding.delete(name)
    for (const one of waiting) {
      const own = forwardedCheck(one.forwarding, check)
      if (own !== undefined) this.addCheck(one.name, own)
    }
  }

  private addModule(item: ModuleItem, module: ModuleInProgress, at: ModulePlace): void {
    if (at.depth >= maxModuleDepth) return
    const depth = at.depth + 1
    if (item.name === "") {
      this.addAll(module, item.items ?? [], { ...at, depth })
      this.modules.pop()
      return
    }
    const target = item.items === undefined ? this.fileOf(item, module, at) : undefined
    if (item.items === undefined && target === undefined) return
    const child = this.newModule(item.name, target?.file ?? module.file, module, item.attributes)
    module.modules.set(item.name, child)
    declare(module, { kind: "module", name: item.name, module, target: child })
    if (target === undefined)
      this.addAll(child, item.items ?? [], { isRoot: at.isRoot, inline: [...at.inline, item.name], depth })
    else this.addAll(child, target.items, { isRoot: false, inline: [], depth })
  }

  private addFunction(
    item: FunctionItem,
    module: ModuleInProgress,
    owner: ImplDefinition | TraitDefinition | undefined,
    at: ModulePlace,
  ): FunctionDefinition {
    const definition = defineFunction(item, this.scopeOf(item, module, at), owner)
    this.functions.push(definition)
    return definition
  }

  private addMethods(
    items: ReadonlyArray<Item>,
    module: ModuleInProgress,
    owner: ImplDefinition | TraitDefinition,
    at: ModulePlace,
  ): Map<string, FunctionDefinition> {
    const found = new Map<string, FunctionDefinition>()
    for (const item of items)
      if (item.kind === "function") found.set(item.name, this.addFunction(item, module, owner, at))
    return found
  }

  /** Where the names in a function's body are looked up: it may have `use` declarations and functions of its own. */
  private scopeOf(item: FunctionItem, module: ModuleInProgress, at: ModulePlace): Module {
    const items = (item.body?.statements ?? []).flatMap((one) =>
      one.kind === "item" && one.item.kind !== "module" && one.item.kind !== "impl" ? [one.item] : [],
    )
    if (items.length === 0 || at.depth >= maxModuleDepth) return module
    const body = {
      ...this.newModule(module.name, module.file, module.parent, module.attributes),
      path: module.path,
      around: module,
    }
    this.addAll(body, items, { ...at, depth: at.depth + 1 })
    this.modules.pop()
    return body
  }

  private newModule(
    own: string,
    file: Module["file"],
    parent: Module | undefined,
    attributes: Module["attributes"],
  ): ModuleInProgress {
    return {
      crate: this.crate,
      path: parent === undefined || parent.path === "" ? own : `${parent.path}::${own}`,
      name: own,
      file,
      parent,
      attributes,
      modules: new Map(),
      names: new Map(),
      imports: new Map(),
      globs: [],
      impls: [],
      macros: [],
    }
  }

  /** A file is one module: the first declaration claims it, which also ends cycles of `#[path]`. */
  private fileOf(item: ModuleItem, module: Module, at: ModulePlace): RustFile | undefined {
    for (const path of candidates(item, module.file.path, at.isRoot, at.inline)) {
      const found = this.byPath.get(path)
      if (found === undefined || this.used.has(found)) continue
      this.used.add(found)
      return found
    }
    return undefined
  }
}

const declare = (module: ModuleInProgress, definition: Definition): void => {
  const existing = module.names.get(definition.name)
  if (existing === undefined) module.names.set(definition.name, [definition])
  else existing.push(definition)
}

const addImport = (module: ModuleInProgress, one: Import): void => {
  const known = module.imports.get(one.alias)
  if (known === undefined) module.imports.set(one.alias, [one])
  else known.push(one)
}

/** The files that `#[cfg(test)] mod name;` may refer to, and those that they declare in turn. */
const testFilesOf = (files: ReadonlyArray<RustFile>): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const file of files) {
    const stem = file.file.path.replace(/\.rs$/, "").replace(/\/(mod|lib|main)$/, "")
    for (const module of file.testModules)
      for (const at of [folder(file.file.path), stem]) {
        found.add(join(at, `${module}.rs`))
        found.add(join(at, module, "mod.rs"))
      }
  }
  const byPath = new Map(files.map((file) => [file.file.path, file]))
  // The loop also visits what it adds.
  for (const path of found)
    for (const item of byPath.get(path)?.items ?? [])
      if (item.kind === "module" && item.items === undefined)
        for (const one of candidates(item, path, false, [])) found.add(one)
  return found
}

/** The files that a module may be declared to be, wherever the declaration is. */
const declaredFilesOf = (files: ReadonlyArray<RustFile>): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const file of files)
    for (const item of file.items)
      if (item.kind === "module" && item.items === undefined)
        for (const isRoot of [true, false])
          for (const path of candidates(item, file.file.path, isRoot, [])) found.add(path)
  return found
}

/** The modules, names and functions of one crate. Files that no module declares become roots of their own. */
export const buildCrate = (name: string, manifest: Manifest | undefined, files: ReadonlyArray<RustFile>): Crate => {
  const builder = new CrateBuilder(name, manifest, files)
  const directory = manifest?.directory ?? ""
  const library = join(directory, manifest?.library ?? "src/lib.rs")
  for (const path of [library, join(directory, "src/main.rs")]) {
    const file = builder.fileAt(path)
    if (file !== undefined) builder.addRoot(file)
  }
  const testFiles = testFilesOf(files)
  const declared = declaredFilesOf(files)
  const order = files
    .filter(
      ({ file }) =>
        !testFiles.has(file.path) &&
        !/(^|\/)(src\/bin|examples|tests|benches)\//.test(file.path.slice(directory.length)),
    )
    .toSorted((a, b) => Number(declared.has(a.file.path)) - Number(declared.has(b.file.path)))
  for (const file of manifest === undefined
    ? order.filter((one) => !isTestPath(one.file.path) || files.length === 1)
    : order)
    builder.addRoot(file)
  if (builder.modules.length === 0) for (const file of files) builder.addRoot(file)
  return builder.crate
}

const isTestPath = (path: string): boolean => /(^|\/)(tests?|integration_tests)\.rs$/.test(path)
