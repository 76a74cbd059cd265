import type { Language, Tree } from "web-tree-sitter"

/** A node of tree-sitter's tree as plain data, without comments, so that the tree can be freed at once. */
export interface RawNode {
  readonly type: string
  /** Name of its field in the parent. */
  readonly field: string | undefined
  readonly start: number
  readonly end: number
  readonly named: boolean
  readonly missing: boolean
  readonly children: ReadonlyArray<RawNode>
}

/** Replaces anything nested deeper than `maxDepth`. */
export const tooDeep = "TOO_DEEP"

/** Levels of tree-sitter's tree; one level of a call chain takes two. Production code stays below 100. */
const maxDepth = 500

const none: ReadonlyArray<RawNode> = []

/** Tokens that are irrelevant to the lowering outside of macros; a third of all nodes. */
const punctuation = new Set(
  '( ) { } [ ] , : :: . -> => = # " fn let if else match while loop for in return break continue pub use struct enum impl trait mod const static type as where dyn'.split(
    " ",
  ),
)

/** Named nodes that are lowered from their text alone, or not at all. */
const opaque = new Set(
  "string_literal raw_string_literal char_literal visibility_modifier lifetime label where_clause trait_bounds macro_rule extern_modifier".split(
    " ",
  ),
)

const comments = new Set(["line_comment", "block_comment"])

/**
 * Its parts are not fields but nested in hidden nodes: looking up each one's field would walk up all of them, 9 s for a
 * condition of 600 kB.
 */
const chain = "let_chain"

/** How much of a node is read: nothing, itself, or itself with its children. */
const [skip, leaf, inner] = [0, 1, 2]

export interface Reading {
  readonly root: RawNode
  /** Nothing was skipped, inserted or cut: no node below is broken. */
  readonly sound: boolean
}

/** The id of `ERROR`, which is not in any table of the language. */
const errorId = 65_535

/** How much is read of each node type, by its place: in a file with a fault, in a token tree, elsewhere. */
const readingsOf = (language: Language) => {
  const count = language.nodeTypeCount
  const types: Array<string> = []
  const named: Array<boolean> = []
  const everywhere = new Uint8Array(count)
  const inTokens = new Uint8Array(count)
  const elsewhere = new Uint8Array(count)
  for (let id = 0; id < count; id++) {
    const type = language.nodeTypeForId(id) ?? ""
    const isNamed = language.nodeTypeIsNamed(id)
    types.push(type)
    named.push(isNamed)
    everywhere[id] = comments.has(type) ? skip : isNamed ? inner : leaf
    inTokens[id] = isNamed && opaque.has(type) ? leaf : everywhere[id]!
    elsewhere[id] = !isNamed && punctuation.has(type) ? skip : inTokens[id]!
  }
  return { types, named, everywhere, inTokens, elsewhere }
}

const cutOff = (field: string | undefined, start: number, end: number): RawNode => ({
  type: tooDeep,
  field,
  start,
  end,
  named: true,
  missing: false,
  children: none,
})

/**
 * Reads trees of one language. Each property of a node is a crossing into wasm: two for a skipped token, five for
 * others.
 */
export const treeReader = (language: Language) => {
  const { types, named, everywhere, inTokens, elsewhere } = readingsOf(language)

  return (tree: Tree): Reading => {
    // Missing tokens count as errors. They are searched for only if there are any.
    const whole = !tree.rootNode.hasError
    let deep = false
    /** Depth of enclosing token trees. */
    let tokens = 0
    let readings = whole ? elsewhere : everywhere
    const cursor = tree.walk()
    const stack: Array<Array<RawNode>> = []
    const open: Array<{ type: string; field: string | undefined; start: number }> = []
    let siblings: Array<RawNode> = []
    for (;;) {
      const id = cursor.nodeTypeId
      const reading = id === errorId ? inner : readings[id]!
      if (reading !== skip) {
        const type = id === errorId ? "ERROR" : types[id]!
        const fieldId = open.at(-1)?.type === chain ? 0 : cursor.currentFieldId
        const field = fieldId === 0 ? undefined : language.fields[fieldId]!
        const start = cursor.startIndex
        if (reading === inner && cursor.gotoFirstChild()) {
          if (stack.length < maxDepth) {
            open.push({ type, field, start })
            stack.push(siblings)
            siblings = []
            if (type === "token_tree" && tokens++ === 0 && whole) readings = inTokens
            continue
          }
          cursor.gotoParent()
          deep = true
          siblings.push(cutOff(field, start, cursor.endIndex))
        } else {
          const end = cursor.endIndex
          siblings.push({
            type,
            field,
            start,
            end,
            named: id === errorId || named[id]!,
            missing: !whole && start === end && cursor.nodeIsMissing,
            children: none,
          })
        }
      }
      while (!cursor.gotoNextSibling()) {
        const parent = open.pop()
        if (parent === undefined) {
          cursor.delete()
          return { root: siblings[0]!, sound: whole && !deep }
        }
        cursor.gotoParent()
        if (parent.type === "token_tree" && --tokens === 0 && whole) readings = elsewhere
        const children = siblings
        siblings = stack.pop()!
        siblings.push({
          type: parent.type,
          field: parent.field,
          start: parent.start,
          end: cursor.endIndex,
          named: true,
          missing: false,
          children,
        })
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

/** Whether the parser had to skip or insert something below. */
export const isBroken = (node: RawNode): boolean =>
  node.type === "ERROR" || node.missing || node.type === tooDeep || node.children.some(isBroken)
