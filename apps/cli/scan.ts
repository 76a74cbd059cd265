import { basename, resolve } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Argument, Command, Flag } from "effect/cli"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as LocalSourceFetcher from "../../adapters/local/LocalSourceFetcher.ts"
import { assembleResult } from "../../application/analysis/assembleResult.ts"
import { type ExaminedRepository, examineRepository } from "../../application/analysis/examineRepository.ts"
import { Reviewing } from "../../application/review/Reviewing.ts"
import type { AnalysisResult, AnalysisType } from "../../domain/analysis/Analysis.ts"
import { frameworks } from "../../domain/analysis/Framework.ts"
import { progressOf, type Stage } from "../../domain/analysis/Stage.ts"
import type { ExternalRun } from "../../domain/external/ExternalResult.ts"
import type { Finding } from "../../domain/finding/Finding.ts"
import { severityRank } from "../../domain/finding/severityRank.ts"
import { isDecided } from "../../domain/finding/Decision.ts"
import { isVacuous, misunderstanding } from "../../domain/report/omissions.ts"
import { plainJson } from "../../domain/report/plainJson.ts"
import { runMain, Refusal } from "../runMain.ts"
import { findingsTable } from "../terminal/findingsTable.ts"
import { print } from "../terminal/print.ts"
import { printable } from "../terminal/printable.ts"
import { activityIn, progressBar } from "../terminal/progressBar.ts"
import { withAdvisories } from "../wiring/advisories.ts"
import { engine } from "../wiring/engine.ts"
import { version } from "../wiring/version.ts"
import { environmentCredential } from "./environmentCredential.ts"
import type { runNamed } from "../wiring/importReports.ts"
import { writeReport } from "./writeReport.ts"
import { UserId, AnalysisId } from "../../domain/ids/Ids.ts"

const formats = ["table", "json", "markdown", "sarif", "html"] as const
/** Formats that show who can do what. */
const withAccess: ReadonlySet<string> = new Set(["json", "markdown", "html"])
const thresholds = ["critical", "high", "medium", "low", "none"] as const

const looksLikeUrl = (target: string): boolean => /^[a-z][a-z0-9+.-]*:/i.test(target)

/** Loaded only for a URL: git, its settings and Node's HTTP clients are 60 ms of CPU. */
const repositories = Layer.unwrap(
  Effect.gen(function* () {
    const GitSourceFetcher = yield* Effect.promise(() => import("../../adapters/git/GitSourceFetcher.ts"))
    const { configuration } = yield* Effect.promise(() => import("../wiring/configuration.ts"))
    return GitSourceFetcher.layer(yield* configuration)
  }),
)

/** Reads the target as the worker would: a URL with git, a path from this machine's disk. */
const fetcherFor = (target: string) => (looksLikeUrl(target) ? repositories : LocalSourceFetcher.layer())

/** Indented if it is short enough to be read; indentation would double the size of a long one. */
const indented = (value: object): string => {
  const text = JSON.stringify(value)
  return text.length > 1_000_000 ? text : JSON.stringify(value, null, 2)
}

/** Loads the catalog only when needed: its rule files take 0.2 s. */
const sarif = async (result: AnalysisResult): Promise<string> => {
  const { renderSarif } = await import("../../domain/report/Sarif.ts")
  const { ruleMetas } = await import("../../domain/detection/catalog.ts")
  return plainJson(indented(renderSarif(result, ruleMetas)))
}

/** A folder is shown by its name only, because readers of the report must not learn its path on this machine. */
const html = async (result: AnalysisResult): Promise<string> => {
  const { renderHtml } = await import("../../domain/report/Html.ts")
  const { url } = result.repository
  return renderHtml({
    ...result,
    repository: { ...result.repository, url: looksLikeUrl(url) ? url : basename(resolve(url)) },
  })
}

const renderings: Record<(typeof formats)[number], (result: AnalysisResult) => string | Promise<string>> = {
  table: (result) => findingsTable(result, process.stdout),
  json: (result) => plainJson(indented(result)),
  markdown: (result) => result.markdownReport,
  sarif,
  html,
}

// What few scans need is loaded only for them.
const reportReaders = Effect.promise(() => import("../wiring/importReports.ts"))

