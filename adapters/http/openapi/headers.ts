import { type Json } from "./json.ts"

const integerHeader = (description: string, example: number) => ({
  description,
  required: true,
  schema: { type: "integer", minimum: 0 },
  example,
})
const textHeader = (description: string, example: string) => ({
  description,
  required: true,
  schema: { type: "string" },
  example,
})

const all = {
  "X-Request-Id": textHeader("Identifies the request in our logs.", "7f3d1f0e-52b4-4f0c-9d1a-0c4f2e8f6a11"),
  "X-RateLimit-Limit": integerHeader("Requests in the current window.", 100),
  "X-RateLimit-Remaining": integerHeader("Requests left in the window.", 99),
  "X-RateLimit-Reset": integerHeader("Unix time in seconds when the window resets.", 1_774_090_800),
  RateLimit: textHeader("The same, per draft-ietf-httpapi-ratelimit-headers.", '"read";r=99;t=3600'),
  "RateLimit-Policy": textHeader("The window's name, quota and length in seconds.", '"read";q=100;w=3600'),
  "WWW-Authenticate": textHeader("`Bearer`", 'Bearer realm="assay"'),
  "Retry-After": { ...integerHeader("Seconds to wait.", 5), required: false },
  ETag: textHeader("Identifies the state of the body, for `If-None-Match`.", '"0199c2f4-7a1b-7c3d-9e5f-1a2b3c4d5e6f"'),
  Location: textHeader("Where to go.", "https://github.com/login/oauth/authorize?client_id=1"),
  Link: {
    ...textHeader('The next page, `rel="next"` (RFC 8288).', '</api/v1/analysis?cursor=MTc3>; rel="next"'),
    required: false,
  },
  "Content-Disposition": textHeader("A file name.", 'attachment; filename="assay-report.md"'),
  "Set-Cookie": textHeader(
    "The cookie of the session, or of a sign-in in progress.",
    "assay_session=c2VjcmV0; Path=/; HttpOnly",
  ),
} as const
export type HeaderName = keyof typeof all

/** Short, since every response has six of them. */
const headerComponent = (name: string): string =>
  ({ "X-Request-Id": "Id", "X-RateLimit-Remaining": "Left", "RateLimit-Policy": "Policy" })[name] ??
  name.replace(/^X-(?:RateLimit-)?/, "")

export const references = (names: ReadonlyArray<HeaderName>): Record<string, Json> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${headerComponent(name)}` }]))

/** On every response, as the document says once: with each in each it would be a quarter longer. */
const limits = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "RateLimit",
  "RateLimit-Policy",
] as const
/** The same of every error, which is where somebody looks for it. */
export const everyError = ["X-Request-Id"] as const

/** What an error says in headers, whatever operation it comes from. */
export const errorHeaders: Readonly<Record<string, ReadonlyArray<HeaderName>>> = {
  "401": ["WWW-Authenticate"],
  "409": ["Retry-After"],
  "429": ["Retry-After", ...limits],
  "503": ["Retry-After"],
}

/** Operations whose successes carry an ETag: with it they return 304 to clients that already have the body. */
export const conditional: ReadonlySet<string> = new Set([
  "analysis.result",
  "analysis.export",
  "badge.data",
  "badge.svg",
  "badge.shields",
  "rules.list",
  "rules.one",
  "documentation.openapi",
  "documentation.docs",
])

export const operationHeaders: Readonly<Record<string, Readonly<Record<string, ReadonlyArray<HeaderName>>>>> = {
  "analysis.list": { "200": ["Link"] },
  "findings.list": { "200": ["Link"] },
  "analysisFindings.list": { "200": ["Link"] },
  "signIn.session": { "201": ["Set-Cookie"] },
  "signIn.start": { "303": ["Location", "Set-Cookie"] },
  "analysis.export": { "200": ["Content-Disposition"] },
  "signIn.github": { "303": ["Location", "Set-Cookie"] },
  "signIn.callback": { "303": ["Location", "Set-Cookie"] },
}

export const headerComponents: Readonly<Record<string, Json>> = Object.fromEntries(
  Object.entries(all).map(([name, header]) => [headerComponent(name), header]),
)
