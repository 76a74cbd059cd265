import { spawn } from "node:child_process"
import { createHash, randomUUID } from "node:crypto"
import { once } from "node:events"
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const dashboard = join(import.meta.dirname, "..")
const project = join(dashboard, "../..")
const vite = join(project, "node_modules/vite/bin/vite.js")

/** Where the built files are. */
export const builtFiles = join(dashboard, "dist")
const stamp = join(builtFiles, ".sources")

const longestBuild = 180_000
const longestOutput = 20_000

/** The sources of the built files. */
const inputs = ["apps/dashboard/src", "apps/dashboard/build", "adapters/http/contract"]
const files = ["apps/dashboard/index.html", "apps/dashboard/vite.config.ts", "tsconfig.json", "package-lock.json"]

const sourcesHash = (): string => {
  const hash = createHash("sha256")
  const found = inputs.flatMap((folder) =>
    readdirSync(join(project, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  )
  for (const file of [...found.toSorted(), ...files.map((name) => join(project, name))]) {
    hash.update(file.slice(project.length)).update("\0").update(readFileSync(file)).update("\0")
  }
  return hash.digest("hex")
}

export type Built =
  | { readonly state: "current" | "built" }
  /** `reason` is for people; an older build, if any, is still served. */
  | { readonly state: "failed" | "impossible"; readonly reason: string }

/** Replaces the previous build in one step: a simultaneous start finds either one, complete. */
const install = (made: string): void => {
  const previous = `${builtFiles}.${randomUUID()}`
  if (existsSync(builtFiles)) renameSync(builtFiles, previous)
  try {
    renameSync(made, builtFiles)
  } catch {
    // Another process has built the same sources in the meantime.
    rmSync(made, { recursive: true, force: true })
  }
  rmSync(previous, { recursive: true, force: true })
}

/**
 * Builds the dashboard unless the existing build is of these sources. `progress` receives the number of modules read.
 * Never fails: the service works without its pages.
 */
export const ensureBuilt = async (progress: (modules: number) => void): Promise<Built> => {
  // An image contains only the built files.
  if (!existsSync(join(dashboard, "src"))) return { state: "current" }
  const hash = sourcesHash()
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return { state: "current" }
  if (!existsSync(vite)) return { state: "impossible", reason: "the build tools are not installed; run npm ci" }

  const out = `${builtFiles}.${randomUUID()}`
  const child = spawn(process.execPath, [vite, "build", "--logLevel", "error"], {
    cwd: dashboard,
    env: { ...process.env, ASSAY_DASHBOARD_OUT: out, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: longestBuild,
  })
  let said = ""
  const listen = (text: string): void => {
    said = (said + text).slice(-longestOutput)
    const count = text.lastIndexOf("modules ")
    if (count !== -1) progress(Number.parseInt(text.slice(count + "modules ".length), 10) || 0)
  }
  child.stdout.setEncoding("utf8").on("data", listen)
  child.stderr.setEncoding("utf8").on("data", listen)
  try {
    const [code, signal] = await once(child, "close")
    if (code !== 0 || !existsSync(join(out, "index.html"))) {
      const lines = said.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("modules "))
      return { state: "failed", reason: lines.slice(0, 5).join("\n") || `the build ended with ${code ?? signal}` }
    }
    writeFileSync(join(out, ".sources"), hash)
    install(out)
    return { state: "built" }
  } catch (error) {
    return { state: "failed", reason: String(error) }
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}
