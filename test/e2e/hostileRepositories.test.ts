import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Files, type GitServer, startGitServer } from "../support/gitServer.ts"
import type { AnalysisResult } from "../../domain/analysis/Analysis.ts"
import { resultLimits } from "../../domain/finding/ResultLimits.ts"
import { analyze, jsonOf, type Service, startService } from "../support/program.ts"

const work = mkdtempSync(join(tmpdir(), "assay-hostile-"))
let git: GitServer
let service: Service

const vault = `pragma solidity 0.8.26;
contract Vault {
    mapping(address => uint256) public balanceOf;
    function deposit() external payable { balanceOf[msg.sender] += msg.value; }
    function withdraw() external {
        (bool paid,) = msg.sender.call{value: balanceOf[msg.sender]}("");
        require(paid);
        balanceOf[msg.sender] = 0;
    }
}
`

let count = 0
const ofFiles = async (files: Files) => {
  const repository = await git.create(`case${count++}`, { branches: { main: files } })
  return analyze(service, { repositoryUrl: repository.url })
}

const resultOf = async (analysisId: string) =>
  jsonOf<AnalysisResult>(await service.request("GET", `/api/v1/analysis/${analysisId}/result`))

const completed = async (files: Files) => {
  const { status, analysisId } = await ofFiles(files)
  expect(status).toBe("completed")
  return resultOf(analysisId)
}

/** What the result endpoint says about a failed analysis. */
const failed = async ({ status, analysisId }: { readonly status: string; readonly analysisId: string }) => {
  expect(status).toBe("failed")
  const answer = await service.request("GET", `/api/v1/analysis/${analysisId}/result`)
  expect(answer.status).toBe(409)
  const { error } = await jsonOf<{ readonly error: { readonly message: string; readonly details: { stage: string } } }>(
    answer,
  )
  expect(error).toMatchObject({ code: "ANALYSIS_FAILED", details: { analysisId } })
  return error
}

beforeAll(async () => {
  git = await startGitServer()
  service = await startService(join(work, "data"), {
    ASSAY_ALLOWED_HOSTS: git.host,
    ASSAY_WORK_DIR: join(work, "jobs"),
  })
})
afterAll(async () => {
  // Whatever the repositories did, the service is still up and shuts down cleanly.
  expect((await fetch(`${service.url}/health`)).status).toBe(200)
  expect(await service.stop()).toBe(0)
  await git.close()
  rmSync(work, { recursive: true, force: true })
})

describe("a repository that cannot be analyzed fails with an explanation for its owner", () => {
  it("an unknown branch", async () => {
    const repository = await git.create("branchless", { branches: { main: { "A.sol": vault } } })
    const error = await failed(await analyze(service, { repositoryUrl: repository.url, branch: "nope" }))
    expect(error.details.stage).toBe("fetching_source")
    expect(error.message).toContain('"nope"')
  })

  it("an empty repository", async () => {
    const repository = await git.create("empty", {})
    const error = await failed(await analyze(service, { repositoryUrl: repository.url }))
    expect(error).toMatchObject({ message: expect.stringContaining("empty"), details: { stage: "fetching_source" } })
  })

  it("a repository without contracts", async () => {
    const error = await failed(await ofFiles({ "README.md": "# nothing here" }))
    expect(error).toMatchObject({ message: expect.stringContaining(".sol"), details: { stage: "detecting_framework" } })
  })

  it("a repository in which nothing parses", async () => {
    const error = await failed(await ofFiles({ "A.sol": "%%%% this is not a Solidity ####" }))
    expect(error.details.stage).toBe("compilation")
  })

  it("a repository over a limit, which the second time says that its scan remains charged", async () => {
    const repository = await git.create("many", { branches: { main: { "A.sol": vault } } })
    const id = await repository.blob(vault)
    const entries = (mode: string, of: string) =>
      Array.from({ length: 300 }, (_, index) => ({ mode, name: `${1_000 + index}`, id: of }))
    const folder = await repository.tree(entries("100644", id))
    await repository.commitTree("main", await repository.tree(entries("40000", folder)))
    const first = await failed(await analyze(service, { repositoryUrl: repository.url }))
    expect(first.message).toMatch(/^The repository has more than 50,000 files, the limit of an analysis\.$/)
    const second = await failed(await analyze(service, { repositoryUrl: repository.url }))
    expect(second.message).toMatch(/^The repository has more than 50,000 files, .* this one remains charged\.$/)
  })

  it("a repository that does not exist", async () => {
    const error = await failed(await analyze(service, { repositoryUrl: `${git.host}/test/missing` }))
    expect(error.details.stage).toBe("fetching_source")
  })
})

