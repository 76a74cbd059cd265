import type { Ecosystem } from "../../analysis/Framework.ts"

/** What to look for in one field; data, so that whoever knows the field can write one. */
export interface Checklist {
  readonly topic: string
  /** Of all where absent. */
  readonly ecosystem?: Ecosystem
  /** Lowercase parts of names: the list is used where a contract has one of them, and always where there are none. */
  readonly signals: ReadonlyArray<string>
  readonly questions: ReadonlyArray<string>
}
