import type { Caller } from "../../domain/identity/Caller.ts"
import { DeliveryStore } from "../ports/notification/DeliveryStore.ts"
import type { AnalysisId } from "../../domain/ids/Ids.ts"

/** The notifications of one of the caller's analyses, newest first, with their latest attempts. */
export const listDeliveries = (caller: Caller, analysisId: AnalysisId) =>
  DeliveryStore.use((store) => store.list(caller.userId, analysisId))
