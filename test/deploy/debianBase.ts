import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"

/** A root file system to build an image on. */
export interface Base {
  readonly description: string
  readonly folder: string
}

/**
 * This machine's own Debian, unchanged; with `ASSAY_IMAGE_BASE=trixie` a bare Debian of that name, created once by
 * debootstrap (50 s) and kept in the cache folder, which is the base of the official Node image.
 */
export const debianBase = (): Base => {
  const suite = process.env["ASSAY_IMAGE_BASE"] ?? ""
  if (suite === "") {
    const [, name] = /^PRETTY_NAME="(.*)"$/m.exec(readFileSync("/etc/os-release", "utf8")) ?? []
    return { description: `${name} of this machine`, folder: "/" }
  }
  const folder = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "assay", `debian-${suite}`)
  if (!existsSync(folder)) {
    const unfinished = `${folder}.unfinished`
    rmSync(unfinished, { recursive: true, force: true })
    mkdirSync(unfinished, { recursive: true })
    execFileSync("debootstrap", ["--variant=minbase", suite, unfinished], { stdio: ["ignore", "ignore", "inherit"] })
    renameSync(unfinished, folder)
  }
  return { description: `bare Debian ${suite}`, folder }
}
