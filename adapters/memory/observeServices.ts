import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import { Billing } from "../../application/ports/billing/Billing.ts"
import { CodeHost } from "../../application/ports/repositories/CodeHost.ts"
import { HealthProbe } from "../../application/ports/HealthProbe.ts"

/** `unknown` before the first request, `limited` if the service is up but throttles us. */
type ServiceState = "unknown" | "connected" | "limited" | "disconnected"

/** What a failure says about the service; undefined if nothing. A service that rejects a request is up. */
const stateAfter = (error: unknown): ServiceState | undefined => {
  if (Predicate.isTagged(error, "HostingUnavailable")) {
    return Predicate.hasProperty(error, "limited") && error.limited === true ? "limited" : "disconnected"
  }
  if (!Predicate.isTagged(error, "BillingUnavailable")) return "connected"
  // Without a cause, billing is not configured.
  return Predicate.hasProperty(error, "cause") && error.cause !== undefined ? "disconnected" : undefined
}

/**
 * Reports to the health probe how this process's last request to each external service ended. The services are never
 * contacted for their health, because a probe would use up the limits of their callers.
 */
export const observeServices: Layer.Layer<CodeHost | Billing | HealthProbe, never, CodeHost | Billing | HealthProbe> =
  Layer.effectContext(
    Effect.gen(function* () {
      const [host, billing, probe] = [yield* CodeHost, yield* Billing, yield* HealthProbe]
      const states = new Map<string, ServiceState>([["github", "unknown"]])
      const note = (name: string, state: ServiceState | undefined) =>
        Effect.sync(() => void (state === undefined ? undefined : states.set(name, state)))
      const watch =
        <Arguments extends ReadonlyArray<unknown>, A, E, R>(
          name: string,
          ask: (...given: Arguments) => Effect.Effect<A, E, R>,
        ) =>
        (...given: Arguments): Effect.Effect<A, E, R> =>
          ask(...given).pipe(
            Effect.tap(() => note(name, "connected")),
            Effect.tapError((error) => note(name, stateAfter(error))),
          )

      const watchedHost = CodeHost.of({
        ...host,
        describeToken: watch("github", host.describeToken),
        changesSince: watch("github", host.changesSince),
        repositories: (token, kind) =>
          Effect.map(watch("github", host.repositories)(token, kind), (reading) => ({
            ...reading,
            pages: Stream.tapError(reading.pages, (error) => note("github", stateAfter(error))),
          })),
      })
      const watchedBilling = Billing.of({
        ...billing,
        createCustomer: watch("stripe", billing.createCustomer),
        createCheckout: watch("stripe", billing.createCheckout),
        checkoutState: watch("stripe", billing.checkoutState),
        createPortal: watch("stripe", billing.createPortal),
        subscription: watch("stripe", billing.subscription),
      })
      const watchedProbe = HealthProbe.of({
        ...probe,
        externalServices: Effect.map(probe.externalServices, (others) => ({
          ...others,
          ...Object.fromEntries(states),
        })),
      })
      return Context.make(CodeHost, watchedHost).pipe(
        Context.add(Billing, watchedBilling),
        Context.add(HealthProbe, watchedProbe),
      )
    }),
  )
