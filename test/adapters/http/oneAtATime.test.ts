import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { expect, it } from "vitest"
import { onRequest, oneAtATime } from "../../../adapters/http/limits/oneAtATime.ts"

/** A server that lists what has begun, and responds when the test does. */
const serve = async () => {
  const server = createServer()
  oneAtATime(server)
  const begun: Array<string> = []
  const responses: Array<ServerResponse> = []
  onRequest(server, ({ url = "" }, response) => {
    begun.push(url)
    responses.push(response)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo // it listens on TCP
  const socket = connect(port, "127.0.0.1")
  const ask = (...paths: ReadonlyArray<string>) =>
    socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join(""))
  return { server, begun, responses, socket, ask }
}

const heard = async (server: Awaited<ReturnType<typeof serve>>, requests: number) => {
  while (server.begun.length < requests) await once(server.server, "request")
}

it("a request begins when the response before it is over", async () => {
  const served = await serve()
  const { server, begun, responses, socket, ask } = served
  ask("/a", "/b", "/c")
  await heard(served, 1)
  await new Promise(setImmediate)
  expect(begun).toEqual(["/a"])
  responses[0]!.end("1")
  await heard(served, 2)
  expect(begun).toEqual(["/a", "/b"])
  responses[1]!.end("2")
  await heard(served, 3)
  responses[2]!.end("3")
  ask("/d")
  await heard(served, 4)
  expect(begun).toEqual(["/a", "/b", "/c", "/d"])
  socket.destroy()
  server.close()
})

it.each(["", "Expect: 100-continue\r\n"])("a connection with a thousand requests is closed %j", async (header) => {
  const { server, begun, responses, socket } = await serve()
  socket.on("error", () => {})
  socket.write(`GET /0 HTTP/1.1\r\nHost: a\r\n${header}\r\n`.repeat(1_000))
  await once(socket, "close")
  responses[0]!.end()
  await new Promise(setImmediate)
  expect(begun).toEqual(["/0"])
  server.close()
})
