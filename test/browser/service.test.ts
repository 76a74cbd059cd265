import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser, BrowserContext } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { SarifLog } from "../../domain/report/Sarif.ts"
import { builtSite, hasBrowser, launchBrowser, type WatchedPage, watchedPage } from "../support/browser.ts"
import { layOutDatabase } from "../support/databases.ts"
import { type GitServer, startGitServer } from "../support/gitServer.ts"
import { objectionsTo } from "../support/sarifSchema.ts"
import { type Program, startProgram } from "../support/program.ts"

const contract = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

contract Vault {
    mapping(address => uint256) public balanceOf;

    function withdraw() external {
        uint256 amount = balanceOf[msg.sender];
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok);
        balanceOf[msg.sender] = 0;
    }
}
`

describe.runIf(hasBrowser)("from the first start to the next analysis", { timeout: 90_000 }, () => {
  const data = mkdtempSync(join(tmpdir(), "assay-dashboard-"))
  let git: GitServer
  let program: Program
  let browser: Browser
  let context: BrowserContext
  let watched: WatchedPage
  let url = ""
  let apiKey = ""
  let repository = ""
  let signInUrl = ""

  beforeAll(async () => {
    ;[git, browser] = await Promise.all([startGitServer(), launchBrowser(), builtSite(), layOutDatabase(data)])
    repository = (await git.create("vault", { branches: { main: { "src/Vault.sol": contract } } })).url
    program = startProgram("start/main.ts", ["--json", "--no-sample", "--port", "0", "--data-dir", data], {
      ASSAY_ALLOWED_HOSTS: git.host,
    })
    ;({ url, apiKey, signInUrl } = JSON.parse(await program.line(/^\{/)))
    context = await browser.newContext({ baseURL: url, acceptDownloads: true, viewport: { width: 1280, height: 800 } })
    watched = await watchedPage(context, url)
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await program?.stop()
    await git?.close()
    rmSync(data, { recursive: true, force: true })
  })

  const startAnalysis = async () => {
    const { page } = watched
    await page.goto("/analyses/new")
    await page.getByLabel("Repository", { exact: true }).fill(repository)
    await page.getByRole("button", { name: "Start analysis" }).click()
    // Live, until the report appears by itself.
    await page.getByRole("listbox").waitFor({ timeout: 60_000 })
  }

  it("signs in with the key that the start printed, and returns to the requested page", async () => {
    const { page } = watched
    await page.goto("/settings/keys")
    await page.getByLabel("API key").fill("assay_nothing")
    await page.getByRole("button", { name: "Sign in", exact: true }).click()
    await page.getByText("This key is unknown").waitFor()
    // What is not configured is not offered.
    expect(await page.getByRole("link", { name: "Sign in with GitHub" }).count()).toBe(0)
    await page.getByLabel("API key").fill(apiKey)
    await page.getByRole("button", { name: "Sign in", exact: true }).click()
    await page.getByRole("link", { name: "API keys" }).waitFor()
    await page.getByRole("link", { name: "Overview" }).click()
    await page.getByText("No analyses yet").waitFor()
    const [session] = await context.cookies()
    expect(session).toMatchObject({ httpOnly: true, sameSite: "Lax" })
  })

  it("signs in another browser through the link that the start printed, once", async () => {
    const other = await browser.newContext()
    const page = await other.newPage()
    await page.goto(signInUrl)
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor()
    expect(page.url()).toBe(`${url}/`)
    await other.clearCookies()
    expect((await page.goto(signInUrl))!.status()).toBe(400)
    await other.close()
  })

  it("analyzes a repository and shows what was found, in its code", async () => {
    const { page } = watched
    await startAnalysis()
    await page.getByRole("heading", { level: 2, name: /State change/ }).waitFor()
    await expect.poll(() => page.locator(".code .marked").first().textContent()).toContain("msg.sender.call")
  })

  it("carries a decision into the next analysis, and into SARIF", async () => {
    const { page } = watched
    await page.keyboard.press("f")
    await page.getByLabel("Reason").fill("Only for a test.")
    await page.keyboard.press("Control+Enter")
    await page.locator(".toast").getByText("False positive").waitFor()
    await startAnalysis()
    const decided = page.locator(".list [data-decided=true]")
    await decided.getByText("False positive").waitFor()
    await page.getByRole("button", { name: "Export" }).click()
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: /SARIF/ }).click(),
    ])
    const sarif = JSON.parse(readFileSync(await download.path(), "utf8")) as SarifLog
    expect(objectionsTo(sarif)).toEqual([])
    const suppressions = sarif.runs[0]!.results.flatMap(({ suppressions }) => suppressions ?? [])
    expect(suppressions).toEqual([expect.objectContaining({ kind: "external" })])
  })

  it("compares the two", async () => {
    const { page } = watched
    await page.getByRole("button", { name: "More" }).click()
    await page.getByRole("button", { name: "Compare" }).click()
    await page.getByLabel("Against").selectOption({ index: 1 })
    await expect.poll(() => page.getByText(/^Unchanged: /).textContent()).toMatch(/: [1-9]/)
  })

  it("says why an analysis failed, retries it, and deletes it", async () => {
    const { page } = watched
    await page.goto("/analyses/new")
    await page.getByLabel("Repository", { exact: true }).fill(repository.replace("vault", "missing"))
    await page.getByRole("button", { name: "Start analysis" }).click()
    await page.getByRole("heading", { name: /The analysis failed/ }).waitFor({ timeout: 30_000 })
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByRole("progressbar").waitFor()
    await page.getByRole("heading", { name: /The analysis failed/ }).waitFor({ timeout: 30_000 })
    await page.getByRole("button", { name: "Delete" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Delete analysis" }).click()
    await page.getByText("The analysis was deleted.").waitFor()
    expect(await page.getByRole("row", { name: /missing/ }).count()).toBe(0)
  })

  it("shows a new API key once", async () => {
    const { page } = watched
    await page.goto("/settings/keys")
    await page.getByLabel("Name").fill("CI")
    await page.getByRole("button", { name: "Create key" }).click()
    const shown = page.locator(".secret code")
    await expect.poll(() => shown.textContent()).toMatch(/^assay_\w{36}$/)
    const key = (await shown.textContent())!
    expect((await fetch(`${url}/api/v1/analysis`, { headers: { authorization: `Bearer ${key}` } })).status).toBe(200)
    await page.reload()
    await page.getByRole("rowheader", { name: /^CI/ }).waitFor()
    expect(await page.getByText(key).count()).toBe(0)
  })

  it("signs out, which ends the session", async () => {
    const { page } = watched
    await page.goto("/settings")
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.getByRole("heading", { name: "Sign in" }).waitFor()
    await page.goto("/analyses")
    await page.getByRole("heading", { name: "Sign in" }).waitFor()
    expect(watched.trouble).toEqual([])
  })
})
