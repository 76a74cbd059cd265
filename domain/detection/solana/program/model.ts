import type { Place } from "../../Rule.ts"
import type { Crate, FunctionDefinition, StructDefinition } from "../../rust/crate/crate.ts"
import type { CallEvent, Event, Value } from "../../rust/terms/events.ts"
import type { RustProject } from "../../rust/crate/program.ts"
import type { Term, TermTable } from "../../rust/terms/terms.ts"
import type { RustType } from "../../rust/crate/types.ts"
import type { Walk } from "../../rust/walk/state/walk.ts"
import type { Wrapper } from "./accountTypes.ts"
import type { Constraints } from "./constraints.ts"

/** One account that an instruction receives. */
export interface Account {
  /** The name of the field (`vault`, `inner.vault`) or of the local that first contains it. */
  readonly name: string
  readonly term: Term
  readonly wrapper: Wrapper
  readonly type: RustType
  /** `T` of `Account<'info, T>`. */
  readonly state: RustType | undefined
  /** Whether it is a record of another program. */
  readonly isForeign?: boolean
  /** What another program's record stores, as far as this one's comparisons tell, if the type has no source. */
  readonly foreignRecord?: StructDefinition
  readonly optional: boolean
  /** Absent for native programs. */
  readonly constraints?: Constraints
  /** The field, or the place where the local is bound. */
  readonly place: Place
  /** In native programs, where it is taken from the list: not necessarily on every path. */
  readonly taken?: Event
}

/** Limit: accounts of an instruction; a transaction cannot name more, and many rules compare them with each other. */
export const accountsInTransaction = 256

/** One instruction of a program, walked from its handler through everything it calls. */
export interface Instruction {
  readonly name: string
  readonly kind: "anchor" | "native"
  readonly handler: FunctionDefinition
  /** The `#[derive(Accounts)]` struct. */
  readonly context?: StructDefinition
  readonly accounts: ReadonlyArray<Account>
  /** Arguments from the caller: every parameter that is not an account, context or program id. */
  readonly arguments: ReadonlyArray<Value & { readonly name: string }>
  readonly events: ReadonlyArray<Event>
  readonly walk: Walk
  /** The instruction of this project that the path of a call names: `bank::cpi::deposit`. */
  readonly callee: (path: string) => Instruction | undefined
}

/** How an account is identified, by which fact, and compared with what. */
export interface AccountCheck {
  readonly kind:
    | "signer"
    | "owner"
    | "key"
    | "type"
    | "state"
    | "distinct"
    | "sysvar"
    | "initialized"
    | "pda"
    | "data"
    | "call"
  /** The other side of the comparison. */
  readonly against?: Term
  readonly fact: Term
}

export interface AccountUse {
  readonly kind:
    | "deserialize"
    | "data-read"
    | "data-write"
    | "state-read"
    | "state-write"
    | "lamports-read"
    | "lamports-write"
    | "cpi-account"
    | "cpi-program"
  readonly event: Event
}

/** A call of another program. */
export interface Cpi {
  readonly event: CallEvent
  /** The program's account or key; undefined if the library determines it (`system_instruction::transfer`). */
  readonly program: Term | undefined
  /** `token::transfer`, `invoke`, or the builder's path: what the program is asked to do, as far as known. */
  readonly instruction: string
  /** Names are those of the CPI struct's fields; `invoke` has none. */
  readonly accounts: ReadonlyArray<{ readonly name: string; readonly term: Term }>
  /** Present if the program signs for one of its own addresses. */
  readonly signerSeeds: Term | undefined
  /** Amounts and other arguments. */
  readonly args: ReadonlyArray<Term>
}

/** Everything that rules may query about one Solana crate. */
export interface SolanaCrate {
  readonly crate: Crate
  readonly project: RustProject
  readonly instructions: ReadonlyArray<Instruction>
  /** `#[account]` structs, and structs of native programs that are read from account data. */
  readonly stateStructs: ReadonlyArray<StructDefinition>
  readonly accountsStructs: ReadonlyArray<StructDefinition>
}

/** What Solana rules examine: the crates of a project that are on-chain programs or their libraries. */
export interface SolanaProgram {
  readonly crates: ReadonlyArray<SolanaCrate>
  readonly terms: TermTable
  /**
   * Events of every function: of instructions, and of functions that no instruction reaches, which are walked
   * separately.
   */
  readonly events: () => ReadonlyArray<Event>
  /** Events of the latter. */
  readonly unreached: () => ReadonlyArray<Event>
}
