import type { Incomplete } from "../../domain/analysis/Coverage.ts"
import type { Ecosystem } from "../../domain/analysis/Framework.ts"
import type { Advisory } from "../../domain/detection/dependencies/Advisory.ts"
import type { Examination } from "../../domain/detection/examine.ts"
import type { SomeFrontEnd } from "../../domain/detection/FrontEnd.ts"
import type { RuleSeconds } from "./ruleClock.ts"

/** Gives an ecosystem's front end; called once for each, when first needed, so that no thread loads what it does not use. */
export type LoadFrontEnd = (ecosystem: Ecosystem) => Promise<SomeFrontEnd>

/** What a thread is started with. */
export interface ThreadData {
  /** URL of a module that exports `frontEnd: LoadFrontEnd`. */
  readonly frontEnds: string
  /** Directory for V8's code cache; absent to do without. */
  readonly compileCache: string | undefined
  /** Whether other threads of the process go first. */
  readonly behindOthers: boolean
}

/** What the main thread asks for: to tell the framework of a directory's files, or to examine them. */
export type Job = DetectJob | ExamineJob

/** A job as long as no thread has taken it. */
export type Order<J extends Job = Job> = J extends Job ? Omit<J, "heartbeat"> : never

interface FilesOfJob {
  readonly directory: string
  readonly files: ReadonlyArray<string>
  /** Files that did harm before, with the reason that the coverage gives. */
  readonly excludedFiles: ReadonlyMap<string, string>
  /** Larger files are left out, in bytes. */
  readonly maxFileBytes: number
  readonly heartbeat: SharedArrayBuffer
}

export interface DetectJob extends FilesOfJob {
  readonly task: "detect"
}

export interface ExamineJob extends FilesOfJob {
  readonly task: "examine"
  readonly ecosystems: ReadonlyArray<Ecosystem>
  readonly excludedRules: ReadonlyMap<string, string>
  readonly notes: ReadonlyArray<string>
  readonly incomplete: ReadonlyArray<Incomplete>
  readonly version: string
  /** Beside the bundled ones. */
  readonly advisories?: ReadonlyArray<Advisory>
  /** Whether access tables are wanted. */
  readonly access?: boolean
  /** Texts in place of what some of the files hold. */
  readonly changed?: ReadonlyMap<string, string>
}

/**
 * What a thread says. `rules` comes before the first unit of work of each job, in the order the heartbeat counts;
 * `checking` before the first rule, so that the beginning of that stage is known sooner than the next look.
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
