import { existsSync, readFileSync, readdirSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const root = dirname(dirname(fileURLToPath(import.meta.url)))

interface Import {
  readonly from: string
  readonly to: string
  readonly typeOnly: boolean
}

/** All imports of a file: static, re-exported, for side effects, and dynamic ones with a literal. */
const importsOf = (path: string, text: string): ReadonlyArray<Import> => {
  const found: Array<Import> = []
  const statement =
    /(?:^|\n)\s*(?:import|export)\s+(type\s)?(?:[\w*{}\s,$]+?\sfrom\s+)?["']([^"'\n]+)["']|\bimport\(\s*["']([^"'\n]+)["']\s*\)/g
  // The examples of rules are template literals with imports in other languages.
  const code = text.replace(/`(?:\\[^]|[^`\\])*`/g, "``")
  for (const [, typeOnly, named, dynamic] of code.matchAll(statement)) {
    const specifier = named ?? dynamic!
    const to = specifier.startsWith(".") ? relative(root, join(root, dirname(path), specifier)) : specifier
    found.push({ from: path, to, typeOnly: typeOnly !== undefined })
  }
  return found
}

const sources = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.parentPath.includes("node_modules"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))

const within = (path: string, folder: string): boolean => path.startsWith(`${folder}/`)
const isOurs = (path: string): boolean => /^(domain|application|adapters|apps|test)\//.test(path)

/** Effect modules that are data only: no fibers, no clock, no I/O. */
const effectData =
  /^effect\/(Array|BigInt|Brand|Chunk|Data|DateTime|Duration|Equal|Equivalence|Function|HashMap|HashSet|Match|Number|Option|Order|Predicate|Record|Result|Schema|SchemaGetter|SchemaIssue|SchemaTransformation|String|Struct|Tuple)$/

/** Modules that Effect's authors mark unstable, or that need a platform. */
const effectPlatform =
  /^effect\/(ai|cli|cluster|devtools|eventlog|http|http-api|net|persistence|process|reactivity|rpc|socket|sql|workers|workflow|FileSystem|Path|Terminal)(\/|$)/

/** Libraries that are pure functions over data. */
const pureLibraries = /^(?:@noble\/hashes|@scure\/bip39)(\/|$)/

/** Technologies that share code: both databases speak the statements of `sql`. */
const adapterShares: Record<string, ReadonlyArray<string>> = { postgres: ["sql"], pglite: ["sql"] }

/** Ports that lead to another server, which must be unreachable from inside a transaction. */
const networkPorts =
  /^application\/ports\/([a-z]+\/)?(AccessTokens|Billing|CodeHost|RateLimiter|ResultCache|Reviewer|SignIn|SourceFetcher|WebhookSender)\.ts$/

/** Why an import is forbidden; undefined if it is not. */
const objection = ({ from, to, typeOnly }: Import): string | undefined => {
  if (within(from, "domain")) {
    if (within(to, "domain")) return undefined
    if (isOurs(to)) return "domain imports nothing of ours but domain"
    if (within(from, "domain/detection") && !typeOnly && !pureLibraries.test(to)) return "the engine imports no library"
    return effectData.test(to) || pureLibraries.test(to) ? undefined : "domain imports data modules only"
  }
  if (within(from, "application")) {
    if (within(to, "domain") || within(to, "application")) return undefined
    if (isOurs(to)) return "application imports domain and its own ports"
    return /^effect(\/|$)/.test(to) && !effectPlatform.test(to) ? undefined : "application runs on any platform"
  }
  if (within(from, "adapters")) {
    if (within(to, "apps") || within(to, "test")) return "adapters import neither apps nor tests"
    if (within(from, "adapters/sql") && networkPorts.test(to) && !typeOnly) return "a store asks no other server"
    if (!within(to, "adapters")) {
      const contract = within(from, "adapters/http/contract")
      return contract && /^(node:|@effect\/platform)/.test(to) ? "the contract is safe in a browser" : undefined
    }
    const [, own] = from.split("/")
    const [, other] = to.split("/")
    return own === other || adapterShares[own!]?.includes(other!) === true
      ? undefined
      : "adapters never import each other"
  }
  if (within(from, "apps/dashboard")) {
    const allowed =
      within(to, "apps/dashboard") || within(to, "adapters/http/contract") || (within(to, "domain") && typeOnly)
    return allowed || !isOurs(to) ? undefined : "the dashboard knows the contract and the domain's types"
  }
  return within(from, "apps") && within(to, "test") ? "apps import no tests" : undefined
}

describe("dependency direction", () => {
  it("recognizes every form of import", () => {
    const text = `import a from "./a.ts"\nimport type { B } from "effect"\nimport "./c.ts"\nexport { d } from "./d.ts"\nconst e = await import("./e.ts")\nimport {\n  f,\n  g,\n} from "node:fs"\nconst h = \`\nimport "./i.ts"\n\`\n`
    expect(importsOf("domain/x.ts", text)).toEqual([
      { from: "domain/x.ts", to: "domain/a.ts", typeOnly: false },
      { from: "domain/x.ts", to: "effect", typeOnly: true },
      { from: "domain/x.ts", to: "domain/c.ts", typeOnly: false },
      { from: "domain/x.ts", to: "domain/d.ts", typeOnly: false },
      { from: "domain/x.ts", to: "domain/e.ts", typeOnly: false },
      { from: "domain/x.ts", to: "node:fs", typeOnly: false },
    ])
  })

  it.each([
    ["domain/finding/Finding.ts", "application/ports/analysis/AnalysisStore.ts"],
    ["domain/finding/Finding.ts", "effect/Effect"],
    ["domain/finding/Finding.ts", "node:fs"],
    ["application/analysis/runAnalysis.ts", "adapters/git/GitSourceFetcher.ts"],
    ["application/analysis/runAnalysis.ts", "node:crypto"],
    ["application/analysis/runAnalysis.ts", "effect/sql"],
    ["adapters/git/GitSourceFetcher.ts", "adapters/http/server.ts"],
    ["adapters/sql/billing/SqlBillingAccounts.ts", "application/ports/billing/Billing.ts"],
    ["adapters/git/GitSourceFetcher.ts", "apps/api/main.ts"],
    ["apps/dashboard/main.ts", "adapters/http/server.ts"],
  ])("forbids %s to import %s", (from, to) => {
    expect(objection({ from, to, typeOnly: false })).toBeDefined()
  })

  it("holds for every file", () => {
    const files = ["domain", "application", "adapters", "apps"].flatMap(sources)
    expect(files.length).toBeGreaterThan(20)
    const objections = files.flatMap((path) =>
      importsOf(path, readFileSync(join(root, path), "utf8")).flatMap((imported) => {
        const why = objection(imported)
        return why === undefined ? [] : [`${imported.from} -> ${imported.to}: ${why}`]
      }),
    )
    expect(objections).toEqual([])
  })
})

