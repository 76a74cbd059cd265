import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Api } from "../contract/Api.ts"
import { docsPage, docsPolicy } from "../docsPage.ts"
import { fixedDocument } from "../fixedDocument.ts"
import { openApiDocument } from "../openapi.ts"

export const documentationHandlers = HttpApiBuilder.group(Api, "documentation", (handlers) => {
  const openapi = fixedDocument(JSON.stringify(openApiDocument), "application/json")
  const docs = fixedDocument(docsPage(openApiDocument), "text/html; charset=utf-8", {
    "content-security-policy": docsPolicy,
    "referrer-policy": "no-referrer",
  })
  return handlers
    .handle("openapi", ({ request }) => Effect.succeed(openapi(request)))
    .handle("docs", ({ request }) => Effect.succeed(docs(request)))
})
