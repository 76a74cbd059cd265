import type { Scope } from "./Caller.ts"

/** What a key may do, and until when; without an end where `expiresAt` is undefined. */
export interface KeyGrant {
  readonly scopes: ReadonlyArray<Scope>
  readonly expiresAt: Date | undefined
}

type End = KeyGrant["expiresAt"]

const isLater = (end: End, than: End): boolean => than !== undefined && (end === undefined || end > than)

/** The scopes of `wanted` that `maker` lacks: no key can make one that may do more. */
export const scopesBeyond = (wanted: Pick<KeyGrant, "scopes">, maker: Pick<KeyGrant, "scopes">): ReadonlyArray<Scope> =>
  wanted.scopes.filter((scope) => !maker.scopes.includes(scope))

/** Whether a key would be more than the one that asks for it, or last longer. */
export const exceeds = (wanted: KeyGrant, maker: KeyGrant): boolean =>
  scopesBeyond(wanted, maker).length > 0 || isLater(wanted.expiresAt, maker.expiresAt)

/** The default expiry of a key: that of the key creating it, if any. */
export const endWithin = (end: End, maker: KeyGrant | undefined): End =>
  isLater(end, maker?.expiresAt) ? maker?.expiresAt : end
