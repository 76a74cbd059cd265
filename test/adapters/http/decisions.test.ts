import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { SqlClient } from "effect/sql/SqlClient"
import type { FindingDetail, FindingItem } from "../../../adapters/http/contract/FindingsGroup.ts"
import type { Finding } from "../../../domain/finding/Finding.ts"
import { sampleResult, startApp, type TestApp } from "../../support/app.ts"
import { bearer, created, expectError, get, repositoryUrl } from "../../support/client.ts"
import { AnalysisId } from "../../../domain/ids/Ids.ts"

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const sample = sampleResult(AnalysisId.make("00000000-0000-4000-8000-000000000000"), repositoryUrl).findings[0]!
const named = (at: number): string => at.toString(16).padStart(16, "0")
const findings = (count: number, change: (at: number) => Partial<Finding> = () => ({})): ReadonlyArray<Finding> =>
  Array.from({ length: count }, (_, at) => ({ ...sample, fingerprint: named(at), id: `f_${named(at)}`, ...change(at) }))

/** A user with a completed analysis that has this many findings. */
const analyzed = async (reported: ReadonlyArray<Finding>) => {
  const user = await app.newUser("pro")
  const analysisId = await created(app, user.apiKey)
  await app.completeNext({ findings: reported })
  return { ...user, analysisId, path: `/api/v1/analysis/${analysisId}/findings` }
}

