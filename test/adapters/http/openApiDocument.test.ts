import { describe, expect, it } from "vitest"
import { errorStatus } from "../../../adapters/http/contract/errors.ts"
import {
  contents,
  document,
  documented,
  examplesOf,
  type Json,
  operations,
  resolve,
  validator,
} from "../../support/openApi.ts"

/** Every part of the document with its location. */
const parts = function* (part: unknown, place = "#"): Generator<readonly [string, Json]> {
  if (typeof part !== "object" || part === null) return
  if (!Array.isArray(part)) yield [place, part as Json] // neither an array nor a value
  for (const [key, value] of Object.entries(part)) {
    // The contents of an example are not part of the document.
    if (!["example", "examples", "value", "const", "enum"].includes(key) || place.endsWith("/properties")) {
      yield* parts(value, `${place}/${key}`)
    }
  }
}
const all = [...parts(document)]
const schemas = Object.entries(documented("components", "schemas")) as ReadonlyArray<readonly [string, Json]> // the components are objects

/** The schemas of fields, with their locations. */
const fields = all
  .filter(([place]) => place.endsWith("/properties"))
  .flatMap(([place, properties]) =>
    Object.entries(properties).map(([name, field]) => [`${place}/${name}`, field as Json] as const),
  ) // a field's schema is an object

