import { resolve } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Command, Flag } from "effect/cli"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import { ConsumerState } from "../../application/analysis/ConsumerState.ts"
import { adminSocket } from "../admin/AdminSocket.ts"
import { Refusal, runMain } from "../runMain.ts"
import { findingsTable } from "../terminal/findingsTable.ts"
import { progressBar } from "../terminal/progressBar.ts"
import { configuration } from "../wiring/configuration.ts"
import { embedded, stores } from "../wiring/database.ts"
import { http } from "../wiring/http.ts"
import { defaultDataDirectory, identity } from "../wiring/identity.ts"
import { paymentsAndSignIn } from "../wiring/payments.ts"
import { version } from "../wiring/version.ts"
import { worker } from "../wiring/worker.ts"
import { analyzeSample } from "./analyzeSample.ts"
import { dashboard } from "./dashboard.ts"
import { localKey, startToken } from "./localKey.ts"
import { sampleRepository } from "./sampleRepository.ts"

const say = (text: string) => Effect.sync(() => process.stdout.write(`${text}\n`))

const greeting = (
  url: string,
  key: { readonly apiKey: string; readonly file: string; readonly isNew: boolean },
  signInUrl: string | null,
) => {
  const shown = key.isNew ? key.apiKey : `$(cat ${key.file})`
  return `
Assay is running at ${url} (API reference: ${url}/docs)
${signInUrl === null ? "" : `\nSign in with a browser (valid once, for 15 minutes):\n\n  ${signInUrl}\n\n`}${key.isNew ? `Your API key, shown once and stored in ${key.file}:\n\n  ${key.apiKey}` : `Your API key is in ${key.file}`}

Analyze a repository:

  curl -H "Authorization: Bearer ${shown}" -H "Content-Type: application/json" \\
    -d '{"repositoryUrl": "https://github.com/owner/name"}' ${url}/api/v1/analysis
`
}

const whereToRead = (url: string, analysisId: string, keyFile: string) => `
Read the report:

  curl -H "Authorization: Bearer $(cat ${keyFile})" "${url}/api/v1/analysis/${analysisId}/export?format=markdown"

Use format=json or format=sarif for other formats. Badge: ${url}/api/v1/analysis/${analysisId}/badge.svg
Press Ctrl-C to stop the service.
`

const start = Command.make(
  "start",
  {
    port: Flag.Int("port").pipe(Flag.withDescription("Port to listen on; 0 for any free port"), Flag.withDefault(8080)),
    dataDir: Flag.String("data-dir").pipe(
      Flag.withDescription("Directory for the database and the API key"),
      Flag.withDefault(defaultDataDirectory),
    ),
    noSample: Flag.Boolean("no-sample").pipe(
      Flag.withDescription("Do not analyze the bundled sample repository on the first start"),
      Flag.withDefault(false),
    ),
    json: Flag.Boolean("json").pipe(
      Flag.withDescription('Print only one JSON line {"url","apiKey","signInUrl"} once the service is running'),
      Flag.withDefault(false),
    ),
  },
  Effect.fn(function* ({ port, dataDir, noSample, json }) {
    // Ctrl-C does not wait for an analysis: it continues at the next start.
    const configured = yield* configuration
    const requestLog = configured.requestLog ?? "warning"
    const settings = { ...configured, requestLog, gracePeriod: Duration.zero }
    const dataDirectory = resolve(dataDir)
    const database = Layer.mergeAll(stores, identity(dataDirectory), paymentsAndSignIn).pipe(
      Layer.provide(embedded(dataDirectory)),
    )

    yield* dashboard(process.stderr)
    return yield* Effect.gen(function* () {
      const key = yield* localKey(dataDirectory)
      const sample = key.isNew && !noSample ? yield* sampleRepository : undefined
      const allowedHosts = new Set([...settings.allowedHosts, ...(sample === undefined ? [] : [sample.host])])
      const service = Layer.mergeAll(
        http({ ...settings, allowedHosts }, { host: settings.host, port }),
        worker({ ...settings, allowedHosts }).pipe(Layer.provide(ConsumerState.layer)),
        adminSocket(dataDirectory),
      )
      return yield* Effect.gen(function* () {
        const url = HttpServer.formatAddress((yield* HttpServer.HttpServer).address)
        const token = yield* startToken
        const signInUrl = token === undefined ? null : `${url}/auth/start?token=${token}`
        if (json) yield* say(JSON.stringify({ url, apiKey: key.isNew ? key.apiKey : null, signInUrl }))
        else yield* say(greeting(url, key, signInUrl))
        if (sample !== undefined) {
          const result = yield* analyzeSample({ url, apiKey: key.apiKey }, sample.url, progressBar(process.stderr))
          if (!json) yield* say(findingsTable(result, process.stdout) + whereToRead(url, result.analysisId, key.file))
        }
        return yield* Effect.never
      }).pipe(Effect.provide(service))
    }).pipe(Effect.scoped, Effect.provide(database))
  }),
).pipe(
  Command.withDescription(
    "Runs the API and a worker in one process on an embedded database. On the first start, prints an API key and analyzes a bundled sample repository.",
  ),
)

const portTaken = (error: unknown): boolean =>
  String(error).includes("EADDRINUSE") || JSON.stringify(error)?.includes("EADDRINUSE")

runMain(
  Effect.suspend(() => Command.runWith(start, { version })(process.argv.slice(2))).pipe(
    Effect.as(0),
    Effect.catchIf(portTaken, () =>
      Effect.fail(new Refusal("The port is already in use. Choose another one with --port, or 0 for any free port.")),
    ),
    Effect.provide(NodeServices.layer),
    Effect.provideService(References.MinimumLogLevel, "Warn"),
  ),
  0,
)
