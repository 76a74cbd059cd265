import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

const sources = ["apps", "adapters"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.parentPath.includes("node_modules"))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8")),
)

/** Variables that code reads from its environment, through Config, one of our helpers, or directly. */
const variablesOf = (code: string): ReadonlyArray<string> => [
  ...[...code.matchAll(/\b(?:env|environment)\["([A-Z][A-Z0-9_]+)"\]/g)].map(([, name]) => name!),
  // Whatever precedes it in the call: `Config.schema(Schema.Int.check(…), "PORT")`, `redacted("STRIPE_SECRET_KEY")`.
  ...[...code.matchAll(/"((?:ASSAY|DATABASE|REDIS|GITHUB|STRIPE|OTEL|METRICS)_[A-Z0-9_]+|PORT|HOST)",?\s*\)/g)].map(
    ([, name]) => name!,
  ),
]

/** Variables of any process's environment, or that we set for git and for the build of the dashboard. */
const notConfiguration: ReadonlySet<string> = new Set([
  "PATH",
  "RUSTUP_HOME",
  "GIT_CONFIG_COUNT",
  "ASSAY_DASHBOARD_OUT",
  "NO_COLOR",
  "CI",
])

const documented = (): ReadonlySet<string> => {
  const text = readFileSync(join(root, "docs/operations.md"), "utf8")
  const table = /\n## Configuration\n(.*?)\n## /s.exec(text)?.[1] ?? ""
  const cells = table.split("\n").flatMap((line) => /^\| (`[^|]+`) +\| *\S[^|]* \| *\S/.exec(line)?.[1] ?? [])
  return new Set(cells.flatMap((cell) => [...cell.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name]) => name!)))
}

describe("the configuration table of docs/operations.md", () => {
  it("recognizes every way of reading a variable", () => {
    const code = `Config.String("ASSAY_A") Config.schema(Schema.Int.check(f(1)), "PORT") Config.Literals(
        ["a"],
        "OTEL_B",
      )
      process.env["OTHER"] redacted("STRIPE_C") environment["GITHUB_D"]`
    expect(variablesOf(code).toSorted()).toEqual(["ASSAY_A", "GITHUB_D", "OTEL_B", "OTHER", "PORT", "STRIPE_C"])
  })

  it("has a row with the default and meaning of every variable that the code reads", () => {
    const read = new Set(sources.flatMap(variablesOf).filter((name) => !notConfiguration.has(name)))
    expect(read.size).toBeGreaterThan(30)
    const rows = documented()
    expect([...read].filter((name) => !rows.has(name)).toSorted()).toEqual([])
  })

  it("has no row for a variable that nothing reads", () => {
    const code = sources.join("\n")
    // Effect's exporter reads it.
    const elsewhere = new Set(["OTEL_RESOURCE_ATTRIBUTES"])
    expect([...documented()].filter((name) => !elsewhere.has(name) && !code.includes(`"${name}"`))).toEqual([])
  })
})
