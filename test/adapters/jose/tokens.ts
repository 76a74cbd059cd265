import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from "jose"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import * as JoseAccessTokens from "../../../adapters/jose/JoseAccessTokens.ts"
import * as JoseSecretVault from "../../../adapters/jose/JoseSecretVault.ts"
import { generateSecretKey } from "../../../adapters/jose/SecretKey.ts"
import { configuredKeys } from "../../../adapters/jose/SecretKeyFile.ts"
import type { TrustedIssuer } from "../../../adapters/jose/TokenIssuer.ts"
import * as SqlSigningKeys from "../../../adapters/sql/identity/SqlSigningKeys.ts"

export const own = { issuer: "https://assay.example", audience: "https://assay.example/api" }

const vault = JoseSecretVault.layer(configuredKeys([generateSecretKey(new Date(0))]))

/** What an issuer stands on: keys in the test's database, none at first, encrypted. */
export const keyStore = Layer.merge(SqlSigningKeys.layer, vault).pipe(
  Layer.provide(Layer.effectDiscard(SqlClient.use((sql) => sql`DELETE FROM signing_keys`))),
  Layer.fresh,
)

/** Our issuer with everything below it. */
export const accessTokens = (trusted: ReadonlyArray<TrustedIssuer> = []) =>
  JoseAccessTokens.layer(own, trusted).pipe(Layer.provideMerge(keyStore))

/** An issuer on loopback that publishes its keys over HTTP. */
export interface OtherIssuer {
  readonly trusted: TrustedIssuer
  /** Requests for its keys so far. */
  readonly requests: () => number
  /** Signs with its key; a claim or header of undefined is left out. */
  readonly sign: (claims?: JWTPayload, header?: Record<string, unknown>) => Promise<string>
  /** Publishes a new key beside the known ones and signs with it. */
  readonly rotate: () => Promise<void>
  /** What it answers instead of its keys. */
  answer: ((respond: (status: number, body: string, headers?: Record<string, string>) => void) => void) | undefined
}

const start = async (alg: "ES256" | "EdDSA"): Promise<OtherIssuer & { readonly close: () => void }> => {
  const keys: Array<JWK> = []
  let requests = 0
  let key!: CryptoKey
  const rotate = async () => {
    const pair = await generateKeyPair(alg)
    keys.push({ ...(await exportJWK(pair.publicKey)), kid: `k${keys.length + 1}`, alg, use: "sig" })
    key = pair.privateKey
  }
  await rotate()
  const server = createServer((_request, response) => {
    requests++
    const respond = (status: number, body: string, headers: Record<string, string> = {}) =>
      response.writeHead(status, headers).end(body)
    if (issuer.answer === undefined) respond(200, JSON.stringify({ keys }))
    else issuer.answer(respond)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo // a TCP address
  const trusted = { issuer: "https://login.example", audience: "assay", jwksUrl: `http://127.0.0.1:${port}/jwks` }
  const issuer: OtherIssuer & { readonly close: () => void } = {
    trusted,
    requests: () => requests,
    sign: (claims = {}, header = {}) => {
      const now = Math.floor(Date.now() / 1000)
      const payload = { iss: trusted.issuer, aud: trusted.audience, sub: "user-1", iat: now, exp: now + 300, ...claims }
      return new SignJWT(payload)
        .setProtectedHeader({ alg, typ: "at+jwt", kid: `k${keys.length}`, ...header })
        .sign(key)
    },
    rotate,
    answer: undefined,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return issuer
}

export const otherIssuer = (alg: "ES256" | "EdDSA" = "ES256") =>
  Effect.acquireRelease(
    Effect.promise(() => start(alg)),
    (issuer) => Effect.sync(issuer.close),
  )
