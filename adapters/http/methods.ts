import * as HttpApi from "effect/http-api/HttpApi"
import { Api } from "./contract/Api.ts"

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

/** What `Allow` says of a path, or undefined where the interface has no such path. */
export const allowedMethods = (path: string): string | undefined => {
  const found = table.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => [...methods])
  return found.length === 0 ? undefined : [...new Set(found)].toSorted().join(", ")
}

/** The endpoint's path as the contract writes it; a path without parameters goes before one with. */
export const routePattern = (path: string): string | undefined => {
  const found = table.filter(({ pattern }) => pattern.test(path))
  return (found.find((entry) => entry.path === path) ?? found[0])?.path
}
