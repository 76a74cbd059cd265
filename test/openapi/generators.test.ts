import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startApp, type TestApp } from "../support/app.ts"
import { created } from "../support/client.ts"
import { installed, npm, python, run } from "./tools.ts"

let app: TestApp
let work: string
let document: string
let driven: ReadonlyArray<string>
beforeAll(async () => {
  const folder = await installed()
  app = await startApp()
  const { apiKey } = await app.newUser()
  const completed = await created(app, apiKey)
  await app.completeNext()
  work = mkdtempSync(join(folder, "run-"))
  document = join(work, "openapi.json")
  // As it is served.
  writeFileSync(document, await (await fetch(`${app.url}/openapi.json`)).text())
  driven = [app.url, apiKey, completed]
})
afterAll(async () => {
  await app.close()
  rmSync(work, { recursive: true, force: true })
})

const here = (file: string) => new URL(file, import.meta.url).pathname

describe("the served document", () => {
  it("is clean for Spectral", async () => {
    writeFileSync(join(work, "spectral.yaml"), 'extends: ["spectral:oas"]\n')
    const lint = ["lint", document, "--ruleset", join(work, "spectral.yaml"), "--fail-severity", "hint"]
    expect(await run(npm("spectral"), lint)).toMatchObject({ code: 0 })
  })

  it("is clean for openapi-spec-validator", async () => {
    expect(await run(python("openapi-spec-validator"), [document])).toMatchObject({ code: 0 })
  })

  it("yields a TypeScript client that compiles and drives the service", async () => {
    expect(await run(npm("openapi-typescript"), [document, "-o", join(work, "api.d.ts")])).toMatchObject({ code: 0 })
    copyFileSync(here("drive.ts.txt"), join(work, "drive.ts"))
    writeFileSync(join(work, "node.d.ts"), "declare const process: { readonly argv: ReadonlyArray<string> }\n")
    const options = "--strict --skipLibCheck --target es2022 --module nodenext --lib es2022,dom"
    const files = [join(work, "drive.ts"), join(work, "node.d.ts")]
    expect(await run(npm("tsc"), [...options.split(" "), ...files], work)).toEqual({ code: 0, output: "" })
    expect((await run(process.execPath, [join(work, "drive.js"), ...driven], work)).output).toContain("driven")
  })

  it("yields a Python client that drives the service", async () => {
    // The generator knows text only by `text/`.
    writeFileSync(
      join(work, "generator.yaml"),
      "content_type_overrides:\n  image/svg+xml: text/plain\npost_hooks: []\n",
    )
    const generate = ["generate", "--path", document, "--meta", "none", "--fail-on-warning"]
    const options = ["--output-path", join(work, "pyclient"), "--config", join(work, "generator.yaml")]
    expect(await run(python("openapi-python-client"), [...generate, ...options], work)).toMatchObject({ code: 0 })
    copyFileSync(here("drive.py"), join(work, "drive.py"))
    expect((await run(python("python"), ["drive.py", ...driven], work)).output).toContain("driven")
  })
})
