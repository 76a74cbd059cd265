import * as Schema from "effect/Schema"

/** Compared with the previous completed analysis of the same repository and branch. */
export const FindingStatus = Schema.Literals(["new", "unchanged", "reopened"])
export type FindingStatus = typeof FindingStatus.Type
