import { timingSafeEqual } from "node:crypto"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import { csrfTokenOf } from "../../../application/identity/session.ts"
import { authenticationFailed } from "./authenticationMetrics.ts"
import { type Problem, Refusal } from "../request/Problem.ts"

const problem: Problem = {
  code: "FORBIDDEN",
  message:
    "Requests with a session that change anything must send the X-CSRF-Token header with the value from GET /api/v1/me.",
}

const refused = Effect.suspend(() => {
  authenticationFailed("csrf")
  return Effect.fail(new Refusal({ problem }))
})

const isSafe = (method: string): boolean => method === "GET" || method === "HEAD" || method === "OPTIONS"

/** Refuses requests that another site could have made the browser send with the session cookie. */
export const checkCsrf = (
  request: HttpServerRequest.HttpServerRequest,
  sessionSecret: string,
): Effect.Effect<void, Refusal> => {
  if (isSafe(request.method)) return Effect.void
  const given = request.headers["x-csrf-token"]
  if (given === undefined) return refused
  const [left, right] = [Buffer.from(given), Buffer.from(csrfTokenOf(sessionSecret))]
  return left.length === right.length && timingSafeEqual(left, right) ? Effect.void : refused
}
