import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { AnalysisResult } from "../../domain/analysis/Analysis.ts"
import type { TestApp } from "../support/app.ts"
import { violationsOf } from "../support/axe.ts"
import { hasBrowser, launchBrowser, signedIn, startSite, watchedPage } from "../support/browser.ts"
import { created } from "../support/client.ts"
import { largeReport } from "../support/largeReport.ts"
import { UserId } from "../../domain/ids/Ids.ts"

const patch = "--- a/Vault.sol\n+++ b/Vault.sol\n@@ -1,2 +1,2 @@\n unchanged\n-before\n+after\n"

/** Forty findings, the first of which a model judged. */
const reviewedReport = () => {
  const report = largeReport(40)
  const [first, ...others] = report.findings
  const review = {
    verdict: "confirmed" as const,
    reasoning: "Nothing is checked before the call.",
    attack: "1. attacker calls withdraw()",
    quotes: [{ line: 10, text: 'msg.sender.call{value: amount}("")' }],
    patch,
    model: "model-1",
  }
  const coverage = { ...report.coverage, engines: [{ name: "ai", version: "model-1", note: "12 requests for $0.01" }] }
  return {
    ...report,
    findings: [{ ...first!, ruleId: "external/ai/logic", engines: ["ai"], review }, ...others],
    coverage,
  }
}

describe.runIf(hasBrowser)("every page, in both themes", { timeout: 60_000 }, () => {
  let app: TestApp
  let browser: Browser
  let userId = ""
  const ids = { completed: "", failed: "", pending: "" }

  beforeAll(async () => {
    ;[app, browser] = await Promise.all([startSite(), launchBrowser()])
    const user = await app.newUser("pro")
    userId = user.userId
    ids.completed = await created(app, user.apiKey)
    await app.completeNext(reviewedReport() as Partial<AnalysisResult>)
    ids.failed = await created(app, user.apiKey)
    await app.failNext("Nothing of it could be parsed.")
    ids.pending = await created(app, user.apiKey)
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await app?.close()
  })

  const addresses = (): ReadonlyArray<readonly [string, string]> => [
    ["/", "Overview"],
    ["/repositories", "Repositories"],
    ["/repositories/00000000-0000-4000-8000-000000000000", "Repository"],
    ["/analyses", "Analyses"],
    ["/analyses/new", "New analysis"],
    [`/analyses/${ids.completed}`, "example/vault"],
    [`/analyses/${ids.completed}?view=coverage`, "example/vault"],
    [`/analyses/${ids.completed}?view=suppressed`, "example/vault"],
    [`/analyses/${ids.completed}?view=compare`, "example/vault"],
    [`/analyses/${ids.completed}?view=badge`, "example/vault"],
    [`/analyses/${ids.failed}`, "example/vault"],
    [`/analyses/${ids.pending}`, "example/vault"],
    ["/rules", "Rules"],
    ["/rules/evm/reentrancy/state-change-after-call", "State changed"],
    ["/settings", "Settings"],
    ["/settings/hosting", "Settings"],
    ["/settings/keys", "Settings"],
    ["/settings/webhooks", "Settings"],
    ["/settings/organization", "Settings"],
    ["/subscription", "Subscription"],
    ["/rules/nowhere", "No such page"],
  ]

  it("has no violations in either theme, and fits on a phone", async () => {
    const found: Array<string> = []
    const context = await signedIn(browser, app, UserId.make(userId))
    const { page, trouble } = await watchedPage(context, app.url)
    for (const [address, heading] of addresses()) {
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.goto(address)
      await page.getByRole("heading", { level: 1, name: heading }).waitFor()
      await page.locator(".skeleton").waitFor({ state: "detached" })
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme })
        // Whatever does not depend on colors is the same in both.
        const violations = await violationsOf(page, colorScheme === "light" ? undefined : ["color-contrast"])
        found.push(...violations.map((violation) => `${address} ${colorScheme}: ${violation}`))
      }
      await page.setViewportSize({ width: 360, height: 740 })
      const overflow = Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth"))
      if (overflow > 0) found.push(`${address}: ${overflow} px too wide`)
    }
    expect([...found, ...trouble]).toEqual([])
    await context.close()
  })

  it("shows a model's verdict on a finding", async () => {
    const context = await signedIn(browser, app, UserId.make(userId))
    const { page } = await watchedPage(context, app.url)
    await page.goto(`/analyses/${ids.completed}`)
    const review = page.getByRole("region", { name: "AI review: confirmed" })
    await review.waitFor()
    expect(await review.textContent()).toMatch(
      /Nothing is checked.*line 10.*msg\.sender\.call.*attacker calls.*By model-1/s,
    )
    expect(await review.getByRole("region", { name: "Patch" }).textContent()).toBe(patch)
    expect(await page.locator(".finding-head").textContent()).toContain("found by AI review")
    expect(await page.locator(".item .tag").first().textContent()).toBe("AI")
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await violationsOf(page)).toEqual([])
    }
    await page.goto(`/analyses/${ids.completed}?view=coverage`)
    await page.getByText("AI review: 12 requests for $0.01").waitFor()
    await context.close()
  })

  it("has none before sign-in, in dialogs and in menus", async () => {
    const anonymous = await browser.newContext({ baseURL: app.url })
    const signIn = await anonymous.newPage()
    await signIn.goto("/repositories")
    await signIn.getByRole("heading", { name: "Sign in" }).waitFor()
    expect(await violationsOf(signIn)).toEqual([])
    await anonymous.close()

    const context = await signedIn(browser, app, UserId.make(userId))
    const page = await context.newPage()
    await page.goto(`/analyses/${ids.completed}`)
    await page.getByRole("listbox").waitFor()
    await page.keyboard.press("?")
    await page.getByRole("dialog", { name: "Keys" }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.keyboard.press("Escape")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await page.keyboard.press("e")
    await page.getByRole("button", { name: /SARIF/ }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await context.close()
  })
})
