import { chmodSync, rmSync } from "node:fs"
import { createServer, connect, type Socket } from "node:net"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { DataDirectoryInUse } from "../../adapters/pglite/DataDirectoryLock.ts"
import { Refusal } from "../runMain.ts"
import { AdminRequest, type AdminAnswer, administer } from "./AdminRequest.ts"

/**
 * The embedded database belongs to one process. While the service is that process, it executes the requests of `npm run
 * admin` over a Unix socket in the data directory that only its owner can open.
 */
const socketPath = (dataDirectory: string): string => join(dataDirectory, "admin.sock")

/** Maximum length of a request and an answer, in characters. */
const longestLine = 16_384
const timeout = 15_000

const Answer = Schema.fromJsonString(
  Schema.Union([
    Schema.Struct({ answer: Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Number])) }),
    Schema.Struct({ refusal: Schema.String }),
  ]),
)

/** The single line that the other side sends. */
const readLine = (socket: Socket): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ""
    socket.setEncoding("utf8").setTimeout(timeout, () => socket.destroy(new Error("timed out waiting for a response")))
    socket.on("data", (chunk: string) => {
      text += chunk
      const end = text.indexOf("\n")
      if (end !== -1) resolve(text.slice(0, end))
      else if (text.length > longestLine) socket.destroy(new Error("the line is too long"))
    })
    socket.once("error", reject)
    socket.once("close", () => reject(new Error("the connection was closed prematurely")))
  })

/** Answers administrators while the service runs. */
export const adminSocket = (dataDirectory: string) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const path = socketPath(dataDirectory)
      const context = yield* Effect.context<Effect.Services<ReturnType<typeof administer>>>()
      const respond = (line: string) =>
        Schema.decodeUnknownEffect(Schema.fromJsonString(AdminRequest))(line).pipe(
          Effect.mapError(() => new Refusal("The running service has a different version. Stop it first.")),
          Effect.flatMap(administer),
          Effect.match({
            onSuccess: (answer) => ({ answer }),
            onFailure: (refusal) => ({ refusal: refusal.message }),
          }),
          Effect.catchCause((cause) =>
            Effect.as(Effect.logError("administrative request failed", cause), {
              refusal: "The running service failed to do this. See its log for the reason.",
            }),
          ),
          Effect.provide(context),
        )
      yield* Effect.acquireRelease(
        Effect.callback<ReturnType<typeof createServer>, Refusal>((resume) => {
          // Left behind by a killed process: the data directory's lock shows that nobody else is using it.
          rmSync(path, { force: true })
          const server = createServer((socket) => {
            socket.on("error", () => socket.destroy())
            readLine(socket).then(
              async (line) => socket.end(`${JSON.stringify(await Effect.runPromise(respond(line)))}\n`),
              () => socket.destroy(),
            )
          })
          server.once("error", (error) =>
            resume(Effect.fail(new Refusal(`Could not open the socket ${path}: ${error.message}`))),
          )
          server.listen(path, () => {
            chmodSync(path, 0o600)
            resume(Effect.succeed(server))
          })
        }),
        (server) => Effect.sync(() => server.close()),
      )
    }),
  )

/**
 * Has the service that uses the data directory execute the request. Fails with `inUse` if nobody is listening, in which
 * case nothing can have been executed: the service is starting or ending, or another command is running.
 */
export const askRunningService = (
  dataDirectory: string,
  request: AdminRequest,
  inUse: DataDirectoryInUse,
): Effect.Effect<AdminAnswer, Refusal | DataDirectoryInUse> => {
  let heard = false
  return Effect.tryPromise({
    try: async () => {
      const socket = connect(socketPath(dataDirectory), () => (heard = true))
      try {
        const line = readLine(socket)
        socket.write(`${JSON.stringify(request)}\n`)
        return Schema.decodeUnknownSync(Answer)(await line)
      } finally {
        socket.destroy()
      }
    },
    catch: () => (heard ? new Refusal("The running service did not respond. Its log may contain the reason.") : inUse),
  }).pipe(
    Effect.flatMap((received) =>
      "answer" in received ? Effect.succeed(received.answer) : Effect.fail(new Refusal(received.refusal)),
    ),
  )
}
