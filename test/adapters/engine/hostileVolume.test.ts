import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { resultLimits } from "../../../domain/finding/ResultLimits.ts"
import { slowness } from "../../support/cpuTime.ts"
import { hostileVolume } from "../../support/hostileVolume.ts"

const measure = join(import.meta.dirname, "../../bench/hostileVolume.ts")

interface Measured {
  readonly json: number
  readonly markdown: number
  readonly sarif: number
  readonly analyzed: number
  readonly incomplete?: ReadonlyArray<string>
  readonly cpu: number
  readonly peak: number
}

describe("a repository that produces as much output as possible", () => {
  for (const name of Object.keys(hostileVolume)) {
    it(`gets a report of at most 8 MB within 6 s of CPU time and 1 GB: ${name}`, { timeout: 120_000 }, async () => {
      const { stdout } = await promisify(execFile)(process.execPath, [measure, name])
      // Written by `measure`.
      const { json, markdown, sarif, analyzed, incomplete, cpu, peak } = JSON.parse(stdout) as Measured
      expect(Math.max(json, markdown, sarif)).toBeLessThan(resultLimits.bytes / 1_000_000)
      expect(analyzed).toBeGreaterThan(0)
      expect(incomplete).toBeUndefined()
      expect(cpu / slowness()).toBeLessThan(6)
      expect(peak).toBeLessThan(1_000)
    })
  }
})
