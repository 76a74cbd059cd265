import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Finding } from "../../domain/finding/Finding.ts"
import { queryTools } from "../../domain/review/queryTools.ts"
import type { ModelAnswer, ModelQuery, ProgramModel } from "../ports/analysis/ProgramModels.ts"
import type { Answering } from "./converse.ts"

/** Limit: characters of one answer. */
const longest = 30_000

const argumentsOf = new Map(
  queryTools.map(({ name, parameters }) => [name, Schema.decodeUnknownOption(parameters)] as const),
)

const asText = (answer: ModelAnswer): string => {
  const { functions } = answer
  if (!Array.isArray(functions)) return JSON.stringify(answer)
  // The result of `read_function`: code as text, with line numbers.
  return functions
    .map((one: ModelAnswer) => {
      const { code, line, ...rest } = one
      if (typeof code !== "string") return JSON.stringify(one)
      const numbered = code.split("\n").map((text, index) => `${Number(line) + index}\t${text}`)
      return `${JSON.stringify(rest)}\n${numbered.join("\n")}`
    })
    .join("\n\n")
}

/** Answers a model's queries about a program; anything else is an unknown tool. */
export const answerQuery =
  (model: ProgramModel, findings: ReadonlyArray<Finding>): Answering =>
  ({ name, arguments: given }) => {
    const decode = argumentsOf.get(name)
    if (decode === undefined) return Effect.succeed("No such tool.")
    const decoded = Option.getOrUndefined(decode(given ?? {}))
    if (decoded === undefined) return Effect.succeed("The arguments do not match the tool's schema.")
    // Every tool has a single text argument.
    const [argument] = Object.values(decoded as Readonly<Record<string, string>>)
    if (name === "findings_at") {
      const here = findings.filter(({ location }) => location.file === argument).slice(0, 50)
      return Effect.succeed(here.map(({ title, location }) => `${location.lineStart} ${title}`).join("\n") || "None.")
    }
    // The tools are named after the queries.
    return Effect.map(model.ask(name as ModelQuery, argument), (answer) => asText(answer).slice(0, longest))
  }
