import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/**
 * Decodes the rows of a statement. The schema describes our own columns, so a row that does not match is our defect,
 * not the caller's error.
 */
export const decodeRows = <A, I>(schema: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownSync(Schema.Array(schema))
  return <E, R>(rows: Effect.Effect<ReadonlyArray<unknown>, E, R>): Effect.Effect<ReadonlyArray<A>, E, R> =>
    Effect.map(rows, (found) => decode(found))
}
