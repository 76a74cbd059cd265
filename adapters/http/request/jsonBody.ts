import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import { jsonShape } from "../../../domain/network/jsonShape.ts"
import { type Problem, Refusal, validationProblem } from "./Problem.ts"
import { readBody } from "./readBody.ts"
import { schemaIssues } from "./schemaIssues.ts"

const depthLimit = 64
/** Several times what the longest valid request has. Each unknown field costs 5 µs to reject. */
const valueLimit = 10_000

const notJson: Problem = {
  code: "UNSUPPORTED_MEDIA_TYPE",
  message: "Send the body as Content-Type: application/json, encoded in UTF-8 and not compressed.",
  headers: { accept: "application/json" },
}

const fail = (problem: Problem) => new Refusal({ problem })

/** Compared part by part: an expression that allows white space between the parts would try every way to divide it. */
const isJson = (contentType: string | undefined): boolean => {
  const [type, ...parameters] = (contentType ?? "").toLowerCase().split(";")
  return (
    type!.trim() === "application/json" &&
    parameters.every((parameter) => {
      const [name, value] = parameter.split("=", 2)
      if (name!.trim() === "") return value === undefined
      return name!.trim() === "charset" && (value?.trim() === "utf-8" || value?.trim() === '"utf-8"')
    })
  )
}

const parse = (bytes: Uint8Array): Effect.Effect<unknown, Refusal> => {
  let text: string
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return Effect.fail(fail(validationProblem("The body is not valid UTF-8.")))
  }
  if (text.trim() === "")
    return Effect.fail(fail(validationProblem("The body is empty, but a JSON object is expected.")))
  const { depth, values } = jsonShape(text)
  if (depth > depthLimit) {
    return Effect.fail(fail(validationProblem(`The body nests arrays and objects deeper than ${depthLimit} levels.`)))
  }
  if (values > valueLimit) {
    return Effect.fail(fail(validationProblem("The body has more than 10,000 values.")))
  }
  try {
    return Effect.succeed(JSON.parse(text))
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : ""
    return Effect.fail(fail(validationProblem(`The body is not valid JSON: ${reason}`)))
  }
}

/** Reads a JSON body of at most 1 MB and decodes it; lists every wrong or unknown field. */
export const jsonBody = <A, I>(schema: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownEffect(schema, { errors: "all", onExcessProperty: "error" })
  return Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
    const encoding = request.headers["content-encoding"]
    if (!isJson(request.headers["content-type"]) || (encoding !== undefined && encoding !== "identity")) {
      return yield* fail(notJson)
    }
    const bytes = yield* readBody(request)
    const value = yield* parse(bytes)
    return yield* decode(value).pipe(
      Effect.mapError((error) => fail(validationProblem("The body is not valid.", schemaIssues(error)))),
    )
  })
}
