import type { Place } from "../../Rule.ts"
import type { Crate, FunctionDefinition } from "../../rust/crate/crate.ts"
import type { CallEvent, Event, StructEvent, Value } from "../../rust/terms/events.ts"
import type { Facts } from "../../rust/terms/facts.ts"
import type { RustProject } from "../../rust/crate/program.ts"
import type { Term, TermTable } from "../../rust/terms/terms.ts"
import type { RustType } from "../../rust/crate/types.ts"
import type { Walk } from "../../rust/walk/state/walk.ts"

export const entryKinds = [
  "instantiate",
  "execute",
  "query",
  "migrate",
  "reply",
  "sudo",
  "ibc_channel_open",
  "ibc_channel_connect",
  "ibc_channel_close",
  "ibc_packet_receive",
  "ibc_packet_ack",
  "ibc_packet_timeout",
  "ibc_source_callback",
  "ibc_destination_callback",
  "ibc2_packet_send",
  "ibc2_packet_receive",
  "ibc2_packet_ack",
  "ibc2_packet_timeout",
] as const
export type EntryKind = (typeof entryKinds)[number]

/** What one message does: an arm of the dispatch in an entry point, with everything that it calls. */
export interface Handler {
  readonly entry: EntryPoint
  /** `ExecuteMsg::Withdraw`; nested dispatch is joined by ` > `; empty if the entry point does not dispatch. */
  readonly message: string
  /** The innermost function on the way that is more than a dispatcher: for the scope of findings. */
  readonly function: FunctionDefinition
  /** Arm of the dispatch, or the entry point. */
  readonly place: Place
  readonly events: ReadonlyArray<Event>
  /** What holds whenever it succeeds. */
  readonly facts: Facts
}

/** A handler's name without its context: Sylvia's go by their functions, since each is one message. */
export const nameOfHandler = ({ message, entry }: Handler): string =>
  message !== "" ? message : entry.function.owner === undefined ? entry.kind : entry.function.name

export interface EntryPoint {
  readonly kind: EntryKind
  readonly function: FunctionDefinition
  readonly walk: Walk
  readonly events: ReadonlyArray<Event>
  readonly handlers: ReadonlyArray<Handler>
  /** `info.sender` and `info.funds`; absent where there is no `MessageInfo`. */
  readonly sender: Term | undefined
  readonly funds: Term | undefined
  /** The message: what the caller chooses. */
  readonly message: Term | undefined
  /** The parts of the message, where a framework passes each on as an argument. */
  readonly parts?: ReadonlyArray<Value & { readonly name: string }>
  readonly env: Term | undefined
}

/** `const CONFIG: Item<Config> = Item::new("config")`. */
export interface StorageContainer {
  readonly name: string
  readonly kind: string
  /** The namespace in storage, if it is a literal or a constant. */
  readonly key: string | undefined
  readonly value: RustType
  readonly type: RustType
  /** The term that represents it; undefined for indexes, and for fields of structs whose key is a constant. */
  readonly term: Term | undefined
  readonly place: Place
}

/** A constructed message or submessage: `BankMsg::Send { … }`, `SubMsg::reply_always(…)`. */
export interface OutgoingMessage {
  /** `BankMsg::Send`, `WasmMsg::Execute`, `SubMsg::reply_on_success` … */
  readonly path: string
  readonly event: CallEvent | StructEvent
  readonly fields: ReadonlyMap<string, Term>
}

export interface CosmWasmCrate {
  readonly crate: Crate
  readonly project: RustProject
  readonly entryPoints: ReadonlyArray<EntryPoint>
  readonly containers: ReadonlyArray<StorageContainer>
}

/** What CosmWasm rules examine: the contracts and libraries of a project. */
export interface CosmWasmProgram {
  readonly crates: ReadonlyArray<CosmWasmCrate>
  readonly terms: TermTable
  /** Events of every function: of entry points, and of functions that none reaches, which are walked separately. */
  readonly events: () => ReadonlyArray<Event>
}
