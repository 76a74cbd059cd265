import { endpoints } from "virtual:endpoints"
import type { ErrorCode, ErrorEnvelope } from "../../../../adapters/http/contract/errors.ts"
import type { EndpointId, Input, Output } from "./contract.ts"

/** The service's error response; `OFFLINE` if there was none. */
export class Failure extends Error {
  readonly code: ErrorCode | "OFFLINE"
  readonly status: number
  readonly details: Readonly<Record<string, unknown>>
  readonly requestId: string | undefined
  /** Seconds to wait, if the service said so. */
  readonly retryAfter: number | undefined
  /** `scans` if the month's quota is used up. */
  readonly window: string | undefined

  constructor(response: Response | undefined, envelope: ErrorEnvelope | undefined) {
    super(envelope?.error.message ?? (response === undefined ? "The service is not responding." : response.statusText))
    this.name = "Failure"
    this.code = response === undefined ? "OFFLINE" : (envelope?.error.code ?? "INTERNAL_ERROR")
    this.status = response?.status ?? 0
    this.details = envelope?.error.details ?? {}
    this.requestId = envelope?.requestId
    this.retryAfter = Number(response?.headers.get("retry-after")) || undefined
    this.window = /^"(\w+)"/.exec(response?.headers.get("ratelimit") ?? "")?.[1]
  }
}

/** The time for a response; syncing many repositories is the slowest request. */
const longestWait = 60_000

let csrfToken: string | undefined

/** The token that a session's changes must send; `GET /api/v1/me` returns it. */
export const holdCsrfToken = (token: string | undefined): void => {
  csrfToken = token
}

interface AnyInput {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly payload?: unknown
  readonly headers?: Readonly<Record<string, string | undefined>>
}

/** The address of an endpoint, for links and event streams. */
export const addressOf = <Id extends EndpointId>(id: Id, input: Omit<Input<Id>, "payload">): string => {
  const { params = {}, query = {} } = input as AnyInput // the parts of every input
  const path = endpoints[id][1].replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) search.append(name, String(one))
  }
  return search.size === 0 ? path : `${path}?${search}`
}

const envelopeOf = async (response: Response): Promise<ErrorEnvelope | undefined> => {
  try {
    return (await response.json()) as ErrorEnvelope // what every error of the service is
  } catch {
    return undefined
  }
}

/** The response itself, for its headers; fails with a `Failure`. */
export const request = async <Id extends EndpointId>(
  id: Id,
  input: Input<Id>,
  signal?: AbortSignal,
): Promise<Response> => {
  const { payload, headers: given = {} } = input as AnyInput // the parts of every input
  const [method] = endpoints[id]
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) if (value !== undefined) headers.set(name, value)
  if (payload !== undefined) headers.set("content-type", "application/json")
  if (method !== "GET" && csrfToken !== undefined) headers.set("x-csrf-token", csrfToken)
  const limit = AbortSignal.timeout(longestWait)
  let response: Response
  try {
    response = await fetch(addressOf(id, input), {
      method,
      headers,
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      ...(payload === undefined ? {} : { body: JSON.stringify(payload) }),
    })
  } catch (error) {
    if (signal?.aborted === true) throw error
    throw new Failure(undefined, undefined)
  }
  if (!response.ok) throw new Failure(response, await envelopeOf(response))
  return response
}

/** Calls an endpoint of the contract; fails with a `Failure`. */
export const call = async <Id extends EndpointId>(
  id: Id,
  input: Input<Id>,
  signal?: AbortSignal,
): Promise<Output<Id>> => {
  const response = await request(id, input, signal)
  // The service's own tests verify its responses against the contract.
  return (response.status === 204 ? undefined : await response.json()) as Output<Id>
}
