import { realpath, stat } from "node:fs/promises"
import { isAbsolute, join, relative, sep } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ProgramThread } from "../../adapters/engine/program/ProgramThread.ts"
import * as LocalSourceFetcher from "../../adapters/local/LocalSourceFetcher.ts"
import { type ExaminedRepository, examineRepository } from "../../application/analysis/examineRepository.ts"
import type { ModelAnswer as Answer, ModelQuery } from "../../application/ports/analysis/ProgramModels.ts"
import { SourceFetcher } from "../../application/ports/analysis/SourceFetcher.ts"
import type { Finding } from "../../domain/finding/Finding.ts"
import { countBySeverity } from "../../domain/finding/severityCounts.ts"
import { withAdvisories } from "../wiring/advisories.ts"
import { engine, programs } from "../wiring/engine.ts"

/** Maximum number of findings in one answer. */
const page = 50

const shown = ({ id, ruleId, title, severity, confidence, location, description, remediation }: Finding): Answer => ({
  id,
  ruleId,
  title,
  severity,
  confidence,
  location,
  description,
  remediation,
})

/** What is known about the folder that a server was started for. */
export class Workspace {
  private readonly root: string
  private examined: { readonly path: string; readonly examination: ExaminedRepository } | undefined
  private model: ProgramThread | undefined

  constructor(root: string) {
    this.root = root
  }

  /** The file or folder at a path below the root, with links resolved; undefined if it does not exist or is outside. */
  async inside(path: string): Promise<string | undefined> {
    if (isAbsolute(path) || path.includes("\0")) return undefined
    const real = await realpath(join(this.root, path)).catch(() => undefined)
    const isBelow = real !== undefined && (real === this.root || real.startsWith(this.root + sep))
    return isBelow ? real : undefined
  }

  /** The model of the whole folder, which may still be built. */
  private readonly opened = Effect.gen({ self: this }, function* () {
    if (this.model !== undefined) return this.model
    const fetcher = yield* SourceFetcher
    const { directory, files } = yield* fetcher.fetch({ repositoryUrl: this.root, branch: undefined }, () => {})
    // Another query may have come first in the meantime.
    this.model ??= new ProgramThread({ directory, files, programs: programs.href })
    return this.model
  }).pipe(Effect.scoped, Effect.provide(LocalSourceFetcher.layer()))

  readonly scan = (path = "."): Effect.Effect<Answer> => {
    const work = Effect.gen({ self: this }, function* () {
      const target = yield* Effect.promise(() => this.inside(path))
      if (target === undefined) return { error: "No such folder or file inside the server's folder." }
      yield* Effect.promise(async () => this.model?.close())
      this.model = undefined
      // Built alongside the scan, since whoever scans will query the program next.
      const model = target === this.root ? yield* this.opened : undefined
      const examination = yield* examineRepository(
        { repositoryUrl: target, branch: undefined, framework: "auto" },
        () => {},
      ).pipe(Effect.provide(Layer.merge(LocalSourceFetcher.layer(), withAdvisories.pipe(Layer.provide(engine(1))))))
      this.examined = { path: relative(this.root, target), examination }
      if (model !== undefined) yield* Effect.promise(() => model.whenBuilt())
      const { findings, coverage, framework } = examination
      return {
        framework,
        filesAnalysed: coverage.filesAnalysed,
        rulesRun: coverage.rulesRun,
        findings: countBySeverity(findings),
        worst: findings.slice(0, 10).map(shown),
      }
    })
    return work.pipe(Effect.catch((error) => Effect.succeed({ error: `The scan failed: ${error.message}` })))
  }

  /** The findings of the last scan, with paths relative to the root; or why there are none. */
  private readonly found = Effect.gen({ self: this }, function* () {
    if (this.examined === undefined) {
      const answer = yield* this.scan()
      if (this.examined === undefined) return answer
    }
    const { path, examination } = this.examined
    const folder = path === "" ? "" : (yield* Effect.promise(() => this.isFolder(path))) ? path : join(path, "..")
    return examination.findings.map((one) => ({
      ...one,
      location: { ...one.location, file: join(folder, one.location.file).split(sep).join("/") },
    }))
  })

  readonly findings = (wanted: { readonly severity?: string; readonly rule?: string; readonly offset?: number }) =>
    Effect.map(this.found, (found): Answer => {
      if (!Array.isArray(found)) return found as Answer
      const all = (found as ReadonlyArray<Finding>).filter(
        ({ severity, ruleId }) =>
          (wanted.severity === undefined || severity === wanted.severity) &&
          (wanted.rule === undefined || ruleId === wanted.rule),
      )
      const offset = wanted.offset ?? 0
      return { total: all.length, findings: all.slice(offset, offset + page).map(shown) }
    })

  readonly findingsAt = (file: string, line: number | undefined) =>
    Effect.map(this.found, (found): Answer => {
      if (!Array.isArray(found)) return found as Answer
      const all = (found as ReadonlyArray<Finding>).filter(
        ({ location }) =>
          location.file === file && (line === undefined || (location.lineStart <= line && line <= location.lineEnd)),
      )
      return { total: all.length, findings: all.slice(0, page).map(shown) }
    })

  readonly ask = (query: ModelQuery, argument: string | undefined): Effect.Effect<Answer> =>
    Effect.gen({ self: this }, function* () {
      const model = yield* this.opened
      return yield* Effect.promise(() => model.ask(query, argument))
    }).pipe(Effect.catch((error) => Effect.succeed({ error: error.message })))

  async close(): Promise<void> {
    await this.model?.close()
  }

  private async isFolder(path: string): Promise<boolean> {
    return (await stat(join(this.root, path))).isDirectory()
  }
}
