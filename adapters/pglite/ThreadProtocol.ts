import type { Results } from "@electric-sql/pglite"

/** What the thread is started with. */
export interface ThreadData {
  /** The database's directory; in memory when undefined. */
  readonly directory: string | undefined
  /** The initial contents of an in-memory database. */
  readonly template: Blob | undefined
}

export type RowMode = "object" | "array"

/** A request to the thread. Responses arrive in any order and are matched by id. */
export type Call = { readonly id: number } & (
  | { readonly type: "query"; readonly sql: string; readonly params: ReadonlyArray<unknown>; readonly rowMode: RowMode }
  | { readonly type: "listen"; readonly channel: string }
  /** Ends the listening started by the call with that id. */
  | { readonly type: "unlisten"; readonly listening: number }
  | { readonly type: "close" }
)

export type Rows = Results<Record<string, unknown>>

/** PGlite's error, without values that cannot leave its thread. */
export interface Thrown {
  readonly name: string
  readonly message: string
  /** Such as SQLSTATE and constraint. */
  readonly fields: Readonly<Record<string, string>>
}

/** The first message, unsolicited and with id 0: the database is open. */
export type Answer =
  | { readonly id: number; readonly type: "done"; readonly rows: Rows | undefined }
  | { readonly id: number; readonly type: "failed"; readonly thrown: Thrown }
  /** Somebody notified the channel that the call with that id listens to. */
  | { readonly id: number; readonly type: "notified" }
