import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { AnalysisItem } from "../../../application/ports/analysis/AnalysisStore.ts"
import { decodeRows } from "../decodeRows.ts"
import { makeLookup } from "../lookup.ts"
import { itemColumns, ItemRow, toItem } from "./readAnalysis.ts"
import type { UserId } from "../../../domain/ids/Ids.ts"

const decode = decodeRows(Schema.Struct({ ...ItemRow.fields, place: Schema.Int }))

/** Pages per statement: with a hundred rows each, the next statement on the connection waits for 2 ms. */
const most = 16

interface Page {
  readonly key: string
  readonly items: Array<AnalysisItem>
}

/** The newest analyses of each user; simultaneous requests share a statement. */
export const lookupFirstPage = (sql: SqlClient) => {
  const lookup = makeLookup({
    most,
    find: (keys) => {
      const pages = keys.map((key): Page => ({ key, items: [] }))
      const wanted = keys.map((key) => key.split(" "))
      return Effect.map(
        decode(sql`
          SELECT wanted.place::int AS place, item.*
          FROM unnest(${wanted.map(([userId]) => userId!)}::uuid[], ${wanted.map(([, limit]) => Number(limit))}::int[])
            WITH ORDINALITY AS wanted (user_id, most, place)
          CROSS JOIN LATERAL (
            SELECT ${itemColumns(sql)} FROM analyses WHERE user_id = wanted.user_id
            ORDER BY created_at DESC, id DESC LIMIT wanted.most
          ) AS item
          ORDER BY place, "createdAt" DESC, "analysisId" DESC`),
        (rows) => {
          for (const { place, ...row } of rows) pages[place - 1]!.items.push(toItem(row))
          return pages
        },
      )
    },
    keyOf: (page: Page) => page.key,
  })
  return (userId: UserId, limit: number) => Effect.map(lookup(`${userId} ${limit}`), (page) => page?.items ?? [])
}
