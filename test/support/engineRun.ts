import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type { Ecosystem } from "../../domain/analysis/Framework.ts"
import { DetectionEngine, type EngineProgress } from "../../application/ports/analysis/DetectionEngine.ts"

export type Files = Readonly<Record<string, string | Uint8Array>>

/** A temporary directory with these files, for as long as the scope lasts. */
export const directoryOf = (files: Files): Effect.Effect<string, never, Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const directory = mkdtempSync(join(tmpdir(), "assay-engine-"))
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(directory, path)), { recursive: true })
        writeFileSync(join(directory, path), content)
      }
      return directory
    }),
    (directory) => Effect.sync(() => rmSync(directory, { recursive: true })),
  )

/** Has the engine examine these files. */
export const examineFiles = Effect.fn(function* (
  files: Files,
  ecosystems: ReadonlyArray<Ecosystem> = ["evm"],
  onProgress: (progress: EngineProgress) => void = () => {},
) {
  const directory = yield* directoryOf(files)
  const engine = yield* DetectionEngine
  return yield* engine.examine({ directory, files: Object.keys(files), ecosystems }, onProgress)
}, Effect.scoped)
