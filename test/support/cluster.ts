import { deepStrictEqual } from "node:assert"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { SqlClient } from "effect/sql/SqlClient"
import { migrate } from "../../adapters/sql/migrate.ts"
import * as SqlAccounts from "../../adapters/sql/identity/SqlAccounts.ts"
import { issueApiKey } from "../../application/identity/issueApiKey.ts"
import { Accounts } from "../../application/ports/identity/Accounts.ts"
import type { PlanId } from "../../domain/plan/Plan.ts"
import { postgresClient } from "./databases.ts"
import { type GitServer, startGitServer } from "./gitServer.ts"
import { brokenPromises, keepLedger, outcomes, underWay } from "./ledger.ts"
import { type Program, startProgram } from "./program.ts"
import { type Receiver, startReceiver } from "./webhookReceiver.ts"
import type { AnalysisId } from "../../domain/ids/Ids.ts"

/** Whether all faults are produced: `npm run test:fault`. */
export const isFullRun = process.env["ASSAY_FAULT_RUN"] === "full"

/**
 * Resolves with what `look` finds, once it finds something; after the given time, fails and says that `what` did not
 * happen.
 */
export const until = async <A>(what: string, seconds: number, look: () => Promise<A | undefined>): Promise<A> => {
  for (const deadline = Date.now() + seconds * 1000; Date.now() < deadline;) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error(`${what}: not within ${seconds} s`)
}

export interface Api extends Program {
  readonly url: string
  readonly port: number
}

export interface Worker extends Program {
  readonly pid: number
  /** Resolves when it reacts to signals, or has ended. */
  readonly started: Promise<void>
}

/** Resolves when it listens. */
type StartApi = (environment?: Readonly<Record<string, string>>) => Promise<Api>
type StartWorker = (environment?: Readonly<Record<string, string>>, wrapper?: ReadonlyArray<string>) => Worker

