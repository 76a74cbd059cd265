import { createReadStream } from "node:fs"
import { realpath, stat } from "node:fs/promises"
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { countLines } from "../../adapters/local/countLines.ts"
import { asSarif } from "../../domain/external/jsonOutputs.ts"
import { readSarif, sarifLimits } from "../../domain/external/readSarif.ts"
import type { ExternalRun } from "../../domain/external/ExternalResult.ts"
import { Refusal } from "../runMain.ts"

const readBounded = async (path: string): Promise<string> => {
  const decoder = new TextDecoder()
  let text = ""
  for await (const chunk of createReadStream(path)) {
    text += decoder.decode(chunk as Uint8Array, { stream: true })
    if (text.length > sarifLimits.characters) throw new Error("it is larger than 100 MB")
  }
  return text + decoder.decode()
}

/** The folder that a target stands for on this machine; undefined for a repository elsewhere. */
export const rootOf = async (target: string): Promise<string | undefined> => {
  const path = await realpath(target).catch(() => undefined)
  if (path === undefined) return undefined
  return (await stat(path)).isDirectory() ? path : dirname(path)
}

/** The runs in a report of other engines: a file of SARIF 2.1.0, or the JSON of Mythril or clippy. */
export const importReport = Effect.fnUntraced(function* (path: string, root: string | undefined) {
  const text = yield* Effect.tryPromise({
    try: () => readBounded(path),
    catch: (error) => new Refusal(`The report ${path} cannot be read: ${String(error)}`),
  })
  const runs = readSarif(asSarif(text), root === undefined ? {} : { root })
  if (Result.isFailure(runs)) return yield* Effect.fail(new Refusal(`The report ${path} ${runs.failure}.`))
  if (root === undefined) return runs.success
  return yield* Effect.promise(() =>
    Promise.all(
      runs.success.map(async (run): Promise<ExternalRun> => ({
        ...run,
        results: await countLines(root, run.results),
      })),
    ),
  )
})
