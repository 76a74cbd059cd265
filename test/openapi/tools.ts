import { execFile } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** Separate from the project's packages: openapi-typescript needs another TypeScript, and nothing else needs these. */
const folder = fileURLToPath(new URL("../../node_modules/.cache/assay/openapi", import.meta.url))

const npmPackages = [
  "@stoplight/spectral-cli@6.16.3",
  "openapi-fetch@0.17.0",
  "openapi-typescript@7.13.0",
  "typescript@5.9.3",
]
const pythonPackages = ["openapi-python-client==0.29.1", "openapi-spec-validator==0.9.0"]

export interface Outcome {
  readonly code: number
  readonly output: string
}

/** Runs a program to its end, whatever its outcome. */
export const run = (program: string, args: ReadonlyArray<string>, cwd = folder): Promise<Outcome> =>
  new Promise((resolve) => {
    execFile(program, [...args], { cwd, timeout: 280_000, maxBuffer: 64_000_000 }, (error, out, err) =>
      resolve({ code: error === null ? 0 : typeof error.code === "number" ? error.code : 1, output: out + err }),
    )
  })

const succeed = async (program: string, args: ReadonlyArray<string>): Promise<void> => {
  const { code, output } = await run(program, args)
  if (code !== 0) throw new Error(`${program} ${args.join(" ")}\n${output}`)
}

/** The folder with the tools in it, fetched once. */
export const installed = async (): Promise<string> => {
  const done = join(folder, "installed")
  const wanted = [...npmPackages, ...pythonPackages].join("\n")
  if (existsSync(done) && readFileSync(done, "utf8") === wanted) return folder
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "package.json"), '{"private":true,"type":"module"}')
  await succeed("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--save-exact", ...npmPackages])
  await succeed("python3", ["-m", "venv", "--clear", "python"])
  await succeed(python("pip"), ["install", "--quiet", "--disable-pip-version-check", ...pythonPackages])
  writeFileSync(done, wanted)
  return folder
}

export const python = (tool: string): string => join(folder, "python/bin", tool)
export const npm = (tool: string): string => join(folder, "node_modules/.bin", tool)
