import { stat } from "node:fs/promises"
import { dirname, isAbsolute, join, resolve } from "node:path"
import { isCommitId } from "../../domain/repository/Revision.ts"
import { readRegular } from "./readRegular.ts"

/** Information from a git checkout. The files may differ from the commit: nothing is compared. */
export interface Checkout {
  readonly branch: string | undefined
  readonly commit: string | undefined
  /** URL of the remote `origin` if it is http(s), without credentials. */
  readonly originUrl: string | undefined
}

/** Git never writes larger files in these places. */
const maxBytes = 1_000_000

const read = async (path: string): Promise<string | undefined> => (await readRegular(path, maxBytes))?.toString("utf8")

/** The git directory of the checkout that contains a folder; a worktree and a submodule name theirs in a file. */
const gitDirectory = async (folder: string): Promise<string | undefined> => {
  for (let current = resolve(folder); ; current = dirname(current)) {
    const path = join(current, ".git")
    const kind = await stat(path).catch(() => undefined)
    if (kind?.isDirectory() === true) return path
    if (kind?.isFile() === true) {
      const named = /^gitdir: (.+)$/m.exec((await read(path)) ?? "")?.[1]
      return named === undefined ? undefined : resolve(current, named)
    }
    if (dirname(current) === current) return undefined
  }
}

const idOf = async (folders: ReadonlyArray<string>, ref: string): Promise<string | undefined> => {
  for (const folder of folders) {
    const loose = (await read(join(folder, ref)))?.trim()
    if (loose !== undefined && isCommitId(loose)) return loose
  }
  for (const folder of folders) {
    const packed = (await read(join(folder, "packed-refs"))) ?? ""
    const id = packed
      .split("\n")
      .find((line) => line.endsWith(` ${ref}`))
      ?.split(" ")[0]
    if (id !== undefined && isCommitId(id)) return id
  }
  return undefined
}

const originOf = (config: string): string | undefined => {
  let inOrigin = false
  let text = ""
  for (const line of config.split("\n").map((one) => one.trim())) {
    if (line.startsWith("[")) inOrigin = line === '[remote "origin"]'
    else if (inOrigin && text === "" && /^url\s*=/.test(line)) text = line.slice(line.indexOf("=") + 1).trim()
  }
  if (/\s/.test(text) || !/^https?:\/\//.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  url.username = ""
  url.password = ""
  url.search = ""
  url.hash = ""
  return url.href.replace(/\.git$/, "")
}

/**
 * Reads branch, commit and origin from git's own files (gitrepository-layout(5)). Git itself is not run: the checkout
 * may be untrusted, and its configuration can name programs to start.
 */
export const readCheckout = async (folder: string): Promise<Checkout | undefined> => {
  const directory = await gitDirectory(folder)
  if (directory === undefined) return undefined
  const shared = (await read(join(directory, "commondir")))?.trim()
  const common = shared === undefined ? directory : isAbsolute(shared) ? shared : join(directory, shared)

  const head = (await read(join(directory, "HEAD")))?.trim() ?? ""
  const ref = /^ref: (refs\/[^\s]+)$/.exec(head)?.[1]
  const safe = ref !== undefined && !ref.split("/").includes("..")
  const detached = isCommitId(head) ? head : undefined
  return {
    branch: ref?.replace(/^refs\/heads\//, ""),
    commit: safe ? await idOf([directory, common], ref) : detached,
    originUrl: originOf((await read(join(common, "config"))) ?? ""),
  }
}
