import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))
const definition = readFileSync(join(root, "action.yml"), "utf8")
// A folder name like those on runners, and worse.
const work = join(mkdtempSync(join(tmpdir(), "assay-action-")), "my repo's $(work) folder")
mkdirSync(work)
afterAll(() => rmSync(dirname(work), { recursive: true, force: true }))

const ledger = `pragma solidity 0.8.26;
contract Ledger {
  mapping(address => uint256) internal balances;
}
`

/** With its state in a separate contract in `folder`, if given. */
const contract = (name: string, folder = ""): string => `pragma solidity 0.8.26;
${folder === "" ? "" : `import "${folder}/Ledger.sol";`}
contract ${name} ${folder === "" ? "" : "is Ledger "}{
  ${folder === "" ? "mapping(address => uint256) balances;" : ""}
  function withdraw() external {
    (bool ok, ) = msg.sender.call{value: balances[msg.sender]}("");
    require(ok);
    balances[msg.sender] = 0;
  }
}
`

const git = (directory: string, ...gitArguments: ReadonlyArray<string>): string =>
  execFileSync(
    "git",
    ["-c", "user.name=Test", "-c", "user.email=test@localhost", "-c", "protocol.file.allow=always", ...gitArguments],
    { cwd: directory, encoding: "utf8" },
  ).trim()

const newRepository = (name: string) => {
  const directory = join(work, name)
  mkdirSync(directory)
  git(directory, "init", "--quiet", "--initial-branch=main")
  git(directory, "config", "uploadpack.allowAnySHA1InWant", "true")
  const commit = (files: Readonly<Record<string, string>>): string => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(directory, path)), { recursive: true })
      writeFileSync(join(directory, path), text)
    }
    git(directory, "add", ".")
    git(directory, "commit", "--quiet", "-m", "change")
    return git(directory, "rev-parse", "HEAD")
  }
  return { directory, commit }
}

/** The environment of the step that runs the script: that of `action.yml`, with its expressions evaluated. */
const stepEnvironment = (context: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    [...definition.matchAll(/^ {8}(\w+): \$\{\{ ([\w.-]+) \}\}$/gm)].map(([, name = "", expression = ""]) => [
      name,
      context[expression] ?? "",
    ]),
  )

const defaults = Object.fromEntries(
  [...definition.matchAll(/^ {2}([a-z-]+):\n(?: {4}description: .*\n)? {4}default: (.*)$/gm)].map(
    ([, name, value = ""]) => [`inputs.${name}`, value.replace(/^"(.*)"$/, "$1")],
  ),
)

let runs = 0
/** A job on a shallow clone of `head`, as after `actions/checkout`; `prepare` sees the workspace before the step. */
const run = (
  origin: string,
  head: string,
  context: Readonly<Record<string, string>>,
  prepare: (workspace: string) => void = () => undefined,
) => {
  const folder = join(work, `run ${++runs}`)
  const [workspace, temporary] = [join(folder, "work space"), join(folder, "_temp")]
  mkdirSync(workspace, { recursive: true })
  mkdirSync(temporary)
  git(workspace, "init", "--quiet")
  git(workspace, "remote", "add", "origin", `file://${origin}`)
  git(workspace, "fetch", "--quiet", "--depth=1", "origin", head)
  git(workspace, "checkout", "--quiet", head)
  prepare(workspace)
  const [output, summary] = [join(temporary, "output"), join(temporary, "summary")]
  writeFileSync(output, "")
  writeFileSync(summary, "")
  const step = spawnSync(
    "bash",
    ["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", 'bash "$ASSAY_ACTION_PATH/apps/cli/action.sh"'],
    {
      cwd: workspace,
      encoding: "utf8",
      env: {
        PATH: process.env["PATH"],
        HOME: temporary,
        CI: "true",
        GITHUB_ACTIONS: "true",
        GITHUB_WORKSPACE: workspace,
        RUNNER_TEMP: temporary,
        GITHUB_OUTPUT: output,
        GITHUB_STEP_SUMMARY: summary,
        ...stepEnvironment({ ...defaults, "github.action_path": root.replace(/\/$/, ""), ...context }),
      },
    },
  )
  return {
    code: step.status,
    said: step.stdout + step.stderr,
    output: readFileSync(output, "utf8"),
    summary: readFileSync(summary, "utf8"),
    workspace,
    folder,
  }
}

const base = "github.event.pull_request.base.sha"

/** Lines that the runner would take for a command: those outside of what `stop-commands` covers. */
const commands = (said: string): ReadonlyArray<string> => {
  let token: string | undefined
  return said.split("\n").filter((line) => {
    const trimmed = line.trim()
    if (token !== undefined) {
      if (trimmed === `::${token}::`) token = undefined
      return false
    }
    token = /^::stop-commands::(.+)$/.exec(trimmed)?.[1]
    return token === undefined && trimmed.startsWith("::")
  })
}

const states = (workspace: string, file = "assay.sarif"): ReadonlySet<string> => {
  const report = JSON.parse(readFileSync(join(workspace, file), "utf8"))
  return new Set(report.runs[0].results.map((result: { readonly baselineState: string }) => result.baselineState))
}

