import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/**
 * The form in which URLs of the same repository are equal; the indexes `analyses_by_repository` and `analyses_latest`
 * use the same expression.
 */
export const urlKey = (sql: SqlClient, column: string): Fragment =>
  sql.literal(`regexp_replace(lower(${column}), '\\.git$', '')`)
