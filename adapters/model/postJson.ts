import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { AiError } from "effect/ai"
import { outsideTransaction } from "../../application/ports/InTransaction.ts"

/** Maximum bytes of a response; one of 4,000 tokens has some 20,000. */
const longest = 1_000_000

interface Answer {
  readonly status: number
  readonly retryAfter: string | null
  readonly text: string
}

const bodyOf = async (response: Response): Promise<string> => {
  const decoder = new TextDecoder()
  let text = ""
  let bytes = 0
  // The type of `fetch` knows no bytes; Node's bodies have nothing else.
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (bytes > longest) throw new Error("the answer is longer than a megabyte")
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

const failed = (reason: AiError.AiErrorReason) => AiError.make({ module: "Model", method: "request", reason })

const transport = (url: string, description: string) =>
  failed(new AiError.NetworkError({ reason: "TransportError", method: "POST", url, description }))

/** Only the host, because URLs may contain keys. */
const hostOf = (url: string): string => new URL(url).host

/** The delay that a server requests, in seconds or as a date. */
const pauseOf = (header: string | null): Duration.Duration | undefined => {
  if (header === null) return undefined
  const milliseconds = /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now()
  return Number.isFinite(milliseconds) ? Duration.millis(Math.max(0, milliseconds)) : undefined
}

const refusalOf = ({ status, retryAfter }: Answer): AiError.AiErrorReason => {
  const pause = pauseOf(retryAfter)
  if (status === 429) return new AiError.RateLimitError(pause === undefined ? {} : { retryAfter: pause })
  // The server's own message is not passed on: it may repeat the request.
  return AiError.reasonFromHttpStatus({ status, description: `status ${status}` })
}

/** Sends and receives JSON. Follows no redirects, so that a key is sent to a single host only. */
export const postJson = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: unknown,
  timeout: Duration.Duration,
): Effect.Effect<unknown, AiError.AiError> =>
  Effect.tryPromise({
    try: async (signal): Promise<Answer> => {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json", ...headers },
        body: JSON.stringify(body),
        redirect: "error",
        signal,
      })
      return { status: response.status, retryAfter: response.headers.get("retry-after"), text: await bodyOf(response) }
    },
    catch: (error) => {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
      const code = cause instanceof Error && "code" in cause ? String(cause.code) : undefined
      const why = code ?? (error instanceof Error ? error.message.slice(0, 100) : "unknown")
      return transport(hostOf(url), why)
    },
  }).pipe(
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () => Effect.fail(transport(hostOf(url), `no answer within ${Duration.format(timeout)}`)),
    }),
    Effect.flatMap((answer) =>
      answer.status < 200 || answer.status > 299
        ? Effect.fail(failed(refusalOf(answer)))
        : Effect.try({
            // A schema describes it.
            try: () => JSON.parse(answer.text) as unknown,
            catch: () => failed(new AiError.InvalidResponseError({ description: "the answer is not JSON" })),
          }),
    ),
    outsideTransaction,
  )
