import type { Scope } from "./Caller.ts"

/** What a key may do, and until when; without an end if `expiresAt` is undefined. */
export interface KeyGrant {
  readonly scopes: ReadonlyArray<Scope>
  readonly expiresAt: Date | undefined
}

type End = KeyGrant["expiresAt"]

const isLater = (end: End, than: End): boolean => than !== undefined && (end === undefined || end > than)

/** The scopes in `wanted` that `maker` lacks: no key can create one with more permissions. */
export const scopesBeyond = (wanted: Pick<KeyGrant, "scopes">, maker: Pick<KeyGrant, "scopes">): ReadonlyArray<Scope> =>
  wanted.scopes.filter((scope) => !maker.scopes.includes(scope))

/** Whether a key would exceed the one that requests it, or outlive it. */
export const exceeds = (wanted: KeyGrant, maker: KeyGrant): boolean =>
  scopesBeyond(wanted, maker).length > 0 || isLater(wanted.expiresAt, maker.expiresAt)

/** The default expiry of a key: that of the key creating it, if any. */
export const endWithin = (end: End, maker: KeyGrant | undefined): End =>
  isLater(end, maker?.expiresAt) ? maker?.expiresAt : end
