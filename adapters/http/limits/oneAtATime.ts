import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"

/** Few clients send a request before the previous response, and those send a handful. */
const mostWaiting = 32

/**
 * Begins a connection's next request when the previous response is over, and closes connections on which more than
 * `mostWaiting` requests wait. Node alone begins all that 64 kB hold, over a thousand, whether or not somebody reads the
 * responses: 13 MB on 200 connections held the process for two minutes.
 */
export const oneAtATime = (server: Server): void => {
  const waiting = new WeakMap<Socket, Array<() => void>>()
  const emit = server.emit.bind(server)

  const begin = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request
    response.once("close", () => {
      const next = socket.destroyed ? undefined : waiting.get(socket)?.shift()
      if (next === undefined) waiting.delete(socket)
      else next()
    })
    emit("request", request, response)
  }

  const arrive = (request: IncomingMessage, response: ServerResponse): void => {
    const queue = waiting.get(request.socket)
    if (queue === undefined) {
      waiting.set(request.socket, [])
      begin(request, response)
    } else if (queue.length < mostWaiting) queue.push(() => begin(request, response))
    else request.socket.destroy()
  }

  // Not a listener: those of other modules must not see a request that waits.
  server.emit = (event: string, ...values: ReadonlyArray<unknown>): boolean => {
    if (event !== "request") return emit(event, ...values)
    // Node's own values of this event.
    const [request, response] = values as [IncomingMessage, ServerResponse]
    arrive(request, response)
    return true
  }
}
