import { parseAst } from "rolldown/parseAst"

/**
 * What a program must do for a guard's removal to make a difference: evaluate this expression to something other than
 * true or false, to a call of a predicate that fails, to operands that are equal, or at all.
 */
export interface Witness {
  readonly start: number
  readonly end: number
  readonly when: "notTrue" | "notFalse" | "fails" | "equal" | "reached"
}

/** One guard removed from a rule: the text between `start` and `end` is replaced. */
export interface Mutant {
  /** Counted from 1. */
  readonly line: number
  /** What was done, with the guard's own text on one line: stable as long as the guard's text is. */
  readonly name: string
  readonly start: number
  readonly end: number
  readonly replacement: string
  /** Reached, where it is not known more precisely. */
  readonly witness?: Witness
}

export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"

export const childrenOf = (node: Node): ReadonlyArray<Node> =>
  Object.values(node).flatMap((value) => (Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []))

export const nodeAt = (node: Node, key: string): Node => {
  const child = node[key]
  if (!isNode(child)) throw new Error(`${node.type} has no ${key}`)
  return child
}

export const nodesAt = (node: Node, key: string): ReadonlyArray<Node> => {
  const children = node[key]
  return Array.isArray(children) ? children.filter(isNode) : []
}

/** The operands of `a && b && c`, whichever way the parser nests them. */
const operandsOf = (node: Node, operator: string): ReadonlyArray<Node> => {
  if (node.type === "ParenthesizedExpression") {
    const inner = nodeAt(node, "expression")
    if (inner["operator"] === operator && inner.type === "LogicalExpression") return operandsOf(inner, operator)
  }
  if (node.type !== "LogicalExpression" || node["operator"] !== operator) return [node]
  return [...operandsOf(nodeAt(node, "left"), operator), ...operandsOf(nodeAt(node, "right"), operator)]
}

const leaves = new Set(["ReturnStatement", "ContinueStatement", "BreakStatement"])

/** A statement that only exits. */
const onlyLeaves = (statement: Node): boolean => {
  if (leaves.has(statement.type)) return true
  const [only, ...rest] = statement.type === "BlockStatement" ? nodesAt(statement, "body") : []
  return only !== undefined && rest.length === 0 && onlyLeaves(only)
}

const boundary: Readonly<Record<string, string>> = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" }

/** Parts of a rule that do not affect what is found: its metadata, and the texts of a finding. */
const silentProperties = new Set(["meta", "examples", "message", "trace", "note", "confidence", "severity"])

/** `...(a ? {} : { trace: [] })`: reports more or less detail, but finds the same. */
const addsSilence = (node: Node): boolean => {
  switch (node.type) {
    case "ParenthesizedExpression":
      return addsSilence(nodeAt(node, "expression"))
    case "ConditionalExpression":
      return addsSilence(nodeAt(node, "consequent")) && addsSilence(nodeAt(node, "alternate"))
    default:
      return node.type === "ObjectExpression" && nodesAt(node, "properties").every(isSilent)
  }
}

export const isSilent = (node: Node): boolean =>
  node.type.startsWith("TS") ||
  (node.type === "SpreadElement" && addsSilence(nodeAt(node, "argument"))) ||
  node.type === "ImportDeclaration" ||
  (node.type === "Property" && silentProperties.has(String((node["key"] as Node | undefined)?.["name"])))

