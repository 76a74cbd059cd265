import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { empty, json } from "../answer/answer.ts"
import * as webhookSecret from "../../../application/notification/webhookSecret.ts"
import * as manageHostingToken from "../../../application/repositories/manageHostingToken.ts"
import {
  type HostingTokenView,
  type NewWebhookSecretView,
  SetHostingToken,
  SettingsGroup,
  type WebhookSecretView,
} from "../contract/SettingsGroup.ts"
import { callerEndpoints } from "../serving/endpoints.ts"
import { jsonBody } from "../request/jsonBody.ts"

const readToken = jsonBody(SetHostingToken)

const view = ({ kind, account, scopes, updatedAt }: manageHostingToken.HostingTokenView): HostingTokenView => ({
  configured: true,
  kind,
  ...(account === undefined ? {} : { account }),
  ...(scopes === undefined ? {} : { scopes }),
  updatedAt: updatedAt.toISOString(),
})

const none: HostingTokenView = { configured: false }

const secretView = ({ createdAt, previousValidUntil }: webhookSecret.WebhookSecretView): WebhookSecretView => ({
  configured: true,
  createdAt: createdAt.toISOString(),
  ...(previousValidUntil === undefined ? {} : { previousValidUntil: previousValidUntil.toISOString() }),
})

const noSecret: WebhookSecretView = { configured: false }

export const settingsRoutes = callerEndpoints(SettingsGroup, {
  hostingToken: ({ caller }) =>
    Effect.map(manageHostingToken.getHostingToken(caller), (token) =>
      json(Option.match(token, { onNone: () => none, onSome: view })),
    ),

  setHostingToken: Effect.fnUntraced(function* ({ caller, request }) {
    const { token } = yield* readToken(request)
    return json(view(yield* manageHostingToken.setHostingToken(caller.userId, token)))
  }),

  removeHostingToken: ({ caller }) => Effect.as(manageHostingToken.removeHostingToken(caller), empty(204)),

  webhookSecret: ({ caller }) =>
    Effect.map(webhookSecret.getWebhookSecret(caller), (secret) =>
      json(Option.match(secret, { onNone: () => noSecret, onSome: secretView })),
    ),

  rotateWebhookSecret: ({ caller }) =>
    Effect.map(webhookSecret.rotateWebhookSecret(caller), ({ secret, ...made }) =>
      json({ secret, ...secretView(made) } satisfies NewWebhookSecretView, 201),
    ),
})
