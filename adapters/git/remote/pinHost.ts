import { lookup } from "node:dns/promises"
import { isIP } from "node:net"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { SourceError } from "../../../application/ports/analysis/SourceFetcher.ts"
import { addressKind } from "../../../domain/network/AddressKind.ts"
import { defaultAllowedHosts } from "../../../domain/repository/RepositoryUrl.ts"

/** A host with the addresses that its name resolved to; connections go to these and no others. */
export interface PinnedHost {
  readonly host: string
  readonly port: number
  readonly addresses: ReadonlyArray<string>
}

/** The same words for both: whoever submits repositories must not learn which names our network has. */
export const unknownHost = (host: string): string =>
  `The host ${host} does not exist, or repositories cannot be fetched from it. Check the URL, or retry later.`

/** All addresses of a name. */
export type Resolve = (host: string) => Promise<ReadonlyArray<string>>

export const systemResolve: Resolve = async (host) =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address)

/**
 * A repository's name never stands for this machine, for link-local addresses such as metadata services, or for
 * unassigned ones. On a closed network, an operator who lists the name may mean it; the built-in list does not.
 */
const mayBe = (origin: string, host: string, address: string): boolean => {
  const kind = addressKind(address)
  if (host === "localhost" || host.endsWith(".localhost")) return kind === "loopback"
  return kind === "public" || (kind === "private" && !defaultAllowedHosts.has(origin))
}

/** A proxy that makes the connections also resolves the names. */
const throughProxy = (protocol: string): boolean =>
  protocol === "https:" && (process.env["HTTPS_PROXY"] ?? process.env["https_proxy"] ?? "") !== ""

/**
 * Resolves a repository's host once and checks every address, so that a name that resolves differently the next time
 * leads nowhere else. Undefined if there is nothing to resolve: the allowlist contains the address itself, or a proxy
 * is configured.
 */
export const pinHost = (
  url: string,
  resolve: Resolve,
  timeout: Duration.Duration,
): Effect.Effect<PinnedHost | undefined, SourceError> =>
  Effect.gen(function* () {
    const { hostname, port, protocol, origin } = new URL(url)
    if (isIP(hostname.replace(/^\[|\]$/g, "")) !== 0 || throughProxy(protocol)) return undefined
    const unknown = new SourceError({ message: unknownHost(hostname), retryable: true })
    const addresses = yield* Effect.tryPromise({ try: () => resolve(hostname), catch: () => unknown }).pipe(
      Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.fail(unknown) }),
    )
    if (addresses.length === 0) return yield* unknown
    if (!addresses.every((address) => mayBe(origin, hostname, address))) {
      yield* Effect.logWarning("a repository host resolves to a forbidden address", { hostname })
      return yield* unknown
    }
    return { host: hostname, port: Number(port || (protocol === "https:" ? 443 : 80)), addresses }
  })

/** For git's `http.curloptResolve`; git before 2.37 does not know it and resolves the name again. */
export const curlResolve = ({ host, port, addresses }: PinnedHost): string =>
  `${host}:${port}:${addresses.map((address) => (isIP(address) === 6 ? `[${address}]` : address)).join(",")}`
