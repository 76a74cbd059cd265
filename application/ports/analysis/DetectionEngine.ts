import type * as Effect from "effect/Effect"
import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import type { AccessRow } from "../../../domain/access/AccessTable.ts"
import type { Coverage } from "../../../domain/analysis/Coverage.ts"
import type { Ecosystem } from "../../../domain/analysis/Framework.ts"
import type { Advisory } from "../../../domain/detection/dependencies/advisories/Advisory.ts"
import type { Finding, SuppressedFinding } from "../../../domain/finding/Finding.ts"
import type { FormerPrints } from "../../../domain/finding/superseded.ts"

/** The engine's progress: `done` of `total` units of work in a stage. */
export interface EngineProgress {
  readonly stage: "compilation" | "static_analysis"
  readonly done: number
  readonly total: number
}

/** Advisories about dependencies in addition to the bundled ones; `version` changes with their content. */
export interface AdvisoryData {
  readonly version: string
  readonly advisories: ReadonlyArray<Advisory>
}

export interface EngineInput {
  /** Absolute path of the directory that holds the sources. */
  readonly directory: string
  /** Paths of regular files below it, relative, with forward slashes. */
  readonly files: ReadonlyArray<string>
  readonly ecosystems: ReadonlyArray<Ecosystem>
  /** Ids of the contents of all `files`, where known; the same contents under the same paths give the same report. */
  readonly contentIds?: ReadonlyMap<string, string> | undefined
  readonly advisories?: AdvisoryData
  /** Texts that replace the content of some of `files`. */
  readonly changed?: ReadonlyMap<string, string>
  /** Whether to include access tables. */
  readonly access?: boolean
}

export interface EngineResult {
  /** Worst first, then by file and line. */
  readonly findings: ReadonlyArray<Finding>
  readonly suppressed: ReadonlyArray<SuppressedFinding>
  /** Fingerprints of findings that did not fit into the report. */
  readonly unlisted?: ReadonlyArray<string>
  /** See `FormerPrints`; absent if no rule supersedes another. */
  readonly formerly?: FormerPrints
  readonly coverage: Coverage
  /** Who can do what, if requested. */
  readonly access?: ReadonlyArray<AccessRow>
  /** Whether a time or memory limit skipped something that another run might include. */
  readonly cutShort?: boolean
  /** For all other files, only the paths affect the report; if this is absent, all contents do. */
  readonly filesRead?: ReadonlyArray<string>
}

/**
 * Nothing could be parsed, or the engine crashed too often to continue; `message` is for the author of the sources.
 * `retryable` if the machine is at fault, `byLimit` if the sources exceed what an analysis may cost.
 */
export class EngineError extends Schema.TaggedError<EngineError>()("EngineError", {
  stage: Schema.Literals(["detecting_framework", "compilation", "static_analysis"]),
  message: Schema.String,
  retryable: Schema.optionalKey(Schema.Boolean),
  byLimit: Schema.optionalKey(Schema.Boolean),
}) {}

/** Our own rules over a directory of sources. A hostile file affects only itself, never the process. */
export class DetectionEngine extends Context.Service<
  DetectionEngine,
  {
    /** The ecosystems of the contracts among the files; empty if there are none. */
    readonly detect: (
      input: Pick<EngineInput, "directory" | "files">,
    ) => Effect.Effect<ReadonlySet<Ecosystem>, EngineError>
    readonly examine: (
      input: EngineInput,
      onProgress: (progress: EngineProgress) => void,
    ) => Effect.Effect<EngineResult, EngineError>
  }
>()("assay/application/DetectionEngine") {}
