import { spawn } from "node:child_process"
import { once } from "node:events"
import { openSession } from "../../application/identity/session.ts"
import { chromiumPath, startSite } from "../support/browser.ts"
import { startGithubServer } from "../support/githubServer.ts"
import { largeReport, largeSources } from "../support/largeReport.ts"

/** `npm run lighthouse`: the median of five runs on the two most used pages; exits with 1 if one falls short. */
const lighthouse = "lighthouse@13.5.0"
const runs = 5
const wanted = { performance: 95, accessibility: 100, "best-practices": 100 } as const
type Category = keyof typeof wanted
const categories = Object.keys(wanted) as ReadonlyArray<Category> // its own keys
const longestRun = 180_000

interface Report {
  readonly categories: Readonly<Record<Category, { readonly score: number }>>
  readonly audits: Readonly<
    Record<string, { readonly score: number | null; readonly title: string; readonly displayValue?: string }>
  >
}

const measure = async (url: string, cookie: string): Promise<Report> => {
  const child = spawn(
    "npx",
    [
      "--yes",
      lighthouse,
      url,
      "--preset=desktop",
      `--only-categories=${categories.join(",")}`,
      `--extra-headers=${JSON.stringify({ Cookie: `assay_session=${cookie}` })}`,
      "--output=json",
      "--quiet",
      "--chrome-flags=--headless=new --no-sandbox --disable-dev-shm-usage",
    ],
    { env: { ...process.env, CHROME_PATH: chromiumPath }, stdio: ["ignore", "pipe", "inherit"], timeout: longestRun },
  )
  let text = ""
  child.stdout.setEncoding("utf8").on("data", (part: string) => (text += part))
  const [code] = await once(child, "close")
  if (code !== 0) throw new Error(`Lighthouse ended with ${code}.`)
  return JSON.parse(text) as Report // as its documentation says
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

const report = largeReport(200)
const github = await startGithubServer()
github.tokens.set("", { repositories: [{ id: 1, full_name: "example/vault", files: largeSources(report) }] })
const app = await startSite({ hostingUrl: github.url })
const { userId } = await app.newUser("pro")
await app.createDirectly(userId, `${github.url}/example/vault`)
const analysisId = await app.completeNext(report)
const cookie = await app.run(openSession(userId, undefined))

let missed = false
for (const [page, path] of [
  ["Overview", "/"],
  ["Analysis", `/analyses/${analysisId}`],
] as const) {
  const reports: Array<Report> = []
  for (let run = 0; run < runs; run++) reports.push(await measure(app.url + path, cookie))
  for (const category of categories) {
    const score = Math.round(100 * median(reports.map((report) => report.categories[category].score)))
    if (score < wanted[category]) missed = true
    console.log(`${page}, ${category}: ${score} (at least ${wanted[category]})`)
  }
  for (const [id, { score, title, displayValue = "" }] of Object.entries(reports[0]!.audits)) {
    if (score !== null && score < 1) console.log(`  ${score} ${id}: ${title} ${displayValue}`)
  }
}
await app.close()
await github.close()
process.exit(missed ? 1 : 0)
