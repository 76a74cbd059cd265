import type { Server } from "node:http"
import type { Socket } from "node:net"
import { clientAddress } from "../request/clientAddress.ts"

/**
 * Closes connections that an address opens beyond `most`, before anything is read from them: otherwise one client with
 * a few thousand silent connections would hold everything that the process has.
 */
export const capConnections = (server: Server, most: number): void => {
  const open = new Map<string, number>()
  server.on("connection", (socket: Socket) => {
    const address = clientAddress(socket.remoteAddress, undefined, 0)
    const before = open.get(address) ?? 0
    if (before >= most) {
      socket.destroy()
      return
    }
    open.set(address, before + 1)
    socket.once("close", () => {
      const left = open.get(address)! - 1
      if (left === 0) open.delete(address)
      else open.set(address, left)
    })
  })
}
