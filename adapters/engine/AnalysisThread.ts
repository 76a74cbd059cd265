import { Worker } from "node:worker_threads"
import type { Ecosystem } from "../../domain/analysis/Framework.ts"
import type { Examination } from "../../domain/detection/examine.ts"
import type { EngineLimits } from "./EngineLimits.ts"
import { heartbeatMemory, type Pulse, readPulse } from "./Heartbeat.ts"
import type { RuleSeconds } from "./ruleClock.ts"
import type { ThreadTask, UnassignedTask, ThreadData, ThreadMessage } from "./ThreadProtocol.ts"
import { WorkMeter } from "./WorkMeter.ts"

/** How a task ended. A lost thread is gone; `pulse` says what it was doing. */
type Ending =
  | {
      readonly type: "done"
      readonly examination: Examination
      /** What each rule took, by its position in `rules`. */
      readonly ruleSeconds: RuleSeconds
      readonly rules: ReadonlyArray<string>
    }
  | { readonly type: "detected"; readonly ecosystems: ReadonlySet<Ecosystem> }
  | {
      readonly type: "lost"
      readonly cause: "time" | "memory" | "crash"
      readonly detail: string
      readonly pulse: Pulse
    }
  /** The thread got no CPU time or was waiting: the sources are not to blame. */
  | { readonly type: "stalled" }
  /** The task has used all the CPU time that it may use. */
  | { readonly type: "exhausted" }
  | { readonly type: "interrupted" }

export type TaskOutcome = Ending & { readonly cpuSeconds: number }

/** How often a running thread is looked at, in milliseconds: memory grows by at most some 100 MB between two looks. */
const tick = 100

/** The task's ending according to a message; undefined if it continues. */
const endingOf = (message: ThreadMessage, rules: ReadonlyArray<string>): Ending | undefined => {
  if (message.type === "detected") return message
  if (message.type !== "done") return undefined
  const { examination, ruleSeconds } = message
  return { type: "done", examination, ruleSeconds, rules }
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"

/**
 * One worker thread and its guard. The guard lives in the main thread, so that it works whatever the thread does: V8
 * answers `getHeapStatistics` and `cpuUsage` from within loops, regular expressions and WebAssembly, and late from
 * within a copy of a large array (measured, Node 24.21).
 */
export class AnalysisThread {
  private readonly worker: Worker
  private readonly limits: EngineLimits
  private alive = true
  /** The CPU time of the thread so far, in seconds. */
  private cpu = 0

  constructor(data: ThreadData, limits: EngineLimits) {
    this.limits = limits
    this.worker = new Worker(new URL("./thread.ts", import.meta.url), {
      workerData: data,
      // V8 ends the process, not the thread, if a single large allocation hits the hard limit. The guard ends the
      // thread at the soft limit, so nothing that grows in steps reaches the hard one.
      resourceLimits: {
        maxOldGenerationSizeMb: limits.memoryMegabytes * 2 + 512,
        maxYoungGenerationSizeMb: 64,
        stackSizeMb: 8,
      },
      // A thread prints nothing: what it has to say goes into the report.
      stdout: true,
      stderr: true,
    })
    this.worker.on("error", () => {})
    this.worker.on("exit", () => {
      this.alive = false
    })
    this.worker.unref()
  }

  get usable(): boolean {
    return this.alive
  }

  async terminate(): Promise<void> {
    this.alive = false
    await this.worker.terminate()
  }

  /** Reads the thread's CPU time, and returns how many bytes of memory it has. */
  private async measure(): Promise<number> {
    const [{ user, system }, { total_heap_size: heap, external_memory: external }] = await Promise.all([
      this.worker.cpuUsage(),
      this.worker.getHeapStatistics(),
    ])
    this.cpu = (user + system) / 1_000_000
    return heap + external
  }

  /** Runs one task, whatever its outcome, within `cpuSeconds`; never rejects. Only one task at a time. */
  run(
    task: UnassignedTask,
    cpuSeconds: number,
    onPulse: (pulse: Pulse) => void,
    signal: AbortSignal,
  ): Promise<TaskOutcome> {
    const { limits, worker } = this
    const heartbeat = heartbeatMemory()
    let rules: ReadonlyArray<string> = []
    const pulse = (): Pulse => readPulse(heartbeat, { files: task.files, rules })

    return new Promise((resolve) => {
      let ended = false
      const before = this.cpu
      const used = (): number => this.cpu - before

      const finish = (ending: Ending, retire: boolean): void => {
        if (ended) return
        ended = true
        clearInterval(timer)
        signal.removeEventListener("abort", onAbort)
        worker.off("message", onMessage).off("error", onError).off("exit", onExit).unref()
        const outcome = { ...ending, cpuSeconds: used() }
        if (!retire) return resolve(outcome)
        // The next thread starts when this one's memory is free again.
        void this.terminate().finally(() => resolve(outcome))
      }
      const lose = (cause: "time" | "memory" | "crash", detail: string): void =>
        finish({ type: "lost", cause, detail, pulse: pulse() }, true)

      const onMessage = (message: ThreadMessage): void => {
        if (message.type === "rules") rules = message.ids
        if (message.type === "checking") onPulse({ ...pulse(), phase: "rule", done: 0, total: 1 })
        const ending = endingOf(message, rules)
        if (ending !== undefined) finish(ending, message.type === "done" && message.retire)
      }
      const onError = (error: unknown): void =>
        lose(isOutOfMemory(error) ? "memory" : "crash", error instanceof Error ? error.message : String(error))
      const onExit = (code: number): void => lose("crash", `the thread ended with code ${code}`)
      const onAbort = (): void => finish({ type: "interrupted" }, true)

      const meter = new WorkMeter(limits)
      let beats = -1
      let looks = 0
      let measuring = false
      const measure = async (): Promise<void> => {
        const bytes = await this.measure()
        const exceeded = meter.exceeded(pulse(), this.cpu)
        if (exceeded !== undefined) lose("time", `longer than ${exceeded} s`)
        else if (used() > cpuSeconds) finish({ type: "exhausted" }, true)
        else if (bytes > limits.memoryMegabytes * 1_000_000) lose("memory", "heap and WebAssembly memory")
      }
      const look = (): void => {
        const now = pulse()
        if (now.beats !== beats) onPulse(now)
        beats = now.beats
        // Counted in looks, so that a suspended machine does not look like a stalled thread.
        if (meter.stalled(this.cpu, (++looks * tick) / 1_000)) return finish({ type: "stalled" }, true)
        if (measuring) return
        measuring = true
        // A thread does not answer if it has not started yet, which takes long on a busy machine, or if it is gone.
        void measure()
          .catch(() => {})
          .finally(() => (measuring = false))
      }

      worker.ref()
      worker.on("message", onMessage).on("error", onError).on("exit", onExit)
      const timer = setInterval(look, tick)
      signal.addEventListener("abort", onAbort)
      if (signal.aborted) return onAbort()
      if (!this.alive) return onExit(-1)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
      worker.postMessage({ ...task, heartbeat } satisfies ThreadTask)
      look()
    })
  }
}
