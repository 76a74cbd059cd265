import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"

const ignored = (): void => {}

/** A gauge whose value is read when it is scraped, until the scope closes. */
export const liveGauge = (
  name: string,
  description: string,
  read: () => number,
  attributes: Metric.Metric.AttributeSet = {},
) =>
  Effect.flatMap(Effect.context<never>(), (context) =>
    Effect.acquireRelease(
      Effect.sync(() =>
        Metric.registerUnsafe(Metric.gauge(name, { description, attributes }), context, {
          get: () => ({ value: read() }),
          update: ignored,
          modify: ignored,
        }),
      ),
      (registration) => Effect.sync(() => registration.remove()),
    ),
  )

/** The same for values that only increase. */
export const liveCounter = (name: string, description: string, read: () => number) =>
  Effect.flatMap(Effect.context<never>(), (context) =>
    Effect.acquireRelease(
      Effect.sync(() =>
        Metric.registerUnsafe(Metric.counter(name, { description }), context, {
          get: () => ({ count: read(), incremental: true }),
          update: ignored,
          modify: ignored,
        }),
      ),
      (registration) => Effect.sync(() => registration.remove()),
    ),
  )
