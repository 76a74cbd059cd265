import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type GitServer, requireAuthorization, startGitServer } from "../support/gitServer.ts"
import { startProgram } from "../support/program.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const work = mkdtempSync(join(tmpdir(), "assay-pull-"))
afterAll(() => rmSync(work, { recursive: true, force: true }))

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

const scan = async (scanArguments: ReadonlyArray<string>) => {
  const program = startProgram("cli/scan.ts", scanArguments, {})
  return { code: await program.ended, out: program.stdout(), err: program.stderr() }
}

/** Enough for several scans in one test, each a process that loads every rule. */
const patience = 120_000

const statuses = (out: string): ReadonlyArray<string> =>
  JSON.parse(out).findings.map((finding: { status: string }) => finding.status)

describe("npm run scan --baseline", { timeout: patience }, () => {
  const folder = join(work, "contracts")
  mkdirSync(folder)
  writeFileSync(join(folder, "Old.sol"), contract("Old"))

  it("fails on new findings only, against a SARIF and a JSON report", async () => {
    for (const format of ["sarif", "json"]) {
      rmSync(join(folder, "New.sol"), { force: true })
      const baseline = join(work, `base.${format}`)
      expect((await scan([folder, "--format", format, "--output", baseline])).code).toBe(0)

      // The finding moved, but is not new.
      writeFileSync(join(folder, "Old.sol"), `\n\n${contract("Old")}`)
      const options = ["--format", "json", "--baseline", baseline, "--fail-on-new", "high"]
      const same = await scan([folder, ...options])
      expect(same.code).toBe(0)
      expect(new Set(statuses(same.out))).toEqual(new Set(["unchanged"]))

      writeFileSync(join(folder, "New.sol"), contract("New"))
      const changed = await scan([folder, ...options])
      expect(changed.code).toBe(1)
      expect(new Set(statuses(changed.out))).toEqual(new Set(["new", "unchanged"]))
      expect(changed.err).toMatch(/\d+ new compared with the baseline/)
    }
  })

  it("explains what is wrong with a baseline, or that one is required", async () => {
    for (const [options, said] of [
      [["--fail-on-new", "high"], "requires --baseline"],
      [["--baseline", join(work, "none.sarif")], "there is no such file"],
      [["--baseline", folder], "it is a folder"],
      [["--baseline", "/dev/zero"], "it is larger than 200 MB"],
      [["--baseline", join(folder, "Old.sol")], "neither a SARIF"],
    ] as const) {
      const { code, err } = await scan([folder, ...options])
      expect(code).toBe(2)
      expect(err).toContain(said)
    }
  })
})

describe("npm run scan of a private repository", { timeout: patience }, () => {
  let git: GitServer
  beforeAll(async () => {
    git = await startGitServer()
  })
  afterAll(() => git.close())

  it("takes the token from GITHUB_TOKEN, but only for its server", async () => {
    const { url } = await git.create("private", { branches: { main: { "Vault.sol": contract("Vault") } } })
    git.behave("private", requireAuthorization(`Basic ${Buffer.from("x-access-token:secret").toString("base64")}`))
    const run = async (environment: Readonly<Record<string, string>>) => {
      const program = startProgram("cli/scan.ts", [url], { ASSAY_ALLOWED_HOSTS: git.host, ...environment })
      return { code: await program.ended, err: program.stderr() }
    }
    expect((await run({ GITHUB_TOKEN: "secret", GITHUB_SERVER_URL: git.host })).code).toBe(0)
    const elsewhere = await run({ GITHUB_TOKEN: "secret", GITHUB_SERVER_URL: "https://github.com" })
    expect(elsewhere).toMatchObject({ code: 2, err: expect.stringContaining("need a hosting token") })
  })
})

