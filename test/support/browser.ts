import { existsSync } from "node:fs"
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core"
import { openSession } from "../../application/identity/session.ts"
import { isPage } from "../../apps/dashboard/addresses.ts"
import { builtFiles, ensureBuilt } from "../../apps/dashboard/build/ensureBuilt.ts"
import { loadSite } from "../../adapters/http/pages/StaticSite.ts"
import { type AppOptions, startApp, type TestApp } from "./app.ts"
import type { UserId } from "../../domain/ids/Ids.ts"

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
export const chromiumPath = process.env["ASSAY_CHROMIUM"] ?? places.find((path) => existsSync(path))

/** Whether this machine has a browser; CI has one. */
export const hasBrowser = chromiumPath !== undefined
if (!hasBrowser) {
  if (process.env["CI"] !== undefined) throw new Error("Chromium is not installed.")
  console.warn("Chromium is not installed: the tests in a browser do not run.")
}

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath!,
    // Root in a container has no sandbox.
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--force-prefers-reduced-motion"],
  })

/** The dashboard, built from the current sources. */
export const builtSite = async () => {
  const built = await ensureBuilt(() => {})
  if (built.state === "failed" || built.state === "impossible") throw new Error(built.reason)
  return loadSite(builtFiles, isPage, ["github", "billing"])
}

/** The HTTP interface with the dashboard. */
export const startSite = async (options: AppOptions = {}): Promise<TestApp> =>
  startApp({ unlimited: true, ...options, settings: { site: await builtSite(), ...options.settings } })

/** A browser with its own cookies, signed in as a user. */
export const signedIn = async (
  browser: Browser,
  app: TestApp,
  userId: UserId,
  options: Parameters<Browser["newContext"]>[0] = {},
): Promise<BrowserContext> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, baseURL: app.url, ...options })
  const value = await app.run(openSession(userId, undefined))
  await context.addCookies([{ name: "assay_session", value, url: app.url }])
  context.setDefaultTimeout(30_000)
  return context
}

export interface WatchedPage {
  readonly page: Page
  /** Dialogs, violations of the policy, requests elsewhere and uncaught errors: none of these may ever occur. */
  readonly trouble: Array<string>
  /** Method and path of each request to the API. */
  readonly requests: Array<string>
}

/** A page that records everything that none of our pages may do. */
export const watchedPage = async (context: BrowserContext, origin: string): Promise<WatchedPage> => {
  const page = await context.newPage()
  const trouble: Array<string> = []
  const requests: Array<string> = []
  page.on("dialog", (dialog) => {
    trouble.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on("pageerror", (error) => trouble.push(`error: ${error.message}`))
  page.on("console", (message) => {
    if (/Content Security Policy|TrustedHTML|TrustedScript/i.test(message.text())) trouble.push(message.text())
  })
  page.on("request", (request) => {
    const url = new URL(request.url())
    if (url.origin !== origin) trouble.push(`foreign request: ${request.url()}`)
    else if (/^\/(?:api|auth)\//.test(url.pathname)) requests.push(`${request.method()} ${url.pathname}`)
  })
  return { page, trouble, requests }
}
