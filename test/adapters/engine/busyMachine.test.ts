import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it, vi } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { EngineLimits } from "../../../adapters/engine/EngineLimits.ts"
import { engineLayer } from "../../../adapters/engine/engineLayer.ts"
import { isRelevant } from "../../../domain/detection/ProjectFiles.ts"
import { busyMachine } from "../../support/busyMachine.ts"
import { examineFiles, type Files } from "../../support/engineRun.ts"
import { work } from "./toyFrontEnds.ts"

vi.setConfig({ testTimeout: 300_000 })

/** Rounds of work per second of CPU time on this machine at this moment. */
const roundsInSecond = (): number => {
  const rounds = 30_000_000
  work(rounds)
  const before = process.threadCpuUsage()
  work(rounds)
  const { user, system } = process.threadCpuUsage(before)
  return Math.round((rounds / (user + system)) * 1_000_000)
}

const toy = (limits: Partial<EngineLimits>) =>
  engineLayer({ frontEnds: new URL("./toyFrontEnds.ts", import.meta.url), version: "0", threads: 1, limits })

const real = engineLayer({
  frontEnds: new URL("../../../apps/engine/frontEnds.ts", import.meta.url),
  version: "0",
  threads: 1,
})

/** The text of a report, byte for byte. */
const reported = (files: Files, ecosystems: Parameters<typeof examineFiles>[1]) =>
  Effect.map(examineFiles(files, ecosystems), ({ findings, suppressed, coverage }) =>
    JSON.stringify({ findings, suppressed, coverage }),
  )

const onBusyMachine = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.scoped(Effect.andThen(busyMachine(6), effect))

describe("on a busy machine", () => {
  it.effect("an analysis reports the same as on an idle one, even if wall-clock limits would have stopped it", () =>
    Effect.gen(function* () {
      const rounds = Math.round(0.3 * roundsInSecond())
      const files = {
        "a.sol": `finding\nparse works ${rounds}`,
        "b.sol": `finding\nmodel works ${rounds}`,
        "c.sol": `finding\nrule works ${rounds}\nbuild works ${rounds}`,
      }
      const quiet = yield* reported(files, ["evm"])
      const busy = yield* onBusyMachine(Effect.timed(reported(files, ["evm"])))
      expect(busy[1]).toBe(quiet)
      expect(quiet).toContain('"rulesRun":2')
      expect(quiet).toContain('"filesSkipped":[]')
    }).pipe(
      Effect.provide(
        toy({ fileTime: Duration.seconds(0.9), ruleTime: Duration.seconds(0.9), sharedTime: Duration.seconds(0.9) }),
      ),
    ),
  )

  it.effect("the bundled sample has the same report, byte for byte", () =>
    Effect.gen(function* () {
      const folder = join(import.meta.dirname, "../../fixtures/sample")
      const names = readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
        .filter(isRelevant)
      const files = Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name))]))
      const quiet = yield* reported(files, ["evm", "solana", "cosmwasm"])
      expect(yield* onBusyMachine(reported(files, ["evm", "solana", "cosmwasm"]))).toBe(quiet)
    }).pipe(Effect.provide(real)),
  )
})

describe("work that all rules share", () => {
  it.effect("is not charged to the first rule that needs it, and is available to the others", () =>
    Effect.gen(function* () {
      const { findings, coverage } = yield* examineFiles({
        "a.sol": `finding\nshared works ${Math.round(0.6 * roundsInSecond())}`,
      })
      expect(findings).toHaveLength(1)
      expect(coverage).toMatchObject({ rulesRun: 2, filesSkipped: [] })
      expect(coverage).not.toHaveProperty("incomplete")
    }).pipe(Effect.provide(toy({ ruleTime: Duration.seconds(0.2), sharedTime: Duration.seconds(2) }))),
  )

  it.effect("survives a stopped rule: the others find the same as without it", () =>
    Effect.gen(function* () {
      const rounds = Math.round(0.3 * roundsInSecond())
      const { findings, coverage } = yield* examineFiles({
        "a.sol": `finding\nshared works ${rounds}\nrule loops`,
      })
      expect(findings).toHaveLength(1)
      expect(coverage.rulesRun).toBe(1)
      expect(coverage.incomplete).toEqual([
        { kind: "rule", name: "evm/logic/suffers", reason: "took longer than 0.2 s to analyze" },
      ])
    }).pipe(Effect.provide(toy({ ruleTime: Duration.seconds(0.2), sharedTime: Duration.seconds(1) }))),
  )
})
