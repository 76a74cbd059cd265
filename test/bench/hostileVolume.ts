/**
 * The output of the engine for hostile repositories, and what it costs: `node test/bench/hostileVolume.ts [name]`
 * prints a line of JSON for each.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as LocalSourceFetcher from "../../adapters/local/LocalSourceFetcher.ts"
import { engineLayer } from "../../adapters/engine/engineLayer.ts"
import { assembleResult } from "../../application/analysis/assembleResult.ts"
import { examineRepository } from "../../application/analysis/examineRepository.ts"
import { ruleMetas } from "../../domain/detection/catalog.ts"
import { renderSarif } from "../../domain/report/Sarif.ts"
import { directoryOf } from "../support/engineRun.ts"
import { hostileVolume } from "../support/hostileVolume.ts"
import { AnalysisId } from "../../domain/ids/Ids.ts"

const frontEnds = new URL("../../apps/engine/frontEnds.ts", import.meta.url)
const megabytes = (bytes: number): number => Math.round(bytes / 10_000) / 100

/** Lets the peak begin anew where the kernel offers that; elsewhere, that of earlier repositories counts as well. */
const resetPeakMemory = (): void => {
  if (existsSync("/proc/self/clear_refs")) writeFileSync("/proc/self/clear_refs", "5")
}

/** Megabytes. On Linux `maxRSS` starts with the memory of the parent process at the time of the fork. */
const peakMemory = (): number => {
  const status = existsSync("/proc/self/status") ? readFileSync("/proc/self/status", "utf8") : ""
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? process.resourceUsage().maxRSS
  return Math.round(Number(kilobytes) / 1_000)
}

const measure = async (name: string): Promise<void> => {
  resetPeakMemory()
  const program = Effect.gen(function* () {
    const directory = yield* directoryOf(hostileVolume[name]!())
    const { user, system } = process.cpuUsage()
    const examination = yield* examineRepository(
      { repositoryUrl: directory, branch: undefined, framework: "auto" },
      () => {},
    )
    const result = assembleResult({
      analysisId: AnalysisId.make(""),
      repositoryUrl: directory,
      examination,
      findings: examination.findings,
      analysisTime: 0,
      completedAt: new Date(),
    })
    const json = megabytes(Buffer.byteLength(JSON.stringify(result)))
    const markdown = megabytes(Buffer.byteLength(result.markdownReport))
    const sarif = megabytes(Buffer.byteLength(JSON.stringify(renderSarif(result, ruleMetas))))
    const { coverage, summary } = result
    const spent = process.cpuUsage({ user, system })
    return {
      findings: result.findings.length,
      total: summary.totalFindings,
      json,
      markdown,
      sarif,
      analyzed: coverage.filesAnalysed,
      incomplete: coverage.incomplete?.map(({ kind, name, reason }) => `${kind} ${name.slice(-60)} ${reason}`),
      cpu: (spent.user + spent.system) / 1_000_000,
    }
  }).pipe(
    Effect.catchTag("ExaminationFailed", (failed) =>
      Effect.succeed({ failed: failed.message, cpu: process.cpuUsage().user / 1e6 }),
    ),
    Effect.scoped,
    Effect.provide(Layer.merge(LocalSourceFetcher.layer(), engineLayer({ frontEnds, version: "0", threads: 1 }))),
  )
  const measured = await Effect.runPromise(program)
  console.log(JSON.stringify({ name, ...measured, peak: peakMemory() }))
}

const [wanted] = process.argv.slice(2)
for (const name of wanted === undefined ? Object.keys(hostileVolume) : [wanted]) await measure(name)
