import type { Results } from "@electric-sql/pglite"

/** What the thread is started with. */
export interface ThreadData {
  /** The database's directory; in memory when undefined. */
  readonly directory: string | undefined
  /** What a database in memory starts from. */
  readonly template: Blob | undefined
}

export type RowMode = "object" | "array"

/** A request to the thread. Responses arrive in any order and are matched by id. */
export type Call = { readonly id: number } & (
  | { readonly type: "query"; readonly sql: string; readonly params: ReadonlyArray<unknown>; readonly rowMode: RowMode }
  | { readonly type: "listen"; readonly channel: string }
  /** Ends the call of that id, which began to listen. */
  | { readonly type: "unlisten"; readonly listening: number }
  | { readonly type: "close" }
)

export type Rows = Results<Record<string, unknown>>

/** PGlite's error, without what only its own thread can hold. */
export interface Thrown {
  readonly name: string
  readonly message: string
  /** Such as SQLSTATE and constraint. */
  readonly fields: Readonly<Record<string, string>>
}

/** The first message, unsolicited and with id 0, says that the database is open. */
export type Answer =
  | { readonly id: number; readonly type: "done"; readonly rows: Rows | undefined }
  | { readonly id: number; readonly type: "failed"; readonly thrown: Thrown }
  /** Somebody notified the channel to which the call of that id listens. */
  | { readonly id: number; readonly type: "notified" }
