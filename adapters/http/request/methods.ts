import * as HttpApi from "effect/http-api/HttpApi"
import { Api } from "../contract/Api.ts"

interface PathMethods {
  readonly path: string
  readonly pattern: RegExp
  readonly methods: Set<string>
}

const table: ReadonlyArray<PathMethods> = (() => {
  const byPath = new Map<string, PathMethods>()
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      const segments = endpoint.path
        .split("/")
        .map((segment) => (segment.startsWith(":") ? "[^/]+" : segment.replaceAll(".", "\\.")))
      const entry = byPath.get(endpoint.path) ?? {
        path: endpoint.path,
        // linear: the contract's own paths, whose parameters end at the next slash
        pattern: new RegExp(`^${segments.join("/")}/?$`),
        methods: new Set(["OPTIONS"]),
      }
      entry.methods.add(endpoint.method)
      if (endpoint.method === "GET") entry.methods.add("HEAD")
      byPath.set(endpoint.path, entry)
    },
  })
  return [...byPath.values()]
})()

/** All methods that any path allows, as an `Allow` header. */
export const everyMethod = [...new Set(table.flatMap(({ methods }) => [...methods]))].toSorted().join(", ")

/** Paths without parameters take precedence. */
const entryOf = (path: string): PathMethods | undefined => {
  const found = table.filter(({ pattern }) => pattern.test(path))
  return found.find((entry) => entry.path === path.replace(/\/$/, "")) ?? found[0]
}

/** The value of `Allow` for a path, or undefined if the API has no such path. */
export const allowedMethods = (path: string): string | undefined => {
  const methods = entryOf(path)?.methods
  return methods === undefined ? undefined : [...methods].toSorted().join(", ")
}

/** The endpoint's path as written in the contract. */
export const routePattern = (path: string): string | undefined => entryOf(path)?.path

/**
 * `GET /api/v1/repositories/sync` and the like, which the router would take for a parameter's value in another path.
 */
export const shadowed: ReadonlyArray<Pick<PathMethods, "path" | "methods">> = table
  .filter(({ path }) => !path.includes(":"))
  .map(({ path, methods }) => {
    const others = table.filter(({ pattern }) => pattern.test(path)).flatMap((entry) => [...entry.methods])
    return { path, methods: new Set(others.filter((method) => !methods.has(method))) }
  })
