import { createHmac } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT, type JWK } from "jose"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { TestClock } from "effect/testing"
import * as JoseAccessTokens from "../../../adapters/jose/JoseAccessTokens.ts"
import { AccessTokens } from "../../../application/ports/identity/AccessTokens.ts"
import { StoreUnavailable } from "../../../application/ports/StoreUnavailable.ts"
import { SecretVault } from "../../../application/ports/identity/SecretVault.ts"
import { SigningKeys } from "../../../application/ports/identity/SigningKeys.ts"
import { embeddedDatabase } from "../../support/databases.ts"
import { accessTokens, keyStore, otherIssuer, own } from "./tokens.ts"
import { UserId } from "../../../domain/ids/Ids.ts"

const userId = "0b9f9d3e-5a52-4f3c-9b35-51f0e7c1d2aa"
const issue = Effect.map(
  AccessTokens.use((tokens) => tokens.issue(UserId.make(userId))),
  ({ accessToken }) => accessToken,
)
const verify = (token: string) => AccessTokens.use((tokens) => tokens.verify(token))
const isValid = (token: string) => Effect.map(verify(token), Option.isSome)
const publicKeys = Effect.map(
  AccessTokens.use((tokens) => tokens.publicKeys),
  ({ keys }) => keys as ReadonlyArray<JWK>, // JSON Web Keys, as RFC 7517 has them
)
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")
const seconds = () => Math.floor(Date.now() / 1000)
const withRealTime = TestClock.setTime(Date.now())

/** Valid claims of ours. */
const rightClaims = () => ({ iss: own.issuer, aud: own.audience, sub: userId, iat: seconds(), exp: seconds() + 300 })

/** One of our tokens, signed with the real key, but with other claims or another header. */
const signedByUs = Effect.fnUntraced(function* (claims: Record<string, unknown>, header: Record<string, unknown> = {}) {
  const genuine = yield* issue
  const { privateKey, keyId } = (yield* SigningKeys.use((keys) => keys.valid))[0]!
  const jwk = JSON.parse(yield* SecretVault.use((vault) => vault.decrypt(privateKey, `signing-key:${keyId}`))) as JWK
  const payload = { ...decodeJwt(genuine), ...claims }
  return yield* Effect.promise(() =>
    new SignJWT(payload).setProtectedHeader({ ...decodeProtectedHeader(genuine), alg: "EdDSA", ...header }).sign(jwk),
  )
})

