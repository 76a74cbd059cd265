import * as Duration from "effect/Duration"
import type { EngineLimits } from "./EngineLimits.ts"
import type { Pulse } from "./Heartbeat.ts"

/** Modules load in 0.3 s. */
const loadSeconds = 20

/** How far a growing amount has come since a value changed. */
class Since {
  private value = -1
  private from = 0

  /** Of an amount that is `now`, what has been added since `value` became what it is. */
  spent(value: number, now: number): number {
    if (value !== this.value) {
      this.value = value
      this.from = now
    }
    return now - this.from
  }
}

/**
 * Holds what a thread does against the limits. It is told how much CPU time the thread has used, in seconds, each time
 * somebody looks; what a unit of work used before the first look at it is not counted.
 */
export class WorkMeter {
  private readonly seconds: Readonly<Record<"file" | "rule" | "shared" | "stall", number>>
  private readonly unit = new Since()
  private readonly file = new Since()
  private readonly clock = new Since()
  private beats = -1
  /** How far the current rule is beyond its own time, and how far those before it on the same program were. */
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

  /** Whether the thread lacks the CPU, or waits for something: work that goes on uses half a second now and then. */
  stalled(cpuSeconds: number, wallSeconds: number): boolean {
    return this.clock.spent(Math.floor(cpuSeconds * 2), wallSeconds) > this.seconds.stall
  }

  /** Seconds that the current unit of work may take on its own account, and beyond that together with others. */
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
