import * as Duration from "effect/Duration"
import type { EngineLimits } from "./EngineLimits.ts"
import type { Pulse } from "./Heartbeat.ts"

/** Modules load in 0.3 s. */
const loadSeconds = 20

/** How much a growing amount has increased since a value changed. */
class Since {
  private value = -1
  private from = 0

  /** Of the amount `now`, what has been added since `value` last changed. */
  spent(value: number, now: number): number {
    if (value !== this.value) {
      this.value = value
      this.from = now
    }
    return now - this.from
  }
}

/**
 * Checks what a thread does against the limits. At each look, it is told how much CPU time the thread has used, in
 * seconds; what a unit of work used before the first look at it does not count.
 */
export class WorkMeter {
  private readonly seconds: Readonly<Record<"file" | "rule" | "shared" | "stall", number>>
  private readonly unit = new Since()
  private readonly file = new Since()
  private readonly clock = new Since()
  private beats = -1
  /** How far the current rule has exceeded its own time, and how far the previous rules on the same program had. */
  private beyond = 0
  private shared = 0

  constructor(limits: EngineLimits) {
    this.seconds = {
      file: Duration.toSeconds(limits.fileTime),
      rule: Duration.toSeconds(limits.ruleTime),
      shared: Duration.toSeconds(limits.sharedTime),
      stall: Duration.toSeconds(limits.stallTime),
    }
  }

  /** The limit in seconds that the work has exceeded, if any. */
  exceeded(pulse: Pulse, cpuSeconds: number): number | undefined {
    const { phase, file, beats, turns } = pulse
    const onFile = this.file.spent(turns, cpuSeconds)
    const spent = this.unit.spent(beats, cpuSeconds)
    const { own, common } = this.allowance(pulse)
    if (beats !== this.beats) {
      this.beats = beats
      this.shared = phase === "build" ? 0 : this.shared + this.beyond
    }
    this.beyond = phase === "rule" ? Math.max(0, spent - own) : 0
    if (phase !== "parse" && file !== undefined && onFile > this.seconds.file) return this.seconds.file
    return spent - own > Math.max(0, common - this.shared) ? own : undefined
  }

  /** Whether the thread lacks the CPU, or waits for something: ongoing work uses half a second now and then. */
  stalled(cpuSeconds: number, wallSeconds: number): boolean {
    return this.clock.spent(Math.floor(cpuSeconds * 2), wallSeconds) > this.seconds.stall
  }

  /** How many seconds the current unit of work may take by itself, and how many beyond that together with others. */
  private allowance({ phase, kilobytes }: Pulse): { readonly own: number; readonly common: number } {
    const { file, rule, shared } = this.seconds
    const megabytes = Math.max(1, Math.ceil(kilobytes / 1_000))
    if (phase === "idle" || phase === "load") return { own: loadSeconds, common: 0 }
    if (phase === "parse") return { own: file, common: 0 }
    return phase === "rule"
      ? { own: rule * megabytes, common: shared * megabytes }
      : { own: shared * megabytes, common: 0 }
  }
}
