import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/**
 * Decodes the rows of a statement. The schema describes our own columns, so that a row which does not fit is a defect
 * of ours, not an error of the caller.
 */
export const decodeRows = <A, I>(schema: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownSync(Schema.Array(schema))
  return <E, R>(rows: Effect.Effect<ReadonlyArray<unknown>, E, R>): Effect.Effect<ReadonlyArray<A>, E, R> =>
    Effect.map(rows, (found) => decode(found))
}
