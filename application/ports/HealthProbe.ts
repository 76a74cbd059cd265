import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

export type Connection = "connected" | "disconnected"

/** Whether the database takes changes: not while it is read-only, or a table is locked against them. */
export type Writes = "possible" | "read_only" | "locked" | "unknown"

/** Asks the dependencies whether they are there. Never fails and never waits longer than a second. */
export class HealthProbe extends Context.Service<
  HealthProbe,
  {
    /** `connected` also for an embedded database. */
    readonly database: Effect.Effect<Connection>
    /** `unknown` where the database does not say. */
    readonly writes: Effect.Effect<Writes>
    /** `connected` also where memory stands in for it. */
    readonly redis: Effect.Effect<Connection>
    /** By name, one word each. */
    readonly externalServices: Effect.Effect<Readonly<Record<string, string>>>
  }
>()("assay/application/HealthProbe") {}
