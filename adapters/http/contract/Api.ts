import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import { AccountGroup, ApiKeysGroup, InvitationsGroup, OrganizationsGroup } from "./AccountGroups.ts"
import { AnalysisGroup, BadgeGroup } from "./AnalysisGroup.ts"
import { DeliveriesGroup } from "./DeliveriesGroup.ts"
import { DocumentationGroup } from "./DocumentationGroup.ts"
import { AnalysisFindingsGroup, FindingsGroup } from "./FindingsGroup.ts"
import { HealthGroup } from "./HealthGroup.ts"
import { OverviewGroup } from "./OverviewGroup.ts"
import { RepositoriesGroup } from "./RepositoriesGroup.ts"
import { RulesGroup } from "./RulesGroup.ts"
import { SignInGroup } from "./SignInGroup.ts"
import { BillingEventsGroup, SubscriptionsGroup } from "./SubscriptionsGroup.ts"
import { SettingsGroup } from "./SettingsGroup.ts"

/** The whole HTTP interface: what the server serves, the OpenAPI document describes and the dashboard calls. */
export class Api extends HttpApi.make("assay")
  .add(AnalysisGroup)
  .add(BadgeGroup)
  .add(DeliveriesGroup)
  .add(RepositoriesGroup)
  .add(FindingsGroup)
  .add(AnalysisFindingsGroup)
  .add(OverviewGroup)
  .add(SettingsGroup)
  .add(RulesGroup)
  .add(SubscriptionsGroup)
  .add(BillingEventsGroup)
  .add(AccountGroup)
  .add(ApiKeysGroup)
  .add(OrganizationsGroup)
  .add(InvitationsGroup)
  .add(SignInGroup)
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
