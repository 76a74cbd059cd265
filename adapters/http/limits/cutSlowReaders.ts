import type { Server } from "node:http"
import type { Socket } from "node:net"

/**
 * Ends a connection whose client has read nothing of what waits for it for `patience` milliseconds. Node tells of every
 * silence on a connection: one between requests ends as ever, by the timeout of its own, and one in which a request is
 * being answered, and nothing waits for the client, is our slowness, not its.
 */
export const cutSlowReaders = (server: Server, patience: number): void => {
  server.setTimeout(patience, (socket: Socket) => {
    const isAnswering = socket.timeout === patience
    if (socket.writableLength > 0 || !isAnswering) socket.destroy()
  })
}
