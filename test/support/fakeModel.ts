import { createServer, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** A request in terms common to both protocols. */
export interface Heard {
  readonly protocol: "openai-compatible" | "anthropic"
  readonly system: string
  /** What users and tools said, in order. */
  readonly said: ReadonlyArray<string>
  /** The model's earlier calls, by the names of tools. */
  readonly calls: ReadonlyArray<string>
  readonly tools: ReadonlyArray<string>
  readonly only: string | undefined
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>>
}

export type Says =
  | { readonly call: string; readonly with: unknown }
  | { readonly calls: ReadonlyArray<{ readonly call: string; readonly with: unknown }> }
  | { readonly text: string }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly raw: string }
  /** Half of a good response, then the end of the connection. */
  | "cut"
  | "nothing"

export type Script = (heard: Heard, index: number) => Says | Promise<Says>

type Json = Readonly<Record<string, unknown>>
// Written by the adapters under test; a wrong shape makes the tests fail.
const listOf = (value: unknown): ReadonlyArray<Json> => (value ?? []) as ReadonlyArray<Json>

const fromOpenAi = (body: Json): Omit<Heard, "headers" | "body"> => {
  const messages = listOf(body["messages"])
  const choice = body["tool_choice"] as string | { readonly function: { readonly name: string } }
  return {
    protocol: "openai-compatible",
    system: messages.flatMap(({ role, content }) => (role === "system" ? [String(content)] : [])).join("\n"),
    said: messages.flatMap(({ role, content }) => (role === "user" || role === "tool" ? [String(content)] : [])),
    calls: messages.flatMap((message) =>
      listOf(message["tool_calls"]).map((call) => String((call["function"] as Json)["name"])),
    ),
    tools: listOf(body["tools"]).map((tool) => String((tool["function"] as Json)["name"])),
    only: typeof choice === "string" ? undefined : choice.function.name,
  }
}

const fromAnthropic = (body: Json): Omit<Heard, "headers" | "body"> => {
  const blocks = listOf(body["messages"]).flatMap(({ content }) => listOf(content))
  const choice = body["tool_choice"] as { readonly type: string; readonly name?: string }
  return {
    protocol: "anthropic",
    system: String(body["system"]),
    said: blocks.flatMap(({ type, text, content }) =>
      type === "text" ? [String(text)] : type === "tool_result" ? [String(content)] : [],
    ),
    calls: blocks.flatMap(({ type, name }) => (type === "tool_use" ? [String(name)] : [])),
    tools: listOf(body["tools"]).map(({ name }) => String(name)),
    only: choice.name,
  }
}

const answerOf = (says: Says, { protocol }: Heard): Json => {
  const calls =
    typeof says === "object" && "call" in says ? [says] : typeof says === "object" && "calls" in says ? says.calls : []
  const text = typeof says === "object" && "text" in says ? says.text : ""
  return protocol === "anthropic"
    ? {
        type: "message",
        role: "assistant",
        stop_reason: calls.length === 0 ? "end_turn" : "tool_use",
        content: [
          ...(text === "" ? [] : [{ type: "text", text }]),
          ...calls.map((one, index) => ({ type: "tool_use", id: `toolu_${index}`, name: one.call, input: one.with })),
        ],
        usage: { input_tokens: 1_000, output_tokens: 100 },
      }
    : {
        object: "chat.completion",
        choices: [
          {
            index: 0,
            finish_reason: calls.length === 0 ? "stop" : "tool_calls",
            message: {
              role: "assistant",
              content: text === "" ? null : text,
              tool_calls: calls.map((one, index) => ({
                id: `call_${index}`,
                type: "function",
                function: {
                  name: one.call,
                  arguments: typeof one.with === "string" ? one.with : JSON.stringify(one.with),
                },
              })),
            },
          },
        ],
        usage: { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 },
      }
}

const send = (response: ServerResponse, says: Says, heard: Heard): void => {
  if (says === "nothing") return
  if (typeof says === "object" && "status" in says) {
    response.writeHead(says.status, says.headers).end(`{"error":{"message":"no"}}`)
    return
  }
  const text = typeof says === "object" && "raw" in says ? says.raw : JSON.stringify(answerOf(says, heard))
  if (says === "cut") {
    response.writeHead(200, { "content-type": "application/json", "content-length": text.length })
    response.write(text.slice(0, text.length / 2), () => response.destroy())
    return
  }
  response.writeHead(200, { "content-type": "application/json" }).end(text)
}

/** A model that responds as a test specifies, over a real socket and in the providers' own protocols. */
export class FakeModel {
  readonly heard: Array<Heard> = []
  /** The largest number of concurrent requests so far. */
  busiest = 0
  script: Script
  private busy = 0
  private readonly server: Server

  private constructor(script: Script) {
    this.script = script
    this.server = createServer((request, response) => {
      let text = ""
      request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk))
      request.on("end", () => {
        const body = JSON.parse(text) as Json
        const heard: Heard = {
          ...(request.url?.endsWith("/v1/messages") === true ? fromAnthropic(body) : fromOpenAi(body)),
          headers: request.headers,
          body,
        }
        const index = this.heard.push(heard) - 1
        this.busiest = Math.max(this.busiest, ++this.busy)
        response.on("close", () => this.busy--)
        void Promise.resolve(this.script(heard, index)).then((says) => send(response, says, heard))
      })
    })
  }

  static async start(script: Script = () => ({ text: "" })): Promise<FakeModel> {
    const model = new FakeModel(script)
    await new Promise<void>((resolve) => model.server.listen(0, "127.0.0.1", resolve))
    return model
  }

  get url(): string {
    // A server that listens on an address has one.
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  /** Forgets what it has received. */
  begin(script: Script): void {
    this.heard.length = 0
    this.busiest = 0
    this.script = script
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }
}
