import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { startProgram } from "../support/program.ts"

const work = mkdtempSync(join(tmpdir(), "assay-dependencies-"))
afterAll(() => rmSync(work, { recursive: true, force: true }))

const write = (name: string, files: Readonly<Record<string, string>>): string => {
  const folder = join(work, name)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

const scan = async (folder: string, format: "json" | "sarif", environment: Readonly<Record<string, string>> = {}) => {
  const program = startProgram("cli/scan.ts", [folder, "--format", format], environment)
  const code = await program.ended
  return { code, out: program.stdout(), err: program.stderr() }
}

interface Shown {
  readonly ruleId: string
  readonly title: string
  readonly category: string
  readonly location: { readonly file: string; readonly lineStart: number }
  readonly remediation: string
  readonly references: ReadonlyArray<string>
}

const dependencies = (findings: ReadonlyArray<Shown>): ReadonlyArray<Shown> =>
  findings.filter(({ category }) => category === "dependency")

const contract = `#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> { Ok(Response::new()) }
`

const cosmwasm = {
  "Cargo.toml": `[package]
name = "vault"
version = "0.1.0"

[lib]
crate-type = ["cdylib", "rlib"]

[dependencies]
cosmwasm-std = "1.5"
acme-math = "0.3"
`,
  "src/lib.rs": contract,
  "Cargo.lock": `version = 3

[[package]]
name = "acme-math"
version = "0.3.1"
source = "registry+https://github.com/rust-lang/crates.io-index"

[[package]]
name = "cosmwasm-std"
version = "1.5.3"
source = "registry+https://github.com/rust-lang/crates.io-index"

[[package]]
name = "vault"
version = "0.1.0"
dependencies = [
 "acme-math",
 "cosmwasm-std",
]
`,
}

describe("dependencies", () => {
  it("are reported at the lock file line that pins them if they have published vulnerabilities", async () => {
    const { code, out } = await scan(write("bundled", cosmwasm), "json")
    const [found, ...others] = dependencies(JSON.parse(out).findings)
    expect({ code, others }).toEqual({ code: 0, others: [] })
    expect(found).toMatchObject({
      ruleId: "cosmwasm/dependency/low-advisory",
      severity: "low",
      confidence: "high",
      location: { file: "Cargo.lock", lineStart: 10, snippet: 'version = "1.5.3"' },
    })
    expect(found?.title).toContain("cosmwasm-std 1.5.3")
    expect(found?.remediation).toContain("1.5.4")
    expect(found?.references[0]).toBe("https://rustsec.org/advisories/RUSTSEC-2024-0338.html")
  })

  it("are checked against advisories in a directory, too", async () => {
    const directory = write("osv", {
      "acme.json": JSON.stringify({
        id: "ACME-1",
        aliases: ["CVE-2026-0001"],
        summary: "Rounding favors the caller",
        severity: [{ type: "CVSS_V3", score: "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:H/A:N" }],
        affected: [
          {
            package: { ecosystem: "crates.io", name: "acme-math" },
            ranges: [{ type: "SEMVER", events: [{ introduced: "0.2.0" }, { fixed: "0.3.2" }] }],
          },
        ],
        references: [{ type: "ADVISORY", url: "https://example.com/ACME-1" }],
      }),
    })
    const { out } = await scan(write("refreshed", cosmwasm), "sarif", { ASSAY_ADVISORIES: directory })
    const [run] = JSON.parse(out).runs
    const results: ReadonlyArray<{ ruleId: string; level: string; message: { text: string } }> = run.results
    expect(results.find(({ ruleId }) => ruleId === "cosmwasm/dependency/high-advisory")).toMatchObject({
      level: "error",
      message: { text: "acme-math 0.3.1: Rounding favors the caller" },
    })
  })

  it("can be excluded from the counts by a comment above them", async () => {
    const lock = cosmwasm["Cargo.lock"].replace(
      'version = "1.5.3"',
      '# assay-ignore cosmwasm/dependency/*: no contract raises to a power\nversion = "1.5.3"',
    )
    const { out } = await scan(write("suppressed", { ...cosmwasm, "Cargo.lock": lock }), "json")
    const { findings, suppressed } = JSON.parse(out)
    expect(dependencies(findings)).toEqual([])
    expect(dependencies(suppressed)).toMatchObject([{ suppression: { reason: "no contract raises to a power" } }])
  })

  it("are reported as not analyzed if the lock file is broken or too large", async () => {
    const project = {
      "src/Token.sol":
        'import "@openzeppelin/contracts/access/Ownable.sol";\ncontract Token { function f() external {} }\n',
      "yarn.lock": "x".repeat(3_000_000),
      "package-lock.json": '{"packages": {',
    }
    const { out } = await scan(write("broken", project), "json")
    const skipped: ReadonlyArray<{ file: string; reason: string }> = JSON.parse(out).coverage.filesSkipped
    expect(skipped.map(({ file }) => file).toSorted()).toEqual(["package-lock.json", "yarn.lock"])
  })

  it("cannot be checked against a directory that does not exist", async () => {
    const { code, err } = await scan(write("missing", cosmwasm), "json", { ASSAY_ADVISORIES: join(work, "nowhere") })
    expect(code).toBe(2)
    expect(err).toContain(`ASSAY_ADVISORIES: ${join(work, "nowhere")} does not exist.`)
  })
})