layer(embeddedDatabase)("our own access tokens", (it) => {
  it.effect("name their user, our issuer and audience, and 15 minutes", () =>
    Effect.gen(function* () {
      yield* withRealTime
      const { accessToken, expiresIn } = yield* AccessTokens.use((tokens) => tokens.issue(UserId.make(userId)))
      assert.strictEqual(expiresIn, 900)
      const { kid, ...header } = decodeProtectedHeader(accessToken)
      assert.deepEqual(header, { alg: "EdDSA", typ: "at+jwt" })
      const { iat, exp, jti, ...claims } = decodeJwt(accessToken)
      assert.deepEqual(claims, { iss: own.issuer, aud: own.audience, sub: userId })
      assert.strictEqual(exp! - iat!, 900)
      assert.isString(jti)
      assert.strictEqual(kid, (yield* publicKeys)[0]?.kid)
      assert.deepEqual(yield* verify(accessToken), Option.some({ issuer: undefined, subject: userId }))
    }).pipe(Effect.provide(accessTokens())),
  )

  it.effect("expire, within the tolerance for clock skew", () =>
    Effect.gen(function* () {
      yield* withRealTime
      const token = yield* issue
      yield* TestClock.adjust("15 minutes")
      assert.isTrue(yield* isValid(token))
      yield* TestClock.adjust("6 seconds")
      assert.isFalse(yield* isValid(token))
    }).pipe(Effect.provide(accessTokens())),
  )

  it.effect("have published keys without a private part", () =>
    Effect.gen(function* () {
      const keys = yield* publicKeys
      assert.lengthOf(keys, 1)
      assert.hasAllKeys(keys[0], ["kty", "crv", "x", "kid", "alg", "use"])
    }).pipe(Effect.provide(accessTokens())),
  )

  it.effect("have private keys that the database stores only encrypted", () =>
    Effect.gen(function* () {
      yield* issue
      const [stored] = yield* SigningKeys.use((keys) => keys.valid)
      assert.lengthOf(stored!.privateKey.split("."), 5)
      assert.notInclude(stored!.privateKey, "crv")
    }).pipe(Effect.provide(accessTokens())),
  )

  it.effect("stay valid after a rotation, while new ones use the new key", () =>
    Effect.gen(function* () {
      yield* withRealTime
      const before = yield* issue
      const keyId = yield* AccessTokens.use((tokens) => tokens.rotate)
      const after = yield* issue
      assert.strictEqual(decodeProtectedHeader(after).kid, keyId)
      assert.notStrictEqual(decodeProtectedHeader(before).kid, keyId)
      assert.isTrue((yield* isValid(before)) && (yield* isValid(after)))
      assert.lengthOf(yield* publicKeys, 2)
    }).pipe(Effect.provide(accessTokens())),
  )

  it.effect("are accepted within 5 seconds of another process rotating to their key, which signs within a minute", () =>
    Effect.gen(function* () {
      yield* withRealTime
      const store = yield* Layer.build(keyStore)
      const instance = Effect.map(
        Layer.build(Layer.fresh(JoseAccessTokens.layer(own)).pipe(Layer.provide(Layer.succeedContext(store)))),
        (context) => Effect.provide(context),
      )
      const [first, second] = [yield* instance, yield* instance]
      assert.isTrue(yield* second(isValid(yield* first(issue))))
      const keyId = yield* first(AccessTokens.use((tokens) => tokens.rotate))
      const token = yield* first(issue)
      yield* TestClock.adjust("5 seconds")
      assert.isTrue(yield* second(isValid(token)))
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(decodeProtectedHeader(yield* second(issue)).kid, keyId)
    }).pipe(Effect.scoped),
  )

  it.effect("stay valid, and their keys published, while the database is unavailable", () =>
    Effect.gen(function* () {
      yield* withRealTime
      const store = yield* Layer.build(keyStore)
      const keys = Context.get(store, SigningKeys)
      let away = false
      const failing = Context.add(store, SigningKeys, {
        ...keys,
        valid: Effect.suspend(() =>
          away ? Effect.fail(new StoreUnavailable({ cause: "connection refused" })) : keys.valid,
        ),
      })
      const tokens = yield* Layer.build(
        Layer.fresh(JoseAccessTokens.layer(own)).pipe(Layer.provide(Layer.succeedContext(failing))),
      )
      yield* Effect.gen(function* () {
        const token = yield* issue
        const published = yield* publicKeys
        away = true
        yield* TestClock.adjust("10 minutes")
        assert.deepEqual(yield* publicKeys, published)
        assert.isTrue(yield* isValid(token))
      }).pipe(Effect.provide(tokens))
    }).pipe(Effect.scoped),
  )

  it.effect("are signed with one key when several processes start on a new database simultaneously", () =>
    Effect.gen(function* () {
      const store = yield* Layer.build(keyStore)
      const start = Effect.flatMap(
        Layer.build(Layer.fresh(JoseAccessTokens.layer(own)).pipe(Layer.provide(Layer.succeedContext(store)))),
        (context) => Effect.provide(issue, context),
      )
      const tokens = yield* Effect.all([start, start, start, start], { concurrency: "unbounded" })
      assert.strictEqual(new Set(tokens.map((token) => decodeProtectedHeader(token).kid)).size, 1)
    }).pipe(Effect.scoped),
  )
})