describe("the GitHub Action's script", { timeout: patience }, () => {
  const origin = join(work, "origin")
  const git = (directory: string, ...gitArguments: ReadonlyArray<string>): string =>
    execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@localhost", ...gitArguments], {
      cwd: directory,
      encoding: "utf8",
    }).trim()

  const commit = (files: Readonly<Record<string, string>>): string => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(origin, name), text)
    git(origin, "add", ".")
    git(origin, "commit", "--quiet", "-m", "change")
    return git(origin, "rev-parse", "HEAD")
  }

  let runs = 0
  /** Runs the script on a shallow clone of a commit, as after `actions/checkout`. */
  const action = (head: string, baseSha: string, inputs: Readonly<Record<string, string>> = {}) => {
    const directory = join(work, `run-${++runs}`)
    const temporary = join(work, `temp-${runs}`)
    mkdirSync(directory)
    mkdirSync(temporary)
    git(directory, "init", "--quiet")
    git(directory, "remote", "add", "origin", `file://${origin}`)
    git(directory, "fetch", "--quiet", "--depth=1", "origin", head)
    git(directory, "checkout", "--quiet", head)
    const output = join(temporary, "output")
    writeFileSync(output, "")
    let code = 0
    try {
      execFileSync("bash", [join(root, "apps/cli/action.sh")], {
        cwd: directory,
        stdio: "pipe",
        env: {
          PATH: process.env["PATH"],
          HOME: temporary,
          RUNNER_TEMP: temporary,
          GITHUB_OUTPUT: output,
          ASSAY_ACTION_PATH: root,
          ASSAY_FRAMEWORK: "auto",
          ASSAY_FAIL_ON: "none",
          ASSAY_FAIL_ON_NEW: "high",
          ASSAY_BASELINE: "",
          ASSAY_SARIF_FILE: "assay.sarif",
          ASSAY_BASE_SHA: baseSha,
          ...inputs,
        },
      })
    } catch (error) {
      code = Number((error as { readonly status: number }).status) // execFileSync fails with the exit status
    }
    return { code, output: readFileSync(output, "utf8").trim(), directory }
  }

  it("compares a pull request with its base, uploads before it fails, and leaves the checkout as it was", () => {
    mkdirSync(origin)
    git(origin, "init", "--quiet", "--initial-branch=main")
    git(origin, "config", "uploadpack.allowAnySHA1InWant", "true")
    const empty = commit({ "README.md": "nothing" })
    const base = commit({ "Old.sol": contract("Old") })
    const unrelated = commit({ "README.md": "something" })
    const worse = commit({ "New.sol": contract("New") })

    expect(action(unrelated, base)).toMatchObject({ code: 0, output: "exit-code=0" })
    const failing = action(worse, base)
    expect(failing).toMatchObject({ code: 0, output: "exit-code=1" })
    const report = JSON.parse(readFileSync(join(failing.directory, "assay.sarif"), "utf8"))
    const states = report.runs[0].results.map((result: { baselineState: string }) => result.baselineState)
    expect(new Set(states)).toEqual(new Set(["new", "unchanged"]))
    expect(git(failing.directory, "status", "--porcelain")).toBe("?? assay.sarif")
    expect(git(failing.directory, "worktree", "list").split("\n")).toHaveLength(1)

    expect(action(base, empty)).toMatchObject({ code: 0, output: "exit-code=1" })
    expect(action(worse, "")).toMatchObject({ code: 0, output: "exit-code=0" })
    expect(action(worse, "", { ASSAY_FAIL_ON: "high" })).toMatchObject({ code: 0, output: "exit-code=1" })
    expect(action(empty, "")).toMatchObject({ code: 2, output: "exit-code=2" })
  })

  it("is what action.yml runs, with every input it reads", () => {
    const definition = readFileSync(join(root, "action.yml"), "utf8")
    const script = readFileSync(join(root, "apps/cli/action.sh"), "utf8")
    expect(definition).toContain("apps/cli/action.sh")
    for (const [name] of script.matchAll(/ASSAY_[A-Z_]+/g)) expect(definition).toContain(`${name}: \${{`)
  })
})
