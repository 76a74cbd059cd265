import { expect } from "vitest"
import { type ErrorCode, type ErrorEnvelope, errorStatus } from "../../adapters/http/contract/errors.ts"
import type { TestApp } from "./app.ts"
import type { AnalysisId } from "../../domain/ids/Ids.ts"

export const bearer = (apiKey: string) => ({ authorization: `Bearer ${apiKey}` })

export const get = (app: TestApp, path: string, apiKey?: string, headers: Record<string, string> = {}) =>
  fetch(app.url + path, { headers: { ...(apiKey === undefined ? {} : bearer(apiKey)), ...headers } })

export const send = (
  app: TestApp,
  method: string,
  path: string,
  apiKey: string,
  headers: Record<string, string> = {},
) => fetch(app.url + path, { method, headers: { ...bearer(apiKey), ...headers } })

/** Creates an analysis with a given body: a text is sent unchanged, anything else as JSON. */
export const create = (app: TestApp, apiKey: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${app.url}/api/v1/analysis`, {
    method: "POST",
    headers: { ...bearer(apiKey), "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  })

export const repositoryUrl = "https://github.com/example/vault"

export const created = async (app: TestApp, apiKey: string, url = repositoryUrl): Promise<string> => {
  const response = await create(app, apiKey, { repositoryUrl: url })
  expect(response.status).toBe(201)
  const { analysisId } = (await response.json()) as { readonly analysisId: AnalysisId } // checked by the create tests
  return analysisId
}

const integer = /^\d+$/

/** The headers that every response has. */
export const expectEveryHeader = (response: { readonly headers: Headers }): void => {
  expect(response.headers.get("x-request-id")).toMatch(/^[A-Za-z0-9._-]{8,64}$/)
  expect(response.headers.get("x-ratelimit-limit")).toMatch(integer)
  expect(response.headers.get("x-ratelimit-remaining")).toMatch(integer)
  expect(Number(response.headers.get("x-ratelimit-reset"))).toBeGreaterThan(Date.now() / 1000 - 1)
  expect(response.headers.get("ratelimit")).toMatch(/^"[a-z]+";r=\d+;t=\d+$/)
  expect(response.headers.get("ratelimit-policy")).toMatch(/^"[a-z]+";q=\d+;w=\d+$/)
  expect(response.headers.get("x-content-type-options")).toBe("nosniff")
}

/**
 * Asserts that a response is the error `code` in the envelope, with every header; returns the envelope's inner part.
 */
export const expectError = async (response: Response, code: ErrorCode): Promise<ErrorEnvelope["error"]> => {
  const text = await response.text()
  expect({ status: response.status, text }).toMatchObject({ status: errorStatus[code] })
  expectEveryHeader(response)
  expect(response.headers.get("content-type")).toBe("application/json")
  const body = JSON.parse(text) as ErrorEnvelope // its shape is what is checked next
  expect(Object.keys(body).toSorted()).toEqual(["error", "requestId", "timestamp"])
  expect(body.error.code).toBe(code)
  expect(body.error.message.length).toBeGreaterThan(10)
  expect(new Date(body.timestamp).toISOString()).toBe(body.timestamp)
  expect(body.requestId).toBe(response.headers.get("x-request-id"))
  return body.error
}
