import type { Span } from "../../domain/detection/SourceFile.ts"
import type { Rule } from "../../domain/detection/Rule.ts"
import type { FlowNode } from "../../domain/detection/solidity/flow/graph/graph.ts"
import type { Flow, Program } from "../../domain/detection/solidity/program.ts"
import type * as S from "../../domain/detection/solidity/syntax.ts"
import { walk } from "../../domain/detection/solidity/visit.ts"

/** What a question answers about the arguments of a call, as text. */
export type Ask = (flow: Flow, args: ReadonlyArray<S.Expression>, at: FlowNode) => unknown

/** A table of small programs as a rule whose programs are all safe: wrong answers are its findings. */
export const tableRule = <P>(
  ecosystem: string,
  name: string,
  check: Rule<P>["check"],
  programs: ReadonlyArray<string>,
): Rule<P> => ({
  meta: {
    // Not a rule in the catalog, hence a separate name.
    id: `${ecosystem}/questions/${name}` as never,
    class: "question",
    title: name,
    description: "",
    remediation: "",
    severity: "informational",
    confidence: "high",
    cwe: [],
    references: [],
  },
  check,
  // A table has as many programs as it needs.
  examples: { vulnerable: [] as never, safe: programs as never },
})

/**
 * Each call of a function of `asks` states in its last argument, a text, what the question answers about the preceding
 * ones, and is a finding if the answer is different.
 */
export const questionTable = (
  name: string,
  asks: Readonly<Record<string, Ask>>,
  programs: ReadonlyArray<string>,
): Rule<Program> =>
  tableRule<Program>(
    "evm",
    name,
    (program, report) => {
      for (const flow of program.allFlows()) {
        for (const node of flow.nodes) {
          const file = node.callable.source.file
          const wrong = (span: Span, message: string): void =>
            report({ file, span, scope: node.callable.scope, message })
          if (node.expression !== undefined) walk(node.expression, (e) => ask(asks, flow, e, node, wrong))
        }
      }
    },
    programs,
  )

const ask = (
  asks: Readonly<Record<string, Ask>>,
  flow: Flow,
  e: S.Node,
  at: FlowNode,
  wrong: (span: Span, message: string) => void,
): void => {
  if (e.kind !== "FunctionCall" || e.callee.kind !== "Identifier") return
  const answer = asks[e.callee.name]
  const expected = e.args.at(-1)
  if (answer === undefined || expected?.kind !== "Literal") return
  const found = String(answer(flow, e.args.slice(0, -1), at))
  if (found !== expected.value) wrong(e, found)
}
