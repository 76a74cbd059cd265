/**
 * A report of 5,000 findings in a browser with an empty cache: `node test/bench/firstRow.ts` prints when its first row appears
 * and when the page first responds to a key, in milliseconds since the start of the navigation, five times in order.
 */
import { setTimeout } from "node:timers/promises"
import { launchBrowser, signedIn, startSite } from "../support/browser.ts"
import { created } from "../support/client.ts"
import { largeReport } from "../support/largeReport.ts"

/** Runs in the page: once there is a row, presses `j` until another one is selected. */
const watch = `new MutationObserver(() => {
  if (window.row || document.querySelectorAll(".list [role=option]").length < 2) return
  window.row = performance.now()
  const chosen = () => document.querySelector("[role=option][data-active=true]")?.textContent
  const before = chosen()
  const press = () => {
    if (chosen() !== before) return void (window.answered = performance.now())
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "j", bubbles: true }))
    setTimeout(press, 10)
  }
  setTimeout(press)
}).observe(document, { childList: true, subtree: true })`

const [app, browser] = await Promise.all([startSite(), launchBrowser()])
try {
  const { apiKey, userId } = await app.newUser("pro")
  const id = await created(app, apiKey, "https://github.com/example/large")
  await app.completeNext(largeReport(5_000))
  const times: Record<"row" | "answered", Array<number>> = { row: [], answered: [] }
  // The first two warm up the service.
  for (let round = -2; round < 5; round++) {
    const context = await signedIn(browser, app, userId)
    const page = await context.newPage()
    await page.addInitScript(watch)
    await page.goto(`/analyses/${id}`)
    let answered: unknown
    for (let tries = 0; answered === undefined && tries < 200; tries++) {
      await setTimeout(50)
      answered = await page.evaluate("window.answered")
    }
    if (answered === undefined) throw new Error("the page answered no key within 10 s")
    if (round >= 0) {
      times.row.push(Math.round(Number(await page.evaluate("window.row"))))
      times.answered.push(Math.round(Number(answered)))
    }
    await context.close()
  }
  for (const [what, all] of Object.entries(times)) console.log(`${what}: ${all.toSorted((a, b) => a - b).join(" ")} ms`)
} finally {
  await browser.close()
  await app.close()
}
process.exit(0)