layer(embeddedDatabase)("a forged token", (it) => {
  it.effect("without a signature (alg none) is rejected", () =>
    Effect.gen(function* () {
      yield* withRealTime
      const [header, payload, signature] = (yield* issue).split(".")
      for (const alg of ["none", "None", "NONE", ""]) {
        const unsigned = encode({ ...decodeProtectedHeader(`${header}.e30.`), alg })
        assert.isFalse(yield* isValid(`${unsigned}.${payload}.`))
        assert.isFalse(yield* isValid(`${unsigned}.${payload}.${signature}`))
      }
    }).pipe(Effect.provide(accessTokens())),
  )

  it.effect("signed by HS256 with a public key as the secret is refused", () =>
    Effect.gen(function* () {
      yield* withRealTime
      const [, payload] = (yield* issue).split(".")
      const [jwk] = yield* publicKeys
      const input = `${encode({ alg: "HS256", typ: "at+jwt", kid: jwk!.kid })}.${payload}`
      for (const secret of [Buffer.from(jwk!.x!, "base64url"), jwk!.x!, JSON.stringify(jwk)]) {
        const signature = createHmac("sha256", secret).update(input).digest("base64url")
        assert.isFalse(yield* isValid(`${input}.${signature}`))
      }
    }).pipe(Effect.provide(accessTokens())),
  )

  it.effect("is rejected if its subject is not text or cannot be stored", () =>
    Effect.gen(function* () {
      yield* withRealTime
      assert.isTrue(yield* isValid(yield* signedByUs({})))
      for (const sub of [1, 1.5, true, null, ["a"], { id: "a" }, "", "a\0b", "\ud800", "x".repeat(256)]) {
        assert.isFalse(yield* isValid(yield* signedByUs({ sub })), JSON.stringify(sub))
      }
    }).pipe(Effect.provide(accessTokens())),
  )

  it.effect("with changed claims or signature is refused", () =>
    Effect.gen(function* () {
      yield* withRealTime
      const [header, payload, signature] = (yield* issue).split(".")
      const other = encode({ ...decodeJwt(`e30.${payload}.`), sub: "somebody-else" })
      assert.isFalse(yield* isValid(`${header}.${other}.${signature}`))
      assert.isFalse(yield* isValid(`${header}.${payload}.${"A".repeat(86)}`))
      assert.isTrue(yield* isValid(`${header}.${payload}.${signature}`))
    }).pipe(Effect.provide(accessTokens())),
  )

  it.effect.each<[string, () => Record<string, unknown>, Record<string, unknown>]>([
    ["of another issuer", () => ({ iss: "https://evil.example" }), {}],
    ["of no issuer", () => ({ iss: undefined }), {}],
    ["of an issuer that is a list", () => ({ iss: [own.issuer] }), {}],
    ["for another audience", () => ({ aud: "https://elsewhere.example" }), {}],
    ["for no audience", () => ({ aud: undefined }), {}],
    ["of the type JWT", () => ({}), { typ: "JWT" }],
    ["of no type", () => ({}), { typ: undefined }],
    ["that is an ID token", () => ({}), { typ: "id+jwt" }],
    ["that is expired", () => ({ exp: seconds() - 60 }), {}],
    ["that never expires", () => ({ exp: undefined }), {}],
    ["that is not valid yet", () => ({ nbf: seconds() + 60 }), {}],
    ["of no subject", () => ({ sub: undefined }), {}],
    ["of an empty subject", () => ({ sub: "" }), {}],
    ["with a kid that names no key", () => ({}), { kid: "00000000-0000-0000-0000-000000000000" }],
    ["with a kid that is a path", () => ({}), { kid: "../../../../dev/null" }],
    ["with a kid that is a statement", () => ({}), { kid: "x' UNION SELECT 'AAAA" }],
    ["with jku", () => ({}), { jku: "https://evil.example/jwks" }],
    ["with x5u", () => ({}), { x5u: "https://evil.example/cert" }],
  ])("signed with our key, but %s, is refused", ([, claims, header]) =>
    Effect.gen(function* () {
      yield* withRealTime
      assert.isTrue(yield* isValid(yield* signedByUs({})))
      assert.isFalse(yield* isValid(yield* signedByUs(claims(), header)))
    }).pipe(Effect.provide(accessTokens())),
  )

  it.effect("that contains its own key (jwk, x5c) or a link to it (jku, x5u) is rejected", () =>
    Effect.gen(function* () {
      yield* withRealTime
      yield* issue
      const pair = yield* Effect.promise(() => generateKeyPair("EdDSA"))
      const jwk = yield* Effect.promise(() => exportJWK(pair.publicKey))
      const kid = (yield* publicKeys)[0]!.kid!
      for (const header of [
        { jwk },
        { jwk, kid },
        { jku: "http://127.0.0.1:1/", kid },
        { x5u: "http://127.0.0.1:1/" },
        { kid },
      ]) {
        const token = yield* Effect.promise(() =>
          new SignJWT(rightClaims())
            .setProtectedHeader({ alg: "EdDSA", typ: "at+jwt", ...header })
            .sign(pair.privateKey),
        )
        assert.isFalse(yield* isValid(token))
      }
    }).pipe(Effect.provide(accessTokens())),
  )

  it.effect("of 100 kB is rejected unread, and so is anything that is not a token", () =>
    Effect.gen(function* () {
      yield* withRealTime
      const large = yield* signedByUs({ padding: "x".repeat(75_000) })
      assert.isAbove(large.length, 100_000)
      for (const token of [large, "", ".", "..", "a.b.c", `${encode(null)}.${encode(null)}.`, "x".repeat(200_000)]) {
        assert.isFalse(yield* isValid(token))
      }
    }).pipe(Effect.provide(accessTokens())),
  )
})