/** An examination with the findings of other engines: from imported reports, and from runs of those engines. */
const withEngines = Effect.fnUntraced(function* (
  examination: ExaminedRepository,
  imported: ReadonlyArray<ExternalRun>,
  engines: ReadonlyArray<Parameters<typeof runNamed>[0]>,
  folder: string,
) {
  if (imported.length + engines.length === 0) return examination
  const { runNamed } = yield* reportReaders
  const ran = yield* Effect.forEach(engines, (name) => runNamed(name, folder))
  const runs = [...imported, ...ran.flatMap((one) => one.runs)]
  const failures = ran.flatMap(({ failed }) => failed ?? [])
  if (runs.length + failures.length === 0) return examination
  const { withExternal } = yield* Effect.promise(() => import("../../domain/external/withExternal.ts"))
  const { ruleMetas } = yield* Effect.promise(() => import("../../domain/detection/catalog.ts"))
  const { coverage, ...rest } = withExternal(examination, runs, ruleMetas)
  return { ...rest, coverage: { ...coverage, engines: [...coverage.engines, ...failures] } }
})

/** The folder that reports are about, and those to import; nothing if neither reports nor engines are asked for. */
const imported = Effect.fnUntraced(function* (
  target: string,
  imports: ReadonlyArray<string>,
  engines: ReadonlyArray<unknown>,
) {
  if (imports.length + engines.length === 0) return { root: undefined, runs: [] }
  const { importReport, rootOf } = yield* reportReaders
  const root = yield* Effect.promise(() => rootOf(target))
  return { root, runs: (yield* Effect.forEach(imports, (path) => importReport(path, root))).flat() }
})

let exitCode = 0

const reaches = (findings: ReadonlyArray<Finding>, threshold: (typeof thresholds)[number]): boolean =>
  threshold !== "none" &&
  findings.some((finding) => !isDecided(finding) && severityRank(finding.severity) <= severityRank(threshold))

/** Flags that have no meaning without each other. */
const objectionTo = ({
  failOnNew,
  baseline,
  against,
  access,
}: {
  readonly failOnNew: (typeof thresholds)[number]
  readonly baseline: Option.Option<string>
  readonly against: Option.Option<string>
  readonly access: boolean
}): Refusal | undefined => {
  if (failOnNew !== "none" && Option.isNone(baseline)) {
    return new Refusal("--fail-on-new requires --baseline, the report that findings are compared with.")
  }
  return Option.isSome(against) && !access
    ? new Refusal("--against requires --access, because it compares access tables.")
    : undefined
}

/** Marks findings by an earlier report. */
const comparison = Effect.fnUntraced(function* (baseline: string) {
  const { loadBaseline } = yield* Effect.promise(() => import("./baseline.ts"))
  const { compareWithBaseline } = yield* Effect.promise(() => import("../../domain/report/Baseline.ts"))
  const { fingerprints, decisions } = yield* loadBaseline(baseline)
  return (findings: ReadonlyArray<Finding>, formerly: ExaminedRepository["formerly"]) =>
    compareWithBaseline(findings, fingerprints, decisions, formerly)
})

const accessTables = Effect.promise(() => import("./accessReport.ts"))

// Effect's AI modules take 0.3 s.
const loadedModel = Effect.flatMap(
  Effect.promise(() => import("./localReview.ts")),
  ({ localReview }) => localReview,
)

interface ScanRequest {
  readonly target: string
  readonly branch: Option.Option<string>
  readonly framework: (typeof frameworks)[number]
  readonly access: boolean
  readonly format: (typeof formats)[number]
  readonly review: boolean
  readonly type: AnalysisType
}

/** The sources contain no contracts, or none that can be read. */
class NothingToAnalyze extends Refusal {}

/** Stages that fail because there is nothing to analyze rather than because something went wrong. */
const findsContracts: ReadonlySet<Stage> = new Set(["detecting_framework", "compilation"])

