import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as JoseSecretVault from "../../../adapters/jose/JoseSecretVault.ts"
import { formatSecretKeys, generateSecretKey, parseSecretKeys } from "../../../adapters/jose/SecretKey.ts"
import { configuredKeys, secretKeyFile } from "../../../adapters/jose/SecretKeyFile.ts"
import { SecretVault } from "../../../application/ports/identity/SecretVault.ts"

const [old, current] = [generateSecretKey(new Date(0)), generateSecretKey(new Date(1))]
const vaultOf = (...keys: ReadonlyArray<typeof old>) => JoseSecretVault.layer(configuredKeys(keys))
const directory = mkdtempSync(join(tmpdir(), "assay-vault-"))
afterAll(() => rmSync(directory, { recursive: true }))

const encrypt = (secret: string, purpose: string) => SecretVault.use((vault) => vault.encrypt(secret, purpose))
const decrypt = (encrypted: string, purpose: string) => SecretVault.use((vault) => vault.decrypt(encrypted, purpose))
const reencrypt = (encrypted: string) => SecretVault.use((vault) => vault.reencrypt(encrypted))

describe("the vault", () => {
  it.effect("decrypts what it encrypted, which reveals nothing", () =>
    Effect.gen(function* () {
      const encrypted = yield* encrypt("ghp_säcret", "hosting-token:1")
      assert.notInclude(encrypted, "ghp_")
      assert.notStrictEqual(encrypted, yield* encrypt("ghp_säcret", "hosting-token:1"))
      assert.strictEqual(yield* decrypt(encrypted, "hosting-token:1"), "ghp_säcret")
    }).pipe(Effect.provide(vaultOf(current))),
  )

  it.effect("decrypts a text only for its own purpose, so that two rows cannot be swapped", () =>
    Effect.gen(function* () {
      const encrypted = yield* encrypt("secret", "hosting-token:1")
      assert.strictEqual((yield* Effect.flip(decrypt(encrypted, "hosting-token:2")))._tag, "SecretUnreadable")
      const [, ...rest] = encrypted.split(".")
      const header = Buffer.from(
        JSON.stringify({ alg: "dir", enc: "A256GCM", kid: current.id, use: "hosting-token:2" }),
      )
      const forged = [header.toString("base64url"), ...rest].join(".")
      assert.strictEqual((yield* Effect.flip(decrypt(forged, "hosting-token:2")))._tag, "SecretUnreadable")
    }).pipe(Effect.provide(vaultOf(current))),
  )

  it.effect("rejects tampered ciphertexts, and anything else", () =>
    Effect.gen(function* () {
      const parts = (yield* encrypt("secret", "p")).split(".")
      const changed = parts[3]!.startsWith("A") ? "B" : "A"
      parts[3] = changed + parts[3]!.slice(1)
      for (const text of [parts.join("."), "", "plain", "a.b.c.d.e"]) {
        assert.strictEqual((yield* Effect.flip(decrypt(text, "p")))._tag, "SecretUnreadable")
      }
    }).pipe(Effect.provide(vaultOf(current))),
  )

  it.effect("decrypts texts of an older key, and re-encrypts them with the first one", () =>
    Effect.gen(function* () {
      const encrypted = yield* encrypt("secret", "p").pipe(Effect.provide(vaultOf(old)))
      const both = vaultOf(current, old)
      assert.strictEqual(yield* decrypt(encrypted, "p").pipe(Effect.provide(both)), "secret")
      const renewed = yield* reencrypt(encrypted).pipe(Effect.provide(both))
      assert.strictEqual(yield* decrypt(renewed!, "p").pipe(Effect.provide(vaultOf(current))), "secret")
      assert.isUndefined(yield* reencrypt(renewed!).pipe(Effect.provide(both)))
    }),
  )

  it.effect("names the key that is missing", () =>
    Effect.gen(function* () {
      const encrypted = yield* encrypt("secret", "p").pipe(Effect.provide(vaultOf(old)))
      const error = yield* Effect.flip(decrypt(encrypted, "p")).pipe(Effect.provide(vaultOf(current)))
      assert.strictEqual(error.keyId, old.id)
      assert.include(error.message, "ASSAY_SECRET_KEYS")
    }),
  )

  it.effect("keeps a generated key in a file that only its owner can read, and adds to it", () =>
    Effect.gen(function* () {
      const file = join(directory, "deep", "secret-keys")
      const encrypted = yield* encrypt("secret", "p").pipe(Effect.provide(JoseSecretVault.layer(secretKeyFile(file))))
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)

      const running = yield* SecretVault.use(Effect.succeed).pipe(
        Effect.provide(JoseSecretVault.layer(secretKeyFile(file))),
      )
      const other = yield* SecretVault.use(Effect.succeed).pipe(
        Effect.provide(JoseSecretVault.layer(secretKeyFile(file))),
      )
      const before = readFileSync(file, "utf8")
      const keyId = yield* running.rotate
      assert.isTrue(readFileSync(file, "utf8").startsWith(`${keyId}:`))
      assert.include(readFileSync(file, "utf8"), before.trim())
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      assert.strictEqual(yield* running.decrypt(encrypted, "p"), "secret")
      // A process that has not heard of the new key finds it in the file.
      assert.strictEqual(yield* other.decrypt(yield* running.encrypt("newer", "p"), "p"), "newer")
    }),
  )
})

describe("ASSAY_SECRET_KEYS", () => {
  it("is read as it is written", () => {
    assert.deepEqual(Result.getOrThrow(parseSecretKeys(` ${formatSecretKeys([current, old])}\n`)), [current, old])
  })

  it.each([
    ["", "no key"],
    ["k1", "Entry 1"],
    ["k1:c2hvcnQ", "Entry 1"],
    [`${formatSecretKeys([current])},${formatSecretKeys([current])}`, "twice"],
    [`${formatSecretKeys([current])},ü:${"A".repeat(43)}`, "Entry 2"],
  ])("refuses %j without repeating a key", (text, reason) => {
    const failure = Result.getOrThrow(Result.flip(parseSecretKeys(text)))
    assert.include(failure, reason)
    for (const part of text.split(":").slice(1)) assert.notInclude(failure, part.slice(0, 40))
  })
})
