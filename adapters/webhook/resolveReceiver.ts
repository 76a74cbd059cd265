import { lookup, Resolver } from "node:dns/promises"
import { isIP } from "node:net"
import * as Effect from "effect/Effect"
import { hasProperty } from "effect/Predicate"
import { SendFailed } from "../../application/ports/notification/WebhookSender.ts"
import { isPublicAddress } from "../../domain/network/AddressKind.ts"

/** All addresses of a name; none if it does not exist. Ends early when aborted. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<ReadonlyArray<string>>

/** If there is no name server, names come from the hosts file or the system's own service. */
const hasNoServer = (error: unknown): boolean => hasProperty(error, "code") && error.code === "ECONNREFUSED"

const systemLookup = async (host: string): Promise<ReadonlyArray<string>> =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address)

/**
 * Queries the name servers directly: the system's `getaddrinfo` occupies one of four threads for as long as the name's
 * own server keeps it waiting, so four such names would block every other receiver and all file access. `local` also
 * resolves names of the closed network, as the system does.
 */
export const nameServerResolve =
  (local: boolean): Resolve =>
  async (host, signal) => {
    const resolver = new Resolver({ timeout: 3000, tries: 2 })
    const cancel = () => resolver.cancel()
    signal.addEventListener("abort", cancel, { once: true })
    try {
      const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
      const found = [ipv4, ipv6].flatMap((each) => (each.status === "fulfilled" ? each.value : []))
      if (found.length > 0) return found
      const error: unknown = ipv4.status === "rejected" ? ipv4.reason : undefined
      return local || hasNoServer(error) ? await systemLookup(host) : []
    } finally {
      signal.removeEventListener("abort", cancel)
    }
  }

/**
 * The current addresses of a receiver's host, each of them checked; connections go only to these. A single non-public
 * address disqualifies all.
 */
export const resolveReceiver = (
  hostname: string,
  resolve: Resolve,
  allowPrivate: boolean,
): Effect.Effect<ReadonlyArray<string>, SendFailed> =>
  Effect.gen(function* () {
    const literal = hostname.replace(/^\[|\]$/g, "")
    const unknown = new SendFailed({ message: `The host ${hostname} does not exist or is not public.` })
    const addresses =
      isIP(literal) === 0
        ? yield* Effect.tryPromise({ try: (signal) => resolve(hostname, signal), catch: () => unknown })
        : [literal]
    if (addresses.length === 0 || addresses.some((address) => isIP(address) === 0)) return yield* unknown
    // The message is the same, so that whoever enters receivers cannot find out which names our network has.
    if (!allowPrivate && !addresses.every(isPublicAddress)) return yield* unknown
    return addresses
  })
