import { useMutation, useQuery } from "@tanstack/react-query"
import { call } from "../api/client.ts"
import { plans, subscription } from "../api/queries.ts"
import { offers } from "../shell/offers.ts"
import { useTitle } from "../shell/useTitle.ts"
import { exactDay, words } from "../ui/format.ts"
import { Quota } from "../ui/Quota.tsx"
import { Failed, Shown } from "../ui/State.tsx"

/** Payment happens on a page of the payment service's; only an https address of its answer is gone to. */
const goTo = (url: string): void => {
  if (url.startsWith("https://")) location.assign(url)
}

export const Subscription = () => {
  useTitle("Subscription")
  const status = useQuery(subscription)
  const offered = useQuery(plans)
  const pay = useMutation({
    mutationFn: async (planId: string | undefined) =>
      planId === undefined
        ? (await call("subscriptions.portal", {})).portalUrl
        : (await call("subscriptions.checkout", { payload: { planId } })).checkoutUrl,
    onSuccess: goTo,
  })
  return (
    <div className="page">
      <h1>Subscription</h1>
      <Shown query={status}>
        {({ tier, status, lastStatus, currentPeriodEnd, monthlyAnalysesUsed, monthlyAnalysesLimit }) => (
          <>
            <dl className="facts">
              <div>
                <dt>Plan</dt>
                <dd>{words(tier)}</dd>
              </div>
              <div>
                <dt>Status</dt>
                <dd>
                  {words(status)}
                  {lastStatus !== undefined && ` (the last subscription: ${words(lastStatus).toLowerCase()})`}
                </dd>
              </div>
              <div>
                <dt>Period ends</dt>
                <dd>{exactDay(currentPeriodEnd)}</dd>
              </div>
            </dl>
            <section className="section" aria-labelledby="usage">
              <h2 id="usage">Usage</h2>
              <Quota used={monthlyAnalysesUsed} limit={monthlyAnalysesLimit} resetsAt={currentPeriodEnd} />
            </section>
            <section className="section" aria-labelledby="plans">
              <h2 id="plans">Plans</h2>
              <Shown query={offered}>
                {(all) => (
                  <div className="columns">
                    {all.map((plan) => (
                      <section key={plan.id} className="section" aria-labelledby={`plan-${plan.id}`}>
                        <h3 id={`plan-${plan.id}`}>
                          {plan.name} {plan.id === tier && <span className="tag new">Your plan</span>}
                        </h3>
                        <ul>
                          {plan.features.map((feature) => (
                            <li key={feature}>{feature}</li>
                          ))}
                        </ul>
                        {plan.id !== tier && plan.id !== "basic" && offers("billing") && (
                          <p>
                            <button
                              type="button"
                              className="button primary"
                              disabled={pay.isPending}
                              onClick={() => pay.mutate(plan.id)}
                            >
                              Upgrade to {plan.name}
                            </button>
                          </p>
                        )}
                      </section>
                    ))}
                  </div>
                )}
              </Shown>
            </section>
            <section className="section" aria-labelledby="manage">
              <h2 id="manage">Payment</h2>
              {offers("billing") ? (
                <>
                  <p>Payment methods, invoices and cancellation are on a page of the payment service.</p>
                  <p>
                    <button
                      type="button"
                      className="button"
                      disabled={pay.isPending}
                      onClick={() => pay.mutate(undefined)}
                    >
                      Manage payment
                    </button>
                  </p>
                </>
              ) : (
                <p>Nothing is paid for here: whoever runs this service has not connected a payment service.</p>
              )}
              {pay.error !== null && <Failed error={pay.error} />}
            </section>
          </>
        )}
      </Shown>
    </div>
  )
}
