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

/** Tokens that tell the lowering nothing where they stand outside of macros; a third of all nodes. */
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
 * Its parts are no fields, and hang one below the other in nodes that are not shown: asking each for its field would walk
 * all of them up, 9 s for a condition of 600 kB.
 */
const chain = "let_chain"

/** What is read of a node: nothing, itself, or itself with its children. */
const [skip, leaf, inner] = [0, 1, 2]

export interface Reading {
  readonly root: RawNode
  /** Nothing was skipped, invented or cut: no node below is broken. */
  readonly sound: boolean
}

/** The id of `ERROR`, which no table of the language holds. */
const errorId = 65_535

/** What is read of each type of node, by where it stands: in a file with a fault, in a token tree, elsewhere. */
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

/** Reads trees of one language. Each answer of a node is a crossing into wasm: two for a skipped token, five for others. */
export const treeReader = (language: Language) => {
  const { types, named, everywhere, inTokens, elsewhere } = readingsOf(language)

  return (tree: Tree): Reading => {
    // Missing tokens count as errors. What is missing or wrong is looked for only where there is something.
    const whole = !tree.rootNode.hasError
    let deep = false
    /** Token trees around the node. */
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

/** Whether the parser had to skip or invent something below. */
export const isBroken = (node: RawNode): boolean =>
  node.type === "ERROR" || node.missing || node.type === tooDeep || node.children.some(isBroken)
