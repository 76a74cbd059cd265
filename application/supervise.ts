import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Metric from "effect/Metric"

const restarts = Metric.counter("assay_loop_restarts_total", {
  description: "Restarts of a permanent loop of the process after a failure.",
  incremental: true,
})
const failing = Metric.gauge("assay_loop_failing", {
  description: "1 while a permanent loop of the process has failed and waits to be restarted.",
})

/** The permanent loops of this process that are currently broken, by name, as reported by the readiness probe. */
export class BrokenLoops {
  private readonly broken = new Map<string, number>()

  get names(): ReadonlyArray<string> {
    return [...this.broken.keys()]
  }

  breaks(name: string): void {
    this.broken.set(name, (this.broken.get(name) ?? 0) + 1)
  }

  isMended(name: string): void {
    const left = (this.broken.get(name) ?? 0) - 1
    if (left > 0) this.broken.set(name, left)
    else this.broken.delete(name)
  }
}

/** One per process, like the metric registry. */
export const CurrentBrokenLoops = Context.Reference<BrokenLoops>("assay/application/BrokenLoops", {
  defaultValue: () => new BrokenLoops(),
})

const shortest = Duration.millis(100)
const longest = Duration.seconds(10)

/** A loop that ran for this many milliseconds is healthy: the next pause is short again. */
const works = 30_000

/**
 * Runs a loop that must last as long as the process: whatever ends it, a failure, a defect or normal completion, it is
 * restarted after a pause that doubles from 0.1 s to 10 s. It ends when interrupted, or once it `isOver`.
 */
export const supervise = <A, E, R>(
  name: string,
  loop: Effect.Effect<A, E, R>,
  isOver: () => boolean = () => false,
): Effect.Effect<void, never, R> =>
  Effect.gen(function* () {
    const loops = yield* CurrentBrokenLoops
    const count = (by: number) => Metric.update(Metric.withAttributes(restarts, { loop: name }), by)
    const tell = Effect.suspend(() =>
      Metric.update(Metric.withAttributes(failing, { loop: name }), Number(loops.names.includes(name))),
    )
    yield* count(0)
    yield* tell
    for (let pause = shortest; ; pause = Duration.min(longest, Duration.times(pause, 2))) {
      const since = performance.now()
      const exit = yield* Effect.exit(loop)
      if (isOver()) return
      if (performance.now() - since > works) pause = shortest
      const why = Exit.isFailure(exit) ? exit.cause : "it ended"
      yield* Effect.annotateLogs(Effect.logError("loop failed, restarting", why), { loop: name })
      yield* count(1)
      yield* Effect.acquireUseRelease(
        Effect.sync(() => loops.breaks(name)),
        () => Effect.andThen(tell, Effect.sleep(pause)),
        () =>
          Effect.andThen(
            Effect.sync(() => loops.isMended(name)),
            tell,
          ),
      )
    }
  })
