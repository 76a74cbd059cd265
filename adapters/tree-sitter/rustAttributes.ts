import type { Span } from "../../domain/detection/SourceFile.ts"
import { type Attribute, type AttributeArg, nestedTooDeeply } from "../../domain/detection/rust/syntax/syntax.ts"
import type { Lowering } from "./rustLowering.ts"
import { child, type RawNode } from "./rustTree.ts"

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** Levels of `a(b(c))`. Each level's text is parsed again as a whole; production code nests three (`cfg_attr(all(…), …)`). */
const maxNesting = 8

const isWord = (node: RawNode): boolean =>
  /^(identifier|mutable_specifier|crate|self|super|type|primitive_type)$/.test(node.type)

/** Splits the tokens between two delimiters at the commas. */
const split = (tokens: ReadonlyArray<RawNode>): ReadonlyArray<ReadonlyArray<RawNode>> => {
  const groups: Array<Array<RawNode>> = [[]]
  // `Foo<A, B>` is tokens in a token tree: a comma inside angle brackets belongs to the type.
  let angles = 0
  for (const token of tokens) {
    if (token.type === "<") angles++
    else if (token.type === ">" && angles > 0) angles--
    else if (token.type === ">>" && angles > 1) angles -= 2
    if (token.type === "," && angles === 0) groups.push([])
    else groups.at(-1)!.push(token)
  }
  if (angles > 0) return tokens.some((token) => token.type === ",") ? splitFlat(tokens) : [tokens]
  return groups.filter((group) => group.length > 0)
}

/** For `a < b, c > d`, where the angle brackets are comparisons. */
const splitFlat = (tokens: ReadonlyArray<RawNode>): ReadonlyArray<ReadonlyArray<RawNode>> => {
  const groups: Array<Array<RawNode>> = [[]]
  for (const token of tokens)
    if (token.type === ",") groups.push([])
    else groups.at(-1)!.push(token)
  return groups.filter((group) => group.length > 0)
}

const inside = (tree: RawNode): ReadonlyArray<RawNode> => tree.children.slice(1, -1)

const spanOf = (tokens: ReadonlyArray<RawNode>) => ({ start: tokens[0]!.start, end: tokens.at(-1)!.end })

const parseInto = (
  l: Lowering,
  tokens: ReadonlyArray<RawNode>,
  arg: Writable<AttributeArg>,
  key: "value" | "error",
): void => {
  if (tokens.length > 0) parseSpan(l, spanOf(tokens), arg, key)
}

const parseSpan = (l: Lowering, span: Span, arg: Writable<AttributeArg>, key: "value" | "error"): void =>
  l.reparse({
    span,
    as: "arguments",
    done: (node) => {
      const value = node?.children.find((one) => one.named)
      if (value !== undefined) arg[key] = l.expression(value)
    },
  })

const lowerArg = (l: Lowering, tokens: ReadonlyArray<RawNode>, nesting: number): AttributeArg => {
  const span = l.span(spanOf(tokens))
  if (nesting > maxNesting) {
    l.problem(spanOf(tokens), nestedTooDeeply)
    return { ...span, name: "", args: [] }
  }
  let length = 0
  while (length < tokens.length) {
    const token = tokens[length]!
    if (!(length % 2 === 0 ? isWord(token) : token.type === "::")) break
    length++
  }
  const next = tokens[length]
  const arg: Writable<AttributeArg> = { ...span, name: "", args: [] }
  const name = () => tokens.slice(0, length).map(l.text).join("")
  if (length === 0 || length % 2 === 0) {
    parseInto(l, tokens, arg, "value")
    return arg
  }
  if (next === undefined) return { ...arg, name: name() }
  if (next.type === "=") {
    // `x @ E::Bad`: what follows the `@` is the error to return.
    const at = tokens.findIndex((token) => token.type === "@")
    arg.name = name()
    parseInto(l, tokens.slice(length + 1, at === -1 ? undefined : at), arg, "value")
    if (at !== -1) parseInto(l, tokens.slice(at + 1), arg, "error")
    return arg
  }
  if (next.type === "@") {
    arg.name = name()
    parseInto(l, tokens.slice(length + 1), arg, "error")
    return arg
  }
  if (next.type === ":") {
    arg.name = name()
    l.reparse({
      span: spanOf(tokens),
      as: "parameters",
      done: (node) => {
        const parameter = node?.children.find((one) => one.type === "parameter")
        if (parameter !== undefined) arg.type = l.type(child(parameter, "type"))
      },
    })
    return arg
  }
  if (next.type === "token_tree" && length + 1 === tokens.length) {
    arg.name = name()
    arg.args = split(inside(next)).map((group) => lowerArg(l, group, nesting + 1))
    parseInto(l, tokens, arg, "value")
    return arg
  }
  parseInto(l, tokens, arg, "value")
  return arg
}

/** Anchor before 0.18 took conditions as text: `#[account("vault.key == &pool.vault")]`. */
const lowerCondition = (l: Lowering, text: RawNode): AttributeArg => {
  const arg: Writable<AttributeArg> = { ...l.span(text), name: "constraint", args: [] }
  parseSpan(l, { start: text.start + 1, end: text.end - 1 }, arg, "value")
  return arg
}

/** `#[access_control(first(&ctx) second(&ctx))]`: calls with nothing between them. */
const calls = (tokens: ReadonlyArray<RawNode>): ReadonlyArray<ReadonlyArray<RawNode>> => {
  const found: Array<Array<RawNode>> = [[]]
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1]
    if (before?.type === "token_tree" && isWord(token)) found.push([])
    found.at(-1)!.push(token)
  }
  return found
}

/** `#[…]` or `#![…]` with its arguments as a tree; expressions in it are parsed again. */
export const lowerAttribute = (l: Lowering, node: RawNode): Attribute => {
  // After a stray parenthesis, what the attribute began with still stands.
  const inner = node.children
    .flatMap((one) => (one.type === "ERROR" ? one.children : [one]))
    .find((one) => one.type === "attribute")
  const head = inner?.children.find((one) => one.named && one.field === undefined)
  if (inner === undefined || head === undefined) return { ...l.span(node), name: "", path: [], args: [] }
  const path = l.path(head).segments.map((segment) => segment.name)
  const tree = child(inner, "arguments")
  const value = child(inner, "value")
  return {
    ...l.span(node),
    name: path.at(-1) ?? "",
    path,
    args:
      tree === undefined
        ? []
        : split(inside(tree))
            .flatMap((group) => (path.at(-1) === "access_control" ? calls(group) : [group]))
            .map((group) =>
              path.at(-1) === "account" && group.length === 1 && group[0]!.type === "string_literal"
                ? lowerCondition(l, group[0]!)
                : lowerArg(l, group, 1),
            ),
    ...(value === undefined ? {} : { value: l.expression(value) }),
  }
}

const mentionsTest = (arg: AttributeArg): boolean =>
  arg.name === "test" || (/^(all|any)$/.test(arg.name) && arg.args.some(mentionsTest))

/** Whether it is for some builds only. */
export const isConditional = ({ name }: Attribute): boolean => name === "cfg"

/** Whether the item is compiled for tests only. */
export const isTestOnly = (attributes: ReadonlyArray<Attribute>): boolean =>
  attributes.some(
    (attribute) =>
      (attribute.name === "cfg" && attribute.args.some(mentionsTest)) ||
      attribute.name === "test" ||
      attribute.name === "bench" ||
      attribute.name === "rstest",
  )
