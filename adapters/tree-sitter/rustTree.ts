import type { Language, Tree } from "web-tree-sitter"

/** A node of tree-sitter's tree as plain data, without comments, so that the tree can be freed at once. */
export interface RawNode {
  readonly type: string
  /** Name of the field under which it stands in its parent. */
  readonly field: string | undefined
  readonly start: number
  readonly end: number
  readonly named: boolean
  readonly missing: boolean
  readonly children: ReadonlyArray<RawNode>
}

/** Stands in place of what is nested deeper than `maxDepth`. */
export const tooDeep = "TOO_DEEP"

/** Levels of tree-sitter's tree; one level of a call chain takes two. Production code stays below 100. */
const maxDepth = 500

const none: ReadonlyArray<RawNode> = []

/** Reads trees of one language. Five crossings into wasm a node, one for a token: 0.5 µs on average. */
export const treeReader = (language: Language) => {
  const count = language.nodeTypeCount
  const types: Array<string> = []
  const named: Array<boolean> = []
  for (let id = 0; id < count; id++) {
    types.push(language.nodeTypeForId(id) ?? "")
    named.push(language.nodeTypeIsNamed(id))
  }
  const errorId = 65_535

  return (tree: Tree): RawNode => {
    const cursor = tree.walk()
    const stack: Array<Array<RawNode>> = []
    const open: Array<{ type: string; field: string | undefined; start: number }> = []
    let siblings: Array<RawNode> = []
    for (;;) {
      const id = cursor.nodeTypeId
      const type = id === errorId ? "ERROR" : types[id]!
      const isNamed = id === errorId || named[id]!
      const comment = type === "line_comment" || type === "block_comment"
      if (isNamed && !comment && cursor.gotoFirstChild()) {
        if (stack.length < maxDepth) {
          cursor.gotoParent()
          const fieldId = cursor.currentFieldId
          open.push({ type, field: fieldId === 0 ? undefined : language.fields[fieldId]!, start: cursor.startIndex })
          stack.push(siblings)
          siblings = []
          cursor.gotoFirstChild()
          continue
        }
        cursor.gotoParent()
        const fieldId = cursor.currentFieldId
        const field = fieldId === 0 ? undefined : language.fields[fieldId]!
        siblings.push({
          type: tooDeep,
          field,
          start: cursor.startIndex,
          end: cursor.endIndex,
          named: true,
          missing: false,
          children: none,
        })
      } else if (!comment) {
        const fieldId = cursor.currentFieldId
        const start = cursor.startIndex
        const end = cursor.endIndex
        siblings.push({
          type,
          field: fieldId === 0 ? undefined : language.fields[fieldId]!,
          start,
          end,
          named: isNamed,
          missing: start === end && cursor.nodeIsMissing,
          children: none,
        })
      }
      while (!cursor.gotoNextSibling()) {
        const parent = open.pop()
        if (parent === undefined) {
          cursor.delete()
          return siblings[0]!
        }
        cursor.gotoParent()
        const children = siblings
        siblings = stack.pop()!
        siblings.push({ ...parent, end: cursor.endIndex, named: true, missing: false, children })
      }
    }
  }
}

export const child = (node: RawNode, field: string): RawNode | undefined => {
  for (const one of node.children) if (one.field === field) return one
  return undefined
}

export const childOfType = (node: RawNode, type: string): RawNode | undefined => {
  for (const one of node.children) if (one.type === type) return one
  return undefined
}

export const has = (node: RawNode, type: string): boolean => childOfType(node, type) !== undefined

/** Whether the parser had to skip or invent something below. */
export const isBroken = (node: RawNode): boolean =>
  node.type === "ERROR" || node.missing || node.type === tooDeep || node.children.some(isBroken)
