import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { open } from "node:fs/promises"
import { describe, expect, it } from "vitest"

const modules = new URL("../../apps/", import.meta.url)

/** Prints a report larger than a pipe holds. */
const report = `print("finding ".repeat(100_000))`
const start = (effect: string, out: "pipe" | number, err: "pipe" | number = "pipe"): ChildProcess => {
  const program = `
    import * as Effect from "effect/Effect"
    const { print } = await import(${JSON.stringify(new URL("terminal/print.ts", modules).href)})
    const { runMain } = await import(${JSON.stringify(new URL("runMain.ts", modules).href)})
    runMain(Effect.as(${effect}, 0))
  `
  return spawn(process.execPath, ["--input-type=module", "--eval", program], { stdio: ["ignore", out, err] })
}

const outcome = async (child: ChildProcess) => {
  let err = ""
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (err += text))
  const [code] = await once(child, "close")
  return { code: code as number, err }
}

describe("a report on standard output", () => {
  it("that the device has no room for is a sentence and exit code 2", async () => {
    const full = await open("/dev/full", "w")
    const { code, err } = await outcome(start(report, full.fd))
    await full.close()
    expect({ code, err }).toEqual({
      code: 2,
      err: "Could not write to standard output: no space left on device.\n",
    })
  })

  it("is not a failure if its reader has read enough", async () => {
    const child = start(report, "pipe")
    const ended = outcome(child)
    await once(child.stdout!, "readable")
    child.stdout!.destroy()
    expect(await ended).toEqual({ code: 0, err: "" })
  })
})

it("a log line that the device has no room for ends nothing", async () => {
  const full = await open("/dev/full", "w")
  const { code } = await outcome(start(`Effect.andThen(Effect.logInfo("started"), Effect.sleep(1))`, "pipe", full.fd))
  await full.close()
  expect(code).toBe(0)
})
