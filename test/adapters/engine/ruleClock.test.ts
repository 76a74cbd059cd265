import { describe, expect, it } from "vitest"
import { ruleClock } from "../../../adapters/engine/ruleClock.ts"
import { type Monitor, silentMonitor } from "../../../domain/detection/Monitor.ts"

describe("the clock of rules", () => {
  const clocked = (first = () => {}) => {
    let now = 0
    const monitor = ruleClock(silentMonitor, ["a", "b"], first, () => now)
    const work = (rule: string | undefined, milliseconds: number) => {
      if (rule === undefined) monitor.begin({ phase: "build", ecosystem: "evm" }, 0, 0)
      else monitor.begin({ phase: "rule", rule }, 0, 0)
      now += milliseconds
    }
    return { monitor, work }
  }

  it("charges each rule for the time until the next unit of work, summed over the parts of a program", () => {
    const { monitor, work } = clocked()
    work(undefined, 1_000)
    work("a", 20)
    work("b", 300)
    work(undefined, 5_000)
    work("a", 4)
    expect([...monitor.seconds()]).toEqual([0.024, 0.3])
  })

  it("announces the first rule once, before it begins", () => {
    let times = 0
    const { work } = clocked(() => times++)
    work(undefined, 1)
    expect(times).toBe(0)
    work("a", 1)
    work("b", 1)
    expect(times).toBe(1)
  })

  it("passes every unit of work on", () => {
    const heard: Array<string> = []
    const listening: Monitor = { ...silentMonitor, begin: ({ phase }) => void heard.push(phase) }
    const monitor = ruleClock(listening, ["a"])
    monitor.begin({ phase: "parse", file: "A.sol" }, 0, 1)
    monitor.begin({ phase: "rule", rule: "a" }, 0, 1)
    expect(heard).toEqual(["parse", "rule"])
  })
})
