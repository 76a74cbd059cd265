import type { AccessRow } from "../../../access/AccessTable.ts"
import type { Ecosystem } from "../../../analysis/Framework.ts"
import type { Answer } from "../../ask/ProgramQueries.ts"
import type { SourceFile, Span } from "../../SourceFile.ts"
import type { Crate, FunctionDefinition } from "../crate/crate.ts"
import type { Event } from "../terms/events.ts"
import type { Term } from "../terms/terms.ts"

/** What a transaction can call: an instruction, or one message of a contract. */
export interface RustEntry {
  /** `withdraw`, `ExecuteMsg::Withdraw`. */
  readonly name: string
  /** Where the access table has it. */
  readonly file: string
  readonly line: number
  /** What does it, and what the transaction enters: a dispatcher is both where an arm has its code in place. */
  readonly function: FunctionDefinition
  readonly root: FunctionDefinition
  readonly events: ReadonlyArray<Event>
  /** What holds whenever it succeeds. */
  readonly success: Iterable<Term>
  /** What its accounts are asked, where it is given accounts. */
  readonly accounts?: ReadonlyArray<Answer>
  /** The declaration of its accounts. */
  readonly context?: { readonly file: SourceFile; readonly span: Span }
}

/** One write of what a program keeps. */
export interface StateWrite {
  /** `CONFIG.owner`, `Vault.authority`. */
  readonly variable: string
  /** What else it answers to. */
  readonly names: ReadonlyArray<string>
  readonly event: Event
}

/** A type or container that a program keeps state in. */
export interface StateItem {
  readonly name: string
  readonly file: SourceFile
  readonly span: Span
  readonly shown: Answer
}

/** What an ecosystem of Rust tells of the programs written for it. */
export interface RustModel {
  readonly ecosystem: Ecosystem
  readonly crates: ReadonlyArray<Crate>
  readonly rows: ReadonlyArray<AccessRow>
  readonly entries: ReadonlyArray<RustEntry>
  readonly events: ReadonlyArray<Event>
  readonly writes: ReadonlyArray<StateWrite>
  /** What an event asks of another program or contract; undefined where it asks nothing. */
  readonly outgoing: (event: Event) => Answer | undefined
  readonly stateOf: (crate: Crate) => ReadonlyArray<StateItem>
}
