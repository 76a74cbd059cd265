import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Page } from "playwright-core"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

interface Violation {
  readonly id: string
  readonly help: string
  readonly nodes: ReadonlyArray<{ readonly html: string; readonly failureSummary?: string }>
}

/** axe's violations of WCAG 2.2 AA on the page, and of its best practices. */
export const violationsOf = async (page: Page, rules?: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  // Evaluated from outside: the page's own policy does not apply to it.
  await page.evaluate(axe)
  const violations = (await page.evaluate(
    `axe.run(document, ${JSON.stringify(rules === undefined ? {} : { runOnly: rules })}).then(({ violations }) => violations)`,
  )) as Array<Violation>
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  )
}
