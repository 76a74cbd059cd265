import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from "node:http"
import { Agent as HttpsAgent, request as httpsRequest } from "node:https"
import { isIP, type LookupFunction } from "node:net"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { outsideTransaction } from "../../application/ports/InTransaction.ts"
import * as Layer from "effect/Layer"
import { SendFailed, WebhookSender } from "../../application/ports/notification/WebhookSender.ts"
import type { Reply } from "../../domain/notification/RetrySchedule.ts"
import { webhookUrlObjection } from "../../domain/notification/WebhookUrl.ts"
import { explainSendFailure } from "./explainSendFailure.ts"
import { nameServerResolve, type Resolve, resolveReceiver } from "./resolveReceiver.ts"

export interface WebhookSenderOptions {
  /** Whether receivers may be in private networks or on this machine. */
  readonly allowPrivate: boolean
  readonly userAgent: string
  /** From the name lookup to the end of the response; 15 s. */
  readonly timeout?: Duration.Duration
  readonly resolve?: Resolve
  /** PEM of the certificate authority to trust instead of Node's. */
  readonly authority?: string
}

/** The response body is not used: this much is read so that a receiver can finish, then the connection is closed. */
const bodyRead = 8 * 1024
const bodyPatience = 1000
const headersRead = 16 * 1024

/** Node's default is 250 ms before it tries a name's next address, which is too short for distant receivers. */
const nextAddressAfter = 2000

/** A separate connection for each request: no proxy from the environment, no reuse of another request's connection. */
const connections = { keepAlive: false, autoSelectFamilyAttemptTimeout: nextAddressAfter }

const agentsFor = (authority: string | undefined) => ({
  http: new HttpAgent(connections),
  https: new HttpsAgent({
    ...connections,
    // Overrides NODE_TLS_REJECT_UNAUTHORIZED.
    rejectUnauthorized: true,
    ...(authority === undefined ? {} : { ca: authority }),
  }),
})
type Agents = ReturnType<typeof agentsFor>

const pinned =
  (addresses: ReadonlyArray<string>): LookupFunction =>
  (_host, options, callback) => {
    const known = addresses.map((address) => ({ address, family: isIP(address) }))
    if (options.all === true) callback(null, known)
    else callback(null, known[0]!.address, known[0]!.family)
  }

/** Resolves when the body has ended, is longer than we read, or takes longer than we wait. */
const drained = (response: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    let read = 0
    const timer = setTimeout(() => response.destroy(), bodyPatience)
    response.on("data", (chunk: Buffer) => {
      read += chunk.length
      if (read > bodyRead) response.destroy()
    })
    // A truncated body does not change the status.
    response.on("error", () => {})
    response.on("close", () => {
      clearTimeout(timer)
      resolve()
    })
  })

const post = (
  agents: Agents,
  url: URL,
  addresses: ReadonlyArray<string>,
  headers: Readonly<Record<string, string>>,
  body: string,
): Effect.Effect<Reply, SendFailed> =>
  Effect.callback((resume) => {
    const isHttps = url.protocol === "https:"
    const request = (isHttps ? httpsRequest : httpRequest)(url, {
      method: "POST",
      headers: { ...headers, "content-length": String(Buffer.byteLength(body)) },
      agent: isHttps ? agents.https : agents.http,
      lookup: pinned(addresses),
      maxHeaderSize: headersRead,
    })
    let answered = false
    request.on("response", (response) => {
      answered = true
      const reply: Reply = { statusCode: response.statusCode ?? 0, retryAfter: response.headers["retry-after"] }
      void drained(response).then(() => resume(Effect.succeed(reply)))
    })
    request.on("error", (error) => {
      if (!answered) resume(Effect.fail(new SendFailed({ message: explainSendFailure(error) })))
    })
    // Includes an end without an error, such as an unrequested upgrade.
    request.on("close", () => {
      if (!answered) resume(Effect.fail(new SendFailed({ message: "The connection was closed without a response." })))
    })
    request.end(body)
    return Effect.sync(() => void request.destroy())
  })

/**
 * Notifications over Node's HTTP client. The name is resolved once, every address checked, and the connection made to
 * one of them; certificate, SNI and `Host` are those of the name. Redirects are not followed.
 */
export const layer = (options: WebhookSenderOptions) => {
  const { allowPrivate, userAgent, timeout = Duration.seconds(15), resolve = nameServerResolve(allowPrivate) } = options
  const agents = agentsFor(options.authority)
  const seconds = Duration.toSeconds(timeout)
  return Layer.succeed(WebhookSender, {
    send: Effect.fn("WebhookSender.send")(
      function* ({ url: text, headers, body }) {
        const objection = webhookUrlObjection(text, allowPrivate)
        if (objection !== undefined) return yield* new SendFailed({ message: `The URL ${objection}.` })
        const url = new URL(text)
        const addresses = yield* resolveReceiver(url.hostname, resolve, allowPrivate)
        return yield* post(agents, url, addresses, { ...headers, "user-agent": userAgent }, body)
      },
      Effect.timeoutOrElse({
        duration: timeout,
        orElse: () => Effect.fail(new SendFailed({ message: `No response arrived within ${seconds} seconds.` })),
      }),
      outsideTransaction,
    ),
  })
}
