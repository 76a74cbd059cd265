import * as Effect from "effect/Effect"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { categories } from "../../domain/finding/Category.ts"
import { DecisionKind } from "../../domain/finding/Decision.ts"
import { FindingStatus } from "../../domain/finding/FindingStatus.ts"
import { severities } from "../../domain/finding/Severity.ts"
import { severityRank } from "../../domain/finding/severityRank.ts"
import { type FieldIssue, InvalidInput } from "../InvalidInput.ts"
import {
  type FindingFilter,
  FindingNotFound,
  type FindingOrder,
  findingOrders,
  type FindingScope,
  FindingStore,
  type TrackedFinding,
} from "../ports/finding/FindingStore.ts"
import { indexResults } from "./indexResults.ts"
import type { AnalysisId } from "../../domain/ids/Ids.ts"

/** As given in a query: lists with commas, validated here. */
export interface FindingsRequest {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly sort?: FindingOrder | undefined
  readonly severity?: string | undefined
  readonly category?: string | undefined
  readonly rule?: string | undefined
  readonly status?: string | undefined
  readonly decision?: string | undefined
  readonly branch?: string | undefined
  readonly path?: string | undefined
  readonly analysis?: AnalysisId | undefined
}

const everyFinding: FindingFilter = {
  order: "severity",
  limit: 1,
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

/** The analyses whose findings are read, ready to be listed. */
export const reportingAnalyses = Effect.fnUntraced(function* (scope: FindingScope, analysisId: AnalysisId | undefined) {
  const analyses = yield* FindingStore.use((store) => store.analyses(scope, analysisId))
  yield* indexResults(analyses.filter(({ indexed }) => !indexed).map((analysis) => analysis.analysisId))
  return analyses
})

const listOf = <A extends string>(
  field: string,
  text: string | undefined,
  known: ReadonlyArray<A>,
  fields: Array<FieldIssue>,
): ReadonlyArray<A> | undefined => {
  if (text === undefined) return undefined
  const names = text.split(",")
  const found = known.filter((name) => names.includes(name))
  if (names.some((name) => !known.some((one) => one === name))) {
    fields.push({ field, message: `must be one or more of ${known.join(", ")}, separated by commas` })
  }
  return found
}

const Position = Schema.fromJsonString(Schema.Array(Schema.Union([Schema.String, Schema.Int])))
const decodePosition = Schema.decodeUnknownOption(Position)
const numeric: ReadonlyArray<string> = ["severity", "line_start", "-age"]

const positionOf = (order: FindingOrder, cursor: string): ReadonlyArray<string | number> | undefined => {
  const text = Result.getOrElse(Base64Url.decodeString(cursor), () => "")
  const position = Option.getOrUndefined(decodePosition(text))
  const names = findingOrders[order]
  const fits =
    position?.length === names.length &&
    names.every((name, at) => {
      const value = position[at]!
      if (!numeric.includes(name)) return typeof value === "string" && !value.includes("\0") && value.isWellFormed()
      return typeof value === "number" && Math.abs(value) < (name === "-age" ? 1e11 : 2 ** 31)
    })
  return fits ? position : undefined
}

const cursorOf = (order: FindingOrder, finding: TrackedFinding): string => {
  const values: Readonly<Record<string, string | number>> = {
    severity: severityRank(finding.severity),
    file: finding.file,
    line_start: finding.lineStart,
    fingerprint: finding.fingerprint,
    "-age": -Math.round(finding.foundAt.getTime() / 1000),
  }
  return Base64Url.encode(JSON.stringify(findingOrders[order].map((name) => values[name])))
}

const decisionKinds = DecisionKind.literals
const statuses = FindingStatus.literals

/** What a valid request asks for, determined before the repository is known. */
export const checkRequest = Effect.fnUntraced(function* (request: FindingsRequest) {
  const fields: Array<FieldIssue> = []
  const order = request.sort ?? "severity"
  const after = request.cursor === undefined ? undefined : positionOf(order, request.cursor)
  if (request.cursor !== undefined && after === undefined) {
    fields.push({ field: "cursor", message: "is not a cursor that a list response returned for this sort order" })
  }
  const limit = request.limit ?? 100
  const path = request.path?.endsWith("/") === true ? request.path.slice(0, -1) : request.path
  const filter: FindingFilter = {
    order,
    limit: limit + 1,
    after,
    severities: listOf("severity", request.severity, severities, fields),
    categories: listOf("category", request.category, categories, fields),
    rules: request.rule?.split(","),
    statuses: listOf("status", request.status, statuses, fields),
    decisions: listOf("decision", request.decision, decisionKinds, fields),
    branch: request.branch,
    path: path === "" ? undefined : path,
    fingerprints: undefined,
  }
  if (fields.length > 0) return yield* new InvalidInput({ fields })
  return { filter, limit, analysisId: request.analysis }
})

/** One page of the findings of a repository that a request selects. */
export const listFindings = Effect.fn("listFindings")(function* (
  scope: FindingScope,
  { filter, limit, analysisId }: Effect.Success<ReturnType<typeof checkRequest>>,
) {
  const analyses = yield* reportingAnalyses(scope, analysisId)
  const found = yield* FindingStore.use((store) => store.list(scope, analyses, filter))
  const items = found.slice(0, limit)
  return { items, nextCursor: found.length > limit ? cursorOf(filter.order, items.at(-1)!) : undefined }
})

/** Findings by fingerprint: from the latest analyses, or else from any other of the repository's. */
export const findFindings = Effect.fnUntraced(function* (
  scope: FindingScope,
  fingerprints: ReadonlyArray<string>,
  analysisId?: AnalysisId,
) {
  const store = yield* FindingStore
  const filter = { ...everyFinding, limit: fingerprints.length, fingerprints }
  const latest = yield* store.list(scope, yield* reportingAnalyses(scope, undefined), filter)
  const missing = fingerprints.filter((one) => !latest.some(({ fingerprint }) => fingerprint === one))
  const named =
    missing.length === 0 || analysisId === undefined
      ? []
      : yield* store.list(scope, yield* reportingAnalyses(scope, analysisId), { ...filter, fingerprints: missing })
  const found = [...latest, ...named]
  const unknown = missing.filter((one) => !named.some(({ fingerprint }) => fingerprint === one))
  if (unknown.length > 0) return yield* new FindingNotFound({ fingerprints: unknown })
  return found
})

/** One finding with the history of its decisions. */
export const getFinding = Effect.fn("getFinding")(function* (
  scope: FindingScope,
  fingerprint: string,
  analysisId?: AnalysisId,
) {
  const [finding] = yield* findFindings(scope, [fingerprint], analysisId)
  if (finding === undefined) return yield* new FindingNotFound({ fingerprints: [fingerprint] })
  return { finding, history: yield* FindingStore.use((store) => store.history(scope, fingerprint)) }
})
