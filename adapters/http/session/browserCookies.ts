import type { IncomingMessage } from "node:http"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/** The response with the cookie, and still of its type. */
type SetCookie = <R extends HttpServerResponse.HttpServerResponse>(response: R, value: string, seconds: number) => R

/**
 * The cookies of a browser that signs in. Where the public URL is https they have the `__Host-` prefix: no other host of
 * the domain can set them, and they never leave https. Over plain http, which is for localhost, they have neither the
 * prefix nor `Secure`, without which it means nothing: Safari keeps no such cookie there.
 */
export interface BrowserCookies {
  readonly session: (request: HttpServerRequest.HttpServerRequest) => string | undefined
  readonly pendingSignIn: (request: HttpServerRequest.HttpServerRequest) => string | undefined
  readonly setSession: SetCookie
  readonly setPendingSignIn: SetCookie
}

/** The value of a cookie; undefined if it is not there, or there twice, which a browser of ours never does. */
const valueOf = (request: HttpServerRequest.HttpServerRequest, name: string): string | undefined => {
  const header = (request.source as IncomingMessage).headers.cookie // served by Node alone
  if (header === undefined) return undefined
  const values = header
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  return values.length === 1 ? values[0] : undefined
}

export const browserCookies = (publicUrl: string | undefined): BrowserCookies => {
  const secure = publicUrl?.startsWith("https:") === true
  const prefix = secure ? "__Host-" : ""
  const [sessionName, pendingName] = [`${prefix}assay_session`, `${prefix}assay_sign_in`]
  const set =
    (name: string): SetCookie =>
    <R extends HttpServerResponse.HttpServerResponse>(response: R, value: string, seconds: number) =>
      // Names and values are ours: base64url, or a compact JWE.
      HttpServerResponse.setCookieUnsafe(response, name, value, {
        path: "/",
        httpOnly: true,
        sameSite: "lax",
        secure,
        maxAge: seconds * 1000,
      }) as R // a copy with other cookies
  return {
    session: (request) => valueOf(request, sessionName),
    pendingSignIn: (request) => valueOf(request, pendingName),
    setSession: set(sessionName),
    setPendingSignIn: set(pendingName),
  }
}
