import { spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { serveGit } from "./gitHttpBackend.ts"

export type Files = Readonly<Record<string, string | Uint8Array>>

export interface RepositorySpec {
  /** Files by branch; the branches share no history. */
  readonly branches?: Readonly<Record<string, Files>>
  /** Files by tag; tags are annotated. */
  readonly tags?: Readonly<Record<string, Files>>
  /** What HEAD names; the first branch if absent. */
  readonly head?: string
}

/** Answers a request in place of git, or calls `pass` to let git answer. */
export type Behavior = (request: IncomingMessage, response: ServerResponse, pass: () => void) => void

/** One entry of a tree object as it is stored, unchecked. */
export interface TreeEntry {
  readonly mode: string
  readonly name: string
  readonly id: string
}

export interface Repository {
  readonly url: string
  readonly directory: string
  /** Runs git in the bare repository; returns its trimmed output. */
  readonly git: (gitArguments: ReadonlyArray<string>, input?: string | Uint8Array) => Promise<string>
  readonly commitOf: (ref: string) => Promise<string>
  readonly blob: (content: string | Uint8Array) => Promise<string>
  /** A tree object with any names and modes, in the given order. */
  readonly tree: (entries: ReadonlyArray<TreeEntry>) => Promise<string>
  /** Points a branch at a new commit of a tree. */
  readonly commitTree: (branch: string, tree: string) => Promise<string>
}

export interface GitServer {
  /** `http://127.0.0.1:<port>`, in the form used in the allowlist. */
  readonly host: string
  /** Method and path of every request so far. */
  readonly requests: ReadonlyArray<string>
  readonly create: (name: string, spec?: RepositorySpec) => Promise<Repository>
  /** Intercepts the requests to one repository. */
  readonly behave: (name: string, behavior: Behavior) => void
  readonly close: () => Promise<void>
}

const environment = {
  PATH: process.env["PATH"],
  LC_ALL: "C",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Test",
  GIT_AUTHOR_EMAIL: "test@localhost",
  GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z",
  GIT_COMMITTER_NAME: "Test",
  GIT_COMMITTER_EMAIL: "test@localhost",
  GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z",
}

const runGit = (
  directory: string,
  gitArguments: ReadonlyArray<string>,
  input: string | Uint8Array = "",
): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn("git", [...gitArguments], { cwd: directory, env: environment })
    let output = ""
    let errors = ""
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString("latin1")))
    child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()))
    child.on("error", reject)
    child.on("close", (code) =>
      code === 0 ? resolve(output.trim()) : reject(new Error(`git ${gitArguments.join(" ")}: ${errors}`)),
    )
    child.stdin.on("error", () => {})
    child.stdin.end(input)
  })

const bytesOf = (content: string | Uint8Array): Uint8Array =>
  typeof content === "string" ? new TextEncoder().encode(content) : content

const line = (text: string): Uint8Array => new TextEncoder().encode(`${text}\n`)

/** A stream for `git fast-import`: 50,000 files take a second instead of minutes. */
const importStream = (spec: RepositorySpec): Uint8Array => {
  const parts: Array<Uint8Array> = []
  const commit = (ref: string, files: Files): void => {
    parts.push(line(`commit ${ref}`), line("committer Test <test@localhost> 1767225600 +0000"), line("data 4\ntest"))
    for (const [path, content] of Object.entries(files)) {
      const bytes = bytesOf(content)
      parts.push(line(`M 100644 inline ${JSON.stringify(path)}`), line(`data ${bytes.length}`), bytes, line(""))
    }
  }
  for (const [branch, files] of Object.entries(spec.branches ?? {})) commit(`refs/heads/${branch}`, files)
  for (const [tag, files] of Object.entries(spec.tags ?? {})) {
    commit(`refs/import/${tag}`, files)
    parts.push(
      line(`tag ${tag}`),
      line(`from refs/import/${tag}`),
      line("tagger Test <test@localhost> 1767225600 +0000"),
    )
    parts.push(line("data 3\ntag"))
  }
  return Buffer.concat(parts)
}

const createRepository = async (directory: string, url: string, spec: RepositorySpec): Promise<Repository> => {
  const git: Repository["git"] = (gitArguments, input) => runGit(directory, gitArguments, input)
  await runGit(tmpdir(), ["init", "--quiet", "--bare", "--template=", directory])
  await git(["config", "uploadpack.allowFilter", "true"])
  const head = spec.head ?? Object.keys(spec.branches ?? {})[0] ?? "main"
  await git(["symbolic-ref", "HEAD", `refs/heads/${head}`])
  await git(["fast-import", "--quiet", "--done"], Buffer.concat([importStream(spec), line("done")]))

  return {
    url,
    directory,
    git,
    commitOf: (ref) => git(["rev-parse", `${ref}^{commit}`]),
    blob: (content) => git(["hash-object", "-w", "--stdin"], bytesOf(content)),
    tree: (entries) =>
      git(
        ["hash-object", "-w", "-t", "tree", "--literally", "--stdin"],
        Buffer.concat(
          entries.flatMap(({ mode, name, id }) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(id, "hex")]),
        ),
      ),
    commitTree: async (branch, tree) => {
      const commit = await git(["commit-tree", "-m", "test", tree])
      await git(["update-ref", `refs/heads/${branch}`, commit])
      return commit
    },
  }
}

