import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { InTransaction } from "../../application/ports/InTransaction.ts"

/** The client, marking its transactions for services that must not be called within one. */
export const markTransactions = <C extends SqlClient>(client: C): C => {
  const { withTransaction } = client
  const marked: SqlClient["withTransaction"] = (effect) =>
    withTransaction(Effect.provideService(effect, InTransaction, true))
  return Object.assign(client, { withTransaction: marked })
}
