import type { IncomingMessage, Server, ServerResponse } from "node:http"

const announcesBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0"

/**
 * Ends a connection on which a request was answered, refused for instance, and its body is not there `patience`
 * milliseconds later. Nobody waits for it, and Node alone would, twice as long as for one that is read.
 */
export const endUnreadBodies = (server: Server, patience: number): void => {
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    if (!announcesBody(request)) return
    response.once("close", () => {
      const { socket } = request
      if (request.complete || socket.destroyed) return
      const timer = setTimeout(() => {
        if (!request.complete) socket.destroy()
      }, patience)
      // Of the request, not of its connection, which goes on with others.
      request.once("close", () => clearTimeout(timer))
    })
  })
}
