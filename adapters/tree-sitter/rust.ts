import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { Language, Parser, type ParseState, type Tree } from "web-tree-sitter"
import type { SourceFile, Span } from "../../domain/detection/SourceFile.ts"
import {
  nestedTooDeeply,
  parsedTooLong,
  type SyntaxProblem,
  type RustFile,
} from "../../domain/detection/rust/syntax/syntax.ts"
import { lowerAttribute } from "./rustAttributes.ts"
import { lowerBlock } from "./rustBlocks.ts"
import { lowerExpression } from "./rustExpressions.ts"
import { lowerItem, lowerItems } from "./rustItems.ts"
import type { Lowering, Reparse } from "./rustLowering.ts"
import { lowerPattern } from "./rustPatterns.ts"
import { child, childOfType, isBroken, type RawNode, type Reading, tooDeep, treeReader } from "./rustTree.ts"
import { lowerPath, lowerType } from "./rustTypes.ts"
import { withoutTestModules } from "./withoutTestModules.ts"

const maxProblems = 100

/** A macro in the arguments of a macro waits for the next round; production code nests three levels. */
const maxRounds = 8

/** Characters parsed again, per character of the file: production code takes one. */
const maxReparsed = 16

/**
 * Hundreds of parser steps that a file may take; an error recovery step counts as seven, since it costs as much. They
 * are counted rather than timed, so that the same text is either always or never given up. Production code takes 7 per
 * 1,000 characters and at most 13, as much again for macros, and 50 if damaged at every hundredth bracket; text that is
 * not Rust takes up to 180, of 0.2 ms each.
 */
const stepsFor = (characters: number): number => 6_000 + characters / 100

/**
 * Microseconds of CPU time beyond which a file is also given up: a step over text that is scanned to its end repeatedly
 * takes 1.5 ms instead of 0.03. Production code takes 0.2 s for a million characters, a tenth of this or less.
 */
const timeFor = (characters: number): number => 1_000_000 + 2 * characters

/** Steps between two checks of the clock. */
const steps = 16

const effortFor = (characters: number): Effort => {
  const { user, system } = process.threadCpuUsage()
  return { left: stepsFor(characters), until: user + system + timeFor(characters) }
}

/** Spends some of the effort; returns whether it is used up. */
const isUsedUp = (effort: Effort, taken: number): boolean => {
  const look = Math.floor(effort.left / steps)
  effort.left -= taken
  if (effort.left >= 0 && Math.floor(effort.left / steps) !== look) {
    const { user, system } = process.threadCpuUsage()
    if (user + system > effort.until) effort.left = -1
  }
  return effort.left < 0
}

/** The line break ends a comment at the end of the wrapped text. */
const wrappers = {
  arguments: ["fn f(){f(", "\n);}"],
  elements: ["fn f(){[", "\n];}"],
  arm: ["fn f(){match x{", "\n=>0}}"],
  parameters: ["fn f(", "\n){}"],
} satisfies Record<Reparse["as"], readonly [string, string]>

/** Follows the wrapper down to the node that contains the wrapped text. */
const unwrap = (wrapped: RawNode | undefined, as: Reparse["as"], sound: boolean): RawNode | undefined => {
  if (wrapped === undefined || wrapped.type !== "function_item" || (!sound && isBroken(wrapped))) return undefined
  if (as === "parameters") return child(wrapped, "parameters")
  const body = child(wrapped, "body")
  const first = body?.children.find((one) => one.named)
  const inner = first?.type === "expression_statement" ? first.children[0] : first
  if (inner === undefined || body?.children.filter((one) => one.named).length !== 1) return undefined
  if (as === "elements") return inner.type === "array_expression" ? inner : undefined
  if (as === "arguments") return inner.type === "call_expression" ? child(inner, "arguments") : undefined
  const arms = inner.type === "match_expression" ? child(inner, "body") : undefined
  const arm = arms === undefined ? undefined : childOfType(arms, "match_arm")
  return arms?.children.filter((one) => one.named).length === 1 ? arm : undefined
}

/** Replaces the tree of a text for which the parser returns none. */
const unread: Reading = {
  root: { type: tooDeep, field: undefined, start: 0, end: 0, named: true, missing: false, children: [] },
  sound: false,
}

const collectProblems = (node: RawNode, report: (node: Span, message: string) => void): void => {
  if (node.type === "ERROR") report(node, "syntax error")
  else if (node.missing) report(node, `expected ${node.type}`)
  else if (node.type === tooDeep) report(node, nestedTooDeeply)
  for (const one of node.children) collectProblems(one, report)
}

