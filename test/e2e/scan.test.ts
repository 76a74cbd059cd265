import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type GitServer, startGitServer } from "../support/gitServer.ts"
import { startProgram } from "../support/program.ts"

const sample = fileURLToPath(new URL("../fixtures/sample", import.meta.url))
const readme = fileURLToPath(new URL("../../README.md", import.meta.url))
const work = mkdtempSync(join(tmpdir(), "assay-scan-"))
afterAll(() => rmSync(work, { recursive: true, force: true }))

const scan = async (scanArguments: ReadonlyArray<string>, environment: Readonly<Record<string, string>> = {}) => {
  const program = startProgram("cli/scan.ts", scanArguments, environment)
  return { code: await program.ended, out: program.stdout(), err: program.stderr() }
}

describe("npm run scan", () => {
  it("prints the table shown in the README, and progress on stderr", async () => {
    const { code, out, err } = await scan([sample])
    expect(code).toBe(0)
    const [, shown] = /```\n(test\/fixtures\/sample · [^`]*)```/.exec(readFileSync(readme, "utf8"))!
    // The number of rules and the time change with each version and machine.
    expect(out.trimEnd().split("\n").slice(1)).toEqual(shown!.trimEnd().split("\n").slice(1))
    expect(err).toContain("Fetching the source")
    // oxlint-disable-next-line no-control-regex -- the escape character is what must not be there
    expect(out).not.toMatch(/\u001b/)
  })

  it("prints nothing but JSON, Markdown or SARIF, of the same findings, on stdout", async () => {
    const json = JSON.parse((await scan([sample, "--format", "json"])).out)
    const markdown = (await scan([sample, "--format", "markdown"])).out
    const sarif = JSON.parse((await scan([sample, "--format", "sarif"])).out)
    expect(json.findings.length).toBeGreaterThan(5)
    expect(markdown).toMatch(/^# .*Security Analysis Report/)
    const quoted = readFileSync(readme, "utf8")
      .split("\n")
      .filter((line) => line.startsWith(">"))
    expect(markdown).toContain(quoted.map((line) => line.slice(2)).join("\n"))
    expect(sarif.runs[0].results.map((result: { ruleId: string }) => result.ruleId).toSorted()).toEqual(
      json.findings.map((finding: { ruleId: string }) => finding.ruleId).toSorted(),
    )
  })

  it("writes a file atomically and leaves nothing beside it", async () => {
    const folder = join(work, "out")
    mkdirSync(folder, { recursive: true })
    const { code, out } = await scan([sample, "--format", "sarif", "--output", join(folder, "report.sarif")])
    expect({ code, out }).toEqual({ code: 0, out: "" })
    expect(JSON.parse(readFileSync(join(folder, "report.sarif"), "utf8")).version).toBe("2.1.0")
    expect(readdirSync(folder)).toEqual(["report.sarif"])
  })

  it("reports who can do what, and what changed since an earlier table", async () => {
    const folder = join(work, "access")
    mkdirSync(folder, { recursive: true })
    const bank = (check: string): string =>
      `contract Bank { address owner = msg.sender; uint256 fee; function setFee(uint256 to) external { ${check} fee = to; } }\n`
    writeFileSync(join(folder, "Bank.sol"), bank("require(msg.sender == owner);"))
    const table = join(work, "access.json")
    expect((await scan([folder, "--access", "--format", "json", "--output", table])).code).toBe(0)
    expect(JSON.parse(readFileSync(table, "utf8")).access[0].effects[0].who).toBe("`msg.sender == owner`")
    writeFileSync(join(folder, "Bank.sol"), bank(""))
    const changed = await scan([folder, "--access", "--against", table])
    expect(changed.code).toBe(0)
    expect(changed.out).toContain(
      "| `Bank.setFee(uint256)` | requires less than before | `msg.sender == owner` | anyone |",
    )
    const wrong = await scan([folder, "--access", "--against", join(folder, "Bank.sol")])
    expect(wrong.code).toBe(2)
    expect(wrong.err).toContain("is not an access table")
  })

  it("does not exit with 0 for a program of which nothing was understood", async () => {
    const folder = join(work, "maze")
    mkdirSync(join(folder, "src"), { recursive: true })
    writeFileSync(
      join(folder, "Cargo.toml"),
      '[package]\nname = "maze"\n[lib]\ncrate-type = ["cdylib"]\n[dependencies]\nsolana-program = "2"\n',
    )
    writeFileSync(
      join(folder, "src/lib.rs"),
      "use solana_program::{account_info::AccountInfo, entrypoint::ProgramResult, pubkey::Pubkey};\n" +
        "entrypoint!(process);\npub fn process(id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {\n" +
        "  maze::enter(id, accounts, data)\n}\n",
    )
    const { code, out } = await scan([folder])
    expect(code).toBe(2)
    expect(out.split("\n")[2]).toContain("maze: its entry point was found, but no instructions")
    expect(out).not.toContain("No findings.")
  })

  it("exits with 1 only when findings reach the threshold", async () => {
    const folder = join(work, "quiet")
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, "Empty.sol"), "pragma solidity 0.8.26;\ncontract Empty {}\n")
    expect((await scan([sample, "--fail-on", "high"])).code).toBe(1)
    expect((await scan([folder, "--fail-on", "high"])).code).toBe(0)
    expect((await scan([sample, "--fail-on", "none"])).code).toBe(0)
  })

  it.each([
    [["/nowhere/at/all"], "/nowhere/at/all"],
    [["file:///etc/passwd"], "https"],
    [["https://gitlab.example.com/a/b"], "gitlab.example.com"],
    [[sample, "--format", "pdf"], "pdf"],
    [[], "target"],
    [[sample, "--framework", "move"], "move"],
    [[sample, "--against", "earlier.json"], "--access"],
    [[sample, "--output", "/nowhere/at/all/report.json"], "/nowhere/at/all/report.json"],
  ])("exits with 2 and a sentence for %j", async (scanArguments, named) => {
    const { code, err } = await scan(scanArguments)
    expect(code).toBe(2)
    expect(err).toContain(named)
    expect(err).not.toMatch(/\n\s+at .*\.ts:\d+/)
  })

  it("says what it searched for if there are no contracts", async () => {
    const folder = join(work, "none")
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, "README.md"), "# nothing\n")
    const { code, err } = await scan([folder])
    expect(code).toBe(2)
    expect(err).toContain(".sol")
    expect(err).toContain("Anchor.toml")

    const output = join(work, "none.json")
    const allowed = await scan([folder, "--allow-empty", "--format", "json", "--output", output])
    expect(allowed).toMatchObject({ code: 0, out: "" })
    expect(allowed.err).toContain("No smart contracts found")
    expect(existsSync(output)).toBe(false)
  })

  it("still fails for other reasons with --allow-empty", async () => {
    expect((await scan([join(work, "absent"), "--allow-empty"])).code).toBe(2)
  })

  it("never follows symbolic links out of the folder", async () => {
    const folder = join(work, "links")
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, "A.sol"), "pragma solidity 0.8.26;\ncontract A {}\n")
    symlinkSync("/etc", join(folder, "etc"))
    symlinkSync("/etc/passwd", join(folder, "Passwd.sol"))
    const result = JSON.parse((await scan([folder, "--format", "json"])).out)
    expect(result.coverage.filesAnalysed).toBe(1)
    expect(JSON.stringify(result)).not.toContain("root:")
  })

  it("prints no escape sequences from file names", async () => {
    const folder = join(work, "names")
    mkdirSync(folder, { recursive: true })
    const vault = readFileSync(join(sample, "evm/src/Vault.sol"))
    writeFileSync(join(folder, "V\u001b]0;owned\u0007.sol"), vault)
    const { code, out } = await scan([folder])
    expect(code).toBe(0)
    // oxlint-disable-next-line no-control-regex -- the escape character is what must not be there
    expect(out).not.toMatch(/[\u001b\u0007]/)
  })
})

describe("npm run scan on a repository", () => {
  let server: GitServer
  beforeAll(async () => {
    server = await startGitServer()
  })
  afterAll(() => server.close())

  it("fetches a branch with git and leaves no sources behind", async () => {
    const contract = readFileSync(join(sample, "evm/src/Vault.sol"))
    const repository = await server.create("vault", {
      branches: { main: { "README.md": "" }, next: { "Vault.sol": contract } },
    })
    const directory = join(work, "jobs")
    const { code, out } = await scan([repository.url, "--branch", "next", "--format", "json"], {
      ASSAY_ALLOWED_HOSTS: server.host,
      ASSAY_WORK_DIR: directory,
    })
    expect(code).toBe(0)
    expect(JSON.parse(out).repository).toMatchObject({ branch: "next", commit: await repository.commitOf("next") })
    expect(readdirSync(directory)).toEqual([])
  })

  it("names an unknown branch and exits with 2", async () => {
    const repository = await server.create("plain", { branches: { main: { "A.sol": "contract A {}" } } })
    const { code, err } = await scan([repository.url, "--branch", "nope"], { ASSAY_ALLOWED_HOSTS: server.host })
    expect(code).toBe(2)
    expect(err).toContain('"nope"')
  })
})
