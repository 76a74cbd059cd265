import { openApiDocument } from "../openapi/document.ts"
import { docsPage, docsPolicy } from "./docsPage.ts"
import { fixedDocument } from "./fixedDocument.ts"

export const openapi = fixedDocument(JSON.stringify(openApiDocument), "application/json")
export const docs = fixedDocument(docsPage(openApiDocument), "text/html; charset=utf-8", {
  "content-security-policy": docsPolicy,
  "referrer-policy": "no-referrer",
})
