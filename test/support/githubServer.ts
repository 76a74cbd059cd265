import { createHash } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { expectDescribed, sampleOf } from "./githubSchemas.ts"

export interface FakeRepository {
  readonly id: number
  readonly full_name: string
  readonly html_url?: string
  readonly default_branch?: string
  readonly language?: string | null
  readonly private?: boolean
  readonly archived?: boolean
  readonly created_at?: string
  readonly updated_at?: string
  /** By path, at every commit. */
  readonly files?: Readonly<Record<string, string>>
}

export interface FakeToken {
  readonly login?: string
  /** The value of `X-OAuth-Scopes`; no header if absent. */
  readonly scopes?: string
  readonly installation?: boolean
  readonly repositories: ReadonlyArray<FakeRepository>
}

export interface FakeAnswer {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface GithubServer {
  readonly url: string
  /** Method, path and query of every request so far. */
  readonly requests: Array<string>
  readonly tokens: Map<string, FakeToken>
  /** The ids of repositories by their former names. */
  readonly formerNames: Map<string, number>
  /** Responds in place of the fake to the requests that it handles. */
  intercept:
    | ((path: string, request: IncomingMessage, response: ServerResponse) => FakeAnswer | "taken" | undefined)
    | undefined
  readonly close: () => Promise<void>
}

const repositorySample = sampleOf("repository")
const userSample = sampleOf("private-user")

const repositoryBody = (origin: string, one: FakeRepository) => {
  const [owner = "", name = ""] = one.full_name.split("/")
  return {
    ...repositorySample,
    id: one.id,
    name,
    full_name: one.full_name,
    owner: { ...(repositorySample["owner"] as object), login: owner },
    html_url: one.html_url ?? `${origin}/${one.full_name}`,
    default_branch: one.default_branch ?? "main",
    language: one.language === undefined ? "Solidity" : one.language,
    private: one.private ?? false,
    archived: one.archived ?? false,
    created_at: one.created_at ?? "2026-01-01T00:00:00Z",
    updated_at: one.updated_at ?? "2026-01-01T00:00:00Z",
  }
}

type Sorting = "created" | "updated" | "full_name"

const sorted = (repositories: ReadonlyArray<FakeRepository>, sort: Sorting, direction: string) => {
  const keyOf = (one: FakeRepository): string =>
    sort === "full_name"
      ? one.full_name
      : ((sort === "created" ? one.created_at : one.updated_at) ?? "2026-01-01T00:00:00Z")
  const order = direction === "desc" ? -1 : 1
  return repositories.toSorted((a, b) => {
    const [x, y] = [keyOf(a), keyOf(b)]
    return x === y ? a.id - b.id : (x < y ? -1 : 1) * order
  })
}

/**
 * A fake of GitHub's REST API over HTTP: users, installations, and lists with pages, order and entity tags. Every
 * answer with a body is checked against GitHub's own OpenAPI document.
 */
export const startGithubServer = async (): Promise<GithubServer> => {
  const sockets = new Set<Socket>()
  let origin = ""

  /** Like GitHub, hides what a token may not see, and redirects from a former name by the repository's id. */
  const contents = (path: string, search: string, token: FakeToken | undefined): FakeAnswer | undefined => {
    const [, named, id, file = ""] = /^\/repos(?:\/([^/]+\/[^/]+)|itories\/(\d+))\/contents\/(.*)$/.exec(path) ?? []
    if (named === undefined && id === undefined) return undefined
    const all = [...github.tokens.values()].flatMap(({ repositories }) => repositories)
    const seen = [...(token?.repositories ?? []), ...all.filter((one) => one.private !== true)]
    const moved = seen.find((one) => named !== undefined && github.formerNames.get(named) === one.id)
    if (moved !== undefined) {
      return { status: 301, headers: { location: `${origin}/repositories/${moved.id}/contents/${file}${search}` } }
    }
    const found = seen.find((one) => (named === undefined ? one.id === Number(id) : one.full_name === named))
    const text = found?.files?.[decodeURIComponent(file)]
    if (text === undefined) return { status: 404, body: { message: "Not Found", status: "404" } }
    return { status: 200, body: text, headers: { "content-type": "application/vnd.github.raw+json; charset=utf-8" } }
  }

  const answer = (path: string, query: URLSearchParams, request: IncomingMessage): FakeAnswer => {
    const token = github.tokens.get(/^(?:token|Bearer) (.+)$/i.exec(request.headers.authorization ?? "")?.[1] ?? "")
    if (token !== undefined || request.headers.authorization === undefined) {
      const file = contents(path, `?${query.toString()}`, token)
      if (file !== undefined) return file
    }
    if (token === undefined) return { status: 401, body: { message: "Bad credentials", status: "401" } }
    const scopes: Record<string, string> = token.scopes === undefined ? {} : { "x-oauth-scopes": token.scopes }
    const forbidden: FakeAnswer = {
      status: 403,
      body: { message: "Resource not accessible by integration", status: "403" },
    }
    if (path === "/user") {
      if (token.installation === true) return forbidden
      return { status: 200, body: { ...userSample, login: token.login ?? "octo" }, headers: scopes }
    }
    const isInstallation = path === "/installation/repositories"
    if (!isInstallation && path !== "/user/repos") return { status: 404, body: { message: "Not Found", status: "404" } }
    if (isInstallation !== (token.installation ?? false)) return forbidden

    const size = Math.min(100, Number(query.get("per_page") ?? 30))
    const page = Number(query.get("page") ?? 1)
    const sort = (query.get("sort") ?? "full_name") as Sorting // what the client may ask for
    const all = isInstallation
      ? token.repositories
      : sorted(token.repositories, sort, query.get("direction") ?? (sort === "full_name" ? "asc" : "desc"))
    const shown = all.slice((page - 1) * size, page * size).map((one) => repositoryBody(origin, one))
    const last = Math.max(1, Math.ceil(all.length / size))
    const link = (number: number, relation: string): string => {
      const target = new URLSearchParams(query)
      target.set("page", String(number))
      return `<${origin}${path}?${target.toString()}>; rel="${relation}"`
    }
    const links = page < last ? [link(page + 1, "next"), link(last, "last")] : page > 1 ? [link(1, "first")] : []
    const body = isInstallation ? { total_count: all.length, repositories: shown } : shown
    const etag = `W/"${createHash("sha1").update(JSON.stringify(body)).digest("hex")}"`
    const headers = { ...scopes, etag, ...(links.length === 0 ? {} : { link: links.join(", ") }) }
    return request.headers["if-none-match"] === etag ? { status: 304, headers } : { status: 200, body, headers }
  }

  const server = createServer((request, response) => {
    github.requests.push(`${request.method} ${request.url}`)
    const given = github.intercept?.(new URL(request.url ?? "/", "http://fake").pathname, request, response)
    if (given === "taken") return
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://fake")
    const { status, body, headers } = given ?? answer(pathname, searchParams, request)
    try {
      if (given === undefined && body !== undefined && typeof body !== "string") expectDescribed(pathname, status, body)
    } catch (error) {
      response.writeHead(599, { "content-type": "text/plain" }).end(String(error))
      return
    }
    response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers })
    response.end(body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body))
  })
  server.on("connection", (socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  // A listening TCP server has an address object.
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const github: GithubServer = {
    url: origin,
    requests: [],
    tokens: new Map(),
    formerNames: new Map(),
    intercept: undefined,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return github
}

/** This many repositories, each changed a second after the previous one. */
export const manyRepositories = (count: number): ReadonlyArray<FakeRepository> =>
  Array.from({ length: count }, (_, index) => {
    const instant = new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString().replace(".000Z", "Z")
    return { id: index + 1, full_name: `octo/repository-${index + 1}`, created_at: instant, updated_at: instant }
  })
