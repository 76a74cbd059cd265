import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type CodeHost, HostingUnavailable } from "../../application/ports/repositories/CodeHost.ts"
import { outsideTransaction } from "../../application/ports/InTransaction.ts"
import type { ClientSettings } from "./hostClient.ts"

type ReadFile = CodeHost["Service"]["file"]
type Request = Parameters<ReadFile>[1]

/** Owner and name, as used in the API's paths. */
const repositoryOf = (url: string): string | undefined => {
  const [owner, name, ...rest] = new URL(url).pathname
    .replace(/\.git$/, "")
    .split("/")
    .filter((part) => part !== "")
  return owner === undefined || name === undefined || rest.length > 0
    ? undefined
    : `${encodeURIComponent(decodeURIComponent(owner))}/${encodeURIComponent(decodeURIComponent(name))}`
}

/** The body, or undefined if it is too long; the rest is not read. */
const bounded = async (body: ReadableStream<Uint8Array>, largest: number): Promise<Uint8Array | undefined> => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > largest) return undefined
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

type Answer = Uint8Array | "too large" | "limited" | undefined

/** Follows the redirect of a renamed repository only within the API, because tokens are not sent elsewhere. */
const onward = ({ status, headers, url }: Response): string | undefined => {
  const location = headers.get("location")
  if (![301, 302, 307, 308].includes(status) || location === null || !URL.canParse(location, url)) return undefined
  const target = new URL(location, url)
  return target.origin === new URL(url).origin ? target.href : undefined
}

const ask = async (
  { apiUrl, userAgent, requestTime }: ClientSettings,
  repository: string,
  token: string | undefined,
  { commit, path, largest }: Request,
  signal: AbortSignal,
): Promise<Answer> => {
  const place = path.split("/").map(encodeURIComponent).join("/")
  const init: RequestInit = {
    headers: {
      accept: "application/vnd.github.raw+json",
      "user-agent": userAgent,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    redirect: "manual",
    signal: AbortSignal.any([signal, AbortSignal.timeout(Duration.toMillis(requestTime))]),
  }
  let response = await fetch(`${apiUrl}/repos/${repository}/contents/${place}?ref=${commit}`, init)
  const next = onward(response)
  if (next !== undefined) {
    await response.body?.cancel()
    response = await fetch(next, init)
  }
  const { status, headers, body } = response
  const isFile = status === 200 && body !== null && headers.get("content-type")?.startsWith("application/json") !== true
  if (isFile) return (await bounded(body, largest)) ?? "too large"
  await body?.cancel()
  if (status === 429 || (status === 403 && headers.get("x-ratelimit-remaining") === "0")) return "limited"
  if (status >= 500) throw new Error(`answered with ${status}`)
  // A folder, a file of more than 100 MB, or something that this token cannot see.
  return undefined
}

/** https://docs.github.com/rest/repos/contents#get-repository-content */
export const readFileAt = (settings: ClientSettings, host: string): ReadFile =>
  Effect.fn("CodeHost.file")(function* (token, request) {
    const repository = repositoryOf(request.repositoryUrl)
    if (repository === undefined) return undefined
    const secret = token === undefined ? undefined : Redacted.value(token)
    const answer = yield* outsideTransaction(
      Effect.tryPromise({
        try: (signal) => ask(settings, repository, secret, request, signal),
        catch: () =>
          new HostingUnavailable({
            message: `${host} is unreachable or did not respond in time. Try again later.`,
            retryAfter: 30,
          }),
      }),
    )
    if (answer === "limited") {
      return yield* new HostingUnavailable({
        message: `The rate limit of ${host} is exceeded. Try again in a minute, or set a hosting token.`,
        retryAfter: 60,
        limited: true,
      })
    }
    return answer
  })
