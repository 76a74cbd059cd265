import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { Category } from "../../../domain/finding/Category.ts"
import { Confidence, Severity } from "../../../domain/finding/Severity.ts"
import { failures, publicFailures } from "./errors.ts"
import { Text } from "./text.ts"

export const RuleView = Schema.Struct({
  ruleId: Schema.String,
  framework: Schema.String,
  category: Category,
  title: Schema.String,
  severity: Severity,
  confidence: Confidence,
  cwe: Schema.Array(Schema.Int),
  swc: Schema.optionalKey(Schema.Int),
  description: Schema.String,
  remediation: Schema.String,
  references: Schema.Array(Schema.String),
  examples: Schema.optionalKey(
    Schema.Struct({ vulnerable: Schema.String, safe: Schema.String }).annotate({
      description: "Examples, for a single rule only. `// FINDING` marks the flagged lines.",
    }),
  ),
}).annotate({ identifier: "Rule" })
export type RuleView = typeof RuleView.Type

const segment = Text.check(Schema.isMaxLength(100))

export class RulesGroup extends HttpApiGroup.make("rules")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/rules", {
      success: Schema.Array(RuleView),
      error: failures(...publicFailures),
    }).annotateMerge(OpenApi.annotations({ summary: "List all rules", description: "Every rule, sorted by id." })),
    HttpApiEndpoint.get("one", "/api/v1/rules/:framework/:category/:rule", {
      params: { framework: segment, category: segment, rule: segment },
      success: RuleView,
      error: failures(...publicFailures, "VALIDATION_ERROR", "NOT_FOUND"),
    }).annotateMerge(
      OpenApi.annotations({ summary: "Get a rule", description: "A `ruleId` is `<framework>/<category>/<rule>`." }),
    ),
  )
  .annotateMerge(OpenApi.annotations({ title: "Rules", description: "The problems that the service detects." })) {}
