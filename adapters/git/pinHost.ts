import { lookup } from "node:dns/promises"
import { BlockList, isIP } from "node:net"
import * as Effect from "effect/Effect"
import { SourceError } from "../../application/ports/SourceFetcher.ts"
import { defaultAllowedHosts } from "../../domain/repository/RepositoryUrl.ts"

/** A host with the addresses that its name was found to have; connections go to these and no others. */
export interface PinnedHost {
  readonly host: string
  readonly port: number
  readonly addresses: ReadonlyArray<string>
}

/** All addresses of a name. */
export type Resolve = (host: string) => Promise<ReadonlyArray<string>>

export const systemResolve: Resolve = async (host) =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address)

const blockList = (...ranges: ReadonlyArray<readonly [network: string, prefix: number]>): BlockList => {
  const list = new BlockList()
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, network.includes(":") ? "ipv6" : "ipv4")
  return list
}

const loopback = blockList(["127.0.0.0", 8], ["::1", 128])

/**
 * Never what a repository's name stands for: this machine, the link and its metadata services, multicast, and prefixes
 * that embed any of these. https://www.iana.org/assignments/iana-ipv4-special-registry
 */
const forbidden = blockList(
  ["0.0.0.0", 8],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["192.0.0.0", 24],
  ["100.100.100.200", 32],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
  ["::", 127],
  ["64:ff9b::", 96],
  ["2002::", 16],
  ["fd00:ec2::254", 128],
  ["fe80::", 10],
  ["ff00::", 8],
)

/** Addresses of closed networks: an operator who lists a name may mean them, the built-in list does not. */
const closed = blockList(
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["fc00::", 7],
)

const isIn = (list: BlockList, address: string): boolean => list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4")

const mayBe = (origin: string, host: string, address: string): boolean => {
  if (isIP(address) === 0) return false
  if (host === "localhost" || host.endsWith(".localhost")) return isIn(loopback, address)
  return !isIn(forbidden, address) && !(defaultAllowedHosts.has(origin) && isIn(closed, address))
}

/** Where a proxy makes the connections it also looks the names up. */
const throughProxy = (protocol: string): boolean =>
  protocol === "https:" && (process.env["HTTPS_PROXY"] ?? process.env["https_proxy"] ?? "") !== ""

/**
 * Looks a repository's host up once and checks every address, so that a name which answers differently the next time
 * leads nowhere else. Undefined where there is nothing to look up: the allowlist names an address itself, or a proxy
 * is configured.
 */
export const pinHost = (
  url: string,
  resolve: Resolve,
  timeoutSeconds: number,
): Effect.Effect<PinnedHost | undefined, SourceError> =>
  Effect.gen(function* () {
    const { hostname, port, protocol, origin } = new URL(url)
    if (isIP(hostname.replace(/^\[|\]$/g, "")) !== 0 || throughProxy(protocol)) return undefined
    const unknown = new SourceError({
      message: `The host ${hostname} is unknown. Check the URL, or retry later.`,
      retryable: true,
    })
    const addresses = yield* Effect.tryPromise({ try: () => resolve(hostname), catch: () => unknown }).pipe(
      Effect.timeoutOrElse({ duration: timeoutSeconds * 1000, orElse: () => Effect.fail(unknown) }),
    )
    if (addresses.length === 0) return yield* unknown
    if (!addresses.every((address) => mayBe(origin, hostname, address))) {
      return yield* new SourceError({
        message: `The host ${hostname} stands for an address of a private network, from which repositories are not fetched. The operator can allow the address itself.`,
        retryable: false,
      })
    }
    return { host: hostname, port: Number(port || (protocol === "https:" ? 443 : 80)), addresses }
  })

/** For git's `http.curloptResolve`; git before 2.37 does not know it and looks the name up again. */
export const curlResolve = ({ host, port, addresses }: PinnedHost): string =>
  `${host}:${port}:${addresses.map((address) => (isIP(address) === 6 ? `[${address}]` : address)).join(",")}`
