import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { importReport } from "../../apps/wiring/importReports.ts"
import { cpuTime } from "../support/cpuTime.ts"

let folder = ""
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-import-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const imported = (text: string, bytes = 0) => {
  const path = join(folder, "report.sarif")
  writeFileSync(path, text)
  if (bytes > 0) truncateSync(path, bytes)
  return Effect.runPromise(Effect.result(importReport(path, folder)))
}

const log = (properties: string) =>
  `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"Other"}},"results":[],"properties":${properties}}]}`

describe("a hostile report of another engine", () => {
  it.each([
    ["is empty", " ", "is empty"],
    ["is no JSON", "{", "is not JSON"],
    ["is no log", "[]", "is not a SARIF log"],
    ["is of brackets alone", "[".repeat(20_000_000), "nests deeper than 200 levels"],
    ["has more objects than memory", log(`[${"{},".repeat(6_000_000)}0]`), "has more than 10000000 values"],
    ["has brackets in the middle", log("[".repeat(5_000_000)), "nests deeper than 200 levels"],
  ])("and %s, is refused in a sentence", async (_, text, why) => {
    const result = await imported(text)
    expect(Result.isFailure(result) && result.failure.message).toContain(why)
  })

  it("is a sentence if it is a folder", async () => {
    const result = await Effect.runPromise(Effect.result(importReport(folder, folder)))
    expect(Result.isFailure(result) && result.failure.message).toBe(
      `Could not read the report ${folder}: it is a folder.`,
    )
  })

  it("is not read to its end if it is endless", async () => {
    const result = await imported("", 1_000_000_000_000)
    expect(Result.isFailure(result) && result.failure.message).toContain("larger than 100 MB")
  })

  it("costs time only in another thread", async () => {
    const text = log(`[${"{},".repeat(3_000_000)}0]`)
    const from = cpuTime()
    JSON.parse(text)
    const parsed = cpuTime()
    expect(await imported(text)).toMatchObject({ _tag: "Success", success: [{ engine: "other", results: [] }] })
    expect(cpuTime() - parsed).toBeLessThan(parsed - from)
  })
})
