import type {
  Attribute,
  Field,
  Item,
  Parameter,
  UseImport,
  Variant,
} from "../../domain/detection/rust/syntax/syntax.ts"
import { isTestOnly } from "./rustAttributes.ts"
import type { Lowering } from "./rustLowering.ts"
import { lowerMacro } from "./rustMacros.ts"
import { child, childOfType, has, type RawNode } from "./rustTree.ts"

const visibility = (l: Lowering, node: RawNode): Item["visibility"] => {
  const found = childOfType(node, "visibility_modifier")
  if (found === undefined) return "private"
  return l.text(found) === "pub" ? "public" : "restricted"
}

/** Calls `take` for each named node with the preceding attributes; skips what the parser could not read. */
const withAttributes = (
  l: Lowering,
  nodes: ReadonlyArray<RawNode>,
  take: (node: RawNode, attributes: ReadonlyArray<Attribute>) => void,
): void => {
  let attributes: Array<Attribute> = []
  for (const node of nodes) {
    if (node.type === "attribute_item") attributes.push(l.attribute(node))
    else if (node.type === "ERROR") {
      withAttributes(l, node.children, take)
      attributes = []
    } else if (node.named && node.type !== "visibility_modifier") {
      take(node, attributes)
      attributes = []
    }
  }
}

/** The items of a file, module, impl or trait, without those for tests. */
export const lowerItems = (l: Lowering, nodes: ReadonlyArray<RawNode>): ReadonlyArray<Item> => {
  const items: Array<Item> = []
  withAttributes(l, nodes, (node, attributes) => {
    if (isTestOnly(attributes)) {
      const name = child(node, "name")
      if (node.type === "mod_item" && name !== undefined) l.testModules.push(l.text(name))
      return
    }
    const item = l.item(node, attributes)
    if (item !== undefined) items.push(item)
  })
  return items
}

const lowerFields = (l: Lowering, body: RawNode | undefined): ReadonlyArray<Field> => {
  const fields: Array<Field> = []
  if (body === undefined) return fields
  const tuple = body.type === "ordered_field_declaration_list"
  let level: Item["visibility"] = "private"
  let attributes: Array<Attribute> = []
  for (const node of body.children) {
    if (node.type === "attribute_item") attributes.push(l.attribute(node))
    else if (node.type === "visibility_modifier") level = l.text(node) === "pub" ? "public" : "restricted"
    else if (tuple ? node.field === "type" : node.type === "field_declaration") {
      const name = tuple ? undefined : child(node, "name")
      fields.push({
        ...l.span(node),
        name: name === undefined ? String(fields.length) : l.text(name),
        nameSpan: l.span(name ?? node),
        type: l.type(tuple ? node : child(node, "type")),
        attributes,
        visibility: tuple ? level : visibility(l, node),
      })
      attributes = []
      level = "private"
    }
  }
  return fields
}

const lowerVariants = (l: Lowering, body: RawNode | undefined): ReadonlyArray<Variant> => {
  const variants: Array<Variant> = []
  withAttributes(l, body?.children ?? [], (node, attributes) => {
    const name = child(node, "name")
    if (node.type !== "enum_variant" || name === undefined) return
    const fields = child(node, "body")
    const discriminant = child(node, "value")
    variants.push({
      ...l.span(node),
      name: l.text(name),
      attributes,
      fields: lowerFields(l, fields),
      tuple: fields?.type === "ordered_field_declaration_list",
      ...(discriminant === undefined ? {} : { discriminant: l.expression(discriminant) }),
    })
  })
  return variants
}

const generics = (l: Lowering, node: RawNode): ReadonlyArray<string> =>
  (child(node, "type_parameters")?.children ?? [])
    .filter((one) => /^(type_parameter|const_parameter|type_identifier|constrained_type_parameter)$/.test(one.type))
    .map((one) => l.text(child(one, "name") ?? child(one, "left") ?? one))

const parameters = (l: Lowering, node: RawNode): ReadonlyArray<Parameter> => {
  const found: Array<Parameter> = []
  withAttributes(l, child(node, "parameters")?.children ?? [], (one, attributes) => {
    if (one.type !== "parameter") return
    const pattern = l.pattern(child(one, "pattern"))
    const mutable = has(one, "mutable_specifier")
    found.push({
      ...l.span(one),
      pattern: pattern.kind === "binding" && mutable ? { ...pattern, mutable } : pattern,
      type: l.type(child(one, "type")),
      attributes,
    })
  })
  return found
}

const receiver = (l: Lowering, node: RawNode): { self?: "value" | "reference" | "mutable" } => {
  const list = child(node, "parameters")
  const self = list === undefined ? undefined : childOfType(list, "self_parameter")
  if (self !== undefined) {
    if (!has(self, "&")) return { self: "value" }
    return { self: has(self, "mutable_specifier") ? "mutable" : "reference" }
  }
  const typed = list?.children.find((one) => one.type === "parameter")
  const pattern = typed === undefined ? undefined : child(typed, "pattern")
  if (pattern === undefined || l.text(pattern) !== "self") return {}
  return { self: "value" }
}

const join = (prefix: ReadonlyArray<string>, node: RawNode | undefined, l: Lowering): ReadonlyArray<string> =>
  node === undefined ? prefix : [...prefix, ...l.path(node).segments.map((segment) => segment.name)]

