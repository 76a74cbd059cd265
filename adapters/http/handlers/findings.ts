import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { json, withHeader } from "../answer/answer.ts"
import { decideFindings } from "../../../application/finding/decideFindings.ts"
import {
  checkRequest,
  type FindingsRequest,
  getFinding,
  listFindings,
} from "../../../application/finding/readFindings.ts"
import { FindingStore, type TrackedFinding } from "../../../application/ports/finding/FindingStore.ts"
import type { Caller } from "../../../domain/identity/Caller.ts"
import { type Decision, decisionEtag, type DecisionRecord } from "../../../domain/finding/Decision.ts"
import { findingId } from "../../../domain/finding/Fingerprint.ts"
import {
  AnalysisFindingsGroup,
  Decide,
  DecideSeveral,
  type FindingDetail,
  type FindingItem,
  FindingsGroup,
} from "../contract/FindingsGroup.ts"
import { callerEndpoints } from "../serving/endpoints.ts"
import { jsonBody } from "../request/jsonBody.ts"
import { nextPage } from "../answer/nextPage.ts"
import { type Problem, Refusal } from "../request/Problem.ts"
import type { AnalysisId, RepositoryId } from "../../../domain/ids/Ids.ts"

const itemOf = (finding: TrackedFinding): FindingItem => ({
  fingerprint: finding.fingerprint,
  id: findingId(finding.fingerprint),
  ruleId: finding.ruleId,
  title: finding.title,
  severity: finding.severity,
  confidence: finding.confidence,
  category: finding.category,
  location: { file: finding.file, lineStart: finding.lineStart, lineEnd: finding.lineEnd },
  status: finding.status,
  branches: finding.branches,
  analysisId: finding.analysisId,
  foundAt: finding.foundAt.toISOString(),
  decision: finding.decision,
  etag: decisionEtag(finding.fingerprint, finding.version),
})

const recordView = ({ decision, reason, decidedBy, decidedAt, expiresAt }: DecisionRecord): Decision => ({
  decision,
  ...(reason === undefined ? {} : { reason }),
  decidedBy,
  decidedAt: decidedAt.toISOString(),
  ...(expiresAt === undefined ? {} : { expiresAt: expiresAt.toISOString() }),
})

const detailOf = ({ finding, history }: { finding: TrackedFinding; history: ReadonlyArray<DecisionRecord> }) =>
  json({ ...itemOf(finding), history: history.map(recordView) } satisfies FindingDetail)

const readOne = jsonBody(Decide)
const readSeveral = jsonBody(DecideSeveral)

const preconditionRequired: Problem = {
  code: "PRECONDITION_REQUIRED",
  message: "Send the finding's etag in the If-Match header.",
}

/** The one strong tag that `If-Match` names, or undefined for any state (RFC 9110, section 13.1.1). */
const seenState = (ifMatch: string | undefined) =>
  ifMatch === undefined
    ? Effect.fail(new Refusal({ problem: preconditionRequired }))
    : Effect.succeed(ifMatch.trim() === "*" ? undefined : ifMatch.trim())

type FoundIn = ReturnType<typeof ofRepository> | ReturnType<typeof ofAnalysis>

const list = Effect.fnUntraced(function* (scope: FoundIn, query: FindingsRequest, request: HttpServerRequest) {
  const asked = yield* checkRequest(query)
  const { items, nextCursor } = yield* listFindings(yield* scope, asked)
  const response = json(items.map(itemOf))
  return nextCursor === undefined ? response : withHeader(response, "link", yield* nextPage(request, nextCursor))
})

interface Given extends Pick<typeof Decide.Type, "decision"> {
  readonly reason?: string
  readonly expiresAt?: string
}

const verdictOf = ({ decision, reason, expiresAt }: Given) => ({
  decision,
  reason,
  expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt),
})

const decide = Effect.fnUntraced(function* (
  scope: FoundIn,
  fingerprint: string,
  ifMatch: string | undefined,
  request: HttpServerRequest,
  analysisId?: AnalysisId,
) {
  const verdict = verdictOf(yield* readOne(request))
  const etag = yield* seenState(ifMatch)
  const known = yield* scope
  yield* decideFindings(known, verdict, [{ fingerprint, etag }], analysisId)
  return detailOf(yield* getFinding(known, fingerprint, analysisId))
})

const decideSeveral = Effect.fnUntraced(function* (
  scope: FoundIn,
  request: HttpServerRequest,
  analysisId?: AnalysisId,
) {
  const { findings, ...given } = yield* readSeveral(request)
  return json((yield* decideFindings(yield* scope, verdictOf(given), findings, analysisId)).map(itemOf))
})

const ofRepository = (caller: Caller, id: RepositoryId) => FindingStore.use((store) => store.ofRepository(caller, id))
const ofAnalysis = (caller: Caller, id: AnalysisId) => FindingStore.use((store) => store.ofAnalysis(caller, id))

export const findingsRoutes = callerEndpoints(FindingsGroup, {
  list: ({ caller, params, query, request }) => list(ofRepository(caller, params.id), query, request),
  one: Effect.fnUntraced(function* ({ caller, params }) {
    return detailOf(yield* getFinding(yield* ofRepository(caller, params.id), params.fingerprint))
  }),
  decide: ({ caller, params, headers, request }) =>
    decide(ofRepository(caller, params.id), params.fingerprint, headers["if-match"], request),
  decideSeveral: ({ caller, params, request }) => decideSeveral(ofRepository(caller, params.id), request),
})

export const analysisFindingsRoutes = callerEndpoints(AnalysisFindingsGroup, {
  list: ({ caller, params, query, request }) => list(ofAnalysis(caller, params.id), query, request),
  one: Effect.fnUntraced(function* ({ caller, params }) {
    return detailOf(yield* getFinding(yield* ofAnalysis(caller, params.id), params.fingerprint, params.id))
  }),
  decide: ({ caller, params, headers, request }) =>
    decide(ofAnalysis(caller, params.id), params.fingerprint, headers["if-match"], request, params.id),
  decideSeveral: ({ caller, params, request }) => decideSeveral(ofAnalysis(caller, params.id), request, params.id),
})
