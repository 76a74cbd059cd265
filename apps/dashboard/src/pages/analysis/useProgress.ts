import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { addressOf } from "../../api/client.ts"
import type { Output } from "../../api/contract.ts"
import { status } from "../../api/queries.ts"

type Status = Output<"analysis.status">

/** Milliseconds until a refused stream is requested again. */
const pause = 10_000

/**
 * Follows an analysis by server-sent events while `live`. The browser reconnects by itself if the connection breaks,
 * but never after a refusal, such as a proxy's 502 while the service restarts.
 */
export const useProgress = (id: string, live: boolean): { readonly broken: boolean } => {
  const client = useQueryClient()
  const [broken, setBroken] = useState(false)
  useEffect(() => {
    if (!live) return undefined
    let events: EventSource
    let timer: ReturnType<typeof setTimeout> | undefined
    const follow = () => {
      events = new EventSource(addressOf("analysis.events", { params: { id } }))
      events.addEventListener("message", ({ data }) => {
        const next = JSON.parse(String(data)) as Status // the service's own
        setBroken(false)
        client.setQueryData<Status>(status(id).queryKey, next)
        if (next.status === "completed" || next.status === "failed") events.close()
      })
      events.addEventListener("error", ({ currentTarget }) => {
        setBroken(true)
        if (currentTarget !== events || events.readyState !== EventSource.CLOSED) return
        // Such as by a limit or an expired session: a status request tells which, and the progress.
        void client.invalidateQueries({ queryKey: status(id).queryKey })
        timer = setTimeout(follow, pause)
      })
    }
    follow()
    return () => {
      clearTimeout(timer)
      events.close()
    }
  }, [client, id, live])
  return { broken }
}
