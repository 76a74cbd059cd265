import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { addressOf } from "../../api/client.ts"
import type { Output } from "../../api/contract.ts"
import { status } from "../../api/queries.ts"

type Status = Output<"analysis.status">

/** Follows an analysis by server-sent events while `live`; the browser connects again by itself. */
export const useProgress = (id: string, live: boolean): { readonly broken: boolean } => {
  const client = useQueryClient()
  const [broken, setBroken] = useState(false)
  useEffect(() => {
    if (!live) return undefined
    const events = new EventSource(addressOf("analysis.events", { params: { id } }))
    events.addEventListener("message", ({ data }) => {
      const next = JSON.parse(String(data)) as Status // the service's own
      setBroken(false)
      client.setQueryData<Status>(status(id).queryKey, next)
      if (next.status === "completed" || next.status === "failed") events.close()
    })
    events.addEventListener("error", () => {
      setBroken(true)
      // Refused for good, such as by a limit or a session that ended: asking says which.
      if (events.readyState === EventSource.CLOSED) void client.invalidateQueries({ queryKey: status(id).queryKey })
    })
    return () => events.close()
  }, [client, id, live])
  return { broken }
}
