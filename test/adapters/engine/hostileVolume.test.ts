import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { beforeAll, describe, expect, it } from "vitest"
import { resultLimits } from "../../../domain/finding/ResultLimits.ts"
import { slowness } from "../../support/cpuTime.ts"
import { hostileVolume } from "../../support/hostileVolume.ts"

const measure = join(import.meta.dirname, "../../bench/hostileVolume.ts")

interface Measured {
  readonly name: string
  readonly json: number
  readonly markdown: number
  readonly sarif: number
  readonly analyzed: number
  readonly incomplete?: ReadonlyArray<string>
  readonly cpu: number
  readonly peak: number
}

describe("a repository that produces as much output as possible", () => {
  const measured = new Map<string, Measured>()

  // In one process of their own, whose memory no test shares.
  beforeAll(async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [measure])
    for (const line of stdout.trimEnd().split("\n")) {
      const each = JSON.parse(line) as Measured // written by `measure`
      measured.set(each.name, each)
    }
  }, 300_000)

  it.each(Object.keys(hostileVolume))("gets a report of at most 8 MB within 6 s of CPU time and 1 GB: %s", (name) => {
    const { json, markdown, sarif, analyzed, incomplete, cpu, peak } = measured.get(name)!
    expect(Math.max(json, markdown, sarif)).toBeLessThan(resultLimits.bytes / 1_000_000)
    expect(analyzed).toBeGreaterThan(0)
    expect(incomplete).toBeUndefined()
    expect(cpu / slowness()).toBeLessThan(6)
    expect(peak).toBeLessThan(1_000)
  })
})
