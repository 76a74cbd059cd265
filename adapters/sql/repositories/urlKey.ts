import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** The form under which URLs of one repository are equal; the indexes `analyses_by_repository` and `analyses_latest` are over the same expression. */
export const urlKey = (sql: SqlClient, column: string): Fragment =>
  sql.literal(`regexp_replace(lower(${column}), '\\.git$', '')`)
