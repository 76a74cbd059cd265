import { request as httpRequest } from "node:http"
import { request as httpsRequest } from "node:https"
import { isIP, type LookupFunction } from "node:net"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { PinnedHost } from "./pinHost.ts"

const service = "/info/refs?service=git-upload-pack"

const pinned =
  ({ addresses }: PinnedHost): LookupFunction =>
  (_host, options, callback) => {
    const known = addresses.map((address) => ({ address, family: isIP(address) }))
    if (options.all === true) callback(null, known)
    else callback(null, known[0]!.address, known[0]!.family)
  }

/**
 * Where a repository's address redirects to, if the target has the same scheme, host and port: hosting services
 * redirect renamed repositories this way. Undefined for any other target. Asks only the address itself, never the
 * target.
 */
export const redirectTarget = ({
  url,
  timeout,
  authorization,
  addresses,
}: {
  readonly url: string
  readonly timeout: Duration.Duration
  readonly authorization: string | undefined
  readonly addresses: PinnedHost | undefined
}): Effect.Effect<string | undefined> =>
  Effect.callback<string | undefined>((resume) => {
    const { protocol, origin } = new URL(url)
    const send = protocol === "http:" ? httpRequest : httpsRequest
    const request = send(`${url}${service}`, {
      headers: { "user-agent": "git/2", ...(authorization === undefined ? {} : { authorization }) },
      // For the whole answer: a server that sends a byte now and then is never idle.
      signal: AbortSignal.timeout(Duration.toMillis(timeout)),
      ...(addresses === undefined ? {} : { lookup: pinned(addresses) }),
    })
    request.on("response", (response) => {
      response.destroy()
      const location = response.headers.location
      const target = location !== undefined && URL.canParse(location, url) ? new URL(location, url) : undefined
      const same = target?.origin === origin && target.href.endsWith(service) && target.username === ""
      resume(Effect.succeed(same ? target.href.slice(0, -service.length) : undefined))
    })
    request.on("error", () => resume(Effect.succeed(undefined)))
    request.end()
    return Effect.sync(() => void request.destroy())
  })
