import { existsSync, readdirSync, readFileSync } from "node:fs"
import { extname, join, relative } from "node:path"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { etagOf, isCurrent } from "../request/conditional.ts"
import { preferredCoding } from "../request/contentCoding.ts"

/** Files that are the same for everybody as long as the process runs, by the path of a request. */
export interface StaticSite {
  readonly respond: (
    request: HttpServerRequest.HttpServerRequest,
    path: string,
  ) => HttpServerResponse.HttpServerResponse | undefined
}

const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
}

/**
 * Scripts and styles of this origin alone, and no text of a page ever becomes a script: the browser refuses it even
 * where our code would not.
 */
export const sitePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ")

const documentHeaders = {
  "cache-control": "no-cache",
  "content-security-policy": sitePolicy,
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
  "referrer-policy": "no-referrer",
}

/** Names below `assets` contain a hash of the file's content. */
const cacheControl = (path: string): string =>
  path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "public, max-age=3600"

const responses = (file: string, headers: Readonly<Record<string, string>>, plain = readFileSync(file)) => {
  const contentType = contentTypes[extname(file)] ?? "application/octet-stream"
  const etag = etagOf(plain.toString("latin1"))
  const make = (body: Uint8Array, more: Readonly<Record<string, string>> = {}) =>
    HttpServerResponse.uint8Array(body, {
      contentType,
      headers: { ...headers, ...more, etag, vary: "accept-encoding" },
    })
  const coded = (coding: string, extension: string) =>
    existsSync(file + extension) ? make(readFileSync(file + extension), { "content-encoding": coding }) : undefined
  return {
    etag,
    unchanged: HttpServerResponse.empty({ status: 304, headers: { ...headers, etag, vary: "accept-encoding" } }),
    identity: make(plain),
    br: coded("br", ".br"),
    gzip: coded("gzip", ".gz"),
  }
}

/**
 * A built site, kept in memory with its precompressed forms; undefined if it has not been built. Paths that
 * `isPage` takes are answered with its one document, which says what of `assay-offers` there is.
 */
export const loadSite = (
  directory: string,
  isPage: (path: string) => boolean,
  offers: ReadonlyArray<string> = [],
): StaticSite | undefined => {
  const index = join(directory, "index.html")
  if (!existsSync(index)) return undefined
  const document = readFileSync(index, "utf8").replace(
    /(<meta name="assay-offers" content=")[a-z ]*"/,
    `$1${offers.join(" ")}"`,
  )
  // Too short to be compressed, which its forms beside it would not say anyhow.
  const page = { ...responses(index, documentHeaders, Buffer.from(document)), br: undefined, gzip: undefined }
  const files = new Map(
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && extname(entry.name) in contentTypes && entry.name !== "index.html")
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => {
        const path = `/${relative(directory, file).replaceAll("\\", "/")}`
        return [path, responses(file, { "cache-control": cacheControl(path) })] as const
      }),
  )
  return {
    respond: (request, path) => {
      if (request.method !== "GET" && request.method !== "HEAD") return undefined
      const found = files.get(path) ?? (isPage(path) ? page : undefined)
      if (found === undefined) return undefined
      if (isCurrent(request.headers["if-none-match"], found.etag)) return found.unchanged
      const coding = preferredCoding(request.headers["accept-encoding"], ["br", "gzip"])
      return (coding === undefined ? undefined : found[coding]) ?? found.identity
    },
  }
}