const examineTarget = Effect.fnUntraced(function* (
  { target, branch, framework, access, format, review, type }: ScanRequest,
  withModel: Effect.Success<typeof loadedModel> | undefined,
) {
  const bar = progressBar(process.stderr)
  return yield* examineRepository(
    {
      repositoryUrl: target,
      branch: Option.getOrUndefined(branch),
      framework,
      credential: environmentCredential(),
      access: access || review || withAccess.has(format),
      ...(review ? { review: { userId: UserId.make("local"), analysisType: type } } : {}),
    },
    (stage, fraction) => bar.update(stage, progressOf(stage, fraction)),
  ).pipe(
    Effect.mapError(({ stage, message }) => {
      const sentence = `The analysis failed while ${activityIn(stage)}: ${message}`
      return findsContracts.has(stage) ? new NothingToAnalyze(sentence) : new Refusal(sentence)
    }),
    Effect.ensuring(Effect.sync(bar.done)),
    Effect.provideService(Reviewing, withModel),
    Effect.provide(Layer.merge(fetcherFor(target), withAdvisories.pipe(Layer.provide(engine(1))))),
  )
})

const written = Effect.fnUntraced(function* (file: string, text: string, what: string) {
  yield* writeReport(file, text)
  process.stderr.write(`${what}, written to ${printable(file)}\n`)
})

