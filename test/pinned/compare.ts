import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { layOut } from "./layOut.ts"
import { type PinnedRepository, repositories } from "./repositories.ts"

const help = `Shows how a change to the engine affects the findings in public repositories, each pinned to a commit.

  npm run pinned -- DIR             # compare; exits with 1 if anything differs
  npm run pinned -- DIR --update    # record the current findings
  npm run pinned -- DIR --only dss  # only repositories whose name contains this

DIR contains git repositories, bare or not, as DIR/<owner>+<name>; missing ones are listed and skipped. Only the rule, file,
line and fingerprint of each finding are recorded, in test/pinned/findings.txt.
`

const root = fileURLToPath(new URL("../..", import.meta.url))
const record = fileURLToPath(new URL("findings.txt", import.meta.url))

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    update: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    help: { type: "boolean", short: "h", default: false },
  },
})
const [directory] = positionals
if (values.help || directory === undefined) {
  process.stdout.write(help)
  process.exit(values.help ? 0 : 2)
}

interface Reported {
  readonly ruleId: string
  readonly severity: string
  readonly fingerprint: string
  readonly location: { readonly file: string; readonly lineStart: number }
}

/** The findings of a repository as lines, in order; undefined where it is not in the folder. */
const findingsIn = async (repository: PinnedRepository): Promise<ReadonlyArray<string> | undefined> => {
  const source = join(directory, repository.name.replace("/", "+"))
  if (!existsSync(source)) return undefined
  const scratch = mkdtempSync(join(tmpdir(), "assay-pinned-"))
  try {
    await layOut(source, repository, scratch)
    const report = join(scratch, "assay-report.json")
    const target = join(scratch, repository.folder ?? "")
    const scan = ["apps/cli/scan.ts", target, "--format", "json", "--output", report]
    execFileSync(process.execPath, scan, { cwd: root, stdio: "ignore", timeout: 600_000 })
    const { findings } = JSON.parse(readFileSync(report, "utf8")) as { readonly findings: ReadonlyArray<Reported> }
    return findings
      .map(({ ruleId, severity, location: { file, lineStart }, fingerprint }) =>
        [repository.name, ruleId, severity, `${file}:${lineStart}`, fingerprint].join(" "),
      )
      .toSorted()
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

const recorded = existsSync(record) ? readFileSync(record, "utf8").split("\n").filter(Boolean) : []
const kept: Array<string> = []
let changes = 0
let compared = 0
for (const repository of repositories) {
  const before = recorded.filter((line) => line.startsWith(`${repository.name} `))
  if (!repository.name.includes(values.only)) {
    kept.push(...before)
    continue
  }
  const now = await findingsIn(repository)
  if (now === undefined) process.stdout.write(`${repository.name}: not in ${directory}\n`)
  else compared += 1
  kept.push(...(now ?? before))
  const was = new Set(before)
  const is = new Set(now ?? before)
  const lines = [
    ...before.filter((line) => !is.has(line)).map((line) => `- ${line}`),
    ...[...is].filter((line) => !was.has(line)).map((line) => `+ ${line}`),
  ]
  changes += lines.length
  process.stdout.write(lines.map((line) => `${line}\n`).join(""))
}
if (values.update) writeFileSync(record, kept.map((line) => `${line}\n`).join(""))
process.stdout.write(`${compared} of ${repositories.length} repositories compared, ${changes} findings differ\n`)
process.exit(changes === 0 || values.update ? 0 : 1)
