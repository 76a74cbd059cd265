import type * as Schema from "effect/Schema"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"

declare const status: unique symbol

/** A schema whose type says which status its response has: `HttpApiSchema.status` tells only the program. */
export interface WithStatus<N extends number> {
  readonly [status]: N
}

/** The response with this status; applied last, because annotating a schema makes a new one. */
export const withStatus =
  <const N extends number>(code: N) =>
  <S extends Schema.Top>(schema: S): S & WithStatus<N> =>
    // What it is to the compiler only.
    HttpApiSchema.status(code)(schema) as unknown as S & WithStatus<N>

/** A response without a body. */
export const noContent = (description: string) => withStatus(204)(HttpApiSchema.NoContent.annotate({ description }))
