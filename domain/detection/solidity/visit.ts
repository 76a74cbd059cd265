import type { Node } from "./syntax.ts"

/** Keys that contain no nodes. */
const plain = new Set(["kind", "start", "end", "name", "nameSpan", "file", "operator"])

const isNode = (x: unknown): x is Node => typeof x === "object" && x !== null && "kind" in x && "start" in x

const take = (x: unknown, into: Array<Node>): void => {
  if (isNode(x)) into.push(x)
  else if (Array.isArray(x)) for (const item of x) take(item, into)
  // Named options and cases: objects without a kind that contain nodes.
  else if (typeof x === "object" && x !== null)
    for (const key in x) if (key !== "nameSpan") take((x as Record<string, unknown>)[key], into)
}

/** For nodes of any kind, by looking at their fields: declarations need it, since their parts come in any order. */
const childrenOfAny = (node: Node, into: Array<Node>): void => {
  const from = into.length
  for (const key in node) {
    if (plain.has(key)) continue
    const x = (node as unknown as Record<string, unknown>)[key]
    if (typeof x === "object" && x !== null) take(x, into)
  }
  for (let i = from + 1; i < into.length; i++) {
    if (!inOrder(into[i - 1]!, into[i]!)) {
      // What was in `into` before does not belong to this node.
      into.push(...into.splice(from).toSorted((a, b) => a.start - b.start || b.end - a.end))
      return
    }
  }
}

const inOrder = (a: Node, b: Node): boolean => a.start < b.start || (a.start === b.start && a.end >= b.end)

const all = (nodes: ReadonlyArray<Node | undefined>, into: Array<Node>): void => {
  for (const node of nodes) if (node !== undefined) into.push(node)
}

/**
 * Adds the nodes directly below a node, in source order; statements and expressions, the most frequent kinds, are
 * listed by name.
 */
const addChildren = (node: Node, into: Array<Node>): void => {
  switch (node.kind) {
    case "Identifier":
    case "Literal":
    case "TypeNameExpression":
    case "ElementaryTypeName":
    case "UserDefinedTypeName":
    case "YulIdentifier":
    case "YulLiteral":
      if (node.kind === "TypeNameExpression") into.push(node.typeName)
      return
    case "MemberAccess":
      into.push(node.object)
      return
    case "FunctionCall":
      into.push(node.callee)
      return all(node.args, into)
    case "BinaryOperation":
    case "Assignment":
      into.push(node.left, node.right)
      return
    case "IndexAccess":
      into.push(node.base)
      if (node.index !== undefined) into.push(node.index)
      return
    case "UnaryOperation":
      into.push(node.operand)
      return
    case "Conditional":
      into.push(node.condition, node.then, node.else)
      return
    case "TupleExpression":
    case "InlineArray":
      return all(node.components, into)
    case "Block":
    case "YulBlock":
      return all(node.statements, into)
    case "ExpressionStatement":
    case "YulExpressionStatement":
      into.push(node.expression)
      return
    case "IfStatement":
      into.push(node.condition, node.then)
      if (node.else !== undefined) into.push(node.else)
      return
    case "ReturnStatement":
      if (node.value !== undefined) into.push(node.value)
      return
    case "EmitStatement":
    case "RevertStatement":
      into.push(node.call)
      return
    case "VariableDeclarationStatement":
      all(node.declarations, into)
      if (node.value !== undefined) into.push(node.value)
      return
    case "VariableDeclaration":
      if (node.typeName !== undefined) into.push(node.typeName)
      return
    case "YulFunctionCall":
      return all(node.args, into)
    case "YulVariableDeclaration":
      all(node.names, into)
      if (node.value !== undefined) into.push(node.value)
      return
    case "YulAssignment":
      all(node.targets, into)
      into.push(node.value)
      return
    case "ContractDefinition":
      all(node.bases, into)
      if (node.layout !== undefined) into.push(node.layout)
      return all(node.members, into)
    case "FunctionDefinition": {
      // The keyword `override` may occur between modifiers.
      if (node.override !== undefined) return childrenOfAny(node, into)
      all(node.parameters, into)
      all(node.modifiers, into)
      all(node.returns, into)
      if (node.body !== undefined) into.push(node.body)
      return
    }
    case "StateVariableDeclaration":
      if (node.override !== undefined) return childrenOfAny(node, into)
      into.push(node.typeName)
      if (node.value !== undefined) into.push(node.value)
      return
    case "EventDefinition":
    case "ErrorDefinition":
      return all(node.parameters, into)
    case "MappingTypeName":
      into.push(node.key, node.value)
      return
    case "ModifierInvocation":
      if (node.args !== undefined) all(node.args, into)
      return
    default:
      return childrenOfAny(node, into)
  }
}

/** The nodes directly below a node, in source order. */
export const children = (node: Node): Array<Node> => {
  const found: Array<Node> = []
  addChildren(node, found)
  return found
}

/** Visits a tree in source order, without recursion; `visit` returns false to skip what is below. */
export const walk = (root: Node, visit: (node: Node) => boolean | void): void => {
  const stack: Array<Node> = [root]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (visit(node) === false) continue
    const from = stack.length
    addChildren(node, stack)
    for (let i = from, j = stack.length - 1; i < j; i++, j--) {
      const first = stack[i]!
      stack[i] = stack[j]!
      stack[j] = first
    }
  }
}