/** Starts a git server on loopback: bare repositories behind `git http-backend`, at `<host>/test/<name>`. */
export const startGitServer = async (): Promise<GitServer> => {
  const root = await mkdtemp(join(tmpdir(), "assay-git-server-"))
  const behaviors = new Map<string, Behavior>()
  const requests: Array<string> = []
  const sockets = new Set<Socket>()

  const server = createServer((request, response) => {
    const path = request.url ?? "/"
    requests.push(`${request.method ?? ""} ${path}`)
    const pass = (): void => serveGit(root, request, response)
    const behavior = behaviors.get(/^\/test\/([^/?]+)/.exec(path)?.[1] ?? "")
    if (behavior === undefined) pass()
    else behavior(request, response, pass)
  })
  server.on("connection", (socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  // A listening TCP server has an address object.
  const { port } = server.address() as AddressInfo
  const host = `http://127.0.0.1:${port}`

  return {
    host,
    requests,
    create: (name, spec = {}) => createRepository(join(root, "test", name), `${host}/test/${name}`, spec),
    behave: (name, behavior) => void behaviors.set(name, behavior),
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
      await rm(root, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** A git server for the duration of a scope. */
export const gitServer = Effect.acquireRelease(Effect.promise(startGitServer), (server) => Effect.promise(server.close))

/** Never answers. */
export const stall: Behavior = (request) => void request.resume()

/** Redirects every request. */
export const redirect =
  (location: (path: string) => string): Behavior =>
  (request, response) =>
    void response.writeHead(301, { location: location(request.url ?? "/") }).end()

/** Requires credentials, as a hosting service does for a private repository; anything but the right ones gets 401. */
export const requireAuthorization =
  (authorization: string): Behavior =>
  (request, response, pass) => {
    if (request.headers.authorization === authorization) pass()
    else response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end()
  }

/** Lets the pack begin and drops the connection after this many bytes of it, or goes silent there. */
export const breakPack =
  (bytes: number, how: "cut" | "silent"): Behavior =>
  (request, response, pass) => {
    if (request.method !== "POST") return pass()
    let sent = 0
    const write = response.write.bind(response)
    // The backend writes buffers only, with no callback; narrowing the overloads needs the cast.
    response.write = ((chunk: Buffer) => {
      // Responses to `ls-refs` and the negotiation are small and sent whole.
      sent += chunk.length
      if (sent <= bytes) return write(chunk)
      if (how === "cut") response.socket?.destroy()
      response.end = () => response
      return true
    }) as ServerResponse["write"]
    return pass()
  }

/** Passes the pack on in pieces of this many bytes, one per interval of milliseconds. */
export const slowly =
  (bytes: number, interval: number): Behavior =>
  (request, response, pass) => {
    if (request.method !== "POST") return pass()
    const write = response.write.bind(response)
    const end = response.end.bind(response)
    const waiting: Array<Buffer> = []
    let hasEnded = false
    const timer = setInterval(() => {
      const piece = waiting.shift()
      if (piece !== undefined) write(piece)
      else if (hasEnded) {
        clearInterval(timer)
        end()
      }
    }, interval)
    response.on("close", () => clearInterval(timer))
    // The backend writes buffers only, with no callback; narrowing the overloads needs the casts.
    response.write = ((chunk: Buffer) => {
      for (let at = 0; at < chunk.length; at += bytes) waiting.push(chunk.subarray(at, at + bytes))
      return true
    }) as ServerResponse["write"]
    response.end = (() => {
      hasEnded = true
      return response
    }) as ServerResponse["end"]
    return pass()
  }

/**
 * Lets git answer the first of several similar requests and repeats its answer to the others, which costs next to
 * nothing. Requests are similar if path, protocol and length are equal: for measurements with one repository that does
 * not change.
 */
export const repeating = (): Behavior => {
  const answers = new Map<string, (response: ServerResponse) => void>()
  return (request, response, pass) => {
    const { "content-length": length, "git-protocol": protocol } = request.headers
    const key = [request.method, request.url, protocol, length].join(" ")
    const known = answers.get(key)
    if (known !== undefined) {
      request.resume()
      return known(response)
    }
    const chunks: Array<Buffer> = []
    let type = ""
    const [writeHead, write, end] = [
      response.writeHead.bind(response),
      response.write.bind(response),
      response.end.bind(response),
    ]
    // The backend calls these in one way only; narrowing the overloads needs the casts.
    response.writeHead = ((status: number, headers: Readonly<Record<string, string>>) => {
      type = headers["Content-Type"] ?? ""
      return writeHead(status, headers)
    }) as ServerResponse["writeHead"]
    response.write = ((chunk: Buffer) => {
      chunks.push(chunk)
      return write(chunk)
    }) as ServerResponse["write"]
    response.end = (() => {
      const [status, body] = [response.statusCode, Buffer.concat(chunks)]
      answers.set(key, (again) => void again.writeHead(status, { "content-type": type }).end(body))
      return end()
    }) as ServerResponse["end"]
    return pass()
  }
}
