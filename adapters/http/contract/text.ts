import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { uuidPattern } from "../../../domain/ids/uuid.ts"

/** Text that a database column and a JSON document can both hold: no NUL character, no lone surrogate. */
export const Text = Schema.String.check(
  Schema.makeFilter((text) =>
    text.includes("\u0000")
      ? "must not contain NUL characters"
      : text.isWellFormed() || "must be well-formed Unicode: it contains a lone surrogate",
  ),
)

/** A count in a query. `NumberFromString` would also take 1e2, 0x10, +5 and blanks around it. */
export const DecimalDigits = Schema.String.check(
  Schema.isPattern(/^[0-9]{1,9}$/, { expected: "a whole number in decimal digits" }),
).pipe(Schema.decodeTo(Schema.Int, SchemaTransformation.numberFromString))

export const Uuid = Schema.String.annotate({ format: "uuid" }).check(
  Schema.isPattern(uuidPattern, { expected: "a UUID" }),
)

/** ISO 8601 in UTC, for example `2026-01-31T12:00:00.000Z`. */
export const Timestamp = Schema.String.annotate({ format: "date-time" })

/**
 * A day, at 0:00 UTC, or an instant with its offset. `Date.parse` alone takes 12/31/2027 as well, in the time zone of
 * the server, and makes March of February 30th.
 */
const isInstant = (text: string): boolean => {
  const [, year, month, day] =
    /^(\d{4})-(\d\d)-(\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/.exec(text) ?? []
  if (year === undefined || Number.isNaN(Date.parse(text))) return false
  return Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
}

/** A point in time that a client names. */
export const Instant = Text.check(
  Schema.isMaxLength(40),
  Schema.makeFilter((text) => isInstant(text) || "must be an ISO 8601 timestamp, such as 2027-01-31T12:00:00Z"),
)
