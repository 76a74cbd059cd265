import type { Browser, Page } from "playwright-core"
import { SqlClient } from "effect/sql/SqlClient"
import { expect, it } from "vitest"
import type { TestApp } from "../support/app.ts"
import { signedIn } from "../support/browser.ts"
import type { GithubServer } from "../support/githubServer.ts"
import { largeReport, largeSources } from "../support/largeReport.ts"

interface Session {
  readonly app: TestApp
  readonly browser: Browser
  readonly github: GithubServer
}

const token = `ghp_${"a".repeat(36)}`

/** The page of a new user. */
const somebody = async ({ app, browser }: Session, plan: "basic" | "pro" = "pro") => {
  const user = await app.newUser(plan)
  const context = await signedIn(browser, app, user.userId)
  return { ...user, context, page: await context.newPage() }
}

const rowOf = (page: Page, name: string | RegExp) => page.getByRole("row", { name })

/** What users do besides reports, and what the pages say when something fails. */
export const accountSteps = (session: () => Session): void => {
  it("sets a hosting token, syncs with it, and shows private code at the analyzed commit to its owner", async () => {
    const { app, github } = session()
    const report = largeReport(130)
    const vault = { id: 1, full_name: "octo/vault", private: true, files: largeSources(report) }
    github.tokens.set(token, { login: "octo", scopes: "repo", repositories: [vault] })
    const { page, context, userId } = await somebody(session())
    await page.goto("/settings/hosting")
    await page.getByLabel("Personal access token").fill("ghp_wrong")
    await page.getByRole("button", { name: "Set token" }).click()
    await page.getByRole("alert").waitFor()
    expect(await page.getByLabel("Personal access token").inputValue()).toBe("ghp_wrong")
    await page.getByLabel("Personal access token").fill(token)
    await page.getByRole("button", { name: "Set token" }).click()
    await page.getByText("The token is set.").waitFor()
    expect(await page.content()).not.toContain(token)

    await page.getByRole("link", { name: "Repositories", exact: true }).click()
    await page.getByRole("button", { name: "Sync all" }).click()
    await page.getByText("1 read, 1 added, 0 updated.").waitFor()
    await rowOf(page, /octo\/vault Private/)
      .getByText("None yet")
      .waitFor()
    await app.createDirectly(userId, `${github.url}/octo/vault`)
    await app.completeNext(report)
    await page.reload()
    await expect
      .poll(() =>
        rowOf(page, /octo\/vault/)
          .getByRole("cell")
          .last()
          .textContent(),
      )
      .toBe("130")
    await page.getByRole("link", { name: "octo/vault" }).click()
    await page.getByRole("heading", { level: 2, name: "Scan history" }).waitFor()
    await page.getByRole("button", { name: "Show more" }).click()
    await page.getByRole("link", { name: /\(129\)$/ }).waitFor()
    expect(await page.getByRole("button", { name: "Show more" }).count()).toBe(0)
    await page.getByRole("link", { name: /\(0\)$/ }).click()
    await expect.poll(() => page.locator(".code").textContent()).toContain("uint256 internal slot")

    await page.goto("/settings/hosting")
    await page.getByRole("button", { name: "Remove token" }).click()
    await page.getByText("No token is set.").waitFor()
    await page.goto("/repositories")
    await page.getByRole("button", { name: "Sync changes" }).click()
    await page.getByRole("heading", { name: "No hosting token is set" }).waitFor()
    await context.close()
  })

  it("creates an organization, invites, accepts, shows who made a decision, and removes", async () => {
    const { app } = session()
    const [owner, member] = [await somebody(session()), await somebody(session())]
    await owner.page.goto("/settings/organization")
    await owner.page.getByLabel("Name").fill("Example")
    await owner.page.getByRole("button", { name: "Create organization" }).click()
    await owner.page.getByText("1 of 1 seat taken").waitFor()
    await app.run(SqlClient.use((sql) => sql`UPDATE pools SET seats = 2 WHERE seats = 1`))
    await owner.page.getByLabel("Invite by user ID").fill(member.userId)
    await owner.page.getByRole("button", { name: "Invite" }).click()
    await rowOf(owner.page, new RegExp(`${member.userId}.*Invited`)).waitFor()
    const sharing = owner.page.getByLabel(/Members can read each other/)
    await sharing.click()
    await expect.poll(() => sharing.isChecked()).toBe(true)

    await member.page.goto("/settings/organization")
    await member.page.getByRole("button", { name: "Accept Example" }).click()
    await member.page.getByText("2 of 2 seats taken").waitFor()

    await app.createDirectly(owner.userId, "https://github.com/example/shared")
    const id = await app.completeNext(largeReport(2))
    await member.page.goto(`/analyses/${id}`)
    await member.page.getByRole("listbox").waitFor()
    await member.page.keyboard.press("a")
    await member.page.getByLabel("Reason").fill("The owner is a timelock.")
    await member.page.keyboard.press("Control+Enter")
    await member.page.locator(".toast").getByText("Risk accepted").waitFor()
    await owner.page.goto(`/analyses/${id}?finding=0000000000000000`)
    const taken = owner.page.locator(".taken")
    await expect
      .poll(() => taken.textContent())
      .toMatch(/Risk accepted by \w+@example\.test, .*The owner is a timelock\./)

    await owner.page.goto("/settings/organization")
    await rowOf(owner.page, /Member/)
      .last()
      .getByRole("button")
      .click()
    await owner.page.getByRole("dialog").getByRole("button", { name: "Remove member" }).click()
    await owner.page.getByText("1 of 2 seats taken").waitFor()
    await member.page.goto(`/analyses/${id}`)
    await member.page.getByText("Not found").waitFor()
    await Promise.all([owner.context.close(), member.context.close()])
  })

  it("explains failures: monthly scans used up, too many requests, no network", async () => {
    const { app } = session()
    const { page, context, userId } = await somebody(session(), "basic")
    for (let scan = 0; scan < 10; scan++) await app.createDirectly(userId, "https://github.com/example/quota")
    await page.goto("/analyses/new")
    await page.getByText("0 left this month").waitFor()
    await page.getByLabel("Repository", { exact: true }).fill("https://github.com/example/quota")
    await page.getByRole("button", { name: "Start analysis" }).click()
    await page.getByRole("heading", { name: "This month's scans are used up" }).waitFor()
    expect(await page.getByLabel("Repository", { exact: true }).inputValue()).toBe("https://github.com/example/quota")
    await page.getByRole("link", { name: "See your plan" }).click()
    await page.getByRole("heading", { level: 1, name: "Subscription" }).waitFor()

    await page.route("**/api/v1/rules", (route) =>
      route.fulfill({
        status: 429,
        headers: { "retry-after": "1200", ratelimit: '"reads";r=0;t=1200' },
        json: { error: { code: "RATE_LIMIT_EXCEEDED", message: "Too many requests; try again later." } },
      }),
    )
    await page.goto("/rules")
    await page.getByRole("heading", { name: "Too many requests" }).waitFor()
    await page.getByText(/It resets .* [AP]M/).waitFor()
    await page.unroute("**/api/v1/rules")
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByRole("link", { name: "State changed after an external call" }).waitFor()

    await context.setOffline(true)
    await page.getByText("You are offline.").waitFor()
    await page.getByRole("link", { name: "Repositories", exact: true }).click()
    await page.getByText("The service is unreachable").first().waitFor()
    await context.setOffline(false)
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByText("No repositories synced yet").waitFor()
    await expect.poll(() => page.getByText("You are offline.").count()).toBe(0)
    await context.close()
  })
}
