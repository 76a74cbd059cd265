import * as Schema from "effect/Schema"

export const roles = ["owner", "member"] as const
/** An owner administers members and billing; a member shares the scans. */
export type Role = (typeof roles)[number]
export const Role = Schema.Literals(roles)

/** Maximum characters of an organization's or a key's name. */
export const longestName = 100