/** What a parser may still spend on a file: calls of its progress callback, and the thread's CPU time. */
interface Effort {
  left: number
  readonly until: number
}

/** Undefined if the parser does not finish within the remaining effort. */
type Parse = (text: string, effort: Effort) => Reading | undefined

const parseWith =
  (parser: Parser, read: (tree: Tree) => Reading): Parse =>
  (text, effort) => {
    const isBeyond = ({ hasError }: ParseState): boolean => isUsedUp(effort, hasError ? 7 : 1)
    const tree = parser.parse(text, null, { progressCallback: isBeyond })
    if (tree === null) {
      // It would continue from there.
      parser.reset()
      return undefined
    }
    try {
      return read(tree)
    } finally {
      tree.delete()
    }
  }

/** Whether `cfg` may decide about something other than tests, which the lowering already leaves out. */
const isConditionalText = (text: string): boolean => /\bcfg(?:_attr)?\s*[!(]/.test(text.replaceAll("#[cfg(test)]", ""))

const readRust = (parse: Parse, file: SourceFile): RustFile => {
  const effort = effortFor(file.text.length)
  const problems: Array<SyntaxProblem> = []
  const testModules: Array<string> = []
  let pending: Array<Reparse> = []
  // Offset in the file minus offset in the text being lowered: 0 except for text that is parsed again.
  let shift = 0
  let reparsed = 0
  const l: Lowering = {
    text: (node) => file.text.slice(node.start + shift, node.end + shift),
    span: (node) => ({ start: node.start + shift, end: node.end + shift }),
    problems,
    problem: (node, message) => {
      // Excessive nesting is found by the parser first and by the lowering again.
      const known = (one: SyntaxProblem): boolean => one.start === node.start + shift && one.message === message
      if (problems.length < maxProblems && !problems.some(known))
        problems.push({ start: node.start + shift, end: node.end + shift, message })
    },
    reparse: (request) => {
      const { start, end } = request.span
      reparsed += end - start
      if (reparsed > maxReparsed * file.text.length) return l.problem(request.span, nestedTooDeeply)
      pending.push({ ...request, span: { start: start + shift, end: end + shift } })
    },
    testModules,
    item: (node, attributes) => lowerItem(l, node, attributes),
    attribute: (node) => lowerAttribute(l, node),
    expression: (node) => lowerExpression(l, node),
    block: (node) => lowerBlock(l, node),
    pattern: (node) => lowerPattern(l, node),
    type: (node) => lowerType(l, node),
    path: (node) => lowerPath(l, node),
  }

  const text = withoutTestModules(file.text)
  const attempt = parse(text, effort)
  // A fault may result from the removed text.
  const { root, sound } = (attempt?.sound === true || text === file.text ? attempt : parse(file.text, effort)) ?? unread
  if (root.type === tooDeep) {
    problems.push({ start: 0, end: file.text.length, message: parsedTooLong })
    return { file, items: [], attributes: [], testModules, conditional: false, problems }
  }
  if (!sound) collectProblems(root, l.problem)
  const items = lowerItems(l, root.children)
  const attributes = root.children.filter((one) => one.type === "inner_attribute_item").map(l.attribute)

  for (let round = 0; pending.length > 0 && round < maxRounds; round++) {
    const requests = pending
    pending = []
    const starts: Array<number> = []
    let text = ""
    for (const { as, span } of requests) {
      starts.push(text.length)
      text += `${wrappers[as][0]}${file.text.slice(span.start, span.end)}${wrappers[as][1]}\n`
    }
    const again = parse(text, effort) ?? unread
    const wrapped = new Map(again.root.children.map((node) => [node.start, node]))
    for (const [index, { as, span, done }] of requests.entries()) {
      shift = span.start - (starts[index]! + wrappers[as][0].length)
      done(unwrap(wrapped.get(starts[index]!), as, again.sound))
    }
    shift = 0
  }
  if (pending[0] !== undefined) l.problem(pending[0].span, nestedTooDeeply)
  return { file, items, attributes, testModules, conditional: isConditionalText(file.text), problems }
}

/** A Rust parser. Throws only if the grammar cannot be loaded; `parse` never throws. */
export const makeRustParser = async (): Promise<(file: SourceFile) => RustFile> => {
  await Parser.init()
  const grammar = createRequire(import.meta.url).resolve("@vscode/tree-sitter-wasm/wasm/tree-sitter-rust.wasm")
  const language = await Language.load(await readFile(grammar))
  const parser = new Parser()
  parser.setLanguage(language)
  const parse = parseWith(parser, treeReader(language))
  return (file) => readRust(parse, file)
}
