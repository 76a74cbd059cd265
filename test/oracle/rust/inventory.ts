import { createHash } from "node:crypto"
import type {
  Attribute,
  Block,
  Expression,
  Field,
  Item,
  MacroCall,
  Path,
  Pattern,
  RustFile,
  Statement,
  TypeNode,
} from "../../../domain/detection/rust/syntax/syntax.ts"

const nameOf = (path: Path): string => path.segments.map(({ name }) => name).join("::")

const show = (type: TypeNode): string => {
  switch (type.kind) {
    case "path":
      return type.path.segments
        .map(({ name, generics }) => (generics.length === 0 ? name : `${name}<${generics.map(show).join(",")}>`))
        .join("::")
    case "reference":
      return `&${type.mutable ? "mut " : ""}${show(type.type)}`
    case "pointer":
      return `*${type.mutable ? "mut " : ""}${show(type.type)}`
    case "array":
      return `[${show(type.element)};n]`
    case "slice":
      return `[${show(type.element)}]`
    case "tuple":
      return `(${type.elements.map(show).join(",")})`
    case "bounds":
      return `bounds/${type.bounds.length}`
    case "function":
      return `fn/${type.parameters.length}`
    case "never":
      return "!"
    case "infer":
      return "_"
    case "unknown":
      return "?"
  }
}

const kinds = (list: ReadonlyArray<Expression>): string => list.map(({ kind }) => kind).join(",")

/**
 * What our tree holds, one entry `<line> <kind> <details>` for each item, field, statement and expression, sorted.
 * `src/main.rs` makes the same from the tree of `syn`.
 */
