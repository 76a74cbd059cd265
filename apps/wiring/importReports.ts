import { createReadStream } from "node:fs"
import { realpath, stat } from "node:fs/promises"
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import { readOutput } from "../../adapters/external/readOutput.ts"
import { runEngine } from "../../adapters/external/runEngine.ts"
import { countLines } from "../../adapters/local/countLines.ts"
import { suppressionComments } from "../../adapters/local/suppressionComments.ts"
import type { EngineRun } from "../../domain/analysis/Coverage.ts"
import { sarifLimits } from "../../domain/external/readSarif.ts"
import type { ExternalRun } from "../../domain/external/ExternalResult.ts"
import { presets } from "../../domain/external/presets.ts"
import { failedEngine } from "../../domain/external/withExternal.ts"
import { Refusal } from "../runMain.ts"
import { reasonOf } from "../terminal/systemError.ts"

const readBounded = async (path: string): Promise<Uint8Array<ArrayBuffer>> => {
  const chunks: Array<Uint8Array> = []
  let length = 0
  for await (const chunk of createReadStream(path)) {
    // A stream without an encoding yields buffers.
    const bytes = chunk as Uint8Array
    length += bytes.length
    if (length > sarifLimits.characters) throw new Error("it is larger than 100 MB")
    chunks.push(bytes)
  }
  const all = new Uint8Array(length)
  let at = 0
  for (const bytes of chunks) {
    all.set(bytes, at)
    at += bytes.length
  }
  return all
}

/** The local folder of a target; undefined for a remote repository. */
export const rootOf = async (target: string): Promise<string | undefined> => {
  const path = await realpath(target).catch(() => undefined)
  if (path === undefined) return undefined
  return (await stat(path)).isDirectory() ? path : dirname(path)
}

const counted = (root: string, runs: ReadonlyArray<ExternalRun>) =>
  Effect.promise(() =>
    Promise.all(
      runs.map(async (run): Promise<ExternalRun> => {
        const results = await countLines(root, run.results)
        return { ...run, results, comments: await suppressionComments(root, results) }
      }),
    ),
  )

/** The runs in a report of other engines: a SARIF 2.1.0 file, or the JSON of Mythril or clippy. */
export const importReport = Effect.fnUntraced(function* (path: string, root: string | undefined) {
  const bytes = yield* Effect.tryPromise({
    try: () => readBounded(path),
    catch: (error) => new Refusal(`Could not read the report ${path}: ${reasonOf(error)}.`),
  })
  // Its author may be hostile to this program.
  const read = yield* Effect.promise(() => readOutput({ bytes, ...(root === undefined ? {} : { root }) }))
  if (read === "empty") return yield* Effect.fail(new Refusal(`The report ${path} is empty.`))
  if ("failure" in read) return yield* Effect.fail(new Refusal(`The report ${path} ${read.failure}.`))
  return root === undefined ? read.runs : yield* counted(root, read.runs)
})

/** Runs an engine over a folder; if it fails, the coverage states the reason. */
export const runNamed = (
  name: keyof typeof presets,
  root: string,
): Effect.Effect<{ readonly runs: ReadonlyArray<ExternalRun>; readonly failed?: EngineRun }> =>
  runEngine(presets[name]!, root).pipe(
    Effect.flatMap((runs) => counted(root, runs)),
    Effect.map((runs) => ({ runs })),
    Effect.catch((reason) => Effect.succeed({ runs: [], failed: failedEngine(name, reason) })),
  )