const scan = Command.make(
  "scan",
  {
    target: Argument.String("target").pipe(
      Argument.withDescription("A folder, a file, or the https URL of a repository"),
    ),
    branch: Flag.String("branch").pipe(
      Flag.withDescription("Branch, tag or commit of a repository; defaults to its default branch"),
      Flag.optional,
    ),
    format: Flag.Literals("format", formats).pipe(
      Flag.withDescription(
        "Output format: a human-readable table, JSON, Markdown, SARIF 2.1.0 for code scanning, or self-contained HTML",
      ),
      Flag.withDefault("table" as const),
    ),
    output: Flag.String("output").pipe(
      Flag.withAlias("o"),
      Flag.withDescription("Write the report to this file instead of the terminal"),
      Flag.withMetavar("FILE"),
      Flag.optional,
    ),
    framework: Flag.Literals("framework", frameworks).pipe(
      Flag.withDescription("Analyze only contracts of this kind"),
      Flag.withDefault("auto" as const),
    ),
    type: Flag.Literals("type", ["full", "quick"]).pipe(
      Flag.withDescription("quick skips external engines and AI review, if they are configured"),
      Flag.withDefault("full" as const),
    ),
    failOn: Flag.Literals("fail-on", thresholds).pipe(
      Flag.withDescription("Exit with code 1 if there is an undecided finding of this severity or higher"),
      Flag.withDefault("none" as const),
    ),
    baseline: Flag.String("baseline").pipe(
      Flag.withDescription(
        "Earlier report to compare with: a SARIF or JSON file, or the id of an analysis at ASSAY_URL",
      ),
      Flag.withMetavar("FILE-OR-ID"),
      Flag.optional,
    ),
    imports: Flag.String("import").pipe(
      Flag.withDescription(
        "Add the findings of another engine from its SARIF 2.1.0 file, or from the JSON of Mythril or clippy; repeatable",
      ),
      Flag.withMetavar("FILE"),
      Flag.atLeast(0),
    ),
    engines: Flag.Literals("engine", ["slither", "aderyn", "semgrep", "mythril", "solhint", "clippy"]).pipe(
      Flag.withDescription(
        "Run another engine from PATH on a copy of the folder and add its findings; repeatable. All except semgrep run build tools and plugins of the repository, and thereby its code: use them only for repositories that you trust",
      ),
      Flag.atLeast(0),
    ),
    review: Flag.Boolean("review").pipe(
      Flag.withDescription(
        "Let the model at ASSAY_AI_BASE_URL review the findings and look for more; this sends excerpts of the code to it, see docs/ai-review.md",
      ),
      Flag.withDefault(false),
    ),
    access: Flag.Boolean("access").pipe(
      Flag.withDescription(
        "Print who can do what instead of findings: one table per contract, as Markdown, or as JSON with --format json",
      ),
      Flag.withDefault(false),
    ),
    against: Flag.String("against").pipe(
      Flag.withDescription("With --access: an earlier table as JSON; prints the changes since then"),
      Flag.withMetavar("FILE"),
      Flag.optional,
    ),
    allowEmpty: Flag.Boolean("allow-empty").pipe(
      Flag.withDescription("Succeed without a report if there are no contracts to analyze"),
      Flag.withDefault(false),
    ),
    failOnNew: Flag.Literals("fail-on-new", thresholds).pipe(
      Flag.withDescription(
        "Exit with code 1 if there is a finding of this severity or higher that is not in --baseline",
      ),
      Flag.withDefault("none" as const),
    ),
  },
  Effect.fn(function* ({
    target,
    branch,
    format,
    output,
    framework,
    failOn,
    baseline,
    imports,
    engines,
    review,
    type,
    access,
    against,
    failOnNew,
    allowEmpty,
  }) {
    const objection = objectionTo({ failOnNew, baseline, against, access })
    if (objection !== undefined) return yield* Effect.fail(objection)
    const { root, runs } = yield* imported(target, imports, engines)
    if (engines.length > 0 && root === undefined) {
      return yield* Effect.fail(
        new Refusal("--engine requires a local folder, because it may run code from the repository."),
      )
    }
    const withModel = review ? yield* loadedModel : undefined
    const known = Option.isSome(baseline) ? yield* comparison(baseline.value) : undefined
    const startedAt = yield* Clock.currentTimeMillis
    const examined = yield* examineTarget({ target, branch, framework, access, format, review, type }, withModel).pipe(
      Effect.catchIf(
        (error) => allowEmpty && error instanceof NothingToAnalyze,
        ({ message }) => Effect.sync(() => void process.stderr.write(`${printable(message)}\n`)),
      ),
    )
    if (examined === undefined) return
    const examination = yield* withEngines(examined, runs, engines, root ?? target)
    const finishedAt = yield* Clock.currentTimeMillis
    const result = assembleResult({
      analysisId: AnalysisId.make(crypto.randomUUID()),
      repositoryUrl: target,
      examination,
      findings: known === undefined ? examination.findings : known(examination.findings, examination.formerly),
      analysisTime: finishedAt - startedAt,
      completedAt: new Date(finishedAt),
    })

    const text = access
      ? yield* (yield* accessTables).accessReport(
          examination.access ?? [],
          format === "json",
          Option.getOrUndefined(against),
        )
      : yield* Effect.promise(async () => renderings[format](result))
    const what = access ? "Access tables" : `${result.summary.totalFindings} findings`
    yield* Option.isSome(output) ? written(output.value, text, what) : print(text)
    const added = result.findings.filter(({ status }) => status === "new")
    if (known !== undefined) process.stderr.write(`${added.length} new compared with the baseline\n`)
    exitCode = reaches(result.findings, failOn) || reaches(added, failOnNew) ? 1 : 0
    // "0 findings, written to report.json" must not read like a clean bill.
    const misunderstood = misunderstanding(result.coverage)
    if (misunderstood !== undefined && (Option.isSome(output) || format !== "table"))
      process.stderr.write(`${printable(misunderstood)}\n`)
    if (!access && isVacuous(result.coverage, result.findings.length, result.repository)) exitCode = 2
  }, Effect.scoped),
).pipe(
  Command.withDescription(
    "Finds security problems in Solidity, Solana and CosmWasm contracts. Exit codes: 0 on success; 1 if findings reach --fail-on or new findings reach --fail-on-new; 2 if the analysis failed, if it understood no program and found nothing, or if the arguments were invalid.",
  ),
  Command.withExamples([
    { command: "npm run scan -- ../contracts", description: "Analyze a folder" },
    { command: "npm run scan -- https://github.com/owner/name --branch develop", description: "Analyze a repository" },
    { command: "npm run scan -- . --format sarif --output assay.sarif --fail-on high", description: "In CI" },
    { command: "npm run scan -- . --format html --output report.html", description: "Self-contained report to share" },
    {
      command: "npm run scan -- . --access --format json --output access.json",
      description: "Access tables; use --format markdown for human readers",
    },
    {
      command: "npm run scan -- . --import slither.sarif --import semgrep.sarif",
      description: "Include findings of other engines, merged with Assay's",
    },
    {
      command: "npm run scan -- . --baseline main.sarif --fail-on-new high",
      description: "In pull request CI, compared with the report of the main branch",
    },
  ]),
)

runMain(
  Effect.suspend(() => Command.runWith(scan, { version })(process.argv.slice(2))).pipe(
    Effect.map(() => exitCode),
    Effect.provide(NodeServices.layer),
  ),
)
