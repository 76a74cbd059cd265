import * as Effect from "effect/Effect"
import { type CatalogEntry, RuleCatalog } from "../../../application/ports/analysis/RuleCatalog.ts"
import { oncePer } from "../../../domain/detection/oncePer.ts"
import type { Category } from "../../../domain/finding/Category.ts"
import { RulesGroup, type RuleView } from "../contract/RulesGroup.ts"
import { publicEndpoints } from "../serving/endpoints.ts"
import { fixedDocument } from "../pages/fixedDocument.ts"
import { type Problem, Refusal } from "../request/Problem.ts"

const view = (rule: CatalogEntry): RuleView => {
  const [framework, category] = rule.id.split("/")
  return {
    ruleId: rule.id,
    framework: framework!,
    category: category as Category, // the type of an id says that its second segment is one
    title: rule.title,
    severity: rule.severity,
    confidence: rule.confidence,
    cwe: rule.cwe,
    ...(rule.swc === undefined ? {} : { swc: rule.swc }),
    description: rule.description,
    remediation: rule.remediation,
    references: rule.references,
  }
}

const unknown: Problem = { code: "NOT_FOUND", message: "No such rule. See GET /api/v1/rules for a list." }

/** The documents about all rules and about each. */
const documentsOf = (rules: ReadonlyArray<CatalogEntry>) => {
  const document = (value: RuleView | ReadonlyArray<RuleView>) =>
    fixedDocument(JSON.stringify(value), "application/json")
  const all = document(rules.map(view).toSorted((a, b) => (a.ruleId < b.ruleId ? -1 : 1)))
  const single = new Map(rules.map((rule) => [rule.id as string, document({ ...view(rule), examples: rule.examples })]))
  return { all, single }
}

export const rulesRoutes = Effect.gen(function* () {
  const documents = Effect.map(yield* RuleCatalog, oncePer(documentsOf))
  return yield* publicEndpoints(RulesGroup, {
    list: ({ request }) => Effect.map(documents, ({ all }) => all(request)),
    one: ({ params, request }) =>
      Effect.flatMap(documents, ({ single }) => {
        const respond = single.get(`${params.framework}/${params.category}/${params.rule}`)
        return respond === undefined ? Effect.fail(new Refusal({ problem: unknown })) : Effect.succeed(respond(request))
      }),
  })
})