describe("a repository with hostile contents completes with honest coverage", () => {
  it("a file of 100 MB next to a contract", async () => {
    const result = await completed({ "huge.bin": new Uint8Array(100_000_000), "Vault.sol": vault })
    expect(result.coverage.filesAnalysed).toBe(1)
    expect(result.findings.length).toBeGreaterThan(0)
  })

  it("a contract of 5 MB", async () => {
    const big = `pragma solidity 0.8.26;\ncontract Big {\n${"    uint256 constant X = 1;\n".repeat(190_000)}}\n`
    const result = await completed({ "Big.sol": big, "Vault.sol": vault })
    expect(result.coverage.filesSkipped).toContainEqual({ file: "Big.sol", reason: expect.stringContaining("MB") })
  })

  it("symbolic links to /etc", async () => {
    const repository = await git.create("links", { branches: { main: { "Vault.sol": vault } } })
    const contract = await repository.blob(vault)
    const target = await repository.blob("/etc/passwd")
    const folder = await repository.blob("/etc")
    const tree = await repository.tree([
      { mode: "120000", name: "Passwd.sol", id: target },
      { mode: "100644", name: "Vault.sol", id: contract },
      { mode: "120000", name: "etc", id: folder },
    ])
    await repository.commitTree("main", tree)
    const { status, analysisId } = await analyze(service, { repositoryUrl: repository.url })
    expect(status).toBe("completed")
    const text = JSON.stringify(await resultOf(analysisId))
    expect(text).not.toContain("root:")
    expect(JSON.parse(text).coverage.filesAnalysed).toBe(1)
  })

  it("50,000 files", async () => {
    const files: Record<string, string> = { "Vault.sol": vault }
    for (let i = 0; i < 49_999; i++) files[`docs/${i % 250}/${i}.txt`] = `${i}`
    const result = await completed(files)
    expect(result.coverage.filesAnalysed).toBe(1)
  })

  it("more findings than a result has room for, with one long name in each", async () => {
    const name = "B".repeat(100_000)
    const lines = (line: (index: number) => string) =>
      Array.from({ length: 1_000 }, (_, index) => line(index)).join("\n")
    const shadowing = `pragma solidity 0.7.6;
contract ${name} { ${lines((i) => `uint internal v${i};`)} }
contract C is ${name} { ${lines((i) => `uint v${i}; function f${i}(address a) public { v${i} = 1; a.delegatecall(msg.data); }`)} }`
    const files = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`S${index}.sol`, shadowing]))
    const repository = await git.create("volume", { branches: { main: { ...files, "Vault.sol": vault } } })
    const { status, analysisId } = await analyze(service, { repositoryUrl: repository.url })
    expect(status).toBe("completed")
    const text = await (await service.request("GET", `/api/v1/analysis/${analysisId}/result`)).text()
    expect(Buffer.byteLength(text)).toBeLessThan(resultLimits.bytes)
    const { findings, summary, coverage, markdownReport }: AnalysisResult = JSON.parse(text)
    const { critical = 0, high = 0, medium = 0, low = 0, informational = 0 } = coverage.omitted?.findings ?? {}
    expect(critical + high + medium + low + informational).toBe(summary.totalFindings - findings.length)
    expect(findings.length).toBeGreaterThan(1_000)
    expect(summary.totalFindings).toBeGreaterThan(findings.length)
    expect(markdownReport).toContain("Omitted because of the size limit")
    const sarif = await service.request("GET", `/api/v1/analysis/${analysisId}/export?format=sarif`)
    expect(Buffer.byteLength(await sarif.text())).toBeLessThan(resultLimits.bytes)
    const badge = await jsonOf(await service.request("GET", `/api/v1/analysis/${analysisId}/badge`))
    expect(badge).toMatchObject({ totalFindings: summary.totalFindings })
  })

  it("an unbalanced brace", async () => {
    const result = await completed({
      "Broken.sol": vault.replace("balanceOf[msg.sender] = 0;\n    }", "balanceOf[msg.sender] = 0;"),
    })
    expect(result.coverage.filesSkipped).toContainEqual({
      file: "Broken.sol",
      reason: expect.stringMatching(/error|part/),
    })
  })

  it("nesting 10,000 levels deep", async () => {
    const deep = `pragma solidity 0.8.26;\ncontract Deep { function f() external pure returns (uint256) { return ${"(".repeat(10_000)}1${")".repeat(10_000)}; } }\n`
    const result = await completed({ "Deep.sol": deep, "Vault.sol": vault })
    expect(result.coverage.filesSkipped).toContainEqual({ file: "Deep.sol", reason: expect.stringContaining("nest") })
    expect(result.findings.some((finding) => finding.location.file === "Vault.sol")).toBe(true)
  })

  it("cyclic imports and cyclic inheritance", async () => {
    const result = await completed({
      "A.sol": `pragma solidity 0.8.26;\nimport "./B.sol";\ncontract A is B {}\n${vault.replace("pragma solidity 0.8.26;", "")}`,
      "B.sol": `pragma solidity 0.8.26;\nimport "./A.sol";\ncontract B is A {}\n`,
    })
    expect(result.coverage.filesAnalysed).toBe(2)
    expect(result.findings.length).toBeGreaterThan(0)
  })
})

