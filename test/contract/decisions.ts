import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { AnalysisStore, type NewAnalysis } from "../../application/ports/analysis/AnalysisStore.ts"
import { type FindingFilter, type FindingScope, FindingStore } from "../../application/ports/finding/FindingStore.ts"
import { RepositoryStore } from "../../application/ports/repositories/RepositoryStore.ts"
import { Overviews } from "../../application/ports/finding/Overviews.ts"
import { type Decision, type DecisionKind, decisionEtag, effectiveDecision } from "../../domain/finding/Decision.ts"
import type { Finding } from "../../domain/finding/Finding.ts"
import { hosted, synced } from "./repositories.ts"
import { claim, complete, create, newOrganization, newUser, type Test } from "../support/stores.ts"
import { type UserId, OrganizationId, AnalysisId } from "../../domain/ids/Ids.ts"
import { RepositoryUrl } from "../../domain/repository/RepositoryUrl.ts"

export const findingOf = (fingerprint: string, change: Partial<Finding> = {}): Finding => ({
  id: `f_${fingerprint}`,
  ruleId: "evm/reentrancy/state-change-after-call",
  title: "State change after sending ether",
  description: "",
  severity: "high",
  confidence: "high",
  category: "reentrancy",
  location: { file: "src/Vault.sol", lineStart: 12, lineEnd: 14 },
  remediation: "",
  trace: [],
  references: [],
  fingerprint,
  status: "new",
  ...change,
})

const url = "https://github.com/example/vault"
const every: FindingFilter = {
  order: "severity",
  limit: 1_000,
  after: undefined,
  severities: undefined,
  categories: undefined,
  rules: undefined,
  statuses: undefined,
  decisions: undefined,
  branch: undefined,
  path: undefined,
  fingerprints: undefined,
}

/** A completed analysis that reports these findings. */
const reported = Effect.fnUntraced(function* (
  userId: UserId,
  findings: ReadonlyArray<Finding>,
  branch = "main",
  change: Partial<NewAnalysis> = {},
) {
  const analysisId = yield* create(userId, change)
  const fingerprints = findings.map(({ fingerprint }) => fingerprint)
  yield* complete(yield* claim, { fingerprints, findings, branch })
  return analysisId
})

const reader = (userId: UserId, organizationId?: OrganizationId) => ({ userId, organizationId })

const list = Effect.fnUntraced(function* (scope: FindingScope, change: Partial<FindingFilter> = {}) {
  const store = yield* FindingStore
  return yield* store.list(scope, yield* store.analyses(scope, undefined), { ...every, ...change })
})

const decide = (
  scope: FindingScope,
  decision: DecisionKind,
  findings: ReadonlyArray<readonly [string, number]>,
  expiresAt?: Date,
) =>
  FindingStore.use((store) =>
    store.decide(
      scope,
      { decision, reason: "because", expiresAt },
      findings.map(([fingerprint, version]) => ({ fingerprint, version })),
    ),
  )

const standing = (items: ReadonlyArray<{ readonly fingerprint: string; readonly decision: Decision }>) =>
  Object.fromEntries(items.map(({ fingerprint, decision }) => [fingerprint, decision.decision]))

