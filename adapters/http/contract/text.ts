import * as Schema from "effect/Schema"

/** Text that a database column and a JSON document can both hold: no NUL character, no lone surrogate. */
export const Text = Schema.String.check(
  Schema.makeFilter((text) =>
    text.includes("\u0000")
      ? "must not contain NUL characters"
      : text.isWellFormed() || "must be well-formed Unicode: it contains a lone surrogate",
  ),
)

/** Any 128-bit identifier in the notation of RFC 9562, whatever its version. */
export const Uuid = Schema.String.annotate({ format: "uuid" }).check(
  Schema.isPattern(/^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/, {
    expected: "a UUID",
  }),
)

/** ISO 8601 in UTC, for example `2026-01-31T12:00:00.000Z`. */
export const Timestamp = Schema.String.annotate({ format: "date-time" })
