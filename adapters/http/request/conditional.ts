import { hash } from "node:crypto"

/** A strong entity tag of a text. */
export const etagOf = (text: string): string => `"${hash("sha256", text, "base64url").slice(0, 27)}"`

/** Whether the client has the representation with this `etag` (RFC 9110, section 13.1.2). */
export const isCurrent = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  ifNoneMatch.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag)
