import * as Result from "effect/Result"

/** A 256-bit key with the name that ciphertexts carry. */
export interface SecretKey {
  readonly id: string
  readonly key: Uint8Array
}

const shape = /^([A-Za-z0-9._-]{1,64}):([A-Za-z0-9_-]{43})=?$/

/** The expected form of an entry, for error messages, which must not contain any of the value itself. */
const expected =
  "each entry must be <id>:<32 bytes in base64url>, for example generated with `openssl rand 32 | basenc --base64url`"

/** Reads `id:key,id:key`, the current key first. */
export const parseSecretKeys = (text: string): Result.Result<ReadonlyArray<SecretKey>, string> => {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== "")
  if (entries.length === 0) return Result.fail(`The value contains no keys; ${expected}.`)
  const keys: Array<SecretKey> = []
  for (const [index, entry] of entries.entries()) {
    const [, id, encoded] = shape.exec(entry) ?? []
    if (id === undefined || encoded === undefined) return Result.fail(`Entry ${index + 1} is malformed; ${expected}.`)
    if (keys.some((key) => key.id === id)) return Result.fail(`The id ${id} occurs twice.`)
    keys.push({ id, key: new Uint8Array(Buffer.from(encoded, "base64url")) })
  }
  return Result.succeed(keys)
}

export const formatSecretKeys = (keys: ReadonlyArray<SecretKey>): string =>
  keys.map(({ id, key }) => `${id}:${Buffer.from(key).toString("base64url")}`).join(",")

/** A new random key, named after the day and 4 random bytes. */
export const generateSecretKey = (now: Date): SecretKey => ({
  id: `${now.toISOString().slice(0, 10)}-${Buffer.from(crypto.getRandomValues(new Uint8Array(4))).toString("hex")}`,
  key: crypto.getRandomValues(new Uint8Array(32)),
})
