import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { loadBaseline } from "../../apps/cli/baseline.ts"
import { type GitServer, stall, startGitServer } from "../support/gitServer.ts"
import { analyze, jsonOf, type Service, startProgram, startService } from "../support/program.ts"

const contract = (name: string): string => `pragma solidity 0.8.26;
contract ${name} {
  mapping(address => uint256) balances;
  function withdraw() external {
    (bool ok, ) = msg.sender.call{value: balances[msg.sender]}("");
    require(ok);
    balances[msg.sender] = 0;
  }
}
`

const work = mkdtempSync(join(tmpdir(), "assay-baseline-"))
const data = join(work, "data")
const folder = join(work, "contracts")
mkdirSync(join(folder, "src"), { recursive: true })

let git: GitServer
let service: Service
/** Answers every request with a redirect. */
let moved: Server
let ownKey = ""
let known = ""

beforeAll(async () => {
  git = await startGitServer()
  service = await startService(data, { ASSAY_ALLOWED_HOSTS: git.host })
  ownKey = readFileSync(join(data, "api-key"), "utf8").trim()
  moved = createServer((_, response) => void response.writeHead(308, { location: `${service.url}/` }).end())
  await new Promise<void>((resolve) => moved.listen(0, "127.0.0.1", resolve))
  const { url } = await git.create("vault", { branches: { main: { "src/Old.sol": contract("Old") } } })
  const analysis = await analyze(service, { repositoryUrl: url })
  expect(analysis.status).toBe("completed")
  known = analysis.analysisId
}, 120_000)
afterAll(async () => {
  moved?.close()
  await service?.stop()
  await git?.close()
  rmSync(work, { recursive: true, force: true })
})

const scan = async (environment: Readonly<Record<string, string>>, ...scanArguments: ReadonlyArray<string>) => {
  const program = startProgram("cli/scan.ts", [folder, "--format", "json", ...scanArguments], environment)
  return { code: await program.ended, out: program.stdout(), err: program.stderr() }
}

/** Why the baseline cannot be read, which the command prints. */
const refusalIn = async (environment: Readonly<Record<string, string>>, id: string): Promise<string> => {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
  try {
    return (await Effect.runPromise(Effect.flip(loadBaseline(id)))).message
  } finally {
    vi.unstubAllEnvs()
  }
}

const statuses = (out: string): ReadonlySet<string> =>
  new Set(JSON.parse(out).findings.map((finding: { readonly status: string }) => finding.status))

const admin = async (...call: ReadonlyArray<string>): Promise<Record<string, string>> => {
  const program = startProgram("cli/admin.ts", [...call, "--json"], { ASSAY_DATA_DIR: data })
  expect({ code: await program.ended, err: program.stderr() }).toEqual({ code: 0, err: "" })
  return JSON.parse(program.stdout()) as Record<string, string> // the fields that are used are checked by their use
}

const userWithKey = async (plan: string, scopes = "analysis:read,analysis:write"): Promise<string> => {
  const { userId = "" } = await admin("user", "create", "--email", `${crypto.randomUUID()}@example.com`, "--plan", plan)
  return (await admin("key", "create", "--user", userId, "--scopes", scopes))["apiKey"] ?? ""
}

