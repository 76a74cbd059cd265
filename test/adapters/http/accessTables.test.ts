import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { accessLimits } from "../../../domain/access/accessLimits.ts"
import { type AccessRow, fitAccess } from "../../../domain/access/AccessTable.ts"
import { startApp, type TestApp } from "../../support/app.ts"
import { created, expectError, get } from "../../support/client.ts"

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const row = (name: string, standing: AccessRow["standing"], who = "`msg.sender == owner`"): AccessRow => ({
  contract: "Vault",
  function: name,
  file: "src/Vault.sol",
  line: 7,
  standing,
  effects: [{ kind: "state", what: "writes `fee`", standing, who, file: "src/Vault.sol", line: 7 }],
})

const completed = async (apiKey: string, rows: ReadonlyArray<AccessRow>): Promise<string> => {
  const analysisId = await created(app, apiKey)
  await app.completeNext({}, rows)
  return analysisId
}
const access = (analysisId: string, query = "") => `/api/v1/analysis/${analysisId}/access${query}`

describe("an access table", () => {
  it("is stored with the result and does not change", async () => {
    const { apiKey } = await app.newUser()
    const rows = [row("setFee(uint256)", "guarded"), row("poke()", "open", "anyone")]
    const analysisId = await completed(apiKey, rows)
    const response = await get(app, access(analysisId), apiKey)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ access: rows })
    const etag = response.headers.get("etag")!
    expect((await get(app, access(analysisId), apiKey, { "if-none-match": etag })).status).toBe(304)
  })

  it("can be compared with that of another analysis, loosened rows first", async () => {
    const { apiKey } = await app.newUser()
    const before = await completed(apiKey, [row("setFee(uint256)", "guarded"), row("gone()", "open")])
    const after = await completed(apiKey, [row("fresh()", "tied"), row("setFee(uint256)", "open", "anyone")])
    const response = await get(app, access(after, `?against=${before}`), apiKey)
    const { changes } = (await response.json()) as { changes: ReadonlyArray<{ function: string; change: string }> }
    expect(changes.map((each) => [each.function, each.change])).toEqual([
      ["setFee(uint256)", "loosened"],
      ["fresh()", "added"],
      ["gone()", "removed"],
    ])
  })

  it("is visible only to its owner, on both sides of a comparison", async () => {
    const [mine, theirs] = [await app.newUser(), await app.newUser()]
    const own = await completed(mine.apiKey, [])
    const other = await completed(theirs.apiKey, [row("setFee(uint256)", "open")])
    await expectError(await get(app, access(other), mine.apiKey), "NOT_FOUND")
    await expectError(await get(app, access(own, `?against=${other}`), mine.apiKey), "NOT_FOUND")
    const held = { "if-none-match": `"${own}.access.${other}"` }
    await expectError(await get(app, access(own, `?against=${other}`), mine.apiKey, held), "NOT_FOUND")
    await expectError(await get(app, access(own, "?against=x"), mine.apiKey), "VALIDATION_ERROR")
  })

  it("does not exist before the analysis is completed", async () => {
    const { apiKey } = await app.newUser()
    const analysisId = await created(app, apiKey)
    await expectError(await get(app, access(analysisId), apiKey), "ANALYSIS_NOT_READY")
    await app.completeNext()
  })

  it("omits checked rows before unchecked ones, and says how many", () => {
    const rows = Array.from({ length: 9_000 }, (_, i) =>
      row(`f${i}(${"uint256,".repeat(12)}uint8)`, i % 10 === 0 ? "open" : "guarded"),
    )
    const table = fitAccess(rows)
    expect(Buffer.byteLength(JSON.stringify(table))).toBeLessThanOrEqual(accessLimits.bytes)
    expect(table.access.filter(({ standing }) => standing === "open")).toHaveLength(900)
    expect(table.access.length + table.omitted!).toBe(rows.length)
    expect(table.access.map(({ function: name }) => rows.findIndex((r) => r.function === name))).toEqual(
      table.access.map(({ function: name }) => rows.findIndex((r) => r.function === name)).toSorted((a, b) => a - b),
    )
  })
})
