import type { Server } from "node:http"
import type { Socket } from "node:net"

/**
 * Ends a connection whose client has read none of its pending data for `patience` milliseconds. Node reports every
 * silence on a connection: one between requests still ends by its own timeout, and one while a request is being
 * answered and nothing is pending is our slowness, not the client's.
 */
export const cutSlowReaders = (server: Server, patience: number): void => {
  server.setTimeout(patience, (socket: Socket) => {
    const isAnswering = socket.timeout === patience
    if (socket.writableLength > 0 || !isAnswering) socket.destroy()
  })
}
