import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"

/** The events of a request: the second one if its client waits for `100 Continue` before it sends the body. */
const requestEvents: ReadonlySet<string> = new Set(["request", "checkContinue"])

/** Listens for requests of both kinds. */
export const onRequest = (
  server: Server,
  listener: (request: IncomingMessage, response: ServerResponse) => void,
): void => {
  for (const event of requestEvents) server.on(event, listener)
}

/** Few clients send a request before the previous response, and those send a handful. */
const mostWaiting = 32

interface Connection {
  answering: boolean
  readonly waiting: Array<() => void>
}

/**
 * Begins a connection's next request when the previous response is over, and closes connections on which more than
 * `mostWaiting` requests wait. Node alone begins all that 64 kB hold, over a thousand, whether or not somebody reads the
 * responses: 2,000 on each of 20 connections took 7.5 s of CPU and 330 MB.
 */
export const oneAtATime = (server: Server): void => {
  const connections = new WeakMap<Socket, Connection>()
  const emit = server.emit.bind(server)

  const begin = (event: string, request: IncomingMessage, response: ServerResponse, connection: Connection): void => {
    const { socket } = request
    connection.answering = true
    response.once("close", () => {
      connection.answering = false
      if (!socket.destroyed) connection.waiting.shift()?.()
    })
    emit(event, request, response)
  }

  const arrive = (event: string, request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request
    let connection = connections.get(socket)
    if (connection === undefined) connections.set(socket, (connection = { answering: false, waiting: [] }))
    const { answering, waiting } = connection
    if (!answering) begin(event, request, response, connection)
    else if (waiting.length < mostWaiting) waiting.push(() => begin(event, request, response, connection))
    else socket.destroy()
  }

  // Not a listener: those of other modules must not see a request that waits.
  server.emit = (event: string, ...values: ReadonlyArray<unknown>): boolean => {
    if (!requestEvents.has(event)) return emit(event, ...values)
    // Node's own values of these events.
    const [request, response] = values as [IncomingMessage, ServerResponse]
    arrive(event, request, response)
    return true
  }
}
