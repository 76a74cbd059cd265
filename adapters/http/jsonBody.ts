import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import { type Problem, Refusal, validationProblem } from "./Problem.ts"
import { schemaIssues } from "./schemaIssues.ts"

const bodyLimit = ByteSize.mebibytes(1)
const bodyTimeout = "15 seconds"
const depthLimit = 64

const tooLarge: Problem = {
  code: "PAYLOAD_TOO_LARGE",
  message: "The body must not be larger than 1 MB (1,048,576 bytes).",
  headers: { connection: "close" },
}

const notJson: Problem = {
  code: "UNSUPPORTED_MEDIA_TYPE",
  message: "Send the body as Content-Type: application/json, encoded in UTF-8 and not compressed.",
  headers: { accept: "application/json" },
}

const fail = (problem: Problem) => new Refusal({ problem })

const isJson = (contentType: string | undefined): boolean =>
  contentType !== undefined && /^application\/json *(?:; *(?:charset *= *"?utf-8"? *(?:; *)?)?)?$/i.test(contentType)

/** Whether arrays and objects nest deeper than `limit`; told from the text, before anything recurses over it. */
const nestsDeeperThan = (text: string, limit: number): boolean => {
  let depth = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (inString) {
      if (code === 0x5c) i++
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > limit) return true
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return false
}

const parse = (bytes: ArrayBuffer): Effect.Effect<unknown, Refusal> => {
  let text: string
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return Effect.fail(fail(validationProblem("The body is not valid UTF-8.")))
  }
  if (text.trim() === "") return Effect.fail(fail(validationProblem("The body is empty; a JSON object is expected.")))
  if (nestsDeeperThan(text, depthLimit)) {
    return Effect.fail(fail(validationProblem(`The body nests arrays and objects deeper than ${depthLimit} levels.`)))
  }
  try {
    return Effect.succeed(JSON.parse(text))
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : ""
    return Effect.fail(fail(validationProblem(`The body is not valid JSON: ${reason}`)))
  }
}

/** Reads a body of at most 1 MB as it arrives. */
export const rawBody = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<ArrayBuffer, Refusal> =>
  Number(request.headers["content-length"] ?? 0) > ByteSize.toNumberUnsafe(bodyLimit)
    ? Effect.fail(fail(tooLarge))
    : request.arrayBuffer.pipe(
        Effect.provideService(HttpIncomingMessage.MaxBodySize, bodyLimit),
        Effect.mapError((error) =>
          error.reason._tag === "RequestParseError" && error.reason.reason === "BodyTooLarge"
            ? fail(tooLarge)
            : fail(validationProblem("The body could not be read.")),
        ),
        Effect.timeoutOrElse({
          duration: bodyTimeout,
          orElse: () => Effect.fail(fail(validationProblem("The body did not arrive within 15 seconds."))),
        }),
      )

/** Reads a JSON body of at most 1 MB and decodes it; every field that is wrong, and every unknown one, is listed. */
export const jsonBody = <A, I>(schema: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownEffect(schema, { errors: "all", onExcessProperty: "error" })
  return Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
    const encoding = request.headers["content-encoding"]
    if (!isJson(request.headers["content-type"]) || (encoding !== undefined && encoding !== "identity")) {
      return yield* fail(notJson)
    }
    const bytes = yield* rawBody(request)
    const value = yield* parse(bytes)
    return yield* decode(value).pipe(
      Effect.mapError((error) => fail(validationProblem("The body is not valid.", schemaIssues(error)))),
    )
  })
}
