import { once } from "node:events"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"

type Value = { readonly stringValue?: string; readonly intValue?: number | string; readonly boolValue?: boolean }
interface KeyValue {
  readonly key: string
  readonly value: Value
}
interface Exported {
  readonly resourceSpans: ReadonlyArray<{
    readonly resource: { readonly attributes: ReadonlyArray<KeyValue> }
    readonly scopeSpans: ReadonlyArray<{
      readonly spans: ReadonlyArray<{
        readonly name: string
        readonly kind: number
        readonly traceId: string
        readonly spanId: string
        readonly parentSpanId?: string
        readonly attributes: ReadonlyArray<KeyValue>
      }>
    }>
  }>
}

export interface ReceivedSpan {
  readonly service: string
  readonly name: string
  /** 2: server, 5: consumer. */
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly attributes: Readonly<Record<string, unknown>>
}

/** An OpenTelemetry collector's HTTP endpoint that keeps what it receives. */
export interface OtlpReceiver {
  readonly url: string
  readonly requests: ReadonlyArray<{
    readonly path: string
    readonly headers: IncomingHttpHeaders
    readonly body: Buffer
  }>
  /** The spans of the exports in JSON. */
  readonly spans: () => ReadonlyArray<ReceivedSpan>
  readonly close: () => Promise<void>
}

const plain = (attributes: ReadonlyArray<KeyValue>): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? value.boolValue]))

const spansOf = (body: string): ReadonlyArray<ReceivedSpan> =>
  // The shape is opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest in JSON.
  (JSON.parse(body) as Exported).resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(plain(resource.attributes)["service.name"])
    return scopeSpans.flatMap(({ spans }) =>
      spans.map(({ name, kind, traceId, spanId, parentSpanId, attributes }) => ({
        service,
        name,
        kind,
        traceId,
        spanId,
        parentSpanId,
        attributes: plain(attributes),
      })),
    )
  })

export const startOtlpReceiver = async (): Promise<OtlpReceiver> => {
  const requests: Array<{ path: string; headers: IncomingHttpHeaders; body: Buffer }> = []
  const server = createServer(async (request, response) => {
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(chunk)
    requests.push({ path: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks) })
    response.writeHead(200, { "content-type": "application/json" }).end("{}")
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  // A TCP server's address is not a path.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    spans: () =>
      requests
        .filter(({ headers }) => headers["content-type"]?.startsWith("application/json"))
        .flatMap(({ body }) => spansOf(body.toString("utf8"))),
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, "close")
    },
  }
}
