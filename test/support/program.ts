import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import type { Readable } from "node:stream"
import { fileURLToPath } from "node:url"
import type { AnalysisId } from "../../domain/ids/Ids.ts"

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** One of our programs, running as a separate process. */
export interface Program {
  readonly process: ChildProcess
  /** The first line of standard output that matches; fails if the program ends first or 30 s pass. */
  readonly line: (pattern: RegExp) => Promise<string>
  /** The same for standard error. */
  readonly errorLine: (pattern: RegExp) => Promise<string>
  readonly stdout: () => string
  readonly stderr: () => string
  /** Sends a signal and waits for the end; returns the exit code, or null if the signal ended it. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>
  /** Waits for the end; returns the exit code. */
  readonly ended: Promise<number | null>
}

const { scripts }: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
)

/** The options of Node with which the npm script starts an app: those of `scan` save a quarter of its CPU time. */
const optionsOf = (app: string): ReadonlyArray<string> => {
  const script = Object.values(scripts).find((command) => command.endsWith(` apps/${app}`)) ?? ""
  return / ?node (--.+) \S+$/.exec(script)?.[1]?.split(" ") ?? []
}

/**
 * Starts `apps/<app>` with Node, as the npm scripts do, or that of another release by its full path; `wrapper` is a
 * command that runs the one after it.
 */
export const startProgram = (
  app: string,
  programArguments: ReadonlyArray<string>,
  environment: Readonly<Record<string, string>> = {},
  wrapper: ReadonlyArray<string> = [],
): Program => {
  const { DATABASE_URL: _, ...inherited } = process.env
  const program = [process.execPath, ...optionsOf(app), resolve(root, "apps", app)]
  const [command, ...rest] = [...wrapper, ...program, ...programArguments]
  const child = spawn(command!, rest, {
    cwd: root,
    env: { ...inherited, NO_COLOR: "1", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let out = ""
  let err = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text))
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text))
  const ended = once(child, "close").then(([code]) => code as number | null)

  const lineOf = (stream: Readable, text: () => string, pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): boolean => {
        const found = text()
          .split("\n")
          .find((each) => pattern.test(each))
        if (found !== undefined) resolve(found)
        return found !== undefined
      }
      const fail = (why: string) => reject(new Error(`${why} before ${pattern} was printed.\n${out}\n${err}`))
      if (look()) return
      const timer = setTimeout(() => fail("60 s passed"), 60_000)
      stream.on("data", () => {
        if (look()) clearTimeout(timer)
      })
      void ended.then(() => {
        clearTimeout(timer)
        if (!look()) fail("the program ended")
      })
    })

  return {
    process: child,
    line: (pattern) => lineOf(child.stdout, () => out, pattern),
    errorLine: (pattern) => lineOf(child.stderr, () => err, pattern),
    stdout: () => out,
    stderr: () => err,
    ended,
    stop: (signal = "SIGTERM") => {
      child.kill(signal)
      return ended
    },
  }
}

/** A response's body, typed as the contract says. */
export const jsonOf = async <A>(response: Response): Promise<A> => (await response.json()) as A

interface Status {
  readonly analysisId: AnalysisId
  readonly status: string
  readonly currentStage: string
  readonly progress: number
}

/** A running service and its key. */
export interface Service extends Program {
  readonly url: string
  readonly request: (method: string, path: string, body?: unknown) => Promise<Response>
}

/** `npm start` in a data directory of the test, without the sample. A new directory gets its database beforehand. */
export const startService = async (
  dataDirectory: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Service> => {
  // Imported here, so that tests that need no database do not load what opens one.
  if (!existsSync(join(dataDirectory, "postgres"))) {
    const { layOutDatabase } = await import("./databases.ts")
    await layOutDatabase(dataDirectory)
  }
  const program = startProgram(
    "start/main.ts",
    ["--json", "--no-sample", "--port", "0", "--data-dir", dataDirectory],
    environment,
  )
  const { url, apiKey } = JSON.parse(await program.line(/^\{/))
  const request: Service["request"] = (method, path, body) =>
    fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  return { ...program, url, request }
}

/** Submits a repository and waits, at most a minute, for the terminal state; returns the status object. */
export const analyze = async (
  service: Pick<Service, "request">,
  submission: Readonly<Record<string, unknown>>,
): Promise<Status> => {
  const created = await service.request("POST", "/api/v1/analysis", submission)
  if (created.status !== 201) throw new Error(`${created.status} ${await created.text()}`)
  const { analysisId } = await jsonOf<Status>(created)
  return waitFor(service, analysisId)
}

/** Polls the status until it is terminal. */
export const waitFor = async (
  service: Pick<Service, "request">,
  analysisId: AnalysisId,
  seconds = 60,
): Promise<Status> => {
  for (const deadline = Date.now() + seconds * 1000; Date.now() < deadline;) {
    const response = await service.request("GET", `/api/v1/analysis/${analysisId}/status`)
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
    const status = await jsonOf<Status>(response)
    if (status.status === "completed" || status.status === "failed") return status
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  throw new Error(`analysis ${analysisId} did not end within ${seconds} s`)
}
