import * as Schema from "effect/Schema"
import { AnalyzedRepository, AnalysisStatus, AnalysisType } from "../../../domain/analysis/Analysis.ts"
import { ResultSummary } from "../../../domain/finding/ResultSummary.ts"
import { Coverage } from "../../../domain/analysis/Coverage.ts"
import { Framework } from "../../../domain/analysis/Framework.ts"
import { Stage } from "../../../domain/analysis/Stage.ts"
import { Category } from "../../../domain/finding/Category.ts"
import { Decision, DecisionKind } from "../../../domain/finding/Decision.ts"
import { Finding, Location, SuppressedFinding, TraceStep } from "../../../domain/finding/Finding.ts"
import { FindingStatus } from "../../../domain/finding/FindingStatus.ts"
import { Confidence, Severity } from "../../../domain/finding/Severity.ts"
import { scopes } from "../../../domain/identity/Caller.ts"
import { Role } from "../../../domain/identity/Organization.ts"
import { PlanId } from "../../../domain/plan/Plan.ts"
import { SubscriptionStatus } from "../../../domain/plan/Subscription.ts"
import { Counts } from "../contract/OverviewGroup.ts"
import { isJson, type Json } from "./json.ts"
import { type Names, nameSchema, tidySchema } from "./tidySchema.ts"

/** What the domain has a name for: each becomes one model of the document wherever it stands. Parts before wholes. */
const domain: Readonly<Record<string, Schema.Top>> = {
  AnalysisState: AnalysisStatus,
  AnalysisType,
  Framework,
  Stage,
  Severity,
  Confidence,
  Category,
  FindingStatus,
  DecisionKind,
  Decision,
  PlanId,
  SubscriptionState: SubscriptionStatus,
  Role,
  Scope: Schema.Literals(scopes),
  Counts,
  Location,
  TraceStep,
  Finding,
  SuppressedFinding,
  Summary: ResultSummary,
  AnalyzedRepository,
  Coverage,
}

export const jsonSchemaOf = (schema: Schema.Top): Json => {
  const { schema: json, definitions } = Schema.toJsonSchemaDocument(schema)
  const [reference] = typeof json["$ref"] === "string" ? [json["$ref"].slice(json["$ref"].lastIndexOf("/") + 1)] : []
  return reference === undefined ? json : (definitions[reference] ?? json)
}

const build = () => {
  const names: Names = new Map()
  const schemas: Record<string, Json> = {}
  for (const [name, schema] of Object.entries(domain)) {
    const tidied = tidySchema(jsonSchemaOf(schema), names, true)
    if (!isJson(tidied)) continue
    schemas[name] = tidied
    nameSchema(names, name, tidied)
  }
  return { names, domainSchemas: schemas }
}

/** The named schemas of the domain, and the table that finds them again. */
export const { names, domainSchemas } = build()