/** Findings across several analyses, and decisions about them. */
export const decisions: Readonly<Record<string, Test>> = {
  "the latest analyses of all branches are listed, each finding once": Effect.gen(function* () {
    const userId = yield* newUser()
    yield* reported(userId, [findingOf("a"), findingOf("gone")])
    const main = yield* reported(userId, [findingOf("a"), findingOf("b", { severity: "critical" })])
    const feature = yield* reported(userId, [findingOf("a", { status: "unchanged" })], "feature", { branch: "feature" })
    const scope = yield* FindingStore.use((store) => store.ofAnalysis(reader(userId), main))
    const items = yield* list(scope)
    assert.deepEqual(
      items.map(({ fingerprint, branches, analysisId, status }) => [fingerprint, branches, analysisId, status]),
      [
        ["b", ["main"], main, "new"],
        ["a", ["feature", "main"], feature, "unchanged"],
      ],
    )
  }),

  "an analysis of a folder counts until its whole branch is analyzed": Effect.gen(function* () {
    const userId = yield* newUser()
    const whole = yield* reported(userId, [findingOf("a")])
    yield* reported(userId, [findingOf("b")], "main", { path: "contracts" })
    const scope = yield* FindingStore.use((store) => store.ofAnalysis(reader(userId), whole))
    const open = Effect.map(
      Overviews.use((overviews) => overviews.overview(reader(userId))),
      ({ openFindings }) => openFindings.high,
    )
    assert.deepEqual(Object.keys(standing(yield* list(scope))).toSorted(), ["a", "b"])
    assert.strictEqual(yield* open, 2)
    yield* reported(userId, [findingOf("c")])
    assert.deepEqual(Object.keys(standing(yield* list(scope))), ["c"])
    assert.strictEqual(yield* open, 1)
  }),

  "filters and orders apply as documented": Effect.gen(function* () {
    const userId = yield* newUser()
    const at = (file: string, lineStart: number) => ({ location: { file, lineStart, lineEnd: lineStart } })
    const id = yield* reported(userId, [
      findingOf("a", { severity: "low", category: "gas", ...at("lib/x.sol", 3) }),
      findingOf("b", { severity: "critical", ...at("src/y.sol", 9) }),
      findingOf("c", { severity: "low", status: "unchanged", ...at("src/y.sol", 2) }),
    ])
    const scope = yield* FindingStore.use((store) => store.ofAnalysis(reader(userId), id))
    const named = (change: Partial<FindingFilter>) =>
      Effect.map(list(scope, change), (items) => items.map(({ fingerprint }) => fingerprint))
    assert.deepEqual(yield* named({}), ["b", "a", "c"])
    assert.deepEqual(yield* named({ order: "path" }), ["a", "c", "b"])
    assert.deepEqual(yield* named({ order: "newest" }), ["b", "a", "c"])
    assert.deepEqual(yield* named({ severities: ["low"] }), ["a", "c"])
    assert.deepEqual(yield* named({ categories: ["gas"] }), ["a"])
    assert.deepEqual(yield* named({ statuses: ["unchanged"] }), ["c"])
    assert.deepEqual(yield* named({ path: "src" }), ["b", "c"])
    assert.deepEqual(yield* named({ path: "sr" }), [])
    assert.deepEqual(yield* named({ path: "lib/x.sol" }), ["a"])
    assert.deepEqual(yield* named({ branch: "other" }), [])
    assert.deepEqual(yield* named({ rules: ["evm/none"] }), [])
    yield* decide(scope, "false_positive", [["b", 0]])
    assert.deepEqual(yield* named({ decisions: ["open"] }), ["a", "c"])
    assert.deepEqual(yield* named({ decisions: ["false_positive", "fixed"] }), ["b"])
    assert.deepEqual(yield* named({ after: [0, "src/y.sol", 9, "b"] }), ["a", "c"])
    assert.deepEqual(yield* named({ order: "path", after: ["lib/x.sol", 3, 3, "a"] }), ["c", "b"])
  }),

  "filtering by decision agrees with the domain": Effect.gen(function* () {
    const userId = yield* newUser()
    const sql = yield* SqlClient
    const names = ["false", "accepted", "expired", "fixed", "found", "back", "none"]
    const id = yield* reported(
      userId,
      names.map((name) => findingOf(name)),
    )
    const scope = yield* FindingStore.use((store) => store.ofAnalysis(reader(userId), id))
    const store = yield* FindingStore
    yield* decide(scope, "fixed", [["found", 0]])
    // The embedded database's clock has millisecond resolution, and events in the same one do not count as later.
    yield* sql`SELECT pg_sleep(0.005)::text`
    const again = yield* reported(
      userId,
      names.map((name) => findingOf(name)),
    )
    yield* decide(scope, "false_positive", [["false", 0]])
    yield* decide(scope, "accepted_risk", [["accepted", 0]])
    yield* decide(scope, "fixed", [["fixed", 0]])
    yield* decide(scope, "false_positive", [["back", 0]])
    yield* decide(scope, "open", [["back", 1]])
    yield* sql`
      INSERT INTO finding_decisions (owner_id, url_key, fingerprint, version, decision, reason, decided_by, expires_at)
      VALUES (${userId}::uuid, ${scope.urlKey}, 'expired', 1, 'accepted_risk', 'for a while', ${userId}::uuid,
        now() - interval '1 second')`
    const items = yield* list(scope)
    assert.deepEqual(standing(items), {
      false: "false_positive",
      accepted: "accepted_risk",
      expired: "open",
      fixed: "fixed",
      found: "open",
      back: "open",
      none: "open",
    })
    const reopened = items.filter(({ decision }) => decision.reopened !== undefined)
    assert.deepEqual(
      Object.fromEntries(
        reopened.map(({ fingerprint, decision, status }) => [fingerprint, [decision.reopened, status]]),
      ),
      { expired: ["expired", "new"], found: ["found_again", "reopened"] },
    )
    const [analysis] = yield* store.analyses(scope, again)
    for (const { fingerprint } of items) {
      const [latest] = yield* store.history(scope, fingerprint)
      const said = effectiveDecision(latest, analysis!.foundIn, new Date())
      const listed = yield* list(scope, { decisions: [said.decision], fingerprints: [fingerprint] })
      assert.deepEqual([fingerprint, listed.length], [fingerprint, 1])
    }
    assert.deepEqual(
      (yield* list(scope, { statuses: ["reopened"] })).map(({ fingerprint }) => fingerprint),
      ["found"],
    )
  }),

  "of two users who saw the same state, only one can decide": Effect.gen(function* () {
    const userId = yield* newUser()
    const id = yield* reported(userId, [findingOf("a"), findingOf("b")])
    const scope = yield* FindingStore.use((store) => store.ofAnalysis(reader(userId), id))
    const attempts = Array.from({ length: 8 }, () => Effect.result(decide(scope, "false_positive", [["a", 0]])))
    const outcomes = yield* Effect.all(attempts, { concurrency: "unbounded" })
    assert.deepEqual(outcomes.filter(({ _tag }) => _tag === "Success").length, 1)
    assert.deepEqual(
      outcomes.flatMap((outcome) => (outcome._tag === "Failure" ? [outcome.failure._tag] : [])),
      Array.from({ length: 7 }, () => "DecisionStale"),
    )
    const store = yield* FindingStore
    assert.deepEqual(
      (yield* store.history(scope, "a")).map(({ version }) => version),
      [1],
    )
  }),

  "several are decided together or not at all": Effect.gen(function* () {
    const userId = yield* newUser()
    const id = yield* reported(userId, [findingOf("a"), findingOf("b")])
    const scope = yield* FindingStore.use((store) => store.ofAnalysis(reader(userId), id))
    yield* decide(scope, "accepted_risk", [["b", 0]])
    const stale = yield* Effect.flip(
      decide(scope, "false_positive", [
        ["a", 0],
        ["b", 0],
      ]),
    )
    assert.deepEqual(stale._tag === "DecisionStale" ? stale.fingerprints : [], ["b"])
    assert.deepEqual(standing(yield* list(scope)), { a: "open", b: "accepted_risk" })
    // Not based on a version that does not exist yet, either.
    assert.strictEqual((yield* Effect.flip(decide(scope, "open", [["a", 5]])))._tag, "DecisionStale")
  }),

  "the history cannot be changed, and is deleted only with its owner": Effect.gen(function* () {
    const userId = yield* newUser()
    const sql = yield* SqlClient
    const id = yield* reported(userId, [findingOf("a")])
    const scope = yield* FindingStore.use((store) => store.ofAnalysis(reader(userId), id))
    yield* decide(scope, "false_positive", [["a", 0]])
    yield* decide(scope, "open", [["a", 1]])
    yield* Effect.flip(sql`UPDATE finding_decisions SET reason = 'another'`)
    yield* Effect.flip(sql`DELETE FROM finding_decisions`)
    yield* AnalysisStore.use((store) => store.remove(userId, id))
    const store = yield* FindingStore
    assert.deepEqual(
      (yield* store.history(scope, "a")).map(({ decision, decidedBy, version }) => [decision, decidedBy, version]),
      [
        ["open", userId, 2],
        ["false_positive", userId, 1],
      ],
    )
    yield* sql`DELETE FROM users WHERE id = ${userId}::uuid`
    yield* sql`DELETE FROM pools WHERE id = ${userId}::uuid`
    assert.deepEqual(yield* store.history(scope, "a"), [])
  }),

  "decisions carry over to later analyses: the organization's, if there is one": Effect.gen(function* () {
    const [ada, bob] = [yield* newUser(), yield* newUser()]
    const store = yield* FindingStore
    const id = yield* reported(ada, [findingOf("a"), findingOf("b"), findingOf("c")])
    const own = yield* store.ofAnalysis(reader(ada), id)
    yield* decide(own, "false_positive", [["a", 0]])
    const carried = Effect.fnUntraced(function* (userId: UserId) {
      yield* create(userId)
      const job = yield* claim
      const decisions = yield* store.decisions(job, ["c", "a", "b"])
      yield* AnalysisStore.use((analyses) => analyses.remove(userId, job.analysisId))
      return decisions.map(({ decision }) => decision)
    })
    assert.deepEqual(yield* carried(ada), ["open", "false_positive", "open"])
    assert.deepEqual(yield* carried(bob), ["open", "open", "open"])
    const organization = yield* newOrganization(2, [ada, bob])
    assert.deepEqual(yield* carried(ada), ["open", "open", "open"])
    yield* decide(yield* store.ofAnalysis(reader(ada, OrganizationId.make(organization)), id), "accepted_risk", [
      ["b", 0],
    ])
    assert.deepEqual(yield* carried(bob), ["open", "open", "accepted_risk"])
  }),

  "a renamed repository keeps its decisions; one that takes its name starts without any": Effect.gen(function* () {
    const userId = yield* newUser()
    const store = yield* FindingStore
    const [before, after] = [url, "https://github.com/example/renamed"]
    yield* synced(userId, [hosted(1, { url: before })])
    const id = yield* reported(userId, [findingOf("a")])
    const [old] = yield* RepositoryStore.use((repositories) => repositories.list(userId))
    const scope = yield* store.ofRepository(reader(userId), old!.id)
    assert.deepEqual(scope.urls, (yield* store.ofAnalysis(reader(userId), id)).urls)
    yield* decide(scope, "false_positive", [["a", 0]])
    yield* synced(userId, [hosted(1, { url: after }), hosted(2, { url: before })])
    const renamed = yield* store.ofRepository(reader(userId), old!.id)
    assert.deepEqual(standing(yield* list(renamed)), { a: "false_positive" })
    yield* decide(renamed, "open", [["a", 1]])
    assert.deepEqual(
      (yield* store.history(renamed, "a")).map(({ version }) => version),
      [2, 1],
    )
    yield* reported(userId, [findingOf("a")], "main", { repositoryUrl: RepositoryUrl.make(before) })
    const taker = (yield* RepositoryStore.use((repositories) => repositories.list(userId))).find(
      ({ id }) => id !== old!.id,
    )
    assert.deepEqual(standing(yield* list(yield* store.ofRepository(reader(userId), taker!.id))), { a: "open" })
  }),

  "other users' data is invisible unless the organization shares it": Effect.gen(function* () {
    const [ada, bob, eve] = [yield* newUser(), yield* newUser(), yield* newUser()]
    const [store, analyses, repositories] = [yield* FindingStore, yield* AnalysisStore, yield* RepositoryStore]
    const sql = yield* SqlClient
    const organization = yield* newOrganization(2, [ada, bob])
    yield* synced(ada, [hosted(1, { url })])
    const id = yield* reported(ada, [findingOf("a")])
    const [repository] = yield* repositories.list(ada)
    const seenBy = Effect.fnUntraced(function* (userId: UserId) {
      const member = reader(userId, OrganizationId.make(organization))
      const reads = [
        store.ofAnalysis(member, id),
        store.ofRepository(member, repository!.id),
        analyses.progress(userId, id),
        analyses.find(userId, id),
        repositories.find(userId, repository!.id),
      ]
      const outcomes = yield* Effect.forEach(reads, (read) =>
        Effect.result(Effect.asVoid(read as Effect.Effect<unknown, unknown>)),
      )
      const filter = { limit: 10, after: undefined, status: undefined, framework: undefined, repositoryUrl: undefined }
      const listed = yield* analyses.list(userId, { ...filter, shared: true })
      const synced = yield* repositories.list(userId, true)
      return [...outcomes.map(({ _tag }) => _tag === "Success"), listed.length === 1, synced.length === 1]
    })
    const [nothing, everything] = [Array(7).fill(false), Array(7).fill(true)]
    assert.deepEqual(yield* seenBy(ada), everything)
    assert.deepEqual(yield* seenBy(bob), nothing)
    yield* sql`UPDATE organizations SET sharing = true`
    assert.deepEqual(yield* seenBy(bob), everything)
    assert.deepEqual(yield* seenBy(eve), nothing)
    assert.deepEqual(
      standing(yield* list(yield* store.ofAnalysis(reader(bob, OrganizationId.make(organization)), id))),
      { a: "open" },
    )
    // Read-only: another user's analysis can be neither removed nor retried.
    assert.strictEqual((yield* Effect.flip(analyses.remove(bob, id)))._tag, "AnalysisNotFound")
    assert.strictEqual((yield* Effect.flip(analyses.retry(bob, id)))._tag, "AnalysisNotFound")
    const filter = { limit: 10, after: undefined, status: undefined, framework: undefined, repositoryUrl: undefined }
    assert.deepEqual(yield* analyses.list(bob, filter), [])
  }),

  "a result of an earlier release is indexed once": Effect.gen(function* () {
    const userId = yield* newUser()
    const [store, sql] = [yield* FindingStore, yield* SqlClient]
    const id = yield* reported(userId, [])
    yield* sql`UPDATE analysis_results SET indexed = false`
    assert.deepEqual(yield* store.unindexed([id]), [id])
    const findings = [findingOf("a", { location: { file: "a\u0000b\uD800.sol", lineStart: 1, lineEnd: 1 } })]
    yield* Effect.all([store.index(id, findings), store.index(id, findings)], { concurrency: 2 })
    assert.deepEqual(yield* store.unindexed([id]), [])
    assert.deepEqual(
      (yield* list(yield* store.ofAnalysis(reader(userId), id))).map(({ file }) => file),
      ["a\uFFFDb\uFFFD.sol"],
    )
    yield* store.index(AnalysisId.make("00000000-0000-4000-8000-000000000000"), findings)
  }),

  "10,000 findings with decisions can be listed page by page": Effect.gen(function* () {
    const userId = yield* newUser()
    const names = Array.from({ length: 10_000 }, (_, at) => at.toString(16).padStart(16, "0"))
    const id = yield* reported(
      userId,
      names.map((name) => findingOf(name)),
    )
    const store = yield* FindingStore
    const scope = yield* store.ofAnalysis(reader(userId), id)
    yield* decide(
      scope,
      "accepted_risk",
      names.map((name) => [name, 0] as const),
    )
    const page = yield* list(scope, {
      limit: 500,
      decisions: ["accepted_risk"],
      after: [1, "src/Vault.sol", 12, names[8_999]!],
    })
    assert.deepEqual([page.length, page[0]!.fingerprint], [500, names[9_000]])
    assert.deepEqual(page[0]!.version, 1)
    assert.match(decisionEtag(page[0]!.fingerprint, 1), /^"[0-9a-f]{16}\.1"$/)
  }),

  "a repository's state reflects its latest analysis and the decisions, under all of its names": Effect.gen(
    function* () {
      const userId = yield* newUser()
      const [store, overviews] = [yield* FindingStore, yield* Overviews]
      const [before, after] = ["https://github.com/example/vault", "https://github.com/example/renamed"]
      yield* synced(userId, [hosted(1, { url: before }), hosted(2)])
      const first = yield* reported(userId, [findingOf("a"), findingOf("b")], "main", {
        repositoryUrl: RepositoryUrl.make(before),
      })
      yield* decide(yield* store.ofAnalysis(reader(userId), first), "false_positive", [["a", 0]])
      yield* synced(userId, [hosted(1, { url: after }), hosted(2)])
      const [renamed] = yield* overviews.standings(reader(userId))
      assert.deepInclude(renamed, { analysisId: first, openFindings: 1 })
      const found = ["a", "b", "c"].map((fingerprint) => findingOf(fingerprint))
      const second = yield* reported(userId, found, "main", { repositoryUrl: RepositoryUrl.make(after) })
      const standings = yield* overviews.standings(reader(userId))
      assert.deepEqual(
        standings.map(({ analysisId, openFindings }) => [analysisId, openFindings]),
        [[second, 2]],
      )
    },
  ),

  "an overview counts open findings, and two analyses can be compared": Effect.gen(function* () {
    const userId = yield* newUser()
    const [store, overviews, sql] = [yield* FindingStore, yield* Overviews, yield* SqlClient]
    const old = yield* reported(userId, [findingOf("a"), findingOf("fixed", { severity: "low" })])
    yield* sql`UPDATE analyses SET completed_at = now() - interval '8 days', created_at = now() - interval '8 days'`
    const id = yield* reported(userId, [findingOf("a"), findingOf("b", { severity: "critical" }), findingOf("false")])
    yield* reported(userId, [findingOf("a")], "feature", { branch: "feature" })
    yield* decide(yield* store.ofAnalysis(reader(userId), id), "false_positive", [["false", 0]])
    const { openFindings, newFindings, trend, recent } = yield* overviews.overview(reader(userId))
    assert.deepEqual(openFindings, { critical: 1, high: 1, medium: 0, low: 0, informational: 0 })
    assert.deepEqual(newFindings, { critical: 1, high: 0, medium: 0, low: 0, informational: 0 })
    assert.deepEqual(
      trend.slice(-3).map(({ counts }) => counts.critical),
      [0, 1, 1],
    )
    assert.strictEqual(trend.length, 12)
    assert.strictEqual(recent.length, 3)
    const compared = yield* overviews.compare(id, old)
    assert.deepEqual(compared.counts, { new: 2, fixed: 1, unchanged: 1 })
    assert.deepEqual(
      compared.new.map(({ fingerprint }) => fingerprint),
      ["b", "false"],
    )
    assert.deepEqual(yield* overviews.unindexed(reader(userId)), [])
    const nobody = yield* overviews.overview(reader(yield* newUser()))
    assert.deepEqual([nobody.openFindings.high, nobody.trend.length, nobody.recent.length], [0, 12, 0])
  }),
}
