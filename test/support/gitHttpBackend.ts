import { spawn } from "node:child_process"
import type { IncomingMessage, ServerResponse } from "node:http"

/** Runs `git http-backend` as the CGI program that it is (RFC 3875), for one request below `root`. */
export const serveGit = (root: string, request: IncomingMessage, response: ServerResponse): void => {
  const [path = "/", query = ""] = (request.url ?? "/").split("?", 2)
  const header = (name: string): string => {
    const value = request.headers[name]
    return typeof value === "string" ? value : ""
  }
  const backend = spawn("git", ["http-backend"], {
    env: {
      PATH: process.env["PATH"],
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      GIT_PROTOCOL: header("git-protocol"),
      PATH_INFO: path,
      QUERY_STRING: query,
      REQUEST_METHOD: request.method ?? "GET",
      CONTENT_TYPE: header("content-type"),
      CONTENT_LENGTH: header("content-length"),
      HTTP_CONTENT_ENCODING: header("content-encoding"),
      REMOTE_ADDR: "127.0.0.1",
    },
  })
  backend.on("error", () => response.destroy())
  backend.stdin.on("error", () => {})
  backend.stderr.resume()
  response.on("close", () => backend.kill())
  request.pipe(backend.stdin)

  let head: Buffer | undefined = Buffer.alloc(0)
  backend.stdout.on("data", (chunk: Buffer) => {
    if (head === undefined) {
      if (!response.write(chunk)) {
        backend.stdout.pause()
        response.once("drain", () => backend.stdout.resume())
      }
      return
    }
    head = Buffer.concat([head, chunk])
    const end = head.indexOf("\r\n\r\n")
    if (end === -1) return
    let status = 200
    const headers: Record<string, string> = {}
    for (const line of head.toString("latin1", 0, end).split("\r\n")) {
      const [name = "", value = ""] = line.split(/:\s*/, 2)
      if (name.toLowerCase() === "status") status = Number.parseInt(value, 10)
      else headers[name] = value
    }
    response.writeHead(status, headers)
    const rest = head.subarray(end + 4)
    head = undefined
    if (rest.length > 0) response.write(rest)
  })
  backend.stdout.on("end", () => response.end())
}
