import { readFile } from "node:fs/promises"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type AccessRow, AccessTable, compareAccess } from "../../domain/access/AccessTable.ts"
import { renderAccess, renderAccessChanges } from "../../domain/report/AccessMarkdown.ts"
import { Refusal } from "../runMain.ts"
import { reasonOf } from "../terminal/systemError.ts"

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(AccessTable))

const earlier = (path: string): Effect.Effect<ReadonlyArray<AccessRow>, Refusal> =>
  Effect.tryPromise({
    try: () => readFile(path, "utf8"),
    catch: (error) => new Refusal(`Could not read the access table ${path}: ${reasonOf(error)}.`),
  }).pipe(
    Effect.flatMap((text) =>
      Effect.mapError(
        decode(text),
        () => new Refusal(`${path} is not an access table. Create one with --access --format json --output FILE.`),
      ),
    ),
    Effect.map(({ access }) => access),
  )

/** The tables, or the changes since earlier ones, as Markdown or JSON. */
export const accessReport = Effect.fn("accessReport")(function* (
  access: ReadonlyArray<AccessRow>,
  json: boolean,
  against: string | undefined,
) {
  if (against === undefined) return json ? JSON.stringify({ access }, null, 2) : renderAccess(access)
  const changes = compareAccess(yield* earlier(against), access)
  return json ? JSON.stringify({ changes }, null, 2) : renderAccessChanges(changes)
})
