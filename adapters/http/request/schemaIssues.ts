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
      default:
        return SchemaIssue.defaultLeafHook(issue).replace(/^Expected /, "must be ")
    }
  },
})

/** At most this many are listed, so that a body of a thousand unknown fields is not answered with as many lines. */
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
      message: message.slice(0, 500),
    }))
