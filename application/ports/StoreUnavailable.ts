import * as Schema from "effect/Schema"

/** The database cannot be reached or answered in time. */
export class StoreUnavailable extends Schema.TaggedError<StoreUnavailable>()("StoreUnavailable", {
  cause: Schema.Defect(),
}) {}
