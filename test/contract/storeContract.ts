import { describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Notifications } from "../../adapters/sql/Notifications.ts"
import { clear } from "../support/databases.ts"
import { analysisLease } from "./analysisLease.ts"
import { analysisLifecycle } from "./analysisLifecycle.ts"
import { analysisQueue } from "./analysisQueue.ts"
import { analysisQuota } from "./analysisQuota.ts"
import { analysisReading } from "./analysisReading.ts"
import { decisions } from "./decisions.ts"
import { deliveries } from "./deliveries.ts"
import { findingHistory } from "./findingHistory.ts"
import { hostingTokens } from "./hostingTokens.ts"
import { identities } from "./identities.ts"
import { queueInvariants } from "./queueInvariants.ts"
import { repositoryRecords } from "./repositoryRecords.ts"
import { reports } from "./reports.ts"
import { repositorySync } from "./repositorySync.ts"
import { reviews } from "./reviews.ts"
import { stores } from "../support/stores.ts"

const suites = {
  analysisLifecycle,
  analysisLease,
  analysisReading,
  reports,
  analysisQuota,
  analysisQueue,
  queueInvariants,
  findingHistory,
  identities,
  repositoryRecords,
  repositorySync,
  hostingTokens,
  deliveries,
  decisions,
  reviews,
}

export type Database = Layer.Layer<SqlClient | Notifications, unknown>

/** The promises of the stores on one database, which is empty for each test. */
export const storeContract = (name: string, database: Database) =>
  layer(stores.pipe(Layer.provideMerge(database)))(name, (it) => {
    for (const [suite, tests] of Object.entries(suites)) {
      describe(`${suite}`, () => {
        for (const [test, effect] of Object.entries(tests)) it.effect(test, () => Effect.andThen(clear, effect))
      })
    }
  })
