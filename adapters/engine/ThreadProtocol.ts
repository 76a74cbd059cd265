import type { Incomplete } from "../../domain/analysis/Coverage.ts"
import type { Ecosystem } from "../../domain/analysis/Framework.ts"
import type { Advisory } from "../../domain/detection/dependencies/advisories/Advisory.ts"
import type { Examination } from "../../domain/detection/examine.ts"
import type { SomeFrontEnd } from "../../domain/detection/FrontEnd.ts"
import type { RuleSeconds } from "./ruleClock.ts"

/**
 * Loads an ecosystem's front end; called once per ecosystem, when first needed, so that no thread loads what it does
 * not use.
 */
export type LoadFrontEnd = (ecosystem: Ecosystem) => Promise<SomeFrontEnd>

/** What a thread is started with. */
export interface ThreadData {
  /** The URL of a module that exports `frontEnd: LoadFrontEnd`. */
  readonly frontEnds: string
  /** The directory for V8's code cache; no cache if absent. */
  readonly compileCache: string | undefined
  /** Whether other threads of the process take precedence. */
  readonly behindOthers: boolean
}

/** What the main thread assigns: detecting the ecosystems of a directory's files, or examining them. */
export type ThreadTask = DetectTask | ExamineTask

/** A task that no thread has taken yet. */
export type UnassignedTask<J extends ThreadTask = ThreadTask> = J extends ThreadTask ? Omit<J, "heartbeat"> : never

interface TaskFiles {
  readonly directory: string
  readonly files: ReadonlyArray<string>
  /** Files that did harm before, with the reason that the coverage gives. */
  readonly excludedFiles: ReadonlyMap<string, string>
  /** In bytes; larger files are left out. */
  readonly maxFileBytes: number
  readonly heartbeat: SharedArrayBuffer
}

export interface DetectTask extends TaskFiles {
  readonly kind: "detect"
}

export interface ExamineTask extends TaskFiles {
  readonly kind: "examine"
  readonly ecosystems: ReadonlyArray<Ecosystem>
  readonly excludedRules: ReadonlyMap<string, string>
  readonly notes: ReadonlyArray<string>
  readonly incomplete: ReadonlyArray<Incomplete>
  readonly version: string
  /** In addition to the bundled ones. */
  readonly advisories?: ReadonlyArray<Advisory>
  /** Whether access tables are wanted. */
  readonly access?: boolean
  /** Texts that replace the content of some of the files. */
  readonly changed?: ReadonlyMap<string, string>
}

/**
 * What a thread says. `rules` precedes the first unit of work of each task, in the order in which the heartbeat counts;
 * `checking` precedes the first rule, so that the beginning of that stage is known before the next look.
 */
export type ThreadMessage =
  | { readonly type: "rules"; readonly ids: ReadonlyArray<string> }
  | { readonly type: "checking" }
  | { readonly type: "detected"; readonly ecosystems: ReadonlySet<Ecosystem> }
  | {
      readonly type: "done"
      readonly examination: Examination
      readonly ruleSeconds: RuleSeconds
      readonly retire: boolean
    }
