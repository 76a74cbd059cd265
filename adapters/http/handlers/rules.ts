import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { RuleCatalogue } from "../../../application/ports/RuleCatalogue.ts"
import type { RuleMeta } from "../../../domain/detection/Rule.ts"
import type { Category } from "../../../domain/finding/Category.ts"
import { Api } from "../contract/Api.ts"
import type { RuleView } from "../contract/RulesGroup.ts"
import { CurrentExchange } from "../Exchange.ts"
import { fixedDocument } from "../fixedDocument.ts"
import { problemResponse } from "../Problem.ts"

const view = (rule: RuleMeta): RuleView => {
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

export const rulesHandlers = HttpApiBuilder.group(Api, "rules", (handlers) =>
  Effect.map(RuleCatalogue, (rules) => {
    const document = (value: unknown) => fixedDocument(JSON.stringify(value), "application/json")
    const views = rules.map(view).sort((a, b) => (a.ruleId < b.ruleId ? -1 : 1))
    const all = document(views)
    const single = new Map(views.map((rule) => [rule.ruleId, document(rule)]))
    return handlers
      .handle("list", ({ request }) => Effect.succeed(all(request)))
      .handle("one", ({ params, request }) =>
        Effect.map(CurrentExchange, (exchange) => {
          const respond = single.get(`${params.framework}/${params.category}/${params.rule}`)
          return respond === undefined
            ? problemResponse(exchange, { code: "NOT_FOUND", message: "There is no such rule. GET /api/v1/rules lists them." })
            : respond(request)
        }),
      )
  }),
)
