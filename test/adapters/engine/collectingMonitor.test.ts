import { describe, expect, it } from "vitest"
import { collectingMonitor } from "../../../adapters/engine/collectingMonitor.ts"
import { type Monitor, silentMonitor, type Work } from "../../../domain/detection/Monitor.ts"

const megabyte = 1_000_000

describe("a monitor that collects garbage between the parts of a program", () => {
  /** A heap of which `live` megabytes are in use and which each unit of work grows. */
  const watched = (live: number) => {
    let bytes = 0
    let collections = 0
    const heap = {
      usedBytes: () => bytes * megabyte,
      bytes: () => bytes * megabyte,
      collect: () => {
        collections++
        bytes = live
      },
    }
    const monitor = collectingMonitor(silentMonitor, heap)
    const begin = (work: Work, grows: number): number => {
      monitor.begin(work, 0, 1)
      bytes += grows
      return bytes
    }
    return { begin, collections: () => collections }
  }
  const build: Work = { phase: "build", ecosystem: "evm" }

  it("leaves a small heap alone", () => {
    const { begin, collections } = watched(100)
    for (let i = 0; i < 4; i++) begin(build, 100)
    expect(collections()).toBe(0)
  })

  it("collects before a part is built, never before a rule", () => {
    const { begin, collections } = watched(100)
    begin(build, 900)
    begin({ phase: "rule", rule: "evm/x/y" }, 0)
    expect(collections()).toBe(0)
    begin(build, 0)
    expect(collections()).toBe(1)
  })

  it("keeps garbage below 300 MB and one part, and collects no more often than that requires", () => {
    const { begin, collections } = watched(1_000)
    let most = 0
    for (let i = 0; i < 100; i++) most = Math.max(most, begin(build, 50))
    expect(most).toBeLessThanOrEqual(1_400)
    expect(collections()).toBeLessThanOrEqual(100 / 6)
  })

  it("passes every unit of work on", () => {
    const heard: Array<string> = []
    const listening: Monitor = { ...silentMonitor, begin: ({ phase }) => void heard.push(phase) }
    const monitor = collectingMonitor(listening, { bytes: () => 0, usedBytes: () => 0, collect: () => {} })
    for (const work of [{ phase: "parse", file: "A.sol" } as const, build]) monitor.begin(work, 0, 1)
    expect(heard).toEqual(["parse", "build"])
  })
})
