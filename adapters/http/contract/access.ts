import * as Context from "effect/Context"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import type { Caller } from "../../../domain/identity/Caller.ts"

/** Who makes the request. */
export class CurrentCaller extends Context.Service<CurrentCaller, Caller>()("assay/http/CurrentCaller") {}

/** Endpoints for everybody, limited by address. */
export class PublicAccess extends HttpApiMiddleware.Service<PublicAccess>()("assay/http/PublicAccess") {}

/** Endpoints that need `Authorization: Bearer <token>`, limited by user. */
export class CallerAccess extends HttpApiMiddleware.Service<CallerAccess, { provides: CurrentCaller }>()(
  "assay/http/CallerAccess",
) {}