describe("the OpenAPI document, for code generators", () => {
  it("has at most 150 kB", () => {
    expect(Buffer.byteLength(JSON.stringify(document))).toBeLessThanOrEqual(150_000)
  })

  it("has no dangling references", () => {
    const references = all.filter(([, part]) => typeof part["$ref"] === "string")
    expect(references.length).toBeGreaterThan(100)
    expect(references.filter(([, part]) => Object.keys(resolve(part)).length === 0)).toEqual([])
  })

  it("has one model for each concept", () => {
    const names = schemas.map(([name]) => name)
    for (const name of [
      "Error",
      "ErrorCode",
      "Finding",
      "Summary",
      "Severity",
      "Location",
      "AnalysisResult",
      "Coverage",
    ]) {
      expect(names).toContain(name)
    }
    expect(names.filter((name) => /_\d+$/.test(name))).toEqual([])
    const shapes = schemas.map(([, schema]) => JSON.stringify({ ...schema, description: undefined }))
    expect(shapes.filter((shape, index) => shapes.indexOf(shape) !== index)).toEqual([])
  })

  it("has the closed list of error codes", () => {
    expect(documented("components", "schemas", "ErrorCode")["enum"]).toEqual(Object.keys(errorStatus))
  })

  it("describes every field and every parameter", () => {
    expect(fields.filter(([, { description }]) => typeof description !== "string").map(([place]) => place)).toEqual([])
    const silent = operations.flatMap(({ id, parameters }) =>
      parameters
        .filter(({ description }) => typeof description !== "string")
        .map(({ name }) => `${id} ${String(name)}`),
    )
    expect(silent).toEqual([])
    expect((document["tags"] as ReadonlyArray<Json>).filter(({ description }) => description === undefined)).toEqual([])
  })

  it("has an example of every parameter and every body, and all of them are valid", () => {
    const wrong: Array<unknown> = []
    const check = (place: string, schema: unknown, examples: ReadonlyArray<unknown>) => {
      if (examples.length === 0) wrong.push([place, "no example"])
      const validate = validator(schema)
      for (const example of examples) if (!validate(example)) wrong.push([place, example, validate.errors])
    }
    for (const { id, operation, parameters, responses } of operations) {
      for (const parameter of parameters)
        check(`${id} ${String(parameter["name"])}`, parameter["schema"], examplesOf(parameter))
      const bodies = [["body", resolve(operation["requestBody"])] as const, ...Object.entries(responses)]
      for (const [status, body] of bodies) {
        for (const [type, media] of contents(body)) check(`${id} ${status} ${type}`, media["schema"], examplesOf(media))
      }
    }
    expect(wrong).toEqual([])
  })

  it("has no meaningless example texts", () => {
    const bodies = operations.flatMap(({ operation, responses }) => [
      resolve(operation["requestBody"]),
      ...Object.values(responses),
    ])
    const examples = bodies.flatMap((body) => contents(body).flatMap(([, media]) => examplesOf(media)))
    expect(examples.length).toBeGreaterThan(100)
    expect(JSON.stringify(examples)).not.toMatch(/[:[]"text"/)
  })

  it("has an example of every error it mentions, under its code", () => {
    for (const { id, responses } of operations) {
      for (const [status, response] of Object.entries(responses)) {
        for (const [, media] of contents(response)) {
          if ((media["schema"] as Json)["$ref"] !== "#/components/schemas/Error") continue
          const codes = Object.keys(media["examples"] as Json)
          expect([id, codes.length]).not.toEqual([id, 0])
          for (const code of codes)
            expect([id, code, String(errorStatus[code as keyof typeof errorStatus])]).toEqual([id, code, status])
        }
      }
    }
  })

  it("has 400, 429 and 500 in every operation, and the errors of bodies in those that take one", () => {
    for (const { id, operation, responses } of operations) {
      const statuses = Object.keys(responses)
      for (const status of ["400", "429", "500"]) expect([id, statuses]).toEqual([id, expect.arrayContaining([status])])
      if (operation["requestBody"] !== undefined) {
        expect([id, statuses]).toEqual([id, expect.arrayContaining(["408", "413"])])
      }
    }
  })

  it("has 304 exactly where an ETag is sent, and Location on 303", () => {
    for (const { id, responses, parameters } of operations) {
      const headers = Object.keys((responses["200"]?.["headers"] ?? {}) as Json)
      expect([id, "304" in responses]).toEqual([id, headers.includes("ETag")])
      expect([id, parameters.some(({ name }) => name === "If-None-Match")]).toEqual([id, "304" in responses])
      if ("303" in responses) expect(Object.keys(responses["303"]!["headers"] as Json)).toContain("Location")
    }
  })

  it("gives integers their real bounds", () => {
    const integers = all.filter(([, { type }]) => type === "integer")
    expect(integers.length).toBeGreaterThan(20)
    for (const [place, { minimum, maximum }] of integers) {
      expect([place, minimum]).toEqual([place, expect.any(Number)])
      expect([place, Math.abs(Number(maximum ?? 0)) < Number.MAX_SAFE_INTEGER]).toEqual([place, true])
    }
    expect(documented("components", "schemas", "AnalysisStatus", "properties", "progress")).toMatchObject({
      minimum: 0,
      maximum: 100,
    })
  })

  it("specifies the formats of URLs, ids and times", () => {
    const formats = fields
      .filter(([, { type }]) => type === "string")
      .map(([place, { format }]) => [place.split("/").at(-1)!, place, format] as const)
    const expected = [
      [/At$|^timestamp$/, "date-time"],
      [/^(?:analysis|delivery|organization|apiKey|user)Id$/, "uuid"],
      [/Url$|^url$/, "uri"],
    ] as const
    for (const [pattern, format] of expected) {
      const such = formats.filter(
        ([name, place]) => pattern.test(name) && !place.includes("/CreateAnalysis/properties/repositoryUrl"),
      )
      expect(such.length).toBeGreaterThan(2)
      for (const [, place, found] of such) expect([place, found]).toEqual([place, format])
    }
  })

  it("leaves responses open for additions, and specifies what requests may contain", () => {
    const bodies = operations.flatMap(({ operation }) =>
      contents(resolve(operation["requestBody"])).map(([, { schema }]) => resolve(schema)),
    )
    const closed = all
      .filter(([, part]) => part["additionalProperties"] === false)
      .map(([, part]) => JSON.stringify(part))
    const asked = bodies.map((body) => JSON.stringify(body))
    for (const part of closed) expect(asked.some((body) => body.includes(part))).toBe(true)
    expect(closed.length).toBeGreaterThan(4)
  })

  it("names media types without parameters, and operations in a form that suits any language", () => {
    for (const { operation, responses, id } of operations) {
      for (const body of [resolve(operation["requestBody"]), ...Object.values(responses)]) {
        for (const [type] of contents(body)) expect(type).toMatch(/^[a-z]+\/[a-z+]+(?:-[a-z]+)*$/)
      }
      expect(id).toMatch(/^[a-z][A-Za-z]+$/)
    }
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length)
  })

  it("describes Stripe's webhook: its body and its signature", () => {
    const webhook = operations.find(({ path }) => path === "/api/subscriptions/webhook")!
    expect(webhook.parameters).toContainEqual(
      expect.objectContaining({ name: "Stripe-Signature", in: "header", required: true }),
    )
    expect(contents(resolve(webhook.operation["requestBody"])).map(([type]) => type)).toEqual(["application/json"])
  })
})