export const inventoryOf = ({ file, items }: RustFile): ReadonlyArray<string> => {
  const entries: Array<string> = []
  const lineStarts = [0]
  for (let at = file.text.indexOf("\n"); at !== -1; at = file.text.indexOf("\n", at + 1)) lineStarts.push(at + 1)
  const lineOf = (offset: number): number => {
    let low = 0
    let high = lineStarts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (lineStarts[middle]! <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
  const add = (at: { readonly start: number }, entry: string) => entries.push(`${lineOf(at.start)} ${entry}`)

  const attributesOf = (list: ReadonlyArray<Attribute>) => {
    for (const one of list) if (one.name !== "doc") add(one, `attribute ${one.path.join("::")}`)
  }
  const fieldsOf = (fields: ReadonlyArray<Field>): string => {
    for (const { attributes } of fields) attributesOf(attributes)
    return fields.map(({ name, type }) => `${name}: ${show(type)}`).join(", ")
  }

  const visitItem = (item: Item): void => {
    attributesOf(item.attributes)
    switch (item.kind) {
      case "function": {
        const self = { value: "self", reference: "&self", mutable: "&mut self" }
        const parameters = item.parameters.map(({ pattern, type, attributes }) => {
          attributesOf(attributes)
          const name = pattern.kind === "binding" ? pattern.name : pattern.kind === "wildcard" ? "_" : "…"
          return `${name}: ${show(type)}`
        })
        const all = [...(item.self === undefined ? [] : [self[item.self]]), ...parameters].join(", ")
        const result = item.result === undefined ? "" : ` -> ${show(item.result)}`
        const modifiers = `${item.async ? " async" : ""}${item.unsafe ? " unsafe" : ""}`
        add(item.nameSpan, `function ${item.name}(${all})${result}${modifiers}`)
        if (item.body !== undefined) visitBlock(item.body)
        return
      }
      case "struct":
        add(item.nameSpan, `struct ${item.name} { ${fieldsOf(item.fields)} }`)
        return
      case "enum":
        add(item.nameSpan, `enum ${item.name} ${item.variants.length}`)
        for (const variant of item.variants) {
          attributesOf(variant.attributes)
          add(variant, `variant ${variant.name} { ${fieldsOf(variant.fields)} }`)
          if (variant.discriminant !== undefined) visitExpression(variant.discriminant)
        }
        return
      case "impl": {
        const trait = item.trait === undefined ? "" : `${show({ ...item.trait, kind: "path", path: item.trait })} for `
        add(item.selfType, `impl ${trait}${show(item.selfType)}`)
        item.items.forEach(visitItem)
        return
      }
      case "trait":
        add(item.nameSpan, `trait ${item.name}`)
        item.items.forEach(visitItem)
        return
      case "module":
        if (item.name !== "") add(item.nameSpan, `module ${item.name}${item.items === undefined ? "" : " inline"}`)
        item.items?.forEach(visitItem)
        return
      case "use":
        for (const { path, alias } of item.imports) add(item, `use ${path.join("::")} as ${alias}`)
        return
      case "const":
        add(item.nameSpan, `const ${item.name}: ${show(item.type)}`)
        if (item.value !== undefined) visitExpression(item.value)
        return
      case "type":
        add(item.nameSpan, `type ${item.name}${item.type === undefined ? "" : ` = ${show(item.type)}`}`)
        return
      case "macro":
        visitMacro(item.call)
        return
      case "macroDefinition":
        add(item.nameSpan, `macro_rules ${item.name}`)
        return
      case "externCrate":
        return
    }
  }

  const visitMacro = (call: MacroCall): void => {
    const shown = !call.parsed ? "unread" : call.args.length === 0 ? "empty" : kinds(call.args)
    add(call.path, `macro ${call.name} ${shown}`)
    call.args.forEach(visitExpression)
    if (call.pattern !== undefined) visitPattern(call.pattern)
    if (call.guard !== undefined) visitExpression(call.guard)
  }

  const visitStatement = (statement: Statement): void => {
    switch (statement.kind) {
      case "item":
        visitItem(statement.item)
        return
      case "expression":
        visitExpression(statement.expression)
        return
      case "let":
        add(
          statement,
          `local = ${statement.value?.kind ?? "nothing"}${statement.otherwise === undefined ? "" : " else"}`,
        )
        visitPattern(statement.pattern)
        if (statement.value !== undefined) visitExpression(statement.value)
        if (statement.otherwise !== undefined) visitExpression(statement.otherwise)
    }
  }

  const visitBlock = (block: Block): void => {
    block.statements.forEach(visitStatement)
    if (block.tail !== undefined) visitExpression(block.tail)
  }

  const visitPattern = (pattern: Pattern): void => {
    switch (pattern.kind) {
      case "binding":
        add(pattern, `binding ${pattern.mutable ? "mut " : ""}${pattern.name}`)
        if (pattern.pattern !== undefined) visitPattern(pattern.pattern)
        return
      case "tupleStruct":
        add(pattern, `pattern ${nameOf(pattern.path)} ${pattern.elements.length}`)
        pattern.elements.forEach(visitPattern)
        return
      case "struct":
        add(pattern, `pattern ${nameOf(pattern.path)} ${pattern.fields.length}${pattern.rest ? " .." : ""}`)
        for (const field of pattern.fields) visitPattern(field.pattern)
        return
      case "path":
        add(pattern, `pattern ${nameOf(pattern.path)}`)
        return
      case "reference":
        visitPattern(pattern.pattern)
        return
      case "or":
        pattern.alternatives.forEach(visitPattern)
        return
      case "tuple":
      case "slice":
        pattern.elements.forEach(visitPattern)
        return
      case "unknown":
        add(pattern, "pattern unknown")
        return
      case "literal":
      case "range":
      case "rest":
      case "wildcard":
        return
    }
  }

  const visitAll = (...list: ReadonlyArray<Expression | undefined>) => {
    for (const one of list) if (one !== undefined) visitExpression(one)
  }

  const kindOf = (one: Expression | undefined): string => one?.kind ?? "nothing"

  const visitExpression = (node: Expression): void => {
    switch (node.kind) {
      case "macro":
        return visitMacro(node)
      case "call": {
        const callee = node.callee.kind === "path" ? nameOf(node.callee.path) : node.callee.kind
        add(node, `call ${callee}(${kinds(node.args)})`)
        return visitAll(node.callee, ...node.args)
      }
      case "methodCall":
        add(node.methodSpan, `methodCall ${node.receiver.kind}.${node.method}(${kinds(node.args)})`)
        return visitAll(node.receiver, ...node.args)
      case "path":
        add(node, `path ${nameOf(node.path)}`)
        return
      case "field":
        add({ start: node.end - 1 }, `field ${node.base.kind}.${node.name}`)
        return visitAll(node.base)
      case "binary":
      case "assign":
        add(node, `${node.kind} ${node.left.kind} ${node.operator} ${node.right.kind}`)
        return visitAll(node.left, node.right)
      case "unary":
        add(node, `unary ${node.operator} ${node.operand.kind}`)
        return visitAll(node.operand)
      case "reference":
        add(node, `reference ${node.mutable ? "mut " : ""}${node.operand.kind}`)
        return visitAll(node.operand)
      case "cast":
        add(node, `cast ${node.value.kind} as ${show(node.type)}`)
        return visitAll(node.value)
      case "struct":
        add(
          node,
          `struct ${nameOf(node.path)} { ${node.fields.map(({ name, value }) => `${name}: ${value.kind}`).join(", ")} } ${kindOf(node.base)}`,
        )
        return visitAll(...node.fields.map(({ value }) => value), node.base)
      case "closure":
        add(node, `closure ${node.parameters.length} ${node.body.kind}`)
        for (const { pattern } of node.parameters) visitPattern(pattern)
        return visitAll(node.body)
      case "if":
        add(node, `if ${node.condition.kind} else ${kindOf(node.otherwise)}`)
        visitAll(node.condition)
        visitBlock(node.then)
        return visitAll(node.otherwise)
      case "let":
        add(node, `let ${node.value.kind}`)
        visitPattern(node.pattern)
        return visitAll(node.value)
      case "match":
        add(node, `match ${node.value.kind} ${node.arms.length}`)
        visitAll(node.value)
        for (const { pattern, guard, body } of node.arms) {
          visitPattern(pattern)
          visitAll(guard, body)
        }
        return
      case "range":
        add(node, `range ${kindOf(node.from)} ${kindOf(node.to)}`)
        return visitAll(node.from, node.to)
      case "return":
      case "break":
        add(node, `${node.kind} ${kindOf(node.value)}`)
        return visitAll(node.value)
      case "index":
        add(node, `index ${node.base.kind} ${node.index.kind}`)
        return visitAll(node.base, node.index)
      case "try":
        add(node, `try ${node.value.kind}`)
        return visitAll(node.value)
      case "tuple":
      case "array":
        add(node, `${node.kind} ${node.elements.length}`)
        return visitAll(...node.elements)
      case "block":
        add(node, "block")
        return visitBlock(node)
      case "while":
        add(node, "while")
        visitAll(node.condition)
        return visitBlock(node.body)
      case "loop":
        add(node, "loop")
        return visitBlock(node.body)
      case "for":
        add(node, "for")
        visitPattern(node.pattern)
        visitAll(node.iterable)
        return visitBlock(node.body)
      case "repeat":
        add(node, "repeat")
        return visitAll(node.value, node.count)
      case "await":
        add(node, "await")
        return visitAll(node.value)
      case "literal":
      case "continue":
      case "unknown":
        add(node, node.kind)
        return
    }
  }

  items.forEach(visitItem)
  return entries.toSorted()
}

const digest = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16)

/** The name of a text in `expected.json`. */
export const keyOf = (text: string): string => digest(text)

/** What `expected.json` says of a text: how many entries there are, and their digest. */
export const summaryOf = (inventory: ReadonlyArray<string>): string =>
  `${inventory.length} ${digest(inventory.join("\n"))}`
