import * as Schema from "effect/Schema"

/** What is wrong with one field of a request, in words for the caller. */
export interface FieldIssue {
  readonly field: string
  readonly message: string
}

/** A request that cannot be carried out as it stands; lists every invalid field. */
export class InvalidInput extends Schema.TaggedError<InvalidInput>()("InvalidInput", {
  fields: Schema.Array(Schema.Struct({ field: Schema.String, message: Schema.String })),
}) {}
