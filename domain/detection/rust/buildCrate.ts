import type { Crate, Definition, FunctionDefinition, ImplDefinition, Import, Module, TraitDefinition } from "./crate.ts"
import type { Manifest } from "./manifest.ts"
import { folder, join } from "./paths.ts"
import type { FunctionItem, Item, ModuleItem, RustFile, TypeNode } from "./syntax.ts"

type Writable<T> = { -readonly [K in keyof T]: T[K] }
interface ModuleInProgress extends Module {
  readonly modules: Map<string, Module>
  readonly names: Map<string, Array<Definition>>
  readonly imports: Map<string, Array<Import>>
  readonly globs: Array<Import>
  readonly impls: Array<ImplDefinition>
  readonly macros: Array<Module["macros"][number]>
}

/** Inline modules nest in the text; this many levels are far beyond any program. */
const maxModuleDepth = 64

/** Last name of a type: `Account` of `a::Account<'info, T>`, also behind references. */
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

/** Where the text of `mod name;` may lie, in the order in which the compiler looks. */
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

/** Modules, names and functions of one crate. Files that no module declares become roots of their own. */
export const buildCrate = (name: string, manifest: Manifest | undefined, files: ReadonlyArray<RustFile>): Crate => {
  const byPath = new Map(files.map((file) => [file.file.path, file]))
  const modules: Array<Module> = []
  const functions: Array<FunctionDefinition> = []
  const roots: Array<Module> = []
  const libraryName = (manifest?.libraryName ?? name).replaceAll("-", "_")
  const crate: Writable<Crate> = { name, libraryName, manifest, files, roots, modules, functions }
  const used = new Set<RustFile>()

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

  /** Where the names in a function's body are looked up: it may have `use` declarations and functions of its own. */
  const scopeOf = (
    item: FunctionItem,
    module: ModuleInProgress,
    at: { readonly isRoot: boolean; readonly inline: ReadonlyArray<string>; readonly depth: number },
  ): Module => {
    const items = (item.body?.statements ?? []).flatMap((one) =>
      one.kind === "item" && one.item.kind !== "module" && one.item.kind !== "impl" ? [one.item] : [],
    )
    if (items.length === 0 || at.depth >= maxModuleDepth) return module
    const body = {
      ...newModule(module.name, module.file, module.parent, module.attributes),
      path: module.path,
      around: module,
    }
    fill(body, items, { ...at, depth: at.depth + 1 })
    modules.pop()
    return body
  }

  const methods = (
    items: ReadonlyArray<Item>,
    module: ModuleInProgress,
    owner: ImplDefinition | TraitDefinition,
    at: { readonly isRoot: boolean; readonly inline: ReadonlyArray<string>; readonly depth: number },
  ) => {
    const found = new Map<string, FunctionDefinition>()
    for (const item of items) {
      if (item.kind !== "function") continue
      const definition = defineFunction(item, scopeOf(item, module, at), owner)
      functions.push(definition)
      found.set(item.name, definition)
    }
    return found
  }

  const fill = (
    module: ModuleInProgress,
    items: ReadonlyArray<Item>,
    at: { readonly isRoot: boolean; readonly inline: ReadonlyArray<string>; readonly depth: number },
  ): void => {
    modules.push(module)
    for (const item of items) {
      switch (item.kind) {
        case "module": {
          if (at.depth >= maxModuleDepth) break
          if (item.name === "") {
            fill(module, item.items ?? [], { ...at, depth: at.depth + 1 })
            modules.pop()
            break
          }
          const target = item.items === undefined ? fileOf(item, module, at) : undefined
          if (item.items === undefined && target === undefined) break
          const child = newModule(item.name, target ?? module.file, module, item.attributes)
          module.modules.set(item.name, child)
          declare(module, { kind: "module", name: item.name, module, target: child })
          if (target === undefined)
            fill(child, item.items ?? [], { isRoot: at.isRoot, inline: [...at.inline, item.name], depth: at.depth + 1 })
          else fill(child, byPath.get(target.path)!.items, { isRoot: false, inline: [], depth: at.depth + 1 })
          break
        }
        case "use":
          for (const { start, end, path, alias } of item.imports) {
            const one = { start, end, path, alias, isPrivate: item.visibility === "private" }
            if (alias === "*") module.globs.push(one)
            else if (alias !== "_") addImport(module, one)
          }
          break
        case "externCrate":
          if (item.alias !== undefined)
            addImport(module, {
              start: item.start,
              end: item.end,
              path: [item.name],
              alias: item.alias,
              isPrivate: item.visibility === "private",
            })
          break
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
        case "function": {
          const definition = defineFunction(item, scopeOf(item, module, at), undefined)
          functions.push(definition)
          declare(module, definition)
          break
        }
        case "trait": {
          const definition: TraitDefinition = { kind: "trait", name: item.name, module, item }
          methods(item.items, module, definition, at)
          declare(module, definition)
          break
        }
        case "impl": {
          const definition: Writable<ImplDefinition> = { kind: "impl", item, module, functions: new Map() }
          definition.functions = methods(item.items, module, definition, at)
          module.impls.push(definition)
          break
        }
        case "macro":
          module.macros.push(item)
          break
        case "macroDefinition":
          break
      }
    }
  }

  const newModule = (
    own: string,
    file: Module["file"],
    parent: Module | undefined,
    attributes: Module["attributes"],
  ): ModuleInProgress => ({
    crate,
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
  })

  const fileOf = (
    item: ModuleItem,
    module: Module,
    at: { readonly isRoot: boolean; readonly inline: ReadonlyArray<string> },
  ): Module["file"] | undefined => {
    for (const path of candidates(item, module.file.path, at.isRoot, at.inline)) {
      const found = byPath.get(path)
      // A file is one module: the first declaration takes it, which also ends cycles of `#[path]`.
      if (found !== undefined && !used.has(found)) {
        used.add(found)
        return found.file
      }
    }
    return undefined
  }

  const addRoot = (file: RustFile): void => {
    if (used.has(file)) return
    used.add(file)
    const root = newModule("", file.file, undefined, file.attributes)
    roots.push(root)
    fill(root, file.items, { isRoot: true, inline: [], depth: 0 })
  }

  const directory = manifest?.directory ?? ""
  const library = join(directory, manifest?.library ?? "src/lib.rs")
  for (const path of [library, join(directory, "src/main.rs")]) {
    const file = byPath.get(path)
    if (file !== undefined) addRoot(file)
  }
  const testFiles = new Set<string>()
  for (const file of files) {
    const stem = file.file.path.replace(/\.rs$/, "").replace(/\/(mod|lib|main)$/, "")
    for (const module of file.testModules)
      for (const at of [folder(file.file.path), stem]) {
        testFiles.add(join(at, `${module}.rs`))
        testFiles.add(join(at, module, "mod.rs"))
      }
  }
  const declared = new Set<string>()
  for (const file of files)
    for (const item of file.items)
      if (item.kind === "module" && item.items === undefined)
        for (const isRoot of [true, false])
          for (const path of candidates(item, file.file.path, isRoot, [])) declared.add(path)
  const rest = files.filter(
    ({ file }) =>
      !testFiles.has(file.path) && !/(^|\/)(src\/bin|examples|tests|benches)\//.test(file.path.slice(directory.length)),
  )
  const order = rest.toSorted((a, b) => Number(declared.has(a.file.path)) - Number(declared.has(b.file.path)))
  for (const file of manifest === undefined
    ? order.filter((one) => !isTestPath(one.file.path) || files.length === 1)
    : order)
    addRoot(file)
  if (modules.length === 0) for (const file of files) addRoot(file)
  return crate
}

const isTestPath = (path: string): boolean => /(^|\/)(tests?|integration_tests)\.rs$/.test(path)
