import { request as httpRequest } from "node:http"
import { request as httpsRequest } from "node:https"
import * as Effect from "effect/Effect"

const service = "/info/refs?service=git-upload-pack"

/**
 * Where a repository's address redirects to, if that is on the same scheme, host and port: hosting services do so for
 * renamed repositories. Undefined for any other place. Asks only the address itself, never the place it names.
 */
export const redirectTarget = (url: string, timeoutSeconds: number): Effect.Effect<string | undefined> =>
  Effect.callback<string | undefined>((resume) => {
    const { protocol, origin } = new URL(url)
    const send = protocol === "http:" ? httpRequest : httpsRequest
    const request = send(`${url}${service}`, { headers: { "user-agent": "git/2" }, timeout: timeoutSeconds * 1000 })
    request.on("response", (response) => {
      response.destroy()
      const location = response.headers.location
      const target = location !== undefined && URL.canParse(location, url) ? new URL(location, url) : undefined
      const same = target?.origin === origin && target.href.endsWith(service) && target.username === ""
      resume(Effect.succeed(same ? target.href.slice(0, -service.length) : undefined))
    })
    request.on("timeout", () => request.destroy(new Error("timeout")))
    request.on("error", () => resume(Effect.succeed(undefined)))
    request.end()
    return Effect.sync(() => void request.destroy())
  })
