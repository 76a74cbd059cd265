import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { openApiDocument } from "../../adapters/http/openapi/document.ts"
import { alerts, dashboard, metricsIn } from "../support/monitoring.ts"

const operations = readFileSync(new URL("../../docs/operations.md", import.meta.url), "utf8")

describe("monitoring", () => {
  it("explains exactly the existing alerts in docs/operations.md", () => {
    const [, section] = /\n## Alerts\n(.*?)\n## /s.exec(operations) ?? []
    const explained = [...section!.matchAll(/^### (\w+)\n\n(\S.{60,})/gm)].map(([, name]) => name!)
    expect(alerts().length).toBeGreaterThan(10)
    expect(alerts().map(({ name }) => name)).toEqual(explained)
  })

  it("alerts on our own errors, not on a 503 on behalf of the hosting or payment service", () => {
    const { expression } = alerts().find(({ name }) => name === "AssayErrors")!
    const [, pattern] = /status="503", route!~"([^"]+)"/.exec(expression)!
    const answers = Object.entries(openApiDocument.components?.responses ?? {})
      .filter(([, answer]) => /HOSTING_UNAVAILABLE|BILLING_UNAVAILABLE/.test(JSON.stringify(answer)))
      .map(([name]) => JSON.stringify({ $ref: `#/components/responses/${name}` }))
    expect(answers.length).toBeGreaterThan(1)
    const routes = Object.entries(openApiDocument.paths).map(([path, operations]) => {
      const text = JSON.stringify(operations)
      const forOthers = answers.some((answer) => text.includes(answer))
      return { path: path.replaceAll(/\{(\w+)\}/g, ":$1"), left: forOthers || path.startsWith("/health") }
    })
    expect(routes.filter(({ path, left }) => new RegExp(`^(?:${pattern})$`).test(path) !== left)).toEqual([])
    expect(routes.filter(({ left }) => left)).toHaveLength(11)
  })

  it("lists every metric that an alert or a panel reads in docs/operations.md", () => {
    const [, section] = /\n### Metrics\n(.*?)\n### /s.exec(operations) ?? []
    const own = [...alerts(), ...dashboard()].flatMap(({ expression }) => metricsIn(expression))
    const listed = new Set(metricsIn(section!))
    expect(own.filter((name) => name.startsWith("assay_") && !listed.has(name))).toEqual([])
  })

  it("gives every panel a unique title and a query on the selected data source", () => {
    const panels = dashboard()
    expect(panels.length).toBeGreaterThan(20)
    expect(panels.every(({ title, datasource }) => title !== "" && datasource === "${datasource}")).toBe(true)
  })
})
