import * as Effect from "effect/Effect"
import { DocumentationGroup } from "../contract/DocumentationGroup.ts"
import { docsPage, docsPolicy } from "../pages/docsPage.ts"
import { publicEndpoints } from "../serving/endpoints.ts"
import { fixedDocument } from "../pages/fixedDocument.ts"
import { openApiDocument } from "../openapi/document.ts"

const openapi = fixedDocument(JSON.stringify(openApiDocument), "application/json")
const docs = fixedDocument(docsPage(openApiDocument), "text/html; charset=utf-8", {
  "content-security-policy": docsPolicy,
  "referrer-policy": "no-referrer",
})

export const documentationRoutes = publicEndpoints(DocumentationGroup, {
  openapi: ({ request }) => Effect.succeed(openapi(request)),
  docs: ({ request }) => Effect.succeed(docs(request)),
})
