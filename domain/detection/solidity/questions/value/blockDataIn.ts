import type { SourceFile } from "../../../SourceFile.ts"
import { oncePer, oncePerPair } from "../../../oncePer.ts"
import type { Callable } from "../../model.ts"
import { Source } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import { walk } from "../../visit.ts"

const sourceOf = new Map<string, number>([
  ["block.timestamp", Source.timestamp],
  ["now", Source.timestamp],
  ["block.number", Source.blockNumber],
  ["blockhash", Source.blockEntropy],
  ["block.blockhash", Source.blockEntropy],
  ["block.difficulty", Source.blockEntropy],
  ["block.prevrandao", Source.blockEntropy],
  ["block.coinbase", Source.blockEntropy],
])
const opcodes = new Map<string, number>([
  ["timestamp", Source.timestamp],
  ["number", Source.blockNumber],
  ["blockhash", Source.blockEntropy],
  ["difficulty", Source.blockEntropy],
  ["prevrandao", Source.blockEntropy],
  ["coinbase", Source.blockEntropy],
])

/** A text that contains none of the words needs no examination of its trees. */
const mayMention = oncePer((file: SourceFile): boolean =>
  /\b(?:block|now|timestamp|number|blockhash|difficulty|prevrandao|coinbase)\b/.test(file.text),
)

/** The block data that the text of a function or modifier mentions, as bits of `Source`. */
const mentioned = oncePerPair((program: Program, callable: Callable): number => {
  let sources = 0
  if (callable.node.body !== undefined && mayMention(callable.source.file)) {
    walk(callable.node.body, (e) => {
      if (e.kind === "Identifier" || e.kind === "MemberAccess") {
        const found = program.referenceOf(e)
        if (found?.kind === "Builtin") sources |= sourceOf.get(found.name) ?? 0
      } else if (e.kind === "FunctionCall") {
        const call = program.callOf(e)
        if (call?.kind === "builtin") sources |= sourceOf.get(call.name) ?? 0
      } else if (e.kind === "YulFunctionCall") sources |= opcodes.get(e.name) ?? 0
    })
  }
  return sources
})

/** The block data that can occur in a flow: mentioned in it and its modifiers, or returned by its callees. */
export const blockDataIn = (flow: Flow): number => {
  const { program, fn, context } = flow
  let sources = mentioned(program, fn)
  for (const { modifier, node } of fn.modifiers) {
    if (modifier !== undefined) sources |= mentioned(program, program.dispatchModifier(modifier, context))
    for (const arg of node.args ?? []) sources |= flow.origins(arg, flow.entry).sources
  }
  for (const { to } of program.graph.callees(fn)) {
    if (!to.implemented) continue
    for (const result of program.flow(to).summary.results) sources |= result.sources
  }
  return sources
}
