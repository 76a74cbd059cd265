import { parseAst } from "rolldown/parseAst"
import { type Mutant, type Node, nodeAt, nodesAt } from "./guards.ts"

export interface Schema {
  /** With every mutant; `$mutation` (see `switch.ts`) activates one at a time. */
  readonly text: string
  /** Mutants about which witnesses say nothing, such as those of what is worked out when the file is loaded. */
  readonly unwatched: ReadonlySet<number>
}

/** Where no other expression can stand: a key, the left of an assignment, a callee, and the like. */
const fixed = new Set([
  "CallExpression callee",
  "NewExpression callee",
  "TaggedTemplateExpression tag",
  "TaggedTemplateExpression quasi",
  "AssignmentExpression left",
  "UpdateExpression argument",
  "VariableDeclarator id",
])

const functions = new Set(["ArrowFunctionExpression", "FunctionExpression", "FunctionDeclaration"])

interface Place {
  readonly parent: string
  /** Another expression may stand here. */
  readonly isFree: boolean
  /** The chain `a?.b.c()` that begins here: a part of it replaced by another expression would lose the rest. */
  readonly chain: Node | undefined
  readonly isEarly: boolean
}

const isExpression = ({ type }: Node): boolean =>
  type.endsWith("Expression") || type === "Literal" || type === "Identifier" || type === "TemplateLiteral"

const isFreeAt = (parent: Node, key: string, child: Node): boolean => {
  if (!isExpression(child) || fixed.has(`${parent.type} ${key}`) || key === "params" || key === "id") return false
  if (key === "property" || key === "key") return parent["computed"] === true
  if (parent["shorthand"] === true) return false
  return !parent.type.endsWith("Pattern") || key === "right"
}

const childrenByKey = (node: Node): ReadonlyArray<readonly [key: string, child: Node]> =>
  Object.entries(node)
    .flatMap(([key, value]) =>
      (Array.isArray(value) ? value : [value]).flatMap((child) =>
        typeof child === "object" && child !== null && "type" in child ? [[key, child as Node] as const] : [],
      ),
    )
    .toSorted(([, a], [, b]) => a.start - b.start)

/** Types, which do not run; an expression with a type beside it does. */
const isType = (node: Node): boolean => node.type.startsWith("TS") && !("expression" in node)