/** Evaluating it changes something, which its removal changes as well. */
const acts = /\.(?:add|delete|set|push|pop|shift)\(|\+\+|--|[^=!<>]=[^=>]/

/** The text of a list that lacks one of its entries. */
export const withoutEntry = (entries: ReadonlyArray<Node>, entry: Node, of: (node: Node) => string): string =>
  `[${entries
    .filter((other) => other !== entry)
    .map(of)
    .join(", ")}]`

/**
 * Every way to remove one guard from a rule's source: an early exit removed, a condition replaced by true, an operand of
 * `&&` or `||` dropped, a `filter` skipped, a branch of `?:` always taken, an entry of a list or set dropped, a limit
 * moved by one.
 */
export const mutantsOf = (path: string, text: string): ReadonlyArray<Mutant> => {
  const program = parseAst(text, { lang: "ts" }, path)
  const mutants: Array<Mutant> = []
  const of = ({ start, end }: Node): string => text.slice(start, end)
  // The parser drops parentheses: `(b || c)` stays one operand.
  const whole = (node: Node): string =>
    /^(Logical|Conditional|Assignment)Expression$/.test(node.type) ? `(${of(node)})` : of(node)
  const add = (
    what: string,
    guard: Node,
    replacement: string,
    when: Witness["when"],
    { start, end }: Node = guard,
  ): void => {
    const line = text.slice(0, guard.start).split("\n").length
    const name = `${what}: ${of(guard).replaceAll(/\s+/g, " ")}`
    const witness = { start: guard.start, end: guard.end, when: acts.test(of(guard)) ? "reached" : when } as const
    mutants.push({ line, name, start, end, replacement, witness })
  }
  const addOperands = (node: Node): void => {
    const operator = String(node["operator"])
    const operands = operandsOf(node, operator)
    const when = operator === "&&" ? "notTrue" : "notFalse"
    for (const operand of operands) {
      const others = operands.filter((other) => other !== operand)
      add(`without this operand of ${operator}`, operand, `(${others.map(whole).join(` ${operator} `)})`, when, node)
    }
  }
  const addEntries = (list: Node): void => {
    const entries = nodesAt(list, "elements")
    if (entries.length < 2 || !entries.every(({ type }) => type === "Literal")) return
    for (const entry of entries) {
      add("without this entry", entry, withoutEntry(entries, entry, of), "reached", list)
    }
  }

  const visit = (node: Node, chain: string | undefined): void => {
    if (isSilent(node)) return
    let inside: string | undefined
    switch (node.type) {
      case "IfStatement": {
        const test = nodeAt(node, "test")
        if (!isNode(node["alternate"]) && onlyLeaves(nodeAt(node, "consequent")))
          add("never left", test, ";", "notFalse", node)
        else add("always entered", test, "true", "notTrue")
        break
      }
      case "LogicalExpression":
        inside = String(node["operator"])
        if (inside !== "??" && inside !== chain) addOperands(node)
        break
      case "ParenthesizedExpression":
        inside = chain
        break
      case "ConditionalExpression": {
        const test = nodeAt(node, "test")
        add("always the first", test, `(${of(nodeAt(node, "consequent"))})`, "notTrue", node)
        add("always the second", test, `(${of(nodeAt(node, "alternate"))})`, "notFalse", node)
        break
      }
      case "CallExpression": {
        const callee = nodeAt(node, "callee")
        const property = callee.type === "MemberExpression" ? nodeAt(callee, "property") : undefined
        const [predicate] = nodesAt(node, "arguments")
        if (property?.["name"] === "filter" && predicate !== undefined)
          add("not filtered", predicate, of(nodeAt(callee, "object")), "fails", node)
        break
      }
      case "BinaryExpression": {
        const moved = boundary[String(node["operator"])]
        if (moved === undefined) break
        add(`as ${moved}`, node, `${of(nodeAt(node, "left"))} ${moved} ${of(nodeAt(node, "right"))}`, "equal")
        break
      }
      case "ArrayExpression":
        addEntries(node)
        break
    }
    for (const child of childrenOf(node)) visit(child, inside)
  }
  // The parser's own types list every kind of node; the checks here suffice for what is read.
  visit(program as unknown as Node, undefined)
  return mutants
}

/** Words that a rule distinguishes from others: the entries of its lists, and all other strings in it. */
export const literalListsOf = (path: string, text: string): ReadonlyArray<ReadonlyArray<string>> => {
  const lists: Array<ReadonlyArray<string>> = []
  const single = new Set<string>()
  const visit = (node: Node): void => {
    if (isSilent(node)) return
    const texts = nodesAt(node, "elements").flatMap(({ value }) => (typeof value === "string" ? [value] : []))
    if (node.type === "ArrayExpression" && texts.length > 1) return void lists.push(texts)
    if (node.type === "Literal" && typeof node["value"] === "string") single.add(node["value"])
    for (const child of childrenOf(node)) visit(child)
  }
  visit(parseAst(text, { lang: "ts" }, path) as unknown as Node) // see mutantsOf
  return [...lists, [...single]].map((words) => words.filter((word) => /^[\w$]+$/.test(word)))
}

const propertiesNamed = (node: Node, name: string): ReadonlyArray<Node> =>
  node.type === "Property" && (node["key"] as Node | undefined)?.["name"] === name
    ? [node]
    : childrenOf(node).flatMap((child) => propertiesNamed(child, name))

/**
 * A text that any example must detect: a rule that finds nothing, or a question whose file does not load. If such a control
 * survives, the loaded file is not the mutated one.
 */
export const controlOf = (path: string, text: string): Mutant => {
  const program = parseAst(text, { lang: "ts" }, path) as unknown as Node // see above
  const name = "control: nothing is found"
  const [check] = propertiesNamed(program, "examples").length > 0 ? propertiesNamed(program, "check") : []
  if (check === undefined)
    return { line: 1, name, start: 0, end: 0, replacement: 'throw new Error("this file is a control")\n' }
  return { line: 1, name, start: check.start, end: check.end, replacement: "check: () => {}" }
}

export const applyMutant = (text: string, { start, end, replacement }: Mutant): string =>
  text.slice(0, start) + replacement + text.slice(end)
