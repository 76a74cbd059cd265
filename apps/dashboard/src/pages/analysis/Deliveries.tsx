import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { call } from "../../api/client.ts"
import { deliveries } from "../../api/queries.ts"
import { duration, words } from "../../ui/format.ts"
import { Failed, Shown } from "../../ui/State.tsx"
import { Time } from "../../ui/Time.tsx"

/** Notifications of an analysis with their attempts. */
export const Deliveries = ({ id }: { readonly id: string }) => {
  const query = useQuery(deliveries(id))
  const client = useQueryClient()
  const again = useMutation({
    mutationFn: (deliveryId: string) => call("deliveries.redeliver", { params: { id, deliveryId } }),
    onSuccess: () => client.invalidateQueries({ queryKey: deliveries(id).queryKey }),
  })
  return (
    <section className="section" aria-labelledby="deliveries">
      <h2 id="deliveries">Notifications</h2>
      <Shown query={query}>
        {(all) =>
          all.length === 0 ? (
            <p className="muted">None. The analysis was started without a notification URL.</p>
          ) : (
            <ul className="section">
              {all.map((delivery) => (
                <li key={delivery.deliveryId} className="section">
                  <p className="actions">
                    <b>{words(delivery.status)}</b>
                    <span className="mono break">{delivery.url}</span>
                    <Time at={delivery.createdAt} />
                    <button
                      type="button"
                      className="button"
                      disabled={again.isPending}
                      onClick={() => again.mutate(delivery.deliveryId)}
                    >
                      Resend
                    </button>
                  </p>
                  <ol>
                    {delivery.attempts.map((attempt) => (
                      <li key={attempt.number} className="muted break">
                        {attempt.number}. <Time at={attempt.startedAt} />:{" "}
                        {attempt.statusCode ?? attempt.error ?? "no response"}, {duration(attempt.duration)}
                      </li>
                    ))}
                  </ol>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
      {again.error !== null && <Failed error={again.error} />}
    </section>
  )
}
