import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import { AnalysisGroup, BadgeGroup } from "./AnalysisGroup.ts"
import { DocumentationGroup } from "./DocumentationGroup.ts"
import { HealthGroup } from "./HealthGroup.ts"
import { RulesGroup } from "./RulesGroup.ts"

/** The whole HTTP interface: what the server serves, the OpenAPI document describes and the dashboard calls. */
export class Api extends HttpApi.make("assay")
  .add(AnalysisGroup)
  .add(BadgeGroup)
  .add(RulesGroup)
  .add(HealthGroup)
  .add(DocumentationGroup)
  .annotateMerge(
    OpenApi.annotations({
      title: "Assay",
      version: "1.0.0",
      summary: "Finds security problems in smart contracts before attackers do.",
      license: { name: "MIT" },
    }),
  ) {}
