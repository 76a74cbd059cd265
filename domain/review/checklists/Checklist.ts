import type { Ecosystem } from "../../analysis/Framework.ts"

/** What to look for in one field; data, so that an expert in the field can write one. */
export interface Checklist {
  readonly topic: string
  /** Absent for all ecosystems. */
  readonly ecosystem?: Ecosystem
  /** Lowercase parts of names: the list is used if a contract has one of them, and always if there are none. */
  readonly signals: ReadonlyArray<string>
  readonly questions: ReadonlyArray<string>
}
