import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"
import { promisify } from "node:util"

const run = promisify(execFile)

export interface StripeMock {
  readonly url: URL
  readonly stop: () => Promise<void>
}

export const installed = async (): Promise<string> => {
  const { stdout } = await run("go", ["env", "GOBIN", "GOPATH"])
  const [bin = "", path = ""] = stdout.split("\n")
  const folders = [bin, ...path.split(delimiter).map((folder) => join(folder, "bin"))].filter((folder) => folder !== "")
  const found = () => folders.map((folder) => join(folder, "stripe-mock")).find((file) => existsSync(file))
  if (found() === undefined)
    await run("go", ["install", "github.com/stripe/stripe-mock@v0.203.0"], { timeout: 900_000 })
  const file = found()
  if (file === undefined) throw new Error("go installed stripe-mock somewhere else")
  return file
}

/**
 * Stripe's own mock, which checks requests against Stripe's OpenAPI document, on loopback. Undefined, with the reason
 * printed, if Go is not available to install it; in CI (`CI=true`) that is an error.
 */
export const startStripeMock = async (): Promise<StripeMock | undefined> => {
  try {
    const server = spawn(await installed(), ["-http-addr", "127.0.0.1:0", "-https-addr", "127.0.0.1:0"], {
      stdio: ["ignore", "pipe", "pipe"],
    })
    const killed = () => server.kill("SIGKILL")
    process.once("exit", killed)
    const port = await new Promise<string>((resolve, reject) => {
      let log = ""
      const read = (text: string) => {
        log += text
        const [, found] = /Listening for HTTP at address: 127\.0\.0\.1:(\d+)\s/.exec(log) ?? []
        if (found !== undefined) resolve(found)
      }
      server.stdout.setEncoding("utf8").on("data", read)
      server.stderr.setEncoding("utf8").on("data", read)
      server.once("error", reject)
      server.once("exit", (code) => reject(new Error(`stripe-mock exited with ${code}: ${log}`)))
    })
    return {
      url: new URL(`http://127.0.0.1:${port}`),
      stop: async () => {
        process.off("exit", killed)
        if (server.exitCode !== null) return
        server.kill("SIGTERM")
        await once(server, "exit")
      },
    }
  } catch (error) {
    const message = `No stripe-mock for this test: ${error instanceof Error ? error.message.split("\n")[0] : String(error)}`
    if (process.env["CI"] === "true") throw new Error(message, { cause: error })
    console.warn(message)
    return undefined
  }
}