describe("the GitHub Action on a runner", { timeout: 180_000 }, () => {
  const { directory: origin, commit } = newRepository("origin")
  const known = commit({ "src/Old.sol": contract("Old") })
  const worse = commit({ "src/New.sol": contract("New") })

  it("puts no expression into a shell script, and every input has a description", () => {
    expect(Object.keys(defaults)).toHaveLength(6)
    expect(definition).not.toMatch(/run:.*\$\{\{/)
    for (const [, script = ""] of definition.matchAll(/run: \|\n((?: {8}.*\n?)+)/g)) expect(script).not.toContain("${{")
  })

  it("reports a pull request in a folder with spaces, with its outcome and a summary", () => {
    const job = run(origin, worse, { [base]: known })
    expect(job).toMatchObject({ code: 0, output: "exit-code=1\n" })
    expect(states(job.workspace)).toEqual(new Set(["new", "unchanged"]))
    expect(job.summary).toMatch(
      /^### Assay\n\n {4}\d+ findings, written to assay\.sarif\n {4}\d+ new compared with the baseline/,
    )
    expect(git(job.workspace, "status", "--porcelain")).toBe("?? assay.sarif")
    expect(git(job.workspace, "worktree", "list").split("\n")).toHaveLength(1)
  })

  it("treats hostile inputs as plain values", () => {
    const evil = "x$(touch pwned)`touch pwned`; touch pwned; #\" ' | & > pwned \\"
    const refused: ReadonlyArray<Readonly<Record<string, string>>> = [
      { "inputs.framework": evil },
      { "inputs.fail-on": evil },
      { "inputs.fail-on-new": evil },
      { "inputs.baseline": evil },
      { "inputs.baseline": "--help" },
      { "inputs.sarif-file": "" },
      { [base]: "--upload-pack=touch pwned" },
      { [base]: `${"0".repeat(40)}\nexit-code=0` },
    ]
    for (const inputs of refused) {
      const job = run(origin, worse, inputs)
      expect({ inputs, code: job.code }).toEqual({ inputs, code: 2 })
      expect(job.output).toMatch(/^(?:exit-code=2\n)?$/)
      expect(readdirSync(job.folder, { recursive: true }).some((name) => String(name).endsWith("pwned"))).toBe(false)
    }
    const odd = "re port $(touch pwned)`;'\n.sarif"
    const written = run(origin, known, { "inputs.sarif-file": odd })
    expect(written).toMatchObject({ code: 0, output: "exit-code=0\n" })
    expect(existsSync(join(written.workspace, odd))).toBe(true)
  })

  it("lets nothing of the repository speak to the runner", () => {
    const { directory, commit } = newRepository("speaking")
    const names = ["::error::planted.sol", "a\n::set-output name=exit-code::0\n.sol", "a\n::add-mask::e\n.sol"]
    const head = commit(Object.fromEntries(names.map((name) => [name, "}}}} nothing ::error::here {{{"])))
    const job = run(directory, head, {})
    expect(job).toMatchObject({ code: 2, output: "exit-code=2\n" })
    expect(job.said).toContain("planted")
    expect(commands(job.said)).toEqual([expect.stringMatching(/^::notice::Nothing to compare/)])
    expect(
      job.summary.split("\n").every((line) => line === "" || line === "### Assay" || line.startsWith("    ")),
    ).toBe(true)
  })

  it("does not need origin if the base was checked out, too, and explains what to do if it is unavailable", () => {
    const present = run(origin, worse, { [base]: known }, (workspace) => {
      git(workspace, "fetch", "--quiet", "--depth=1", "origin", known)
      git(workspace, "remote", "set-url", "origin", "file:///nowhere")
    })
    expect(present).toMatchObject({ code: 0, output: "exit-code=1\n" })
    // The checkout of a fork: its origin does not have the base.
    const fork = newRepository("fork")
    const head = fork.commit({ "src/New.sol": contract("New") })
    const missing = run(fork.directory, head, { [base]: known })
    expect(missing).toMatchObject({ code: 2, output: "" })
    expect(commands(missing.said)).toEqual([expect.stringContaining("fetch-depth: 0, or set the input baseline")])
  })

  it("gives the base the submodules and packages that are on disk, so that nothing is new for the lack of them", () => {
    const library = newRepository("library")
    library.commit({ "Ledger.sol": ledger })
    const { directory, commit } = newRepository("dependent")
    git(directory, "submodule", "--quiet", "add", `file://${library.directory}`, "lib/ledger")
    const source = { "src/A.sol": contract("A", "../lib/ledger"), "src/B.sol": contract("B", "ledger-package") }
    const before = commit({ ...source, ".gitignore": "node_modules\n", "src/Old.sol": contract("Old") })
    const head = commit({ "README.md": "changed" })
    const job = run(directory, head, { [base]: before }, (workspace) => {
      git(workspace, "submodule", "--quiet", "update", "--init")
      mkdirSync(join(workspace, "node_modules/ledger-package"), { recursive: true })
      writeFileSync(join(workspace, "node_modules/ledger-package/Ledger.sol"), ledger)
    })
    expect(job).toMatchObject({ code: 0, output: "exit-code=0\n" })
    expect(states(job.workspace)).toEqual(new Set(["unchanged"]))
    expect(existsSync(join(job.workspace, "lib/ledger/Ledger.sol"))).toBe(true)
    expect(existsSync(join(job.workspace, "node_modules/ledger-package/Ledger.sol"))).toBe(true)
    expect(existsSync(join(job.folder, "_temp/assay-base"))).toBe(false)
  })
})
