import type { SqlClient } from "effect/sql/SqlClient"
import type { UserId, ApiKeyId } from "../../../domain/ids/Ids.ts"

/**
 * Ends a usable key of the user's together with those that it asked for, and so on through keys that are over already.
 * What its predecessors asked for belongs to it since it took their place; they themselves do not. Rotated by itself, a
 * key has asked for its successor: whoever stole it may hold that one. Only where the successor itself retires the key
 * does it stay, which is how a program rotates its own key.
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
