import { parentPort, workerData } from "node:worker_threads"
import { directorySources } from "../../adapters/engine/readSources.ts"
import { programQueries, type ProgramQueries } from "../../domain/detection/solidity/ask/programQueries.ts"
import { readRemappings } from "../../domain/detection/solidity/imports.ts"
import { parseSolidity } from "../../domain/detection/solidity/parse/parse.ts"
import { buildProgram } from "../../domain/detection/solidity/program.ts"
import type { SourceFile } from "../../domain/detection/Source.ts"
import { reportedSources } from "../../domain/detection/SourceRole.ts"
import { nameOf } from "../../domain/detection/ProjectFiles.ts"
import type { Asked, Said, ThreadInput } from "./Model.ts"

// Both are what `Model.ts` passes.
const input = workerData as ThreadInput
const port = parentPort!

const sources = directorySources(input.directory, input.files, 2_000_000, () => {})
const read = (path: string): ReadonlyArray<SourceFile> => {
  const file = sources.read(path)
  return "lineStarts" in file ? [file] : []
}
const remappings = input.files
  .filter((path) => nameOf(path) === "foundry.toml" || nameOf(path) === "remappings.txt")
  .flatMap((path) => read(path).flatMap((file) => readRemappings(file)))
const units = input.files.filter((path) => path.endsWith(".sol")).flatMap((path) => read(path).map(parseSolidity))
const queries: ProgramQueries = programQueries(buildProgram(units, remappings), reportedSources(input.files))

const say = (message: Said): void => port.postMessage(message)

port.on("message", ({ id, query, argument }: Asked) => {
  try {
    say({
      id,
      answer: query === "list_entry_points" ? queries.list_entry_points(argument) : queries[query](argument ?? ""),
    })
  } catch (error) {
    say({ id, answer: { error: `The question could not be answered: ${String(error).slice(0, 200)}` } })
  }
})
say({ id: 0, answer: { files: units.length } })
