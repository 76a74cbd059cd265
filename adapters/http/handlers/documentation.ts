import * as Effect from "effect/Effect"
import { DocumentationGroup } from "../contract/DocumentationGroup.ts"
import { publicEndpoints } from "../serving/endpoints.ts"

/** Made for the first who reads them: it takes a tenth of what a start does. */
const documents = Effect.promise(() => import("../pages/documents.ts"))

export const documentationRoutes = publicEndpoints(DocumentationGroup, {
  openapi: ({ request }) => Effect.map(documents, ({ openapi }) => openapi(request)),
  docs: ({ request }) => Effect.map(documents, ({ docs }) => docs(request)),
})