/** Files that reach one another through imports, including type imports, by Tarjan's algorithm. */
const circlesOf = (imports: ReadonlyMap<string, ReadonlyArray<string>>): ReadonlyArray<ReadonlyArray<string>> => {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: Array<string> = []
  const circles: Array<ReadonlyArray<string>> = []
  const visit = (file: string): void => {
    const own = index.size
    index.set(file, own)
    low.set(file, own)
    stack.push(file)
    for (const to of imports.get(file) ?? []) {
      if (!index.has(to)) visit(to)
      if (stack.includes(to)) low.set(file, Math.min(low.get(file)!, low.get(to)!))
    }
    if (low.get(file) !== own) return
    const circle = stack.splice(stack.indexOf(file)).toSorted()
    if (circle.length > 1) circles.push(circle)
  }
  for (const file of imports.keys()) if (!index.has(file)) visit(file)
  return circles
}

const maximumCircle = 4

describe("circles", () => {
  it("are detected", () => {
    const imports = new Map([
      ["a", ["b"]],
      ["b", ["c", "d"]],
      ["c", ["a"]],
      ["d", []],
    ])
    expect(circlesOf(imports)).toEqual([["a", "b", "c"]])
  })

  it("stay in one folder, between a few files", () => {
    const files = ["domain", "application", "adapters", "apps"].flatMap(sources)
    const known = new Set(files)
    const imports = new Map(
      files.map((path) => {
        const to = importsOf(path, readFileSync(join(root, path), "utf8")).map((one) => one.to)
        return [path, to.filter((one) => known.has(one))] as const
      }),
    )
    const objections = circlesOf(imports).filter(
      (circle) => circle.length > maximumCircle || new Set(circle.map(dirname)).size > 1,
    )
    expect(objections).toEqual([])
  })

  it("do not exist between sibling folders", () => {
    const folders = new Map<string, Set<string>>()
    for (const path of ["domain", "application", "adapters", "apps", "test"].flatMap(sources)) {
      for (const { to } of importsOf(path, readFileSync(join(root, path), "utf8"))) {
        const [one, other] = [dirname(path).split("/"), dirname(to).split("/")]
        const shared = one.findIndex((name, index) => name !== other[index])
        if (!isOurs(to) || shared < 0 || shared >= other.length) continue
        const [from, into] = [one.slice(0, shared + 1).join("/"), other.slice(0, shared + 1).join("/")]
        folders.set(from, (folders.get(from) ?? new Set()).add(into))
      }
    }
    expect(circlesOf(new Map([...folders].map(([from, into]) => [from, [...into]])))).toEqual([])
  })
})

describe("long functions", () => {
  it("are at most 20, in files that the linter's configuration lists with the reason", () => {
    const configuration = readFileSync(join(root, ".oxlintrc.json"), "utf8")
    const [, listed] =
      /"files": \[([^\]]*)\],\s*"rules": \{ "max-lines-per-function": \["error", \{ "max": 100 \}\]/.exec(
        configuration,
      )!
    const files = [...listed!.matchAll(/^\s*"([^"]+)"/gm)].map(([, path]) => path!)
    expect(files.length).toBeGreaterThan(10)
    expect(files.length).toBeLessThanOrEqual(20)
    expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })
})
