import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { AnalysisResult } from "../../domain/analysis/Analysis.ts"
import { type GithubServer, startGithubServer } from "../support/githubServer.ts"
import { type GitServer, requireAuthorization, startGitServer } from "../support/gitServer.ts"
import { analyze, jsonOf, type Service, startService } from "../support/program.ts"

const token = `ghp_${"q".repeat(36)}`
const data = mkdtempSync(join(tmpdir(), "assay-private-"))

const vault = `pragma solidity 0.8.26;
contract Vault {
  mapping(address => uint256) balances;
  function withdraw() external {
    (bool ok, ) = msg.sender.call{value: balances[msg.sender]}("");
    require(ok);
    balances[msg.sender] = 0;
  }
}
`

let github: GithubServer
let git: GitServer
let service: Service
let url = ""

beforeAll(async () => {
  github = await startGithubServer()
  git = await startGitServer()
  url = (await git.create("vault", { branches: { main: { "src/Vault.sol": vault } } })).url
  git.behave("vault", requireAuthorization(`Basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`))
  github.tokens.set(token, {
    login: "octo",
    scopes: "repo",
    repositories: [{ id: 1, full_name: "test/vault", html_url: url, private: true }],
  })
  service = await startService(data, { GITHUB_API_URL: github.url, ASSAY_ALLOWED_HOSTS: git.host })
})
afterAll(async () => {
  await service?.stop()
  await git?.close()
  await github?.close()
  rmSync(data, { recursive: true, force: true })
})

/** Everything that the service keeps on disk, as text. */
const stored = (): string =>
  readdirSync(data, { recursive: true, encoding: "utf8" })
    .map((name) => join(data, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, "latin1"))
    .join("\n")

const result = async (analysisId: string) =>
  jsonOf<AnalysisResult>(await service.request("GET", `/api/v1/analysis/${analysisId}/result`))

describe("a private repository", { timeout: 120_000 }, () => {
  it("cannot be fetched without a hosting token, and the message says so", async () => {
    const failed = await analyze(service, { repositoryUrl: url })
    expect(failed).toMatchObject({ status: "failed", currentStage: "fetching_source" })
    const response = await service.request("GET", `/api/v1/analysis/${failed.analysisId}/result`)
    expect(await response.text()).toContain("need a hosting token")
  })

  it("is synced, fetched with the user's token, analyzed, and found again in its history", async () => {
    expect((await service.request("PUT", "/api/v1/settings/hosting-token", { token })).status).toBe(200)
    expect(await (await service.request("POST", "/api/v1/repositories/sync")).json()).toMatchObject({ added: 1 })

    const first = await analyze(service, { repositoryUrl: url })
    expect(first.status).toBe("completed")
    const found = await result(first.analysisId)
    expect(found.findings.length).toBeGreaterThan(0)

    const [repository] = await jsonOf<ReadonlyArray<{ readonly id: string }>>(
      await service.request("GET", "/api/v1/repositories"),
    )
    const detail = await jsonOf<{ readonly scans: ReadonlyArray<{ readonly status: string }> }>(
      await service.request("GET", `/api/v1/repositories/${repository!.id}`),
    )
    expect(detail.scans.map((scan) => scan.status)).toEqual(["failed", "completed"])
  })

  it("yields the same findings, now unchanged, if it did not change", async () => {
    const second = await result((await analyze(service, { repositoryUrl: url })).analysisId)
    const third = await result((await analyze(service, { repositoryUrl: url, branch: "refs/heads/main" })).analysisId)
    expect(second.findings.every(({ status }) => status === "unchanged")).toBe(true)
    expect(third.findings).toEqual(second.findings)
    expect(third.coverage).toEqual(second.coverage)
  })

  it("does not leave the token in any file, log or response", async () => {
    const secrets = [token, Buffer.from(`x-access-token:${token}`).toString("base64")]
    const seen = stored() + service.stdout() + service.stderr()
    expect(seen).toContain("test/vault")
    for (const secret of secrets) expect(seen.includes(secret)).toBe(false)
    const settings = await (await service.request("GET", "/api/v1/settings/hosting-token")).text()
    for (const secret of secrets) expect(settings.includes(secret)).toBe(false)
  })
})
