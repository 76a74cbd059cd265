import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { AnalysisResult } from "../../domain/analysis/Analysis.ts"
import type { SarifLog } from "../../domain/report/Sarif.ts"
import { layOutDatabase } from "../support/databases.ts"
import { jsonOf, startProgram } from "../support/program.ts"

const directories: Array<string> = []
const directory = (): string => {
  const made = mkdtempSync(join(tmpdir(), "assay-start-"))
  directories.push(made)
  return made
}
/** A data directory that already has its database; the newcomer's start creates its own. */
const preparedDirectory = async (): Promise<string> => {
  const made = directory()
  await layOutDatabase(made)
  return made
}
afterAll(() => directories.forEach((made) => rmSync(made, { recursive: true, force: true })))

describe("npm start, for a newcomer", () => {
  const data = directory()
  let out = ""
  let key = ""
  let url = ""
  let analysisId = ""
  let first: ReturnType<typeof startProgram>

  const get = (path: string): Promise<Response> => fetch(url + path, { headers: { authorization: `Bearer ${key}` } })

  beforeAll(async () => {
    first = startProgram("start/main.ts", ["--port", "0", "--data-dir", data])
    await first.line(/Ctrl-C/)
    out = first.stdout()
    url = /Assay is running at (\S+)/.exec(out)![1]!
    key = /^ {2}(assay_\w+)$/m.exec(out)![1]!
    analysisId = /analysis\/([0-9a-f-]{36})\/badge\.svg/.exec(out)![1]!
  })
  afterAll(() => first.stop())

  it("prints the address, one key and a ready-made curl command", () => {
    expect(out).toContain(`curl -H "Authorization: Bearer ${key}"`)
    expect(out.match(/assay_\w{36}/g)!.every((shown) => shown === key)).toBe(true)
  })

  it("keeps the key in a file that only its owner can read", () => {
    expect(readFileSync(join(data, "api-key"), "utf8").trim()).toBe(key)
    expect(statSync(join(data, "api-key")).mode & 0o777).toBe(0o600)
  })

  it("analyzes the sample from start to finish and prints its findings", () => {
    expect(first.stderr()).toMatch(/Fetching the source|Running the rules|Parsing/)
    expect(out).toMatch(/HIGH +evm\/src\/Vault\.sol:\d+/)
    expect(out).toMatch(/\d+ high/)
  })

  it("serves the result, also as Markdown, SARIF and badge", async () => {
    const result = await jsonOf<AnalysisResult>(await get(`/api/v1/analysis/${analysisId}/result`))
    expect(result.repository).toMatchObject({ branch: "main", commit: expect.stringMatching(/^[0-9a-f]{40}$/) })
    const markdown = await (await get(`/api/v1/analysis/${analysisId}/export?format=markdown`)).text()
    expect(markdown).toBe(result.markdownReport)
    const sarif = await jsonOf<SarifLog>(await get(`/api/v1/analysis/${analysisId}/export?format=sarif`))
    expect(sarif.runs[0]!.results).toHaveLength(result.findings.length + result.suppressed.length)
    const badge = await (await fetch(`${url}/api/v1/analysis/${analysisId}/badge`)).json()
    expect(badge).toMatchObject({ status: "completed", totalFindings: result.summary.totalFindings })
  })

  it("refuses a second process on the same data directory, in one sentence", async () => {
    const second = startProgram("start/main.ts", ["--port", "0", "--data-dir", data])
    expect(await second.ended).toBe(2)
    expect(second.stderr()).toContain(data)
    expect(second.stderr()).not.toMatch(/\n\s+at /)
  })

  it("says that a port is taken", async () => {
    const second = startProgram("start/main.ts", ["--port", new URL(url).port, "--data-dir", await preparedDirectory()])
    expect(await second.ended).toBe(2)
    expect(second.stderr()).toContain("--port")
  })
})

describe("npm start, later on and from scripts", async () => {
  const data = await preparedDirectory()
  let program: ReturnType<typeof startProgram>
  /** Starts it on the same directory, which each test leaves for the next one; returns the line of JSON. */
  const start = async (flags: ReadonlyArray<string>, environment: Readonly<Record<string, string>>) => {
    program = startProgram("start/main.ts", ["--json", "--port", "0", "--data-dir", data, ...flags], environment)
    return JSON.parse(await program.line(/^\{/))
  }

  it("prints exactly one line of JSON, and logs requests where ASSAY_REQUEST_LOG is info", async () => {
    const { url, apiKey } = await start(["--no-sample"], { ASSAY_REQUEST_LOG: "info" })
    expect((await fetch(`${url}/health`)).status).toBe(200)
    const listed = await fetch(`${url}/api/v1/analysis`, { headers: { authorization: `Bearer ${apiKey}` } })
    expect(await listed.json()).toEqual([])
    await fetch(`${url}/nope`)
    expect(await program.stop()).toBe(0)
    expect(program.stdout().trim().split("\n")).toHaveLength(1)
    expect(program.stderr()).toContain('"route":"/nope"')
  })

  it("prints no key on later starts, and logs no request where ASSAY_REQUEST_LOG is none", async () => {
    const printed = await start([], { ASSAY_REQUEST_LOG: "none" })
    expect(printed).toEqual({
      url: expect.stringContaining("http://"),
      apiKey: null,
      signInUrl: expect.stringContaining("/auth/start?token="),
    })
    await fetch(`${printed.url}/nope`)
    expect(await program.stop("SIGINT")).toBe(0)
    expect(program.stderr()).not.toContain('"route":"/nope"')
  })

  it("reopens its data after kill -9, with the same key", async () => {
    await start([], {})
    await program.stop("SIGKILL")
    const { url } = await start([], {})
    const key = readFileSync(join(data, "api-key"), "utf8").trim()
    expect((await fetch(`${url}/api/v1/analysis`, { headers: { authorization: `Bearer ${key}` } })).status).toBe(200)
    await program.stop()
  })

  it("explains its flags and rejects unknown ones with exit code 2", async () => {
    const help = startProgram("start/main.ts", ["--help"])
    expect(await help.ended).toBe(0)
    for (const flag of ["--port", "--data-dir", "--no-sample", "--json"]) expect(help.stdout()).toContain(flag)
    const wrong = startProgram("start/main.ts", ["--prot", "1"])
    expect(await wrong.ended).toBe(2)
    expect(wrong.stderr()).toContain("--prot")
  })
})
