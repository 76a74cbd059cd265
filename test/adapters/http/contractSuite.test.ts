import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { policies } from "../../../adapters/http/policy.ts"
import { startApp, type TestApp } from "../../support/app.ts"
import { bearer, created, expectEveryHeader } from "../../support/client.ts"
import {
  contents,
  examplesOf,
  type Json,
  type Operation,
  operations,
  resolve,
  validator,
} from "../../support/openApi.ts"
import { endpointOf } from "../../support/endpointOf.ts"

// The interface from outside: every operation, called in every wrong way and in some right ones. Whatever
// comes back must be what the document says of that operation: its status, its headers, its body.

let app: TestApp
let owner: string
let stranger: string
let analysisId: string
beforeAll(async () => {
  app = await startApp({ unlimited: true })
  owner = (await app.newUser()).apiKey
  stranger = (await app.newUser()).apiKey
  analysisId = await created(app, owner)
  await app.completeNext()
})
afterAll(() => app.close())

interface Request {
  readonly method: string
  readonly path: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

const unknownId = "00000000-0000-4000-8000-000000000000"

const isCaller = ({ id }: Operation): boolean => policies[endpointOf[id] ?? ""]?.auth === "caller"
const bodyOf = ({ operation }: Operation): Json => resolve(operation["requestBody"])
const hasBody = (operation: Operation): boolean => contents(bodyOf(operation)).length > 0
/** Whether the body is JSON that the service itself describes; Stripe's is taken as is. */
const readsJson = (operation: Operation): boolean =>
  hasBody(operation) && operation.path !== "/api/subscriptions/webhook"

/** The path with `id` for every parameter, and those of the query that are required. */
const addressOf = ({ path, parameters }: Operation, id: string): string => {
  const query = parameters.filter((parameter) => parameter["in"] === "query" && parameter["required"] === true)
  const text = query.map((parameter) => `${String(parameter["name"])}=${String(examplesOf(parameter)[0])}`).join("&")
  return path.replace("{fingerprint}", "0123456789abcdef").replaceAll(/\{\w+\}/g, id) + (text === "" ? "" : `?${text}`)
}

const rightBody = (operation: Operation): Pick<Request, "headers" | "body"> => {
  const [[type, media] = [], ..._] = contents(bodyOf(operation))
  if (type === undefined || media === undefined) return {}
  return { headers: { "content-type": type }, body: JSON.stringify(examplesOf(media)[0]) }
}

const rightRequest = (operation: Operation, key: string | undefined, id: string): Request => {
  const { headers, body } = rightBody(operation)
  return {
    method: operation.method.toUpperCase(),
    path: addressOf(operation, id),
    headers: {
      ...headers,
      ...(operation.path.endsWith("{fingerprint}") && headers !== undefined ? { "if-match": "*" } : {}),
      ...(key !== undefined && isCaller(operation) ? bearer(key) : {}),
    },
    ...(body === undefined ? {} : { body }),
  }
}

const withBody = (request: Request, body: string, type = "application/json"): Request => ({
  ...request,
  headers: { ...request.headers, "content-type": type },
  body,
})

const send = async ({ method, path, headers, body }: Request) => {
  const response = await fetch(app.url + path, {
    method,
    redirect: "manual",
    ...(headers === undefined ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
  })
  if (response.headers.get("content-type") !== "text/event-stream") return { response, text: await response.text() }
  // Reading the stream of an unfinished analysis would not end.
  await response.body?.cancel()
  return { response, text: "" }
}

/** Checks that a response is one that the document describes for the operation; returns its status. */
const expectDescribed = async (operation: Operation, request: Request): Promise<number> => {
  const { response, text } = await send(request)
  const asked = `${request.method} ${request.path}`
  const described = operation.responses[String(response.status)]
  expect([asked, response.status, Object.keys(operation.responses)]).toEqual([
    asked,
    response.status,
    expect.arrayContaining([String(response.status)]),
  ])
  expectEveryHeader(response)
  for (const [name, part] of Object.entries((described!["headers"] ?? {}) as Json)) {
    if (resolve(part)["required"] === true) expect([asked, name, response.headers.get(name)]).not.toContain(null)
  }
  const type = response.headers.get("content-type")?.split(";", 1)[0]
  const bodies = Object.fromEntries(contents(described!))
  if (Object.keys(bodies).length === 0 || request.method === "HEAD") {
    expect([asked, text]).toEqual([asked, ""])
    return response.status
  }
  expect([asked, Object.keys(bodies)]).toEqual([asked, expect.arrayContaining([type])])
  const { schema } = bodies[type!]!
  const value: unknown = type!.endsWith("json") ? JSON.parse(text) : text
  const validate = validator(schema)
  validate(value)
  expect([asked, response.status, validate.errors]).toEqual([asked, response.status, null])
  if (response.status >= 400) {
    const { error, requestId } = value as { readonly error: { readonly code: string }; readonly requestId: string } // validated
    expect(requestId).toBe(response.headers.get("x-request-id"))
    // Its code is one of those for which the document has an example.
    const { examples } = bodies[type!]!
    if (examples !== undefined)
      expect([asked, Object.keys(examples as Json)]).toEqual([asked, expect.arrayContaining([error.code])])
  }
  return response.status
}

const every = operations.map((operation) => [operation.id, operation] as const)
const some = (which: (operation: Operation) => boolean) => every.filter(([, operation]) => which(operation))
const withId = ({ path }: Operation): boolean => path.includes("{id}")

describe("every operation responds as documented", () => {
  it.each(every)("%s, called correctly for an analysis of one's own and for none", async (_id, operation) => {
    for (const id of [unknownId, ...(operation.method === "get" ? [analysisId] : [])]) {
      const status = await expectDescribed(operation, rightRequest(operation, owner, id))
      expect(status).not.toBe(405)
    }
  })

  it.each(some(isCaller))("%s without credentials and with wrong ones: 401", async (_id, operation) => {
    const request = rightRequest(operation, undefined, unknownId)
    expect(await expectDescribed(operation, request)).toBe(401)
    for (const authorization of ["Bearer x", "Basic eDp5", "Bearer", "Bearer a.b.c", `Bearer ${owner}x`]) {
      const status = await expectDescribed(operation, { ...request, headers: { ...request.headers, authorization } })
      expect([401, 429]).toContain(status)
    }
  })

  it.each(some((operation) => isCaller(operation) && withId(operation)))(
    "%s with another user's id: as if it did not exist",
    async (_id, operation) => {
      const theirs = await expectDescribed(operation, rightRequest(operation, stranger, analysisId))
      expect(theirs).toBe(await expectDescribed(operation, rightRequest(operation, stranger, unknownId)))
    },
  )

  it.each(some(withId))("%s with a malformed id: 400", async (_id, operation) => {
    for (const id of ["1", "%00", "..%2f", "0".repeat(36), `${unknownId}0`, "%f0%9f%92%a9"]) {
      expect(await expectDescribed(operation, rightRequest(operation, owner, id))).toBe(400)
    }
  })

  it.each(some(readsJson))("%s with invalid bodies: 400, 413 or 415", async (_id, operation) => {
    const request = rightRequest(operation, owner, unknownId)
    const { body = "{}" } = request
    const unknownField = JSON.stringify({ ...JSON.parse(body), "x-unknown": 1 })
    for (const wrong of [unknownField, "{", "", "null", "[]", '"text"', "\u0000", '{"a":'.repeat(2000)]) {
      // Without a body, a session may be meant.
      if (wrong === "" && bodyOf(operation)["required"] !== true) continue
      expect([wrong.slice(0, 20), await expectDescribed(operation, withBody(request, wrong))]).toEqual([
        wrong.slice(0, 20),
        400,
      ])
    }
    expect(await expectDescribed(operation, withBody(request, body, "text/plain"))).toBe(415)
    expect(await expectDescribed(operation, withBody(request, body, "application/json;charset=utf-16"))).toBe(415)
    expect(await expectDescribed(operation, withBody(request, `{"a":"${"x".repeat(1_048_576)}"}`))).toBe(413)
    const encoded = withBody(request, body)
    expect(
      await expectDescribed(operation, { ...encoded, headers: { ...encoded.headers, "content-encoding": "gzip" } }),
    ).toBe(415)
  })

  it.each(every)(
    "%s by methods that its path does not support: 405 with Allow; OPTIONS: the supported ones",
    async (_id, operation) => {
      const path = addressOf(operation, unknownId)
      const methods = operations.filter(({ path }) => path === operation.path).map(({ method }) => method.toUpperCase())
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((method) => !methods.includes(method))) {
        // Not a response of any operation: the document describes it once, with the envelope.
        const { response, text } = await send({ method, path })
        expect([method, response.status, response.headers.get("allow")]).toEqual([method, 405, expect.any(String)])
        expectEveryHeader(response)
        const validate = validator({ $ref: "#/components/schemas/Error" })
        validate(JSON.parse(text))
        expect([method, validate.errors]).toEqual([method, null])
      }
      const { response, text } = await send({ method: "OPTIONS", path })
      expect([response.status, text]).toEqual([204, ""])
      expect(response.headers.get("allow")!.split(", ")).toEqual(expect.arrayContaining([...methods, "OPTIONS"]))
      expectEveryHeader(response)
    },
  )

  it.each(some(({ method }) => method === "get"))("%s as HEAD: the same without a body", async (_id, operation) => {
    const request = rightRequest(operation, owner, analysisId)
    expect(await expectDescribed(operation, { ...request, method: "HEAD" })).toBe(
      await expectDescribed(operation, request),
    )
  })

  it.each(every)("%s with a trailing slash and an unknown query parameter: the same", async (_id, operation) => {
    const request = rightRequest(operation, stranger, unknownId)
    const status = await expectDescribed(operation, request)
    if (operation.method !== "get") return
    const [path, query] = request.path.split("?")
    const slashed = `${path}/${query === undefined ? "" : `?${query}`}`
    expect(await expectDescribed(operation, { ...request, path: slashed })).toBe(status)
    const more = `${request.path}${query === undefined ? "?" : "&"}x=1&x=2&%00`
    expect(await expectDescribed(operation, { ...request, path: more })).toBe(status)
  })

  it.each(some(({ parameters }) => parameters.some((parameter) => parameter["in"] === "query")))(
    "%s with its parameters twice, empty, or too long: 400 or as described",
    async (_id, operation) => {
      const request = rightRequest(operation, owner, analysisId)
      const [path] = request.path.split("?")
      for (const { name } of operation.parameters.filter((parameter) => parameter["in"] === "query")) {
        for (const query of [`${name}=a&${name}=b`, `${name}=${"x".repeat(3000)}`, `${name}=%00`]) {
          expect([
            query.slice(0, 40),
            await expectDescribed(operation, { ...request, path: `${path}?${query}` }),
          ]).toEqual([query.slice(0, 40), 400])
        }
        for (const value of ["", "%ff", "%F0%9F%92%A9", "1e400", "-1"]) {
          await expectDescribed(operation, { ...request, path: `${path}?${name}=${value}` })
        }
      }
    },
  )
})
