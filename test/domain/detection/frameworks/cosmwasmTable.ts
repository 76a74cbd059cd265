import { cosmwasmRules } from "../../../../domain/detection/cosmwasm/catalog.ts"
import { buildCosmWasmProgram } from "../../../../domain/detection/cosmwasm/buildCosmWasm.ts"
import { nameOfHandler } from "../../../../domain/detection/cosmwasm/program/model.ts"
import { cosmwasmUnderstanding } from "../../../../domain/detection/cosmwasm/understanding.ts"
import { type Example, projectOf } from "./table.ts"

/** The analysis of a CosmWasm example: its coverage, and its messages, or their kind if they are not distinguished. */
export const understoodCosmWasm = (example: Example) => {
  const program = buildCosmWasmProgram(projectOf(example, example.safe))
  const handlers = program.crates.flatMap(({ entryPoints }) => entryPoints.flatMap((one) => one.handlers))
  return {
    coverage: cosmwasmUnderstanding(program)[0],
    handlers: Object.fromEntries(handlers.map((one) => [nameOfHandler(one), []])),
  }
}

export const reportedCosmWasm = (example: Example, text: string): ReadonlyArray<string> => {
  const program = buildCosmWasmProgram(projectOf(example, text))
  const found = new Set<string>()
  for (const { meta, check } of cosmwasmRules) check(program, () => void found.add(meta.class))
  return [...found]
}
