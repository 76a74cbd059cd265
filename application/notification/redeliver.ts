import type { Caller } from "../../domain/identity/Caller.ts"
import { DeliveryStore } from "../ports/notification/DeliveryStore.ts"
import type { AnalysisId, DeliveryId } from "../../domain/ids/Ids.ts"

/** Sends a notification of one of the caller's analyses again under the same id; has no effect if it is already due. */
export const redeliver = (caller: Caller, analysisId: AnalysisId, deliveryId: DeliveryId) =>
  DeliveryStore.use((store) => store.redeliver(caller.userId, analysisId, deliveryId))