layer(embeddedDatabase)("tokens of a trusted issuer", (it) => {
  it.effect.each(["ES256", "EdDSA"] as const)("signed with %s are accepted, with one request for its keys", (alg) =>
    Effect.gen(function* () {
      yield* withRealTime
      const other = yield* otherIssuer(alg)
      yield* Effect.gen(function* () {
        assert.strictEqual(other.requests(), 0)
        for (let turn = 0; turn < 20; turn++) {
          const token = yield* Effect.promise(() => other.sign())
          assert.deepEqual(yield* verify(token), Option.some({ issuer: other.trusted.issuer, subject: "user-1" }))
        }
        assert.strictEqual(other.requests(), 1)
      }).pipe(Effect.provide(accessTokens([other.trusted])))
    }).pipe(Effect.scoped),
  )

  it.effect("are rejected if their subject is not text", () =>
    Effect.gen(function* () {
      yield* withRealTime
      const other = yield* otherIssuer()
      yield* Effect.gen(function* () {
        assert.isTrue(yield* isValid(yield* Effect.promise(() => other.sign({ sub: "1" }))))
        for (const sub of [1, 1.5, true, null, ["a"], { id: "a" }]) {
          // As an issuer may write it, despite the types.
          const claims = { sub } as unknown as { readonly sub: string }
          assert.isFalse(yield* isValid(yield* Effect.promise(() => other.sign(claims))), JSON.stringify(sub))
        }
      }).pipe(Effect.provide(accessTokens([other.trusted])))
    }).pipe(Effect.scoped),
  )

  it.effect("with a new key are accepted after one more request; unknown keys cause one every 30 seconds", () =>
    Effect.gen(function* () {
      yield* withRealTime
      const other = yield* otherIssuer()
      yield* Effect.gen(function* () {
        yield* verify(yield* Effect.promise(() => other.sign()))
        yield* Effect.promise(other.rotate)
        yield* TestClock.adjust("31 seconds")
        assert.isTrue(yield* isValid(yield* Effect.promise(() => other.sign())))
        assert.strictEqual(other.requests(), 2)
        for (let turn = 0; turn < 50; turn++) {
          assert.isFalse(yield* isValid(yield* Effect.promise(() => other.sign({}, { kid: `made-up-${turn}` }))))
        }
        assert.strictEqual(other.requests(), 2)
      }).pipe(Effect.provide(accessTokens([other.trusted])))
    }).pipe(Effect.scoped),
  )

  it.effect("are rejected while its keys are unavailable; our own still work", () =>
    Effect.gen(function* () {
      yield* withRealTime
      const other = yield* otherIssuer()
      yield* Effect.gen(function* () {
        const answers: ReadonlyArray<NonNullable<typeof other.answer>> = [
          (respond) => respond(500, "broken"),
          (respond) => respond(302, "", { location: "http://127.0.0.1:1/" }),
          (respond) => respond(200, "{"),
          (respond) => respond(200, `{"keys":"${"x".repeat(300_000)}"}`),
        ]
        for (const answer of answers) {
          other.answer = answer
          assert.isFalse(yield* isValid(yield* Effect.promise(() => other.sign())))
          assert.isTrue(yield* isValid(yield* issue))
          yield* TestClock.adjust("31 seconds")
        }
        other.answer = undefined
        assert.isTrue(yield* isValid(yield* Effect.promise(() => other.sign())))
      }).pipe(Effect.provide(accessTokens([other.trusted])))
    }).pipe(Effect.scoped),
  )

  it.effect("stay valid with known keys while its endpoint is down, for a day", () =>
    Effect.gen(function* () {
      yield* withRealTime
      const other = yield* otherIssuer()
      yield* Effect.gen(function* () {
        const token = yield* Effect.promise(() => other.sign({ exp: seconds() + 7 * 86_400 }))
        assert.isTrue(yield* isValid(token))
        other.answer = (respond) => respond(503, "")
        yield* TestClock.adjust("23 hours")
        assert.isTrue(yield* isValid(token))
        yield* TestClock.adjust("2 hours")
        assert.isFalse(yield* isValid(token))
      }).pipe(Effect.provide(accessTokens([other.trusted])))
    }).pipe(Effect.scoped),
  )

  it.effect("cannot claim to be ours, or ours to be theirs", () =>
    Effect.gen(function* () {
      yield* withRealTime
      const other = yield* otherIssuer("EdDSA")
      yield* Effect.gen(function* () {
        yield* issue
        const kid = (yield* publicKeys)[0]!.kid!
        for (const header of [{}, { kid }]) {
          const forged = yield* Effect.promise(() =>
            other.sign({ iss: own.issuer, aud: own.audience, sub: userId }, header),
          )
          assert.isFalse(yield* isValid(forged))
        }
        assert.isFalse(yield* isValid(yield* signedByUs({ iss: other.trusted.issuer, aud: other.trusted.audience })))
        assert.isFalse(yield* isValid(yield* Effect.promise(() => other.sign({ aud: own.audience }))))
      }).pipe(Effect.provide(accessTokens([other.trusted])))
    }).pipe(Effect.scoped),
  )
})
