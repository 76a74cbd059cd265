import { execFile, spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { createGunzip } from "node:zlib"
import * as Effect from "effect/Effect"

const sampleFolder = fileURLToPath(new URL("../../test/fixtures/sample", import.meta.url))

/** The user's own git configuration (signing, hooks, templates) does not affect the sample. */
const environment = {
  PATH: process.env["PATH"],
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Assay",
  GIT_AUTHOR_EMAIL: "assay@localhost",
  GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z",
  GIT_COMMITTER_NAME: "Assay",
  GIT_COMMITTER_EMAIL: "assay@localhost",
  GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z",
}

const git = async (directory: string, ...args: ReadonlyArray<string>): Promise<string> => {
  const { stdout } = await promisify(execFile)("git", ["--git-dir", directory, "--work-tree", sampleFolder, ...args], {
    env: environment,
    timeout: 30_000,
  })
  return stdout.trim()
}

/** A bare repository with one commit that contains the sample's files. */
const createRepository = async (directory: string): Promise<void> => {
  await promisify(execFile)("git", ["init", "--quiet", "--bare", directory], { env: environment, timeout: 30_000 })
  await git(directory, "add", "--all", "--force", ".")
  const commit = await git(directory, "commit-tree", "-m", "Harbour", await git(directory, "write-tree"))
  await git(directory, "update-ref", "refs/heads/main", commit)
  await git(directory, "symbolic-ref", "HEAD", "refs/heads/main")
}

/** The two requests of git's smart HTTP protocol that a fetch makes. */
const serve = (directory: string, path: string, request: IncomingMessage, response: ServerResponse): void => {
  const advertise = request.method === "GET" && request.url === `${path}/info/refs?service=git-upload-pack`
  const fetch = request.method === "POST" && request.url === `${path}/git-upload-pack`
  if (!advertise && !fetch) {
    response.writeHead(404).end()
    return
  }
  const version = request.headers["git-protocol"]
  const upload = spawn(
    "git",
    ["upload-pack", "--stateless-rpc", ...(advertise ? ["--advertise-refs"] : []), directory],
    {
      env: { ...environment, ...(typeof version === "string" ? { GIT_PROTOCOL: version } : {}) },
      stdio: ["pipe", "pipe", "ignore"],
      timeout: 60_000,
    },
  )
  response.writeHead(200, {
    "content-type": `application/x-git-upload-pack-${advertise ? "advertisement" : "result"}`,
    "cache-control": "no-cache",
  })
  if (advertise) response.write("001e# service=git-upload-pack\n0000")
  const body = request.headers["content-encoding"] === "gzip" ? request.pipe(createGunzip()) : request
  body.on("error", () => upload.kill())
  upload.stdin.on("error", () => undefined)
  upload.on("error", () => response.destroy())
  response.on("close", () => upload.kill())
  body.pipe(upload.stdin)
  upload.stdout.pipe(response)
}

/**
 * Serves the bundled sample over git's smart HTTP on loopback, so that the worker fetches it like any other repository.
 * Yields its URL; the server and the repository are removed with the scope.
 */
export const sampleRepository = Effect.gen(function* () {
  const parent = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "assay-sample-"))),
    (created) => Effect.promise(() => rm(created, { recursive: true, force: true })),
  )
  const directory = join(parent, "harbour.git")
  yield* Effect.promise(() => createRepository(directory))

  const path = "/assay/harbour"
  const server = yield* Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const created = createServer((request, response) => serve(directory, path, request, response))
      created.listen(0, "127.0.0.1", () => resume(Effect.succeed(created)))
    }),
    (created) =>
      Effect.callback<void>((resume) => {
        created.close(() => resume(Effect.void))
        created.closeAllConnections()
      }),
  )
  // A listening TCP server has an address object.
  const { port } = server.address() as AddressInfo
  return { host: `http://127.0.0.1:${port}`, url: `http://127.0.0.1:${port}${path}` }
})
