import { parseAst } from "rolldown/parseAst"
import { childrenOf, isSilent, type Mutant, type Node, nodeAt, nodesAt, withoutEntry } from "./guards.ts"

/** A word among the alternatives of a regular expression. */
const alternative = /(?<=[(|]|\(\?:)[\w$ .]+(?=[|)])/g

const opposite: Readonly<Record<string, string>> = { "===": "!==", "!==": "===", "&&": "||", "||": "&&" }

/**
 * Changes to what a guard says, where `mutantsOf` removes the guard: a word taken out of a regular expression, a bit out
 * of a mask, an entry out of a table, the other operator, `some` for `every`, a number moved by one.
 */
export const detailsOf = (path: string, text: string): ReadonlyArray<Mutant> => {
  const mutants: Array<Mutant> = []
  const of = ({ start, end }: Node): string => text.slice(start, end)
  const add = (what: string, node: Node, replacement: string, place: Pick<Node, "start" | "end"> = node): void => {
    const line = text.slice(0, node.start).split("\n").length
    mutants.push({
      line,
      name: `${what}: ${of(node).replaceAll(/\s+/g, " ")}`,
      start: place.start,
      end: place.end,
      replacement,
    })
  }
  const addWords = (literal: Node): void => {
    for (const { index, 0: word } of of(literal).matchAll(alternative)) {
      const start = literal.start + index
      add(`without ${word}`, literal, "(?!)", { start, end: start + word.length })
    }
  }
  const addEntries = (list: Node): void => {
    const entries = nodesAt(list, "elements")
    if (entries.length < 2 || !entries.every(({ type }) => type === "ArrayExpression" || type === "SpreadElement"))
      return
    for (const entry of entries) add("without this entry", entry, withoutEntry(entries, entry, of), list)
  }
  const visit = (node: Node): void => {
    if (isSilent(node)) return
    switch (node.type) {
      case "LogicalExpression":
      case "BinaryExpression": {
        const operator = String(node["operator"])
        const [left, right] = [of(nodeAt(node, "left")), of(nodeAt(node, "right"))]
        const other = opposite[operator]
        if (other !== undefined) add(`${other} for ${operator}`, node, `((${left}) ${other} (${right}))`)
        if (operator === "|") {
          add("without the left", node, `(${right})`)
          add("without the right", node, `(${left})`)
        }
        break
      }
      case "ArrayExpression":
        addEntries(node)
        break
      case "CallExpression": {
        const callee = nodeAt(node, "callee")
        const property = callee.type === "MemberExpression" ? nodeAt(callee, "property") : undefined
        if (property?.["name"] === "some") add("every", callee, "every", property)
        if (property?.["name"] === "every") add("some", callee, "some", property)
        break
      }
      case "Literal":
        if (of(node).startsWith("/")) addWords(node)
        else if (/^\d[\d_]*n?$/.test(of(node)))
          add("one more", node, `(${of(node)} + ${of(node).endsWith("n") ? "1n" : "1"})`)
        break
    }
    for (const child of childrenOf(node)) visit(child)
  }
  // The parser's own types list every kind of node; the checks here suffice for what is read.
  visit(parseAst(text, { lang: "ts" }, path) as unknown as Node)
  return mutants
}