const imports = (
  l: Lowering,
  node: RawNode | undefined,
  prefix: ReadonlyArray<string>,
  into: Array<UseImport>,
): void => {
  if (node === undefined) return
  const span = l.span(node)
  switch (node.type) {
    case "use_list":
      for (const one of node.children) if (one.named) imports(l, one, prefix, into)
      return
    case "scoped_use_list":
      imports(l, child(node, "list"), join(prefix, child(node, "path"), l), into)
      return
    case "use_as_clause": {
      const alias = child(node, "alias")
      const path = child(node, "path")
      const full = path?.type === "self" && prefix.length > 0 ? prefix : join(prefix, path, l)
      into.push({ ...span, path: full, alias: alias === undefined ? "_" : l.text(alias) })
      return
    }
    case "use_wildcard": {
      const path = node.children.find((one) => one.named)
      into.push({ ...span, path: join(prefix, path, l), alias: "*" })
      return
    }
    default: {
      const path = node.type === "self" && prefix.length > 0 ? prefix : join(prefix, node, l)
      into.push({ ...span, path, alias: path.at(-1) ?? "_" })
    }
  }
}

const lowerImpl = (l: Lowering, node: RawNode, body: RawNode | undefined) => {
  const trait = child(node, "trait")
  return {
    generics: generics(l, node),
    selfType: l.type(child(node, "type")),
    items: lowerItems(l, body?.children ?? []),
    ...(trait === undefined ? {} : { trait: l.path(trait) }),
  }
}

const lowerFunction = (l: Lowering, node: RawNode, body: RawNode | undefined) => {
  const modifiers = childOfType(node, "function_modifiers")
  const result = child(node, "return_type")
  return {
    generics: generics(l, node),
    ...receiver(l, node),
    parameters: parameters(l, node).filter((one) => one.pattern.kind !== "binding" || one.pattern.name !== "self"),
    ...(result === undefined ? {} : { result: l.type(result) }),
    ...(body === undefined ? {} : { body: l.block(body) }),
    unsafe: modifiers !== undefined && has(modifiers, "unsafe"),
    async: modifiers !== undefined && has(modifiers, "async"),
  }
}

const lowerConst = (l: Lowering, node: RawNode) => {
  const value = child(node, "value")
  return {
    static: node.type === "static_item",
    type: l.type(child(node, "type")),
    ...(value === undefined ? {} : { value: l.expression(value) }),
  }
}

const lowerTypeAlias = (l: Lowering, node: RawNode) => {
  const type = child(node, "type")
  return { generics: generics(l, node), ...(type === undefined ? {} : { type: l.type(type) }) }
}

/** Undefined for anything that is not an item, or that detection does not use. */
export const lowerItem = (l: Lowering, node: RawNode, attributes: ReadonlyArray<Attribute>): Item | undefined => {
  const nameNode = child(node, "name")
  const base = {
    ...l.span(node),
    name: nameNode === undefined ? "" : l.text(nameNode),
    nameSpan: l.span(nameNode ?? node),
    attributes,
    visibility: visibility(l, node),
  }
  const body = child(node, "body")
  switch (node.type) {
    case "mod_item":
      return { ...base, kind: "module", ...(body === undefined ? {} : { items: lowerItems(l, body.children) }) }
    case "foreign_mod_item":
      return { ...base, kind: "module", name: "", items: lowerItems(l, body?.children ?? []) }
    case "use_declaration": {
      const found: Array<UseImport> = []
      imports(l, child(node, "argument"), [], found)
      return { ...base, kind: "use", imports: found }
    }
    case "struct_item":
    case "union_item":
      return {
        ...base,
        kind: "struct",
        generics: generics(l, node),
        fields: lowerFields(l, body),
        tuple: body?.type === "ordered_field_declaration_list",
      }
    case "enum_item":
      return { ...base, kind: "enum", generics: generics(l, node), variants: lowerVariants(l, body) }
    case "impl_item":
      return { ...base, kind: "impl", ...lowerImpl(l, node, body) }
    case "trait_item":
      return { ...base, kind: "trait", generics: generics(l, node), items: lowerItems(l, body?.children ?? []) }
    case "function_item":
    case "function_signature_item":
      return { ...base, kind: "function", ...lowerFunction(l, node, body) }
    case "const_item":
    case "static_item":
      return { ...base, kind: "const", ...lowerConst(l, node) }
    case "type_item":
    case "associated_type":
      return { ...base, kind: "type", ...lowerTypeAlias(l, node) }
    case "extern_crate_declaration": {
      const alias = child(node, "alias")
      return { ...base, kind: "externCrate", ...(alias === undefined ? {} : { alias: l.text(alias) }) }
    }
    case "macro_definition":
      return { ...base, kind: "macroDefinition" }
    case "macro_invocation": {
      const call = lowerMacro(l, node)
      return { ...base, kind: "macro", name: call.name, call }
    }
    case "expression_statement": {
      const inner = childOfType(node, "macro_invocation")
      if (inner === undefined) return undefined
      const call = lowerMacro(l, inner)
      return { ...base, kind: "macro", name: call.name, call }
    }
    default:
      return undefined
  }
}