describe("a running analysis", () => {
  it("is gone for good once deleted, and writes nothing afterwards", async () => {
    const repository = await git.create("slow", { branches: { main: { "Vault.sol": vault } } })
    let release: () => void = () => undefined
    const arrived = new Promise<void>((resolve) => {
      git.behave("slow", (_request, _response, pass) => {
        release = pass
        resolve()
      })
    })
    const { analysisId } = await jsonOf<{ readonly analysisId: string }>(
      await service.request("POST", "/api/v1/analysis", { repositoryUrl: repository.url }),
    )
    await arrived
    expect((await service.request("DELETE", `/api/v1/analysis/${analysisId}`)).status).toBe(204)
    release()
    const { status } = await ofFiles({ "Vault.sol": vault })
    expect(status).toBe("completed")
    for (const path of ["status", "result", "badge"]) {
      expect((await service.request("GET", `/api/v1/analysis/${analysisId}/${path}`)).status).toBe(404)
    }
  })
})

describe("a second analysis of the same branch", () => {
  it("says of each finding whether it is new, unchanged or reopened", async () => {
    const repository = await git.create("history", { branches: { main: { "Vault.sol": vault } } })
    const statuses = async () => {
      const { analysisId } = await analyze(service, { repositoryUrl: repository.url })
      const { findings } = await resultOf(analysisId)
      return findings.filter((finding) => finding.ruleId.includes("reentrancy")).map((finding) => finding.status)
    }
    expect(await statuses()).toEqual(["new"])
    expect(await statuses()).toEqual(["unchanged"])
    const fixed = await repository.blob("pragma solidity 0.8.26;\ncontract Vault {}\n")
    await repository.commitTree("main", await repository.tree([{ mode: "100644", name: "Vault.sol", id: fixed }]))
    expect(await statuses()).toEqual([])
    const broken = await repository.blob(`\n\n${vault}`)
    await repository.commitTree("main", await repository.tree([{ mode: "100644", name: "Vault.sol", id: broken }]))
    expect(await statuses()).toEqual(["reopened"])
  })
})
