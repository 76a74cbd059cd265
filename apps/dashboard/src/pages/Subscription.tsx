import { useMutation, useQuery, type UseQueryResult } from "@tanstack/react-query"
import { call } from "../api/client.ts"
import type { Output } from "../api/contract.ts"
import { plans, subscription } from "../api/queries.ts"
import { offers } from "../shell/offers.ts"
import { useTitle } from "../shell/useTitle.ts"
import { Fact, Facts } from "../ui/Facts.tsx"
import { exactDay, words } from "../ui/format.ts"
import { Quota } from "../ui/Quota.tsx"
import { Failed, Shown } from "../ui/State.tsx"

/** Payment takes place on a page of the payment service; only https URLs from its response are opened. */
const goTo = (url: string): void => {
  if (url.startsWith("https://")) location.assign(url)
}

type Tier = Output<"subscriptions.status">["tier"]

/** Links to a page of the payment service: the checkout if a plan is given, otherwise the portal. */
const usePayment = () =>
  useMutation({
    mutationFn: async (planId: string | undefined) =>
      planId === undefined
        ? (await call("subscriptions.portal", {})).portalUrl
        : (await call("subscriptions.checkout", { payload: { planId } })).checkoutUrl,
    onSuccess: goTo,
  })

type Payment = ReturnType<typeof usePayment>

interface PlanProps {
  readonly plan: Output<"subscriptions.plans">[number]
  readonly tier: Tier
  readonly pay: Payment
}

const Plan = ({ plan, tier, pay }: PlanProps) => (
  <section className="section" aria-labelledby={`plan-${plan.id}`}>
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
        <button type="button" className="button primary" disabled={pay.isPending} onClick={() => pay.mutate(plan.id)}>
          Upgrade to {plan.name}
        </button>
      </p>
    )}
  </section>
)

interface PlansProps {
  readonly offered: UseQueryResult<Output<"subscriptions.plans">>
  readonly tier: Tier
  readonly pay: Payment
}

const Plans = ({ offered, tier, pay }: PlansProps) => (
  <section className="section" aria-labelledby="plans">
    <h2 id="plans">Plans</h2>
    <Shown query={offered}>
      {(all) => (
        <div className="columns">
          {all.map((plan) => (
            <Plan key={plan.id} plan={plan} tier={tier} pay={pay} />
          ))}
        </div>
      )}
    </Shown>
  </section>
)

const ManagePayment = ({ pay }: { readonly pay: Payment }) => (
  <section className="section" aria-labelledby="manage">
    <h2 id="manage">Payment</h2>
    {offers("billing") ? (
      <>
        <p>Manage payment methods, invoices and cancellation on the payment provider's page.</p>
        <p>
          <button type="button" className="button" disabled={pay.isPending} onClick={() => pay.mutate(undefined)}>
            Manage payment
          </button>
        </p>
      </>
    ) : (
      <p>Billing is not available: the operator of this service has not connected a payment service.</p>
    )}
    {pay.error !== null && <Failed error={pay.error} />}
  </section>
)

export const Subscription = () => {
  useTitle("Subscription")
  const query = useQuery(subscription)
  const offered = useQuery(plans)
  const pay = usePayment()
  return (
    <div className="page">
      <h1>Subscription</h1>
      <Shown query={query}>
        {({ tier, status, lastStatus, currentPeriodEnd, monthlyAnalysesUsed, monthlyAnalysesLimit }) => (
          <>
            <Facts>
              <Fact name="Plan">{words(tier)}</Fact>
              <Fact name="Status">
                {words(status)}
                {lastStatus !== undefined && ` (the last subscription: ${words(lastStatus).toLowerCase()})`}
              </Fact>
              <Fact name="Period ends">{exactDay(currentPeriodEnd)}</Fact>
            </Facts>
            <section className="section" aria-labelledby="usage">
              <h2 id="usage">Usage</h2>
              <Quota used={monthlyAnalysesUsed} limit={monthlyAnalysesLimit} resetsAt={currentPeriodEnd} />
            </section>
            <Plans offered={offered} tier={tier} pay={pay} />
            <ManagePayment pay={pay} />
          </>
        )}
      </Shown>
    </div>
  )
}
