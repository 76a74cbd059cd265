import type { IncomingMessage } from "node:http"
import { type Problem, validationProblem } from "./Problem.ts"

/** More than any browser, client or chain of proxies sends. */
const mostHeaders = 100

const closing = (message: string): Problem => ({ ...validationProblem(message), headers: { connection: "close" } })

const tooMany = closing(`The request has more than ${mostHeaders} headers.`)
const oneHost = closing("A request of HTTP/1.1 must have one Host header.")
const notThere: Problem = {
  code: "NOT_FOUND",
  message: "There is no such endpoint: a path has neither parameters after ; nor a fragment. GET /docs lists them.",
}

/** Node keeps the first of several; the header's place says which one a proxy before us went by. */
const hostHeaders = (rawHeaders: ReadonlyArray<string>): number => {
  let found = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.length === 4 && rawHeaders[i]!.toLowerCase() === "host") found++
  }
  return found
}

/**
 * What is wrong with a request as such, whatever it asks for: what Node's parser lets pass, or would answer without a
 * body (RFC 9112, section 3.2), or would cut off in silence.
 */
export const transportObjection = (source: IncomingMessage, path: string): Problem | undefined => {
  const { rawHeaders } = source
  if (rawHeaders.length > 2 * mostHeaders) return tooMany
  const hosts = hostHeaders(rawHeaders)
  if (hosts > 1 || (hosts === 0 && source.httpVersionMinor > 0)) return oneHost
  // The router would read on from there as from the question mark of a query.
  return path.includes(";") || path.includes("#") ? notThere : undefined
}
