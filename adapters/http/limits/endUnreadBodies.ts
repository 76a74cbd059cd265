import type { IncomingMessage, Server } from "node:http"
import { onRequest } from "./oneAtATime.ts"

const announcesBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0"

/**
 * Ends a connection on which a request was answered, for instance refused, and whose body has not arrived `patience`
 * milliseconds later. Nobody is waiting for it, but Node alone would, twice as long as for a body that is read.
 */
export const endUnreadBodies = (server: Server, patience: number): void => {
  onRequest(server, (request, response) => {
    if (!announcesBody(request)) return
    response.once("close", () => {
      const { socket } = request
      if (request.complete || socket.destroyed) return
      const timer = setTimeout(() => {
        if (!request.complete) socket.destroy()
      }, patience)
      // The request's, not the connection's, which continues with others.
      request.once("close", () => clearTimeout(timer))
    })
  })
}
