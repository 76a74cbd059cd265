import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { TestApp } from "../support/app.ts"
import { hasBrowser, launchBrowser, signedIn, startSite, type WatchedPage, watchedPage } from "../support/browser.ts"
import { bearer, created, get } from "../support/client.ts"
import { type GithubServer, startGithubServer } from "../support/githubServer.ts"
import { largeReport } from "../support/largeReport.ts"
import { accountSteps } from "./accountSteps.ts"
import { UserId } from "../../domain/ids/Ids.ts"

/** Selects have options, too. */
const findings = (page: Page) => page.locator(".list [role=option]")
const active = (page: Page) => page.locator("[role=option][data-active=true]")
const shown = (page: Page) => page.locator(".filters [role=status]")

describe.runIf(hasBrowser)("the report", { timeout: 60_000 }, () => {
  let app: TestApp
  let browser: Browser
  let github: GithubServer
  let context: BrowserContext
  let apiKey = ""
  let userId = ""
  let small = ""
  let large = ""
  let watched: WatchedPage
  let page: Page

  beforeAll(async () => {
    github = await startGithubServer()
    ;[app, browser] = await Promise.all([startSite({ hostingUrl: github.url }), launchBrowser()])
    ;({ apiKey, userId } = await app.newUser("pro"))
    small = await created(app, apiKey, "https://github.com/example/small")
    await app.completeNext(largeReport(50))
    large = await created(app, apiKey, "https://github.com/example/large")
    await app.completeNext(largeReport(5_000))
    context = await signedIn(browser, app, UserId.make(userId), { acceptDownloads: true })
    watched = await watchedPage(context, app.url)
    page = watched.page
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await app?.close()
    await github?.close()
  })

  const open = async (address: string) => {
    watched.requests.length = 0
    await page.goto(address)
    await page.getByRole("listbox").waitFor()
  }

  it("is linkable: a link opens the same filters and the same finding", async () => {
    await open(`/analyses/${small}?severity=high,low&q=vault&finding=000000000000000c`)
    await expect.poll(() => shown(page).textContent()).toBe("20 of 50 shown")
    expect(await page.getByRole("heading", { level: 2 }).first().textContent()).toContain("(12)")
    await page.getByRole("button", { name: "Clear filters" }).click()
    await expect.poll(() => shown(page).textContent()).toBe("50 shown")
    expect(new URL(page.url()).search).toBe("")
  })

  it("can be worked through with the keyboard alone", async () => {
    await open(`/analyses/${small}`)
    await expect.poll(() => active(page).textContent()).toContain("(0)")
    await page.keyboard.press("j")
    await page.keyboard.press("j")
    await expect.poll(() => active(page).textContent()).toContain("(2)")
    await page.keyboard.press("k")
    await expect.poll(() => active(page).textContent()).toContain("(1)")
    expect(new URL(page.url()).searchParams.get("finding")).toBe("0000000000000001")
    await page.keyboard.press("]")
    await page.keyboard.press("]")
    await expect.poll(() => page.locator("[aria-current=step]").textContent()).toContain("contracts/Base.sol")
    await page.keyboard.press("[")
    await expect.poll(() => page.locator("[aria-current=step]").textContent()).toContain("ether is sent")
    await page.keyboard.press("/")
    await page.keyboard.type("Vault7.sol")
    await page.keyboard.press("Enter")
    await expect.poll(() => shown(page).textContent()).toBe("1 of 50 shown")
    // Keys apply to the page once the field has lost focus.
    await expect.poll(() => page.evaluate("document.activeElement.tagName")).not.toBe("INPUT")
    await page.keyboard.press("g")
    await page.keyboard.press("o")
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor()
    await page.goBack()
    await expect.poll(() => shown(page).textContent()).toBe("1 of 50 shown")
  })

  it("activates the focused element on Enter", async () => {
    await open(`/analyses/${small}`)
    await page.getByRole("button", { name: "History" }).focus()
    await page.keyboard.press("Enter")
    await page.getByText("No decisions yet.").waitFor()
    expect(new URL(page.url()).searchParams.get("finding")).toBe(null)
  })

  it("distinguishes the chosen finding and the marked line in forced-colors mode", async () => {
    await page.emulateMedia({ forcedColors: "active" })
    await open(`/analyses/${small}`)
    const widths = await page.evaluate(`[
      getComputedStyle(document.querySelector("[role=option][data-active=true]")).outlineStyle,
      getComputedStyle(document.querySelector(".code tr.marked td.line")).borderLeftWidth,
    ]`)
    expect(widths).toEqual(["solid", "4px"])
    await page.emulateMedia({ forcedColors: null })
  })

  it("reconnects to an analysis whose stream was refused", async () => {
    const id = await created(app, apiKey, "https://github.com/example/refused")
    let refused = 0
    await page.route("**/events", (route) => (refused++ === 0 ? route.fulfill({ status: 503 }) : route.continue()))
    await page.goto(`/analyses/${id}`)
    await expect.poll(() => refused).toBe(1)
    await app.completeNext(largeReport(3))
    await page.getByRole("listbox").waitFor({ timeout: 20_000 })
    await page.unroute("**/events")
  })

  it("keeps the form of a new analysis filled in after a reload", async () => {
    await page.goto("/analyses/new")
    await page.getByLabel("Repository").fill("https://github.com/example/filled")
    await page.getByLabel("Branch or tag").fill("next")
    await page.getByLabel("Framework").selectOption("solana")
    await page.getByLabel(/^Quick/).check()
    await page.reload()
    expect(await page.getByLabel("Repository").inputValue()).toBe("https://github.com/example/filled")
    expect(await page.getByLabel("Branch or tag").inputValue()).toBe("next")
    expect(await page.getByLabel("Framework").inputValue()).toBe("solana")
    expect(await page.getByLabel(/^Quick/).isChecked()).toBe(true)
  })

  it("makes a decision in place, keeps typed text, moves on, and undoes it", async () => {
    await open(`/analyses/${small}`)
    await page.keyboard.press("f")
    await page.getByLabel("Reason").fill("Checked by the")
    await page.keyboard.press("Escape")
    await page.keyboard.press("f")
    expect(await page.getByLabel("Reason").inputValue()).toBe("Checked by the")
    await page.getByLabel("Reason").fill("Checked by the proxy.")
    await page.keyboard.press("Control+Enter")
    await expect.poll(() => active(page).textContent()).toContain("(1)")
    await expect.poll(() => findings(page).first().textContent()).toContain("False positive")
    await page.reload()
    await expect.poll(() => findings(page).first().textContent()).toContain("False positive")
    await page.getByRole("button", { name: "1 decided" }).click()
    await expect.poll(() => shown(page).textContent()).toBe("49 of 50 shown")
    await page.getByRole("button", { name: "1 decided, hidden" }).click()
    await findings(page).first().click()
    await page.getByRole("button", { name: "Reopen" }).click()
    await expect.poll(() => findings(page).first().textContent()).not.toContain("False positive")
    await page.getByRole("button", { name: "History" }).click()
    await page.getByText("Checked by the proxy.").waitFor()
  })

  it("shows the second of two tabs what was decided in the first, and keeps its own reason", async () => {
    const other = await watchedPage(context, app.url)
    const address = `/analyses/${small}?finding=0000000000000005`
    await Promise.all([open(address), other.page.goto(address)])
    for (const tab of [page, other.page]) {
      await tab.getByRole("button", { name: /Accept risk/ }).click()
      await tab.getByLabel("Reason").fill(tab === page ? "The owner is a timelock." : "It is a test network.")
      await expect.poll(() => tab.getByRole("button", { name: /^Save/ }).isEnabled()).toBe(true)
    }
    await page.getByRole("button", { name: /^Save/ }).click()
    await page.locator(".toast").getByText("Risk accepted").waitFor()
    await other.page.getByRole("button", { name: /^Save/ }).click()
    const alert = other.page.getByRole("alert")
    await expect.poll(() => alert.textContent()).toContain("The owner is a timelock.")
    expect(await other.page.getByLabel("Reason").inputValue()).toBe("It is a test network.")
    expect(other.trouble).toEqual([])
    await other.page.close()
  })

  it("makes a bulk decision", async () => {
    await open(`/analyses/${small}?q=Vault4`)
    await expect.poll(() => shown(page).textContent()).toContain("of 50")
    await page.keyboard.press("x")
    await page.keyboard.press("j")
    await page.keyboard.press("x")
    // The key applies to the selection, not to the finding that is open.
    await page.keyboard.press("f")
    await page.getByRole("dialog", { name: "False positive: 2 findings" }).getByLabel("Reason").fill("Only in tests.")
    await page.keyboard.press("Escape")
    await page.keyboard.press("f")
    expect(await page.getByRole("dialog").getByLabel("Reason").inputValue()).toBe("Only in tests.")
    await page.getByRole("dialog").getByLabel("Reason").focus()
    await page.keyboard.press("Control+Enter")
    await page.getByText("2 findings decided.").waitFor()
    await expect.poll(() => page.locator("[data-decided=true]").count()).toBe(2)
    await page.getByRole("button", { name: "Undo" }).click()
    await page.getByText("The decisions were withdrawn.").waitFor()
    await expect.poll(() => page.locator("[data-decided=true]").count()).toBe(0)

    await page.keyboard.press("x")
    await page.keyboard.press("k")
    await page.keyboard.press("x")
    await page.getByRole("group", { name: "Selected findings" }).getByRole("button", { name: "Mark fixed" }).click()
    await page.getByRole("dialog").getByLabel("Reason").fill("By pull request 7.")
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click()
    await expect.poll(() => page.locator("[data-decided=true]").count()).toBe(2)
  })

  it("offers its files, and lists what was skipped", async () => {
    await open(`/analyses/${small}`)
    await page.keyboard.press("e")
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: /SARIF/ }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/\.sarif/)
    await page.getByRole("button", { name: /not analyzed: 1 file/ }).click()
    await page.getByText("contracts/Broken.sol").waitFor()
    await page.getByText("Two of three handlers were not understood.").waitFor()
  })

  it("renders 5,000 findings as a few rows, with at most six requests", async () => {
    await open(`/analyses/${large}`)
    await expect.poll(() => shown(page).textContent()).toBe("5,000 shown")
    await page.waitForLoadState("networkidle")
    expect(watched.requests.length, watched.requests.join(", ")).toBeLessThanOrEqual(6)
    expect(await findings(page).count()).toBeLessThan(40)
    await page.evaluate("document.querySelector('.list').scrollTo(0, 1e9)")
    await page.getByText("(4999)").waitFor()
    // Filtering runs on this thread, during which nothing else can.
    const longest = await page.evaluate(`(async () => {
      const field = document.querySelector("#filter")
      const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set
      const times = []
      for (const text of ["vault1", "vault11", "role", "module3/", ""]) {
        const before = performance.now()
        set.call(field, text)
        field.dispatchEvent(new Event("input", { bubbles: true }))
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
        times.push(performance.now() - before)
      }
      return times.sort((a, b) => a - b)[2]
    })()`)
    console.info(`A filter over 5,000 findings is answered in ${Math.round(Number(longest))} ms.`)
  })

  it("shows every decision of a report with 600", async () => {
    const path = `/api/v1/analysis/${large}/findings`
    for (let page = 0; page < 3; page++) {
      const listed = await get(app, `${path}?analysis=${large}&limit=200&decision=open`, apiKey)
      const findings = ((await listed.json()) as ReadonlyArray<{ fingerprint: string; etag: string }>).map(
        ({ fingerprint, etag }) => ({ fingerprint, etag }),
      )
      const body = JSON.stringify({ decision: "false_positive", reason: "Generated code.", findings })
      const headers = { ...bearer(apiKey), "content-type": "application/json" }
      expect((await fetch(app.url + path, { method: "PATCH", headers, body })).status).toBe(200)
    }
    await open(`/analyses/${large}?decision=false_positive`)
    await expect.poll(() => shown(page).textContent()).toBe("600 of 5,000 shown")
  })

  it("explains to basic users why SARIF is unavailable", async () => {
    const basic = await app.newUser("basic")
    const id = await created(app, basic.apiKey, "https://github.com/example/basic")
    await app.completeNext(largeReport(3))
    const own = await signedIn(browser, app, basic.userId)
    const tab = await own.newPage()
    await tab.goto(`/analyses/${id}`)
    await tab.getByRole("button", { name: "Export" }).click()
    await tab.getByRole("button", { name: /part of the Pro plan/ }).click()
    await tab.getByRole("heading", { level: 1, name: "Subscription" }).waitFor()
    // And nothing of other users.
    await tab.goto(`/analyses/${small}`)
    await tab.getByText("Not found").waitFor()
    await tab.goto("/analyses")
    await tab.getByRole("link", { name: "example/basic" }).waitFor()
    expect(await tab.getByText("example/small").count()).toBe(0)
    await own.close()
  })

  it("keeps the page and what was typed when the session ends", async () => {
    await open(`/analyses/${small}?finding=0000000000000008`)
    await page.keyboard.press("f")
    await page.getByLabel("Reason").fill("Only the owner calls it.")
    await context.clearCookies()
    await page.getByRole("button", { name: /^Save/ }).click()
    const dialog = page.getByRole("dialog", { name: "Your session has ended" })
    await dialog.getByLabel("API key").fill(apiKey)
    await dialog.getByRole("button", { name: "Sign in", exact: true }).click()
    await dialog.waitFor({ state: "detached" })
    expect(await page.getByLabel("Reason").inputValue()).toBe("Only the owner calls it.")
    await page.getByRole("button", { name: /^Save/ }).click()
    await page.locator(".toast").getByText("False positive").waitFor()
  })

  accountSteps(() => ({ app, browser, github }))

  it("did nothing that is forbidden on every page", () => {
    expect(watched.trouble).toEqual([])
  })
})