export interface Cluster {
  readonly databaseUrl: string
  readonly git: GitServer
  /** The receiver that every analysis created by `submit` notifies. */
  readonly receiver: Receiver
  /** Where workers keep sources, unless their environment says otherwise. */
  readonly workDirectory: string
  /** Runs on the cluster's database, bypassing the service. */
  readonly run: <A, E>(effect: Effect.Effect<A, E, SqlClient | Accounts>) => Promise<A>
  /** Creates a user and returns an API key. */
  readonly newUser: (plan?: PlanId) => Promise<string>
  readonly startApi: StartApi
  readonly startWorker: StartWorker
  /** The programs of an earlier release, if the cluster began as one. */
  readonly former?: {
    readonly startApi: StartApi
    readonly startWorker: StartWorker
    readonly newUser: () => Promise<string>
  }
  /** Runs the program that brings the schema up to date; returns its exit code. */
  readonly migrate: () => Promise<number | null>
  /**
   * Lets the leases of a silent worker expire: immediately in a short run, as if the database's clock had advanced;
   * by themselves after 30 s, for which this does not wait, in a full one, unless specified otherwise.
   */
  readonly endLeases: (worker: Pick<Worker, "pid">, atOnce?: boolean) => Promise<void>
  /** Ids of the analyses whose creation returned 201. */
  readonly acknowledged: ReadonlyArray<string>
  /** Records the body of a 201; returns the id in it. */
  readonly acknowledge: (body: string) => string
  /** Creates an analysis and records the acknowledgement. */
  readonly submit: (
    api: Pick<Api, "url">,
    apiKey: string,
    submission: Readonly<Record<string, unknown>>,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<{ readonly status: number; readonly body: string }>
  /**
   * Waits until every analysis has ended and its notification has arrived, then returns the broken promises and the
   * outcomes.
   */
  readonly settle: (
    seconds: number,
  ) => Promise<{ readonly broken: ReadonlyArray<string>; readonly outcomes: Readonly<Record<string, number>> }>
  /** Ends whatever is still running: API and workers by SIGTERM, expecting exit code 0. */
  readonly close: () => Promise<void>
}

const isRunning = ({ process: { exitCode, signalCode } }: Program) => exitCode === null && signalCode === null

/**
 * API and worker processes, started as an operator starts them, on one database and one git server. If `former` names
 * the folder of an earlier release, the database starts out as that release leaves it.
 */
export const startCluster = async (databaseUrl: string, former?: string): Promise<Cluster> => {
  const directory = mkdtempSync(join(tmpdir(), "assay-fault-"))
  const workDirectory = join(directory, "jobs")
  const git = await startGitServer()
  const receiver = await startReceiver()
  const runtime = ManagedRuntime.make(SqlAccounts.layer.pipe(Layer.provideMerge(postgresClient(databaseUrl))))
  const run: Cluster["run"] = (effect) => runtime.runPromise(effect)
  const environment = {
    DATABASE_URL: databaseUrl,
    ASSAY_DATA_DIR: join(directory, "data"),
    ASSAY_ALLOWED_HOSTS: git.host,
    ASSAY_WORK_DIR: workDirectory,
    ASSAY_REQUEST_LOG: "none",
    METRICS_PORT: "0",
    ASSAY_ALLOW_PRIVATE_WEBHOOKS: "true",
  }
  const programs: Array<Program> = []
  const workers: Array<Worker> = []
  const acknowledged: Array<string> = []
  let users = 0

  /** Runs a program of a release to its end; returns its output. */
  const runProgram = async (release: string, program: string, args: ReadonlyArray<string>) => {
    const started = startProgram(join(release, program), args, environment)
    const code = await started.ended
    if (code !== 0) throw new Error(`${program} ended with ${code}: ${started.stderr()}`)
    return started.stdout()
  }
  if (former === undefined) await run(migrate)
  else await runProgram(join(former, "apps"), "cli/migrate.ts", [])
  await run(keepLedger)

  const acknowledge: Cluster["acknowledge"] = (body) => {
    const { analysisId } = JSON.parse(body) as { readonly analysisId: AnalysisId } // our own answer to a creation
    acknowledged.push(analysisId)
    return analysisId
  }

  const startApi =
    (release: string): StartApi =>
    async (more = {}) => {
      const program = startProgram(join(release, "api/main.ts"), [], { ...environment, PORT: "0", ...more })
      programs.push(program)
      const url = /"(http:[^"]+)"/.exec(await program.errorLine(/API server started/))![1]!
      return { ...program, url, port: Number(new URL(url).port) }
    }
  const startWorker =
    (release: string): StartWorker =>
    (more = {}, wrapper = []) => {
      const program = startProgram(join(release, "worker/main.ts"), [], { ...environment, ...more }, wrapper)
      programs.push(program)
      // Before that, a signal ends it like any other process.
      const started = program.errorLine(/worker started/).then(
        () => undefined,
        () => undefined,
      )
      const worker = { ...program, pid: program.process.pid!, started }
      workers.push(worker)
      return worker
    }

  return {
    databaseUrl,
    git,
    receiver,
    workDirectory,
    run,
    acknowledged,
    acknowledge,
    newUser: (plan = "pro") =>
      run(
        Effect.gen(function* () {
          const userId = yield* (yield* Accounts).createUser(`user-${++users}@example.com`, plan)
          const issued = yield* issueApiKey({
            userId,
            name: "test",
            scopes: ["analysis:read", "analysis:write"],
            expiresAt: undefined,
          })
          return issued.apiKey
        }),
      ),
    startApi: startApi(""),
    startWorker: startWorker(""),
    migrate: () => startProgram("cli/migrate.ts", [], environment).ended,
    ...(former === undefined
      ? {}
      : {
          former: {
            startApi: startApi(join(former, "apps")),
            startWorker: startWorker(join(former, "apps")),
            newUser: async () => {
              const admin = async (...args: ReadonlyArray<string>) =>
                JSON.parse(await runProgram(join(former, "apps"), "cli/admin.ts", [...args, "--json"])) as Readonly<
                  Record<string, string>
                >
              const user = await admin("user", "create", "--email", `user-${++users}@example.com`, "--plan", "pro")
              return (await admin("key", "create", "--user", user["userId"]!))["apiKey"]!
            },
          },
        }),
    endLeases: async ({ pid }, atOnce = !isFullRun) => {
      if (!atOnce) return
      const ofWorker = `%-${pid}-%`
      await run(
        SqlClient.use((sql) =>
          Effect.andThen(
            sql`UPDATE analyses SET lease_expires_at = now() WHERE status = 'running' AND worker LIKE ${ofWorker}`,
            sql`UPDATE deliveries SET due_at = now() WHERE status = 'sending' AND worker LIKE ${ofWorker}`,
          ),
        ),
      )
    },
    submit: async (api, apiKey, submission, headers = {}) => {
      const response = await fetch(`${api.url}/api/v1/analysis`, {
        method: "POST",
        headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json", ...headers },
        body: JSON.stringify({ webhookUrl: receiver.url, ...submission }),
      })
      const body = await response.text()
      if (response.status === 201) acknowledge(body)
      return { status: response.status, body }
    },
    settle: async (seconds) => {
      await until("the end of every analysis", seconds, async () =>
        (await run(underWay)) === 0 ? true : undefined,
      ).catch((error: unknown) => console.error(error))
      return {
        broken: await run(brokenPromises(acknowledged, receiver.received)),
        outcomes: await run(outcomes),
      }
    },
    close: async () => {
      await Promise.all(workers.map(({ started }) => started))
      const left = programs.filter(isRunning)
      const codes = await Promise.all(left.map((program) => program.stop()))
      await runtime.dispose()
      await git.close()
      await receiver.close()
      rmSync(directory, { recursive: true, force: true, maxRetries: 3 })
      deepStrictEqual(
        codes,
        left.map(() => 0),
      )
    },
  }
}
