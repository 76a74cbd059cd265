import type { Ecosystem } from "../analysis/Framework.ts"

/** What the engine is doing right now, in enough detail to tell which file or rule causes a stall. */
export type Work =
  | { readonly phase: "parse"; readonly file: string }
  | { readonly phase: "build"; readonly ecosystem: Ecosystem }
  | { readonly phase: "rule"; readonly rule: string }
  | { readonly phase: "report" }

/** Called before each unit of work; an implementation must be cheap and never throw. */
export interface Monitor {
  /** `done` of `total` units of the current stage's work are complete: files while parsing, rules after that. */
  readonly begin: (work: Work, done: number, total: number) => void
  /** Work inside the current unit turned to one file, or away from it. */
  readonly file: (path: string | undefined) => void
}

export const silentMonitor: Monitor = { begin: () => {}, file: () => {} }
