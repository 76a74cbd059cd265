import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { failures, publicFailures } from "./errors.ts"

export class DocumentationGroup extends HttpApiGroup.make("documentation")
  .add(
    HttpApiEndpoint.get("openapi", "/openapi.json", {
      success: Schema.Record(Schema.String, Schema.Unknown),
      error: failures(...publicFailures),
    }).annotateMerge(
      OpenApi.annotations({ summary: "OpenAPI document", description: "This document, in OpenAPI 3.1." }),
    ),
    HttpApiEndpoint.get("docs", "/docs", {
      success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/html; charset=utf-8" })),
      error: failures(...publicFailures),
    }).annotateMerge(OpenApi.annotations({ summary: "API reference", description: "Works offline, without scripts." })),
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Documentation", description: "Reference documentation of this API." }),
  ) {}
