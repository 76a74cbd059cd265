import type { Caller } from "../../domain/identity/Caller.ts"
import { DeliveryStore } from "../ports/DeliveryStore.ts"
import type { AnalysisId, DeliveryId } from "../../domain/ids/Ids.ts"

/** Sends a notification of one of the caller's analyses again, under its own id; nothing where it is due anyway. */
export const redeliver = (caller: Caller, analysisId: AnalysisId, deliveryId: DeliveryId) =>
  DeliveryStore.use((store) => store.redeliver(caller.userId, analysisId, deliveryId))
