/**
 * What hostile text costs: `npm run bench:hostile [-- part of a kind [part of a pattern [bytes]]]` puts 600 kB of each pattern
 * into each kind of file that an analysis reads, beside a harmless project, and names whatever takes more than a scan may:
 * CPU time, memory, a large report, or a finding of the harmless project. A name in full stands for itself alone, and a number
 * in place of the pattern's part for so many patterns from the end of the list, where the newest are.
 */
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { engineLayer } from "../../adapters/engine/engineLayer.ts"
import * as LocalSourceFetcher from "../../adapters/local/LocalSourceFetcher.ts"
import { renderHere } from "../../application/analysis/renderResult.ts"
import { ruleMetas } from "../../domain/detection/catalog.ts"
import { examineRepository } from "../../application/analysis/examineRepository.ts"
import type { Finding } from "../../domain/finding/Finding.ts"
import { hostileFiles, hostileKinds, hostilePatterns } from "../support/hostileText.ts"
import { AnalysisId } from "../../domain/ids/Ids.ts"

const [kindPart = "", patternPart = "", bytes = "600_000"] = process.argv.slice(2)
const patternBytes = Number(bytes.replaceAll("_", ""))
/** A process that scans takes another 1.5 CPU s to load. */
const allowed = { cpuSeconds: patternBytes < 600_000 ? 0.5 : 4.5, memoryMegabytes: 1_000, reportBytes: 8_000_000 }

const sample = join(import.meta.dirname, "../fixtures/sample")
const harmless = readdirSync(sample, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(sample, join(entry.parentPath, entry.name)))

const write = (directory: string, files: Iterable<readonly [string, string | Uint8Array]>): void => {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
}

const places = (findings: ReadonlyArray<Finding>): ReadonlySet<string> =>
  new Set(
    findings
      .filter(({ location }) => !location.file.startsWith("hostile/"))
      .map(({ ruleId, location }) => `${ruleId} ${location.file}:${location.lineStart}`),
  )

const directory = mkdtempSync(join(tmpdir(), "assay-hostile-"))
write(
  directory,
  harmless.map((path) => [path, readFileSync(join(sample, path), "utf8")] as const),
)

const scan = examineRepository(
  { repositoryUrl: directory, branch: undefined, framework: "auto", access: true },
  () => {},
)

/** The name that this is, else those that this is a part of. */
const named = (names: ReadonlyArray<string>, part: string): ReadonlyArray<string> =>
  names.includes(part) ? [part] : names.filter((name) => name.includes(part))

const names = Object.keys(hostilePatterns)
const chosen = /^\d+$/.test(patternPart) ? names.slice(-Number(patternPart)) : named(names, patternPart)

const program = Effect.gen(function* () {
  const expected = places((yield* scan).findings)
  if (expected.size === 0) return yield* Effect.die("the harmless project has no findings")
  const worst = { cpuSeconds: 0, of: "", reportBytes: 0 }
  let scans = 0
  let failed = 0
  for (const kindName of named(Object.keys(hostileKinds), kindPart)) {
    const kind = hostileKinds[kindName]!
    for (const patternName of chosen) {
      const pattern = hostilePatterns[patternName]!
      write(directory, Object.entries(hostileFiles(kind, pattern(patternBytes))))
      const before = process.cpuUsage()
      const examined = yield* Effect.result(scan)
      const { user, system } = process.cpuUsage(before)
      rmSync(join(directory, "hostile"), { recursive: true })
      const cpuSeconds = (user + system) / 1_000_000
      const wrong: Array<string> = cpuSeconds > allowed.cpuSeconds ? [`${cpuSeconds.toFixed(1)} CPU s`] : []
      if (examined._tag === "Failure") wrong.push(`failed: ${examined.failure.message.slice(0, 200)}`)
      else {
        const { findings, coverage } = examined.success
        const examination = examined.success
        const { reports } = yield* renderHere({
          assembly: {
            analysisId: AnalysisId.make(crypto.randomUUID()),
            repositoryUrl: directory,
            examination,
            findings,
            analysisTime: 1,
            completedAt: new Date(),
          },
          rules: ruleMetas,
        })
        const reportBytes = Math.max(...Object.values(reports).map((text) => Buffer.byteLength(text)))
        if (reportBytes > allowed.reportBytes) wrong.push(`a report of ${(reportBytes / 1e6).toFixed(1)} MB`)
        const found = places(findings)
        const missing = [...expected].filter((place) => !found.has(place))
        if (missing.length > 0) wrong.push(`${missing.length} findings missing, such as ${missing[0]}`)
        const left = [
          ...coverage.filesSkipped.map(({ reason }) => reason),
          ...coverage.engines.map(({ note }) => note ?? ""),
        ]
        const cut = left.filter((reason) => /longer than|needed more|ended the analyzer/.test(reason))
        if (cut.length > 0) wrong.push(`cut short: ${cut[0]!.slice(0, 300)}`)
        worst.reportBytes = Math.max(worst.reportBytes, reportBytes)
      }
      if (cpuSeconds > worst.cpuSeconds) Object.assign(worst, { cpuSeconds, of: `${kindName} · ${patternName}` })
      scans++
      if (wrong.length === 0) continue
      failed++
      console.log(`${kindName} · ${patternName}: ${wrong.join("; ")}`)
    }
  }
  console.log(
    `${scans} scans, ${failed} over the limits; at most ${worst.cpuSeconds.toFixed(1)} CPU s (${worst.of}), ${(worst.reportBytes / 1e6).toFixed(1)} MB of report, ${(process.resourceUsage().maxRSS / 1e3).toFixed(0)} MB of memory in all`,
  )
  return failed
})

const engine = engineLayer({
  frontEnds: new URL("../../apps/engine/frontEnds.ts", import.meta.url),
  version: "0",
  threads: 1,
  // CPU time is what is measured: the machine may be busy with other things.
  limits: { memoryMegabytes: allowed.memoryMegabytes, fileTime: Duration.seconds(60), ruleTime: Duration.seconds(60) },
})
try {
  const failed = await Effect.runPromise(Effect.provide(program, Layer.merge(LocalSourceFetcher.layer(), engine)))
  process.exitCode = failed === 0 ? 0 : 1
} finally {
  rmSync(directory, { recursive: true })
}
