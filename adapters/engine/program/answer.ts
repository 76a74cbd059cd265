import { parentPort, workerData } from "node:worker_threads"
import type { ModelAnswer, ModelQuery } from "../../../application/ports/analysis/ProgramModels.ts"
import type { SourceFile } from "../../../domain/detection/SourceFile.ts"
import { excerptOf } from "../../../domain/review/Excerpt.ts"
import { readSuppressions } from "../../../domain/finding/Suppression.ts"
import { maskedWords } from "../../../domain/detection/secrets/masked.ts"
import { applyPatch } from "../../../domain/review/patch.ts"
import { directorySources } from "../readSources.ts"
import type { Asked, LoadPrograms, Said, ThreadInput } from "./ProgramThread.ts"

// Both are what `ProgramThread` passes.
const input = workerData as ThreadInput
const port = parentPort!

const sources = directorySources(input.directory, input.files, 2_000_000, () => {})
const known = new Set(input.files)
const files = new Map<string, ReadonlyArray<SourceFile>>()
/** A file's text, always the same object, because the secrets found in it are cached by it. */
const read = (path: string): ReadonlyArray<SourceFile> => {
  const before = files.get(path)
  if (before !== undefined) return before
  const file = known.has(path) ? sources.read(path) : { reason: "" }
  const found = "lineStarts" in file ? [file] : []
  files.set(path, found)
  return found
}
// The module is the application's own, and its shape is what `ThreadInput.programs` requires.
const { loadPrograms } = (await import(input.programs)) as { readonly loadPrograms: LoadPrograms }
const queries = await loadPrograms(input.files, read)

const noFile: ModelAnswer = { error: "No such file." }

const excerpt = (wanted: string): ModelAnswer => {
  const colon = wanted.lastIndexOf(":")
  const [from = Number.NaN, to = from] = wanted
    .slice(colon + 1)
    .split("-")
    .map(Number)
  const [file] = read(wanted.slice(0, colon))
  if (file === undefined || !Number.isInteger(from) || !Number.isInteger(to)) return noFile
  return { ...excerptOf(file, { from, to }, queries.functionAt(file.path, from)) }
}

const patched = (wanted: string): ModelAnswer => {
  // The arguments of `patched`; see the port.
  const { file: path, diff } = JSON.parse(wanted) as { readonly file: string; readonly diff: string }
  const [file] = read(path)
  return file === undefined ? noFile : { ...applyPatch(path, file.text, diff) }
}

const suppression = (wanted: string): ModelAnswer => {
  // The arguments of `suppression`; see the port.
  const asked = JSON.parse(wanted) as { readonly file: string; readonly line: number; readonly ruleId: string }
  const [file] = read(asked.file)
  const found = file && readSuppressions(file.path, file.text).covering(asked.line, asked.ruleId, "")
  return file === undefined || found === undefined ? {} : { ...found, reason: maskedWords(file, found.reason) }
}

const answerTo = (query: ModelQuery, argument: string | undefined): ModelAnswer => {
  if (query === "excerpt") return excerpt(argument ?? "")
  if (query === "patched") return patched(argument ?? "{}")
  if (query === "suppression") return suppression(argument ?? "{}")
  if (query === "ecosystem") return { ecosystem: queries.ecosystemOf(argument ?? "") }
  return query === "list_entry_points" ? queries.list_entry_points(argument) : queries[query](argument ?? "")
}

const say = (message: Said): void => port.postMessage(message)

port.on("message", ({ id, query, argument }: Asked) => {
  try {
    say({ id, answer: answerTo(query, argument) })
  } catch (error) {
    say({ id, answer: { error: `The query could not be answered: ${String(error).slice(0, 200)}` } })
  }
})
say({ id: 0, answer: { files: input.files.length } })
