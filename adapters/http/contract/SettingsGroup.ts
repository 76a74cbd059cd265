import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { TokenKind } from "../../../domain/repository/HostingToken.ts"
import { callerFailures, failures } from "./errors.ts"
import { Text, Timestamp } from "./text.ts"
import { noContent, withStatus } from "./status.ts"

export const SetHostingToken = Schema.Struct({
  token: Text.annotate({
    description:
      "Requires the scope `repo`, or `public_repo` for public repositories only. The token is never shown again.",
  }),
}).annotate({ identifier: "SetHostingToken" })

export const HostingTokenView = Schema.Struct({
  configured: Schema.Boolean,
  kind: Schema.optionalKey(TokenKind),
  account: Schema.optionalKey(
    Schema.String.annotate({ description: "The account that the token belongs to; absent for an installation token." }),
  ),
  scopes: Schema.optionalKey(
    Schema.Array(Schema.String).annotate({
      description: "Scopes of the token; absent for tokens with permissions instead of scopes.",
    }),
  ),
  updatedAt: Schema.optionalKey(Timestamp),
}).annotate({ identifier: "HostingToken" })
export type HostingTokenView = typeof HostingTokenView.Type

export const WebhookSecretView = Schema.Struct({
  configured: Schema.Boolean,
  createdAt: Schema.optionalKey(Timestamp),
  previousValidUntil: Schema.optionalKey(
    Timestamp.annotate({ description: "When the previous secret stops signing." }),
  ),
}).annotate({ identifier: "WebhookSecret" })
export type WebhookSecretView = typeof WebhookSecretView.Type

export const NewWebhookSecretView = Schema.Struct({
  secret: Schema.String.annotate({
    description: "`whsec_` followed by base64, as Standard Webhooks libraries expect. The secret is not shown again.",
  }),
  ...WebhookSecretView.fields,
}).annotate({ identifier: "NewWebhookSecret" })
export type NewWebhookSecretView = typeof NewWebhookSecretView.Type

const describe = (summary: string, description: string) => OpenApi.annotations({ summary, description })
const path = "/api/v1/settings/hosting-token"
const secretPath = "/api/v1/settings/webhook-secret"

export class SettingsGroup extends HttpApiGroup.make("settings")
  .add(
    HttpApiEndpoint.get("hostingToken", path, {
      success: HostingTokenView,
      error: failures(...callerFailures),
    }).annotateMerge(describe("The hosting token", "Whether one is set, its kind and scopes; never the token itself.")),
    HttpApiEndpoint.put("setHostingToken", path, {
      payload: SetHostingToken,
      success: HostingTokenView,
      error: failures(...callerFailures, "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "HOSTING_UNAVAILABLE"),
    }).annotateMerge(
      describe(
        "Set the hosting token",
        "Verifies the token with the hosting service and stores it encrypted, replacing the previous one.",
      ),
    ),
    HttpApiEndpoint.delete("removeHostingToken", path, {
      success: noContent("Done."),
      error: failures(...callerFailures),
    }).annotateMerge(describe("Remove the hosting token", "The records of your repositories stay.")),
    HttpApiEndpoint.get("webhookSecret", secretPath, {
      success: WebhookSecretView,
      error: failures(...callerFailures),
    }).annotateMerge(
      describe("The webhook secret", "Whether a secret exists, and since when; never the secret itself."),
    ),
    HttpApiEndpoint.post("rotateWebhookSecret", secretPath, {
      success: NewWebhookSecretView.pipe(withStatus(201)),
      error: failures(...callerFailures),
    }).annotateMerge(
      describe(
        "Create a new webhook secret",
        "Signs your notifications. For 24 hours, they carry signatures with both the new and the old secret.",
      ),
    ),
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Settings", description: "Tokens and secrets that the service stores for you." }),
  ) {}
