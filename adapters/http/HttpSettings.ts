import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import type { StaticSite } from "./pages/StaticSite.ts"

export type RequestLogLevel = "info" | "warning" | "none"

export interface HttpSettings {
  /** Where clients reach the service, without a trailing slash; links are relative if absent. */
  readonly publicUrl: string | undefined
  /** Where sign-in may lead afterwards, by default the first one; the public URL if empty. */
  readonly returnUrls: ReadonlyArray<string>
  /** How many proxies before us add to `X-Forwarded-For`; 0 trusts the socket alone. */
  readonly trustedProxies: number
  /** How many connections one address may have open, if no proxy is trusted. */
  readonly connectionsPerAddress: number
  /** `info` logs every request, `warning` those answered with 500 or more. */
  readonly requestLog: RequestLogLevel
  /** How long the body of a request may take. */
  readonly bodyTimeout: Duration.Duration
  /** How many progress streams one user may have open. */
  readonly streamsPerUser: number
  /** How often an open progress stream checks for news. */
  readonly streamInterval: Duration.Duration
  /** How long a stream is silent before it sends a comment. Proxies close silent connections, most after 60 s. */
  readonly streamHeartbeat: Duration.Duration
  /** How many large reports may be sent to one caller at the same time. */
  readonly largeAnswersPerCaller: number
  /** How many bytes of large reports may be in transit in total, a quarter of them to one caller. */
  readonly largeAnswerBytes: number
  /** Serves paths that the API does not have: the dashboard, if it was built. */
  readonly site: StaticSite | undefined
}

export const defaultHttpSettings: HttpSettings = {
  publicUrl: undefined,
  returnUrls: [],
  trustedProxies: 0,
  connectionsPerAddress: 500,
  requestLog: "info",
  bodyTimeout: Duration.seconds(15),
  streamsPerUser: 5,
  streamInterval: Duration.seconds(1),
  streamHeartbeat: Duration.seconds(15),
  largeAnswersPerCaller: 64,
  largeAnswerBytes: 128 * 1024 * 1024,
  site: undefined,
}

/** Configuration of the HTTP interface; the defaults suit a single process without a proxy. */
export const HttpSettings = Context.Reference<HttpSettings>("assay/http/HttpSettings", {
  defaultValue: () => defaultHttpSettings,
})