const as = (apiKey: string) => ({
  request: (method: string, path: string, body?: unknown) =>
    fetch(service.url + path, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
})

describe("npm run scan --baseline with the id of an analysis of a running service", { timeout: 180_000 }, () => {
  it("fails only on findings that the analysis does not have", async () => {
    writeFileSync(join(folder, "src/Old.sol"), `\n\n${contract("Old")}`)
    const options = ["--baseline", known, "--fail-on-new", "high"]
    // The key of `npm start` on this machine is found by itself.
    const same = await scan({ ASSAY_URL: service.url, ASSAY_DATA_DIR: data }, ...options)
    expect(same).toMatchObject({ code: 0, err: expect.stringContaining("0 new compared with the baseline") })
    expect(statuses(same.out)).toEqual(new Set(["unchanged"]))

    writeFileSync(join(folder, "src/New.sol"), contract("New"))
    const worse = await scan({ ASSAY_URL: `${service.url}/`, ASSAY_API_KEY: ownKey }, ...options)
    expect(worse.code).toBe(1)
    expect(statuses(worse.out)).toEqual(new Set(["new", "unchanged"]))
    rmSync(join(folder, "src/New.sol"))
  })

  it("works like the SARIF that the service exports, but on any plan", async () => {
    const exported = await service.request("GET", `/api/v1/analysis/${known}/export?format=sarif`)
    expect(exported.status).toBe(200)
    const file = join(work, "exported.sarif")
    writeFileSync(file, await exported.text())
    const fromFile = await scan({}, "--baseline", file)
    expect(statuses(fromFile.out)).toEqual(new Set(["unchanged"]))

    const basic = await userWithKey("basic")
    const { analysisId } = await analyze(as(basic), { repositoryUrl: `${git.host}/test/vault` })
    const refused = await as(basic).request("GET", `/api/v1/analysis/${analysisId}/export?format=sarif`)
    expect(refused.status).toBe(403)
    expect(await refused.text()).toContain("SUBSCRIPTION_REQUIRED")
    const byId = await scan({ ASSAY_URL: service.url, ASSAY_API_KEY: basic }, "--baseline", analysisId)
    expect(byId.code).toBe(0)
    expect(statuses(byId.out)).toEqual(new Set(["unchanged"]))
  })

  it("explains what is wrong with the id, key or URL, and exits with 2", async () => {
    const other = await userWithKey("pro")
    const scopeless = await userWithKey("pro", "repositories")
    await git.create("silent")
    git.behave("silent", stall)
    const body = { repositoryUrl: `${git.host}/test/silent` }
    const unfinished = await jsonOf<{ readonly analysisId: string }>(
      await service.request("POST", "/api/v1/analysis", body),
    )
    const failed = await analyze(service, { repositoryUrl: `${git.host}/test/none` })
    expect(failed.status).toBe("failed")
    const movedUrl = `http://127.0.0.1:${(moved.address() as AddressInfo).port}` // a TCP server's address is not a path

    const live = { ASSAY_URL: service.url, ASSAY_API_KEY: ownKey }
    const cases: ReadonlyArray<readonly [id: string, environment: Readonly<Record<string, string>>, said: string]> = [
      [crypto.randomUUID(), live, "has no such analysis that you can access"],
      [known, { ...live, ASSAY_API_KEY: other }, "has no such analysis that you can access"],
      [known, { ...live, ASSAY_API_KEY: "assay_wrong" }, "rejected the API key"],
      [known, { ...live, ASSAY_API_KEY: scopeless }, "lacks the scope analysis:read"],
      [unfinished.analysisId, live, "is not finished yet"],
      [failed.analysisId, live, "failed and has no findings to compare with (The repository"],
      [known, { ...live, ASSAY_URL: "http://127.0.0.1:1" }, "could not reach"],
      [known, { ...live, ASSAY_URL: "no address" }, "is not a valid service URL"],
      [known, { ...live, ASSAY_URL: git.host }, "Check that ASSAY_URL is the URL of the service"],
      [known, { ...live, ASSAY_URL: movedUrl }, "redirects elsewhere"],
      // The key that is found on this machine is sent to no other.
      [known, { ASSAY_URL: "https://assay.invalid", ASSAY_DATA_DIR: data }, "set ASSAY_API_KEY"],
    ]
    for (const [index, [id, environment, said]] of cases.entries()) {
      const message = await refusalIn(environment, id)
      expect(message).toContain(said)
      // Each command takes a second of CPU time, only to print the message.
      if (index > 0 && index < cases.length - 1) {
        expect(message.split("\n")).toHaveLength(1)
        continue
      }
      const { code, out, err } = await scan(environment, "--baseline", id, "--fail-on-new", "high")
      expect({ said, code, out, err }).toEqual({ said, code: 2, out: "", err: expect.stringContaining(message) })
      expect(err.trim().split("\n")).toHaveLength(1)
    }
  })
})