const patch = (path: string, apiKey: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(app.url + path, {
    method: "PATCH",
    headers: { ...bearer(apiKey), "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  })

// The types are what the tests look at; the contract suite validates the shapes.
const listOf = async (response: Response) => (await response.json()) as ReadonlyArray<FindingItem>
const detailOf = async (response: Response) => (await response.json()) as FindingDetail

const falsePositive = { decision: "false_positive", reason: "The proxy checks the caller." }

describe("a decision", () => {
  it("requires the state that was read, is recorded, and can be undone", async () => {
    const { apiKey, userId, path } = await analyzed(findings(2))
    const [first] = await listOf(await get(app, path, apiKey))
    const one = `${path}/${first!.fingerprint}`
    await expectError(await patch(one, apiKey, falsePositive), "PRECONDITION_REQUIRED")
    const decided = await patch(one, apiKey, falsePositive, { "if-match": first!.etag })
    expect(decided.status).toBe(200)
    const detail = await detailOf(decided)
    expect(detail.decision).toEqual({ ...falsePositive, decidedBy: userId, decidedAt: expect.any(String) })
    expect(detail.etag).not.toBe(first!.etag)

    const late = await expectError(
      await patch(one, apiKey, falsePositive, { "if-match": first!.etag }),
      "PRECONDITION_FAILED",
    )
    expect(late.details).toEqual({ fingerprints: [first!.fingerprint] })
    const taken = await detailOf(await patch(one, apiKey, { decision: "open" }, { "if-match": detail.etag }))
    expect(taken.decision.decision).toBe("open")
    expect(taken.history.map(({ decision }) => decision)).toEqual(["open", "false_positive"])
    expect((await detailOf(await get(app, one, apiKey))).history).toEqual(taken.history)
  })

  it("succeeds in one of two tabs that make one simultaneously", async () => {
    const { apiKey, path } = await analyzed(findings(1))
    const one = `${path}/${named(0)}`
    const { etag } = await detailOf(await get(app, one, apiKey))
    const answers = await Promise.all(
      ["false_positive", "accepted_risk", "fixed"].map((decision) =>
        patch(one, apiKey, { decision, reason: "mine" }, { "if-match": etag }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412])
    expect((await detailOf(await get(app, one, apiKey))).history).toHaveLength(1)
  })

  it("needs a readable reason, and an expiry in the future", async () => {
    const { apiKey, path } = await analyzed(findings(1))
    const one = `${path}/${named(0)}`
    const { etag } = await detailOf(await get(app, one, apiKey))
    const refused = async (body: object, field: string) => {
      const { details } = await expectError(await patch(one, apiKey, body, { "if-match": etag }), "VALIDATION_ERROR")
      expect(details).toMatchObject({ fields: [{ field }] })
    }
    for (const decision of ["false_positive", "accepted_risk", "fixed"]) {
      await refused({ decision }, "reason")
      await refused({ decision, reason: " \n\t " }, "reason")
    }
    for (const reason of ["a\u0000b", "a\u001b[31m", "a\u202eb", "\ud800", "x".repeat(2_001), "x".repeat(5_000)]) {
      await refused({ decision: "fixed", reason }, "reason")
    }
    await refused({ decision: "fixed", reason: "done", expiresAt: "2099-01-01T00:00:00Z" }, "expiresAt")
    for (const expiresAt of ["2020-01-01T00:00:00Z", "9999-01-01T00:00:00Z", "tomorrow"]) {
      await refused({ decision: "accepted_risk", reason: "for now", expiresAt }, "expiresAt")
    }
    await refused({ decision: "wrong", reason: "x" }, "decision")
    await refused({ ...falsePositive, severity: "low" }, "severity")
    const html = `<script>alert(1)</script> & "quotes"\nand a second line`
    const kept = await detailOf(await patch(one, apiKey, { decision: "fixed", reason: html }, { "if-match": etag }))
    expect(kept.decision.reason).toBe(html)
  })

  it("about up to 200 distinct findings applies to all or none", async () => {
    const { apiKey, path } = await analyzed(findings(300))
    const items = await listOf(await get(app, `${path}?limit=300`, apiKey))
    const of = (from: number, to: number) =>
      items.slice(from, to).map(({ fingerprint, etag }) => ({ fingerprint, etag }))
    const all = await patch(path, apiKey, { ...falsePositive, findings: of(0, 200) })
    expect(all.status).toBe(200)
    expect((await listOf(all)).map(({ decision }) => decision.decision)).toEqual(Array(200).fill("false_positive"))
    const stale = await expectError(
      await patch(path, apiKey, { ...falsePositive, findings: of(199, 202) }),
      "PRECONDITION_FAILED",
    )
    expect(stale.details).toEqual({ fingerprints: [items[199]!.fingerprint] })
    expect(await listOf(await get(app, `${path}?decision=open&limit=500`, apiKey))).toHaveLength(100)
    await expectError(await patch(path, apiKey, { ...falsePositive, findings: of(0, 201) }), "VALIDATION_ERROR")
    await expectError(await patch(path, apiKey, { ...falsePositive, findings: [] }), "VALIDATION_ERROR")
    const twice = [...of(250, 251), ...of(250, 251)]
    await expectError(await patch(path, apiKey, { ...falsePositive, findings: twice }), "VALIDATION_ERROR")
    const unknown = [{ fingerprint: "f".repeat(16), etag: `"${"f".repeat(16)}.0"` }]
    await expectError(await patch(path, apiKey, { ...falsePositive, findings: unknown }), "NOT_FOUND")
    // Another finding's tag says nothing about this one.
    const swapped = [{ fingerprint: items[250]!.fingerprint, etag: items[251]!.etag }]
    await expectError(await patch(path, apiKey, { ...falsePositive, findings: swapped }), "PRECONDITION_FAILED")
  })

  it("cannot be read or made by anyone else", async () => {
    const { apiKey, path, analysisId } = await analyzed(findings(1))
    const stranger = await app.newUser("pro")
    const one = `${path}/${named(0)}`
    const { etag } = await detailOf(await get(app, one, apiKey))
    for (const address of [
      path,
      one,
      `/api/v1/analysis/${analysisId}/compare/${analysisId}`,
      `/api/v1/analysis/${analysisId}/source?path=a.sol`,
    ]) {
      await expectError(await get(app, address, stranger.apiKey), "NOT_FOUND")
    }
    await expectError(await patch(one, stranger.apiKey, falsePositive, { "if-match": etag }), "NOT_FOUND")
    const readOnly = await app.newKey(stranger.userId, ["analysis:read"])
    await expectError(await patch(one, readOnly, falsePositive, { "if-match": etag }), "FORBIDDEN")
    const own = await analyzed(findings(1))
    await expectError(await get(app, `${own.path}?analysis=nonsense`, own.apiKey), "VALIDATION_ERROR")
    // An analysis of another user or repository does not belong to this one.
    expect(await listOf(await get(app, `${own.path}?analysis=${analysisId}`, own.apiKey))).toEqual([])
  })

  it("carries over to later analyses, whose counts exclude false positives; stored results stay", async () => {
    const { apiKey, path, analysisId } = await analyzed(findings(1))
    const before = await (await get(app, `/api/v1/analysis/${analysisId}/result`, apiKey)).text()
    const one = `${path}/${named(0)}`
    const { etag } = await detailOf(await get(app, one, apiKey))
    expect((await patch(one, apiKey, falsePositive, { "if-match": etag })).status).toBe(200)
    expect(await (await get(app, `/api/v1/analysis/${analysisId}/result`, apiKey)).text()).toBe(before)
  })
})

describe("the list of findings", () => {
  it("is paged by Link headers without duplicates, gaps or empty pages, in every order", async () => {
    const { apiKey, path } = await analyzed(
      findings(25, (at) => ({
        severity: at % 3 === 0 ? "critical" : "low",
        location: { file: `src/${String(at % 4)}, "ü".sol`, lineStart: at + 1, lineEnd: at + 2 },
      })),
    )
    for (const sort of ["severity", "newest", "path"]) {
      const seen: Array<string> = []
      let next: string | undefined = `${path}?limit=5&sort=${sort}`
      while (next !== undefined) {
        const response = await get(app, next, apiKey)
        expect(response.status).toBe(200)
        const page = await listOf(response)
        expect(page).toHaveLength(5)
        seen.push(...page.map(({ fingerprint }) => fingerprint))
        next = /^<([^>]+)>; rel="next"$/.exec(response.headers.get("link") ?? "")?.[1]
      }
      expect([sort, seen.length, new Set(seen).size]).toEqual([sort, 25, 25])
    }
    for (const cursor of [
      "x",
      "W10",
      btoa('["a","b","c","d"]'),
      btoa('[0,"a",1e30,"b"]'),
      btoa('[0,"\\u0000",1,"b"]'),
    ]) {
      await expectError(await get(app, `${path}?cursor=${cursor}`, apiKey), "VALIDATION_ERROR")
    }
    await expectError(await get(app, `${path}?severity=high,worst`, apiKey), "VALIDATION_ERROR")
    expect(await listOf(await get(app, `${path}?severity=critical,high`, apiKey))).toHaveLength(9)
    expect(await listOf(await get(app, `${path}?path=src&rule=${sample.ruleId}&status=new`, apiKey))).toHaveLength(25)
  })

  it("includes the findings of results from an earlier release", async () => {
    const { apiKey, path, analysisId } = await analyzed(findings(3))
    await app.run(
      SqlClient.use(
        (sql) => sql`
        WITH gone AS (DELETE FROM findings WHERE analysis_id = ${analysisId}::uuid)
        UPDATE analysis_results SET indexed = false WHERE analysis_id = ${analysisId}::uuid`,
      ),
    )
    expect(await listOf(await get(app, path, apiKey))).toHaveLength(3)
  })
})

describe("the overview", () => {
  it("returns the whole first page in one response", async () => {
    const { apiKey, analysisId } = await analyzed(findings(4))
    const response = await get(app, "/api/v1/overview", apiKey)
    expect(await response.json()).toMatchObject({
      openFindings: { critical: 0, high: 4, medium: 0, low: 0, informational: 0 },
      newFindings: { high: 4 },
      recentAnalyses: [{ analysisId, status: "completed", commit: "0".repeat(40) }],
      quota: { tier: "pro", used: 1, limit: 60 },
    })
    const compared = await get(app, `/api/v1/analysis/${analysisId}/compare/${analysisId}`, apiKey)
    expect(await compared.json()).toMatchObject({ counts: { new: 0, fixed: 0, unchanged: 4 }, new: [] })
  })
})
