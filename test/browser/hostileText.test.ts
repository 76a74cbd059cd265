import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { AnalysisResult } from "../../domain/analysis/Analysis.ts"
import { renderHtml } from "../../domain/report/Html.ts"
import type { TestApp } from "../support/app.ts"
import { violationsOf } from "../support/axe.ts"
import { hasBrowser, launchBrowser, signedIn, startSite, watchedPage } from "../support/browser.ts"
import { create } from "../support/client.ts"
import { largeReport } from "../support/largeReport.ts"

const attacks = [
  `<img src=x onerror=alert(1)>`,
  `"><script>alert(1)</script>`,
  `<svg/onload=alert(1)>`,
  `[click](javascript:alert(1)) ![x](https://evil.example/x.png)`,
  `<iframe srcdoc="<script>parent.alert(1)</script>">`,
  "```html\n<script src=https://evil.example/x.js></script>\n```",
  `<a href="javascript:alert(1)" id=root>x</a><style>@import "https://evil.example/x.css"</style>`,
  `{{constructor.constructor('alert(1)')()}} \u202e<b>${"a".repeat(3_000)}`,
]
const all = attacks.join("\n\n")

/** Every text of a result is an attack, a different one in each finding. */
const hostileReport = (): Partial<AnalysisResult> => {
  const report = largeReport(attacks.length)
  const [program] = report.coverage.programs!
  const texts = (index: number) => attacks[index % attacks.length]!
  return {
    summary: report.summary,
    findings: report.findings.map((finding, index) => ({
      ...finding,
      title: texts(index),
      description: all,
      remediation: all,
      location: { ...finding.location, file: `src/${texts(index)}.sol`, snippet: all },
      trace: attacks.map((note) => ({ file: `src/${texts(index)}.sol`, line: 12, note })),
      engines: [texts(index), "ai"],
      review: {
        verdict: "confirmed" as const,
        reasoning: all,
        attack: texts(index),
        quotes: attacks.map((text, line) => ({ line, text })),
        patch: `@@ -1,1 +1,1 @@\n-${texts(index)}\n+${texts(index + 1)}\n`,
        model: texts(index),
      },
      references: ["javascript:alert(1)", "data:text/html,<script>alert(1)</script>", "https://example.com/<script>"],
    })),
    suppressed: report.suppressed.map((finding) => ({ ...finding, title: all, suppression: { reason: all, line: 1 } })),
    coverage: {
      ...report.coverage,
      filesSkipped: attacks.map((file) => ({ file, reason: all })),
      programs: [
        {
          ...program!,
          program: all,
          nearlyEmpty: attacks,
          leftOut: attacks,
          notFollowed: [{ name: all, reason: all }],
          warning: all,
        },
      ],
    },
  }
}

describe.runIf(hasBrowser)("text of repositories, rules and models", { timeout: 60_000 }, () => {
  let app: TestApp
  let browser: Browser
  beforeAll(async () => {
    ;[app, browser] = await Promise.all([startSite(), launchBrowser()])
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await app?.close()
  })

  it("stays text on every page", async () => {
    const { userId, apiKey } = await app.newUser("pro")
    const start = async () => {
      const response = await create(app, apiKey, {
        repositoryUrl: "https://github.com/example/x-onerror-alert",
        branch: `x"><img/src=x/onerror=alert(1)>`.replaceAll(/[^\w/.<>="()-]/g, ""),
      })
      expect(response.status).toBe(201)
      return ((await response.json()) as { readonly analysisId: string }).analysisId
    }
    const id = await start()
    await app.completeNext({
      ...hostileReport(),
      repository: {
        url: `https://github.com/example/${attacks[2]}`,
        branch: attacks[0]!,
        framework: "evm",
        commit: "0".repeat(40),
        path: attacks[1]!,
      },
    })
    const failed = await start()
    await app.failNext(all)

    const context = await signedIn(browser, app, userId)
    const { page, trouble } = await watchedPage(context, app.url)
    const marker = encodeURIComponent(attacks[0]!)
    for (const address of [
      "/",
      "/analyses",
      `/analyses/${failed}`,
      `/analyses/${id}`,
      `/analyses/${id}?view=coverage`,
      `/analyses/${id}?view=suppressed`,
      `/analyses/${id}?q=${marker}&category=${marker}&file=${marker}&against=${marker}&view=compare`,
      `/analyses/new?url=${encodeURIComponent("javascript:alert(1)")}&branch=${marker}`,
      `/rules/${marker}/x/y`,
      `/rules?q=${marker}`,
      `/settings/${marker}`,
      `/repositories/${marker}`,
    ]) {
      await page.goto(address)
      await page.getByRole("heading", { level: 1 }).waitFor()
      await page.locator(".skeleton").waitFor({ state: "detached" })
      expect(
        await page.locator("script:not([type=module]), iframe, style, img[onerror], [href^='javascript:']").count(),
      ).toBe(0)
    }
    await page.goto(`/analyses/${id}`)
    for (const _ of attacks) {
      await page.locator(".prose:not(.plain)").first().waitFor()
      await page.keyboard.press("]")
      expect(await page.locator(".reading :is(script, iframe, img, style, svg:not([aria-hidden]))").count()).toBe(0)
      expect(await page.locator(".reading a:not([href^='http'],[href^='/'])").count()).toBe(0)
      expect(await page.locator("[aria-labelledby=review] :is(a, em, strong, blockquote)").count()).toBe(0)
      await page.keyboard.press("j")
    }
    // The text is shown verbatim.
    await page.getByText(attacks[0]!).first().waitFor()
    expect(trouble).toEqual([])
    await context.close()
  })

  it("stays text in the HTML report, which opens from disk without network access or scripts", async () => {
    const folder = mkdtempSync(join(tmpdir(), "assay-report-"))
    const file = join(folder, "report.html")
    const report = hostileReport()
    writeFileSync(
      file,
      renderHtml({
        ...(report as AnalysisResult), // the rest follows
        repository: { url: `https://github.com/example/${attacks[2]}`, branch: attacks[0]!, framework: "evm" },
        completedAt: "2026-11-21T12:00:00.000Z",
      }),
    )
    const context = await browser.newContext({ offline: true })
    const { page, trouble } = await watchedPage(context, new URL(pathToFileURL(file)).origin)
    await page.goto(String(pathToFileURL(file)))
    await page.getByText(attacks[0]!).first().waitFor()
    expect(await page.locator("script, iframe, img, a:not([href^='#'],[href^='https:'])").count()).toBe(0)
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await violationsOf(page)).toEqual([])
    }
    await page.emulateMedia({ media: "print" })
    expect(await violationsOf(page, ["color-contrast"])).toEqual([])
    await page.emulateMedia({ media: "screen" })
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0)
    expect(trouble).toEqual([])

    const plain = await browser.newContext({ offline: true, javaScriptEnabled: false })
    const read = await plain.newPage()
    await read.goto(String(pathToFileURL(file)))
    const findings = read.locator("article:visible")
    expect(await findings.count()).toBe(attacks.length)
    await read.getByLabel(/Critical/).uncheck()
    expect(await findings.count()).toBe(report.findings!.filter(({ severity }) => severity !== "critical").length)
    await context.close()
    await plain.close()
    rmSync(folder, { recursive: true })
  })
})
