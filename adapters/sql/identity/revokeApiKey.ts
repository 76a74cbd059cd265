import type { SqlClient } from "effect/sql/SqlClient"
import type { UserId, ApiKeyId } from "../../../domain/ids/Ids.ts"

/**
 * Ends a usable key of the user's together with the keys that it created, and so on, including through keys that have
 * already ended. Keys created by its predecessors belong to it since it replaced them, but the predecessors themselves
 * do not. A key that rotated itself is the parent of its successor, because whoever stole it may hold that one. Only if
 * the successor itself revokes the old key does it remain; that is how a program rotates its own key.
 */
export const revokeApiKey = (sql: SqlClient, userId: UserId, apiKeyId: ApiKeyId, by: string | undefined) => sql`
  WITH RECURSIVE chain (id) AS (
    SELECT id FROM api_keys
    WHERE id = ${apiKeyId}::uuid AND user_id = ${userId}::uuid
      AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
    UNION
    SELECT api_keys.id FROM chain JOIN api_keys ON api_keys.successor_id = chain.id
  ),
  spared (id) AS (
    SELECT id FROM chain WHERE id <> ${apiKeyId}::uuid
    UNION ALL
    SELECT successor_id FROM api_keys WHERE id = ${apiKeyId}::uuid AND successor_id = ${by ?? null}::uuid
  ),
  ended (id) AS (
    SELECT id FROM chain
    UNION
    SELECT api_keys.id FROM ended
    JOIN api_keys ON api_keys.parent_id = ended.id OR api_keys.rotated_by = ended.id
    WHERE api_keys.id NOT IN (SELECT id FROM spared)
  )
  UPDATE api_keys SET revoked_at = now()
  WHERE id IN (SELECT id FROM ended EXCEPT SELECT id FROM spared) AND revoked_at IS NULL
  RETURNING 1 AS one`
