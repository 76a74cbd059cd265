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
  /** Where it is in the access table. */
  readonly file: string
  readonly line: number
  /**
   * The function that does the work, and the one that the transaction enters: a dispatcher is both if an arm has its
   * code in place.
   */
  readonly function: FunctionDefinition
  readonly root: FunctionDefinition
  readonly events: ReadonlyArray<Event>
  /** What holds whenever it succeeds. */
  readonly success: Iterable<Term>
  /** What is required of its accounts, if it takes accounts. */
  readonly accounts?: ReadonlyArray<Answer>
  /** The declaration of its accounts. */
  readonly context?: { readonly file: SourceFile; readonly span: Span }
}

/** One write to a program's persistent state. */
export interface StateWrite {
  /** `CONFIG.owner`, `Vault.authority`. */
  readonly variable: string
  /** Other names that it answers to. */
  readonly names: ReadonlyArray<string>
  readonly event: Event
}

/** A type or container in which a program keeps state. */
export interface StateItem {
  readonly name: string
  readonly file: SourceFile
  readonly span: Span
  readonly shown: Answer
}

/** What a Rust ecosystem knows about the programs written for it. */
export interface RustModel {
  readonly ecosystem: Ecosystem
  readonly crates: ReadonlyArray<Crate>
  readonly rows: ReadonlyArray<AccessRow>
  readonly entries: ReadonlyArray<RustEntry>
  readonly events: ReadonlyArray<Event>
  readonly writes: ReadonlyArray<StateWrite>
  /** What an event requests from another program or contract; undefined if it requests nothing. */
  readonly outgoing: (event: Event) => Answer | undefined
  readonly stateOf: (crate: Crate) => ReadonlyArray<StateItem>
}
