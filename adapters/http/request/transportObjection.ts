import type { IncomingMessage } from "node:http"
import { type Problem, validationProblem } from "./Problem.ts"

/** More than any browser, client or chain of proxies sends. */
const mostHeaders = 100

const closing = (message: string): Problem => ({ ...validationProblem(message), headers: { connection: "close" } })

const tooMany = closing(`The request has more than ${mostHeaders} headers.`)
const oneHost = closing("An HTTP/1.1 request must have exactly one Host header.")
const oneAuthorization = closing("A request must not have more than one Authorization header.")
const notThere: Problem = {
  code: "NOT_FOUND",
  message: "No such endpoint: a path must not contain parameters after ; or a fragment. See GET /docs for a list.",
}

const notATarget = closing("The request target is neither a path nor an absolute http or https URL.")

/** RFC 9112, section 3.2.2, without the name or password that RFC 9110, section 4.2.4, treats as an error. */
const absolute = /^https?:\/\/[^/?#@]+(\/[^?]*)?(?:\?|$)/i

/**
 * What is wrong with a target that is not a path. Read as a URL, it loses its dots and its fragment, which creates
 * further spellings of a path; if it is not a URL, the router would begin at the first slash that it finds.
 */
const targetObjection = (target: string): Problem | undefined => {
  if (target.startsWith("/") || target === "*") return undefined
  const written = absolute.exec(target)
  const url = written === null ? null : URL.parse(target)
  if (written === null || url === null) return notATarget
  return url.pathname === (written[1] ?? "/") ? undefined : notThere
}

/** Node keeps the first of several, but a proxy before us may have used another. */
const countOf = (rawHeaders: ReadonlyArray<string>, name: string): number => {
  let found = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.length === name.length && rawHeaders[i]!.toLowerCase() === name) found++
  }
  return found
}

/**
 * What is wrong with a request as such, whatever it asks for: things that Node's parser accepts, would answer without a
 * body (RFC 9112, section 3.2), or would cut off in silence.
 */
export const transportObjection = (source: IncomingMessage, path: string): Problem | undefined => {
  const { rawHeaders } = source
  if (rawHeaders.length > 2 * mostHeaders) return tooMany
  const hosts = countOf(rawHeaders, "host")
  if (hosts > 1 || (hosts === 0 && source.httpVersionMinor > 0)) return oneHost
  if (countOf(rawHeaders, "authorization") > 1) return oneAuthorization
  const target = targetObjection(source.url!)
  if (target !== undefined) return target
  // The router would continue from there as from the question mark of a query.
  return path.includes(";") || path.includes("#") ? notThere : undefined
}
