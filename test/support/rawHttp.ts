import { connect } from "node:net"

export interface RawResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends bytes unchanged and reads until the server closes the connection, or `patience` milliseconds have passed. */
export const rawRequest = (port: number, request: string, patience = 5000): Promise<RawResponse> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(request, "latin1"))
    let text = ""
    const finish = () => {
      socket.destroy()
      const [head = "", body = ""] = text.split(/\r\n\r\n([\s\S]*)/)
      const [statusLine = "", ...lines] = head.split("\r\n")
      const headers = Object.fromEntries(
        lines.map((line) => {
          const colon = line.indexOf(":")
          return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
        }),
      )
      resolve({ status: Number(statusLine.split(" ")[1]), headers, body })
    }
    socket.setTimeout(patience, finish)
    socket.on("data", (chunk) => (text += chunk.toString("utf8")))
    socket.on("end", finish)
    socket.on("error", (error) => (text === "" ? reject(error) : finish()))
  })
