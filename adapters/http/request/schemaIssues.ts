import type * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import type { FieldIssue } from "../../../application/InvalidInput.ts"

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => {
    switch (issue._tag) {
      case "MissingKey":
        return "is required"
      case "UnexpectedKey":
        return "is not a known field"
      case "InvalidType":
        // Its default message is the schema's own name, which means nothing to a caller.
        return issue.ast._tag === "Objects" ? "must be an object" : SchemaIssue.defaultLeafHook(issue)
      default:
        return SchemaIssue.defaultLeafHook(issue)
    }
  },
})

const types = /^(?:string|number|boolean|array|object)$/

/** What to send, as a sentence that follows the field's name; the schema says it as `Expected "a" | "b"`. */
const sentence = (message: string): string => {
  const [, expected] = /^Expected (.+)$/s.exec(message) ?? []
  if (expected === undefined) return message
  const choices = expected.split(" | ").filter((choice) => choice !== "undefined")
  if (choices.length > 1) return `must be one of ${choices.join(", ")}`
  const [only = ""] = choices
  return `must be ${types.test(only) ? `${/^[ao]/.test(only) ? "an" : "a"} ` : ""}${only}`
}

/** At most this many are listed, so that the answer to a body of a thousand unknown fields stays short. */
const most = 50

/** What a schema found wrong, field by field; the names are the caller's own and may be long. */
export const schemaIssues = (error: Schema.SchemaError): ReadonlyArray<FieldIssue> =>
  format(error.issue)
    .issues.slice(0, most)
    .map(({ path, message }) => ({
      field: (path ?? [])
        .map((segment) => String(typeof segment === "object" ? segment.key : segment))
        .join(".")
        .slice(0, 200),
      message: sentence(message.slice(0, 500)),
    }))
