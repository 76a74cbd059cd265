import type { Ecosystem } from "../analysis/Framework.ts"

/** What the engine is doing right now, fine enough to tell which file or rule a stall is due to. */
export type Work =
  | { readonly phase: "parse"; readonly file: string }
  | { readonly phase: "build"; readonly ecosystem: Ecosystem }
  | { readonly phase: "rule"; readonly rule: string }
  | { readonly phase: "report" }

/** Told before each unit of work; an implementation must be cheap and never throw. */
export interface Monitor {
  /** `done` of `total` units of the work's stage are behind us: files while parsing, rules after that. */
  readonly begin: (work: Work, done: number, total: number) => void
  /** Work inside the current unit turned to one file, or away from it. */
  readonly file: (path: string | undefined) => void
}

export const silentMonitor: Monitor = { begin: () => {}, file: () => {} }