export const schemaOf = (path: string, text: string, mutants: ReadonlyArray<Mutant>): Schema => {
  const program = parseAst(text, { lang: "ts" }, path) as unknown as Node // see mutantsOf
  const open = new Set(mutants.keys())
  const early = new Set<number>()
  const watching = new Map<string, Array<number>>()
  for (const [index, { witness }] of mutants.entries()) {
    if (witness === undefined || witness.when === "reached") continue
    const key = `${witness.start}-${witness.end}`
    watching.set(key, [...(watching.get(key) ?? []), index])
  }

  const inner = (node: Node, { isEarly, chain }: Place): string => {
    let [written, at] = ["", node.start]
    for (const [key, child] of childrenByKey(node)) {
      if (child.start < at || isType(child)) continue
      const goesOn = chain !== undefined && child.start === chain.start
      const place = {
        parent: node.type,
        isFree: isFreeAt(node, key, child),
        chain: child.type === "ChainExpression" ? child : goesOn ? chain : undefined,
        isEarly: isEarly && !functions.has(node.type),
      }
      written += text.slice(at, child.start) + outer(child, place)
      at = child.end
    }
    return written + text.slice(at, node.end)
  }

  /** An expression that tells what it witnesses. */
  const watched = (node: Node, place: Place): string => {
    const key = `${node.start}-${node.end}`
    const indexes = watching.get(key)
    if (indexes === undefined || !isFree(node, place)) return inner(node, place)
    watching.delete(key)
    const equal = indexes.find((index) => mutants[index]!.witness!.when === "equal")
    let written =
      equal === undefined
        ? inner(node, place)
        : `$mutation.equal(${equal}, ${side(node, "left", place)}, ${JSON.stringify(node["operator"])}, ${side(node, "right", place)})`
    for (const index of indexes) {
      const { when } = mutants[index]!.witness!
      if (index !== equal) written = `$mutation.${when}(${index}, ${written})`
    }
    return written
  }

  const side = (node: Node, key: string, { isEarly }: Place): string =>
    outer(nodeAt(node, key), { parent: node.type, isFree: true, chain: undefined, isEarly })

  const isFree = (node: Node, { isFree, chain }: Place): boolean => isFree && (chain === undefined || chain === node)

  /** A node, with the mutants that replace all of it, or a part that nothing else could stand for. */
  const outer = (node: Node, place: Place): string => {
    const here = mutants.flatMap(({ start, end }, index) =>
      open.has(index) && start >= node.start && end <= node.end ? [index] : [],
    )
    const isWatched = mutants.some(({ witness }) => witness && witness.start >= node.start && witness.end <= node.end)
    if (here.length === 0 && !isWatched) return text.slice(node.start, node.end)
    let written = watched(node, place)
    const left = here.filter((index) => open.has(index))
    const isStatement = node.type === "IfStatement"
    if (left.length === 0 || !(isStatement || isFree(node, place))) return written
    for (const index of left) {
      open.delete(index)
      if (place.isEarly) early.add(index)
      const { start, end, replacement, witness } = mutants[index]!
      if (isStatement && replacement !== ";") throw new Error(`${path}: ${mutants[index]!.name} has no place`)
      const other = text.slice(node.start, start) + replacement + text.slice(end, node.end)
      const told = witness === undefined || witness.when === "reached"
      if (isStatement) {
        written = `{ if ($mutation.active !== ${index}) ${told ? `{ $mutation.reached(${index}, 0)\n${written} }` : written} }`
      } else {
        const whole = told ? `$mutation.reached(${index}, ${written})` : written
        written = `$mutation.active === ${index} ? (${other}) : ${whole}`
      }
    }
    return isStatement ? written : `$mutation.value(${written})`
  }

  const schema = outer(program, { parent: "", isFree: false, chain: undefined, isEarly: true })
  if (open.size > 0)
    throw new Error(`${path}: no place for ${[...open].map((index) => mutants[index]!.name).join("; ")}`)
  return { text: schema, unwatched: new Set([...early, ...[...watching.values()].flat()]) }
}

/** The text, so that `$mutation.again` works out once more what it works out when it is loaded. */
export const repeatable = (path: string, text: string): string => {
  const program = parseAst(text, { lang: "ts" }, path) as unknown as Node // see mutantsOf
  let written = text
  const repeated: Array<string> = []
  for (const statement of nodesAt(program, "body").toReversed()) {
    const declaration = statement.type === "ExportNamedDeclaration" ? statement["declaration"] : statement
    if (!isConstant(declaration)) continue
    const [only, ...rest] = nodesAt(declaration, "declarations")
    const init = only?.["init"] as Node | null | undefined
    if (only === undefined || rest.length > 0 || !init || nodeAt(only, "id").type !== "Identifier") continue
    if (functions.has(init.type) || isRule(init)) continue
    written = `${written.slice(0, declaration.start)}let  ${written.slice(declaration.start + 5)}`
    repeated.unshift(`${String(nodeAt(only, "id")["name"])} = ${text.slice(init.start, init.end)}`)
  }
  return `${written}\n;$mutation.again.push(() => {\n${repeated.join("\n;")}\n})\n`
}

const isConstant = (node: unknown): node is Node =>
  (node as Node | null)?.type === "VariableDeclaration" && (node as Node)["kind"] === "const"

const isRule = (node: Node): boolean =>
  node.type === "ObjectExpression" &&
  nodesAt(node, "properties").some((property) => (property["key"] as Node | undefined)?.["name"] === "check")
