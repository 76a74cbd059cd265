import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { PinnedRepository } from "./repositories.ts"

const git = (repository: string, ...args: ReadonlyArray<string>): string =>
  execFileSync("git", ["-C", repository, ...args], { encoding: "utf8", maxBuffer: 1 << 28 })

/**
 * Writes the files of a pinned commit below `into`, from a git repository that may be bare and may lack its largest
 * blobs: those files are left out. Fails where the commit is not there.
 */
export const layOut = async (repository: string, { commit, folder }: PinnedRepository, into: string): Promise<void> => {
  const entries = git(repository, "ls-tree", "-r", "-z", commit, ...(folder === undefined ? [] : [`${folder}/`]))
    .split("\0")
    .flatMap((line) => {
      const [, mode, hash, path] = /^(\d+) blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? []
      return mode === undefined || mode === "120000" ? [] : [{ hash: hash!, path: path! }]
    })
  const reader = spawn("git", ["-C", repository, "cat-file", "--batch"], { stdio: ["pipe", "pipe", "ignore"] })
  reader.stdin.end(entries.map(({ hash }) => `${hash}\n`).join(""))
  const chunks: Array<Buffer> = []
  reader.stdout.on("data", (chunk: Buffer) => chunks.push(chunk))
  await once(reader, "close")
  const all = Buffer.concat(chunks)
  let at = 0
  for (const { path } of entries) {
    const end = all.indexOf("\n", at)
    const [, kind, size] = all.toString("utf8", at, end).split(" ")
    at = end + 1
    if (kind === "missing") continue
    const file = join(into, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, all.subarray(at, at + Number(size)))
    at += Number(size) + 1
  }
}
