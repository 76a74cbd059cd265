import { describe, expect, it } from "vitest"
import * as Duration from "effect/Duration"
import { defaultLimits } from "../../../adapters/engine/EngineLimits.ts"
import type { Pulse } from "../../../adapters/engine/Heartbeat.ts"
import { WorkMeter } from "../../../adapters/engine/WorkMeter.ts"

const limits = {
  ...defaultLimits,
  fileTime: Duration.seconds(5),
  ruleTime: Duration.seconds(5),
  sharedTime: Duration.seconds(20),
  stallTime: Duration.seconds(120),
}

let beats = 0
/** A unit of work begins. */
const unit = (phase: Pulse["phase"], change: Partial<Pulse> = {}): Pulse => ({
  phase,
  beats: ++beats,
  turns: 0,
  done: 0,
  total: 1,
  kilobytes: 1,
  rule: phase === "rule" ? "evm/gas/a" : undefined,
  ecosystem: undefined,
  file: undefined,
  ...change,
})

/** Lets a unit use this much more CPU time; the limit it exceeds, if any. */
const meterOf = () => {
  const meter = new WorkMeter(limits)
  let cpu = 0
  return (pulse: Pulse, seconds: number): number | undefined => {
    meter.exceeded(pulse, cpu)
    return meter.exceeded(pulse, (cpu += seconds))
  }
}

describe("work on a thread", () => {
  it("has its own time limit for each unit", () => {
    const use = meterOf()
    for (let file = 0; file < 10; file++) expect(use(unit("parse"), 5)).toBeUndefined()
    expect(use(unit("parse"), 5.1)).toBe(5)
  })

  it("on behalf of one file may take as long as a file may, even within a longer unit", () => {
    const use = meterOf()
    const build = unit("build")
    expect(use({ ...build, file: "a.sol", turns: 1 }, 4)).toBeUndefined()
    expect(use({ ...build, file: "b.sol", turns: 2 }, 4)).toBeUndefined()
    expect(use({ ...build, file: "c.sol", turns: 3 }, 5.1)).toBe(5)
  })

  it("has more time for more source text", () => {
    const use = meterOf()
    expect(use(unit("build", { kilobytes: 2_500 }), 59)).toBeUndefined()
    expect(use(unit("build", { kilobytes: 2_500 }), 61)).toBe(60)
  })

  it("of a rule may use the shared time, of which later rules get the rest", () => {
    const use = meterOf()
    expect(use(unit("rule"), 5 + 15)).toBeUndefined()
    expect(use(unit("rule"), 5 + 4)).toBeUndefined()
    expect(use(unit("rule"), 5)).toBeUndefined()
    expect(use(unit("rule"), 5 + 1.1)).toBe(5)
  })

  it("gets the shared time again for the next part of a program", () => {
    const use = meterOf()
    use(unit("rule"), 25)
    expect(use(unit("rule"), 5.1)).toBe(5)
    use(unit("build"), 1)
    expect(use(unit("rule"), 25)).toBeUndefined()
  })

  it("counts as stalled when it uses almost no CPU time, not when it uses little", () => {
    const meter = new WorkMeter(limits)
    for (let wall = 0; wall < 2_000; wall++) expect(meter.stalled(wall * 0.01, wall)).toBe(false)
    expect(meter.stalled(20, 2_000)).toBe(false)
    expect(meter.stalled(20.3, 2_120)).toBe(false)
    expect(meter.stalled(20.3, 2_121)).toBe(true)
  })
})
