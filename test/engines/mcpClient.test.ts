import { execFileSync } from "node:child_process"
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, expect, it } from "vitest"

/** What this uses of the SDK, which is installed on demand and has its own types. */
interface Client {
  readonly connect: (transport: object) => Promise<void>
  readonly close: () => Promise<void>
  readonly listTools: () => Promise<{ readonly tools: ReadonlyArray<{ readonly name: string }> }>
  readonly listPrompts: () => Promise<{ readonly prompts: ReadonlyArray<{ readonly name: string }> }>
  readonly readResource: (params: { readonly uri: string }) => Promise<unknown>
  readonly callTool: (params: {
    readonly name: string
    readonly arguments: object
  }) => Promise<{ readonly content: ReadonlyArray<{ readonly text: string }>; readonly isError?: boolean }>
}

const project = fileURLToPath(new URL("../..", import.meta.url))
let tools = ""
let root = ""
let outside = ""
let client: Client

beforeAll(async () => {
  tools = await mkdtemp(join(tmpdir(), "assay-mcp-sdk-"))
  root = await mkdtemp(join(tmpdir(), "assay-mcp-"))
  outside = await mkdtemp(join(tmpdir(), "assay-mcp-outside-"))
  const options = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "@modelcontextprotocol/sdk@1.32.2"]
  execFileSync("npm", options, { cwd: tools })
  await mkdir(join(root, "src"))
  for (let index = 0; index < 300; index++) {
    const text = `contract Part${index} { uint256 public value; function set(uint256 v) external { value = v; } }\n`
    await writeFile(join(root, `src/Part${index}.sol`), text)
  }
  await writeFile(join(outside, "Secret.sol"), "contract Secret {}\n")
  await symlink(outside, join(root, "link"))
  const sdk = join(tools, "node_modules/@modelcontextprotocol/sdk/dist/esm/client")
  // The SDK's own modules.
  const { Client } = (await import(join(sdk, "index.js"))) as { readonly Client: new (info: object) => Client }
  const { StdioClientTransport } = (await import(join(sdk, "stdio.js"))) as {
    readonly StdioClientTransport: new (server: object) => object
  }
  client = new Client({ name: "test", version: "1" })
  const server = { command: process.execPath, args: ["apps/mcp/main.ts", root], cwd: project }
  await client.connect(new StdioClientTransport(server))
}, 300_000)
afterAll(async () => {
  await client?.close()
  for (const folder of [tools, root, outside]) await rm(folder, { recursive: true, force: true })
})

const call = async (name: string, given: object) => {
  const { content } = await client.callTool({ name, arguments: given })
  return JSON.parse(content[0]!.text) as Readonly<Record<string, unknown>>
}

it("is understood by the official client", async () => {
  expect((await client.listTools()).tools.length).toBe(12)
  expect((await client.listPrompts()).prompts.length).toBe(2)
  expect(JSON.stringify(await client.readResource({ uri: "assay://rules" }))).toContain("reentrancy")
  expect(await call("scan", {})).toMatchObject({ filesAnalysed: 300 })
  expect(await call("writers_of", { variable: "Part299.value" })).toMatchObject({
    variables: [{ writers: { items: [{ function: "Part299.set(uint256)", file: "src/Part299.sol" }] } }],
  })
})

it("gives it nothing from outside the folder", async () => {
  for (const path of ["..", "../../etc/passwd", "/etc/passwd", "link", "link/Secret.sol", "src/../..", "src/\0"])
    expect(await call("scan", { path }), path).toEqual({
      error: "No such folder or file inside the server's folder.",
    })
  expect(JSON.stringify(await call("search", { text: "contract Secret" }))).not.toContain("Secret.sol")
})
