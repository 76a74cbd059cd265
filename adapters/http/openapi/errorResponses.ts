import { type ErrorCode, errorStatus, meaning } from "../contract/errors.ts"
import { glossary } from "./glossary.ts"
import { isJson, type Json } from "./json.ts"

const isCode = (text: unknown): text is ErrorCode => typeof text === "string" && text in errorStatus

/** The codes that a generated schema of an envelope admits. */
export const codesOf = (schema: unknown): ReadonlyArray<ErrorCode> => {
  if (Array.isArray(schema)) return schema.flatMap(codesOf)
  if (!isJson(schema)) return []
  return Object.entries(schema).flatMap(([key, value]) =>
    key === "enum" && Array.isArray(value) && value.every(isCode) ? value : codesOf(value),
  )
}

const initials = (code: string): string => code.replace(/([A-Z])[A-Z]*_?/g, "$1")

/** The code that a status has unless an operation says more of it. */
const usual = (code: ErrorCode): boolean =>
  (Object.keys(errorStatus) as ReadonlyArray<ErrorCode>).find((one) => errorStatus[one] === errorStatus[code]) === code

/** Of all codes in the order of the list, so that two operations with the same ones share a response. */
const ordered = (codes: ReadonlyArray<ErrorCode>): ReadonlyArray<ErrorCode> =>
  Object.keys(errorStatus).filter((code): code is ErrorCode => codes.includes(code as ErrorCode))

/** Short, since every operation names nine: `E400`, and what else than the usual code it may be. */
export const responseName = (codes: ReadonlyArray<ErrorCode>): string =>
  `E${errorStatus[codes[0]!]}${ordered(codes)
    .filter((code) => !usual(code))
    .map(initials)
    .join("")}${codes.some(usual) ? "" : "Only"}`

const details: Partial<Record<ErrorCode, Json>> = {
  VALIDATION_ERROR: { fields: [{ field: "repositoryUrl", message: "is required" }] },
  FORBIDDEN: { requiredScope: "analysis:write" },
  SUBSCRIPTION_REQUIRED: { requiredPlan: "pro" },
  ANALYSIS_NOT_READY: { analysisId: "0199c2f4-7a1b-7c3d-9e5f-1a2b3c4d5e6f", status: "running" },
  ANALYSIS_FAILED: { analysisId: "0199c2f4-7a1b-7c3d-9e5f-1a2b3c4d5e6f", stage: "compilation" },
  INVALID_STATE: { analysisId: "0199c2f4-7a1b-7c3d-9e5f-1a2b3c4d5e6f", status: "running" },
}

export const errorExamples = Object.fromEntries(
  Object.keys(errorStatus).map((code) => [
    code,
    {
      value: {
        error: {
          code,
          message: meaning[code as ErrorCode].split(/[;.]/, 1)[0]!.replaceAll("`", ""),
          ...(details[code as ErrorCode] === undefined ? {} : { details: details[code as ErrorCode] }),
        },
        timestamp: "2026-01-31T12:00:00.000Z",
        requestId: glossary["requestId"]!.example,
      },
    },
  ]),
)

/** The two models that make up every error. */
export const errorSchemas: Readonly<Record<string, Json>> = {
  ErrorCode: {
    type: "string",
    enum: Object.keys(errorStatus),
    description: "The closed list of error codes; each comes with one status.",
  },
  Error: {
    type: "object",
    description: "The body of every error.",
    properties: {
      error: {
        type: "object",
        properties: {
          code: { $ref: "#/components/schemas/ErrorCode" },
          message: { type: "string" },
          details: { type: "object" },
        },
        required: ["code", "message"],
      },
      timestamp: { type: "string", format: "date-time" },
      requestId: { type: "string" },
    },
    required: ["error", "timestamp", "requestId"],
  },
}

/** The response that these codes, all of one status, come in. */
export const errorResponse = (codes: ReadonlyArray<ErrorCode>, headers: Json): Json => ({
  description: ordered(codes)
    .map((code) => `\`${code}\`: ${meaning[code]}`)
    .join(" "),
  headers,
  content: {
    "application/json": {
      schema: { $ref: "#/components/schemas/Error" },
      examples: Object.fromEntries(ordered(codes).map((code) => [code, { $ref: `#/components/examples/${code}` }])),
    },
  },
})
