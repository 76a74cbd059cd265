import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

export type Connection = "connected" | "disconnected"

/** Whether the database accepts writes: not while it is read-only or a table is locked. */
export type Writes = "possible" | "read_only" | "locked" | "unknown"

/** Checks whether the dependencies respond. Never fails and never waits longer than a second. */
export class HealthProbe extends Context.Service<
  HealthProbe,
  {
    /** `connected` also for an embedded database. */
    readonly database: Effect.Effect<Connection>
    /** `unknown` if the database does not say. */
    readonly writes: Effect.Effect<Writes>
    /** `connected` also if memory substitutes for it. */
    readonly redis: Effect.Effect<Connection>
    /** By name, one word each. */
    readonly externalServices: Effect.Effect<Readonly<Record<string, string>>>
  }
>()("assay/application/HealthProbe") {}
