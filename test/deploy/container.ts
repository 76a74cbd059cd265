import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, readFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import type { Scratch } from "./scratch.ts"

/**
 * A root file system in layers, the uppermost one first. Instead of a container engine, this uses the kernel's own means:
 * overlays, mount and process namespaces, and `setpriv` for the restrictions of a pod.
 */
export type Layers = ReadonlyArray<string>

interface Entry {
  readonly layers: Layers
  readonly directory: string
  readonly environment: Readonly<Record<string, string>>
  readonly command: ReadonlyArray<string>
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Runs a script as process 1 of separate namespaces, but with the machine's network. */
const isolated = (scratch: Scratch, script: string): ChildProcess => {
  const namespaces = ["--mount", "--propagation=private", "--pid", "--fork", "--kill-child"]
  const [command, ...rest] = [...scratch.enter, "unshare", ...namespaces, "sh", "-euc", script]
  return spawn(command!, rest, { stdio: ["ignore", "pipe", "pipe"], env: { PATH: process.env["PATH"] } })
}

/** A folder to mount something at. */
const mountPoint = (scratch: Scratch, name: string): string => {
  const path = join(scratch.folder, name)
  mkdirSync(scratch.outside(path), { recursive: true })
  return path
}

const assignments = (environment: Readonly<Record<string, string>>): string =>
  Object.entries(environment)
    .map(([name, value]) => quoted(`${name}=${value}`))
    .join(" ")

const within = ({ directory, environment, command }: Entry, root: string, wrapper = ""): string =>
  `exec chroot ${root} ${wrapper} env --ignore-environment --chdir=${directory} ${assignments(environment)} ${command
    .map(quoted)
    .join(" ")}`

/**
 * Runs a build step with this machine's home folder, for the package manager's settings and cache, which writes
 * to the uppermost layer; returns its output, or fails with it.
 */
export const buildStep = async (entry: Entry, scratch: Scratch, name: string): Promise<string> => {
  const [upper, ...lower] = entry.layers
  const root = mountPoint(scratch, `${name}-root`)
  const work = mountPoint(scratch, `${name}-work`)
  const child = isolated(
    scratch,
    `
    mount -t overlay overlay -o lowerdir=${lower.join(":")},upperdir=${upper},workdir=${work} ${root}
    mount -t proc proc ${root}/proc
    mount --bind /dev ${root}/dev
    mount --bind ${homedir()} ${root}/root
    cp /etc/resolv.conf ${root}/etc/resolv.conf
    ${within(entry, root)}`,
  )
  let output = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => (output += text))
  }
  const [code] = await once(child, "close")
  if (code !== 0) throw new Error(`${entry.command.join(" ")} ended with ${code}:\n${output}`)
  return output
}

export interface Container {
  readonly output: () => string
  /** The first line that matches; fails if the container ends before that or 60 s pass. */
  readonly line: (pattern: RegExp) => Promise<string>
  /** Signals process 1 and waits for it to end; returns the exit code. */
  readonly stop: (signal: NodeJS.Signals) => Promise<number | null>
  readonly ended: Promise<number | null>
}

/**
 * Runs a command as a restricted pod would: as user and group 65532 without capabilities or ways to gain any, on a
 * read-only root file system, with `/tmp` and `/var/lib/assay` as empty volumes that are owned by root and world-writable.
 */
export const runContainer = (entry: Entry, scratch: Scratch, name: string): Container => {
  const root = mountPoint(scratch, name)
  const unprivileged =
    "setpriv --reuid=65532 --regid=65532 --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all"
  const child = isolated(
    scratch,
    `
    mount -t overlay overlay -o lowerdir=${entry.layers.join(":")} ${root}
    mount -t proc proc ${root}/proc
    mount --bind /dev ${root}/dev
    mount -t tmpfs -o mode=2777 tmpfs ${root}/tmp
    mount -t tmpfs -o mode=2777 tmpfs ${root}/var/lib/assay
    ${within(entry, root, unprivileged)}`,
  )
  let output = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => (output += text))
  }
  const ended = once(child, "close").then(([code]) => code as number | null)
  /** `unshare` itself ignores signals; its only child is process 1 of the container. */
  const first = (): number => {
    const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim()
    return Number(children)
  }
  return {
    output: () => output,
    ended,
    stop: (signal) => {
      if (child.exitCode === null && child.signalCode === null) process.kill(first(), signal)
      return ended
    },
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): boolean => {
          const found = output.split("\n").find((line) => pattern.test(line))
          if (found !== undefined) {
            clearTimeout(timer)
            resolve(found)
          }
          return found !== undefined
        }
        const fail = (why: string) => reject(new Error(`${why} before ${pattern} was printed:\n${output}`))
        const timer = setTimeout(() => fail("60 s passed"), 60_000)
        if (look()) return
        child.stdout?.on("data", look)
        child.stderr?.on("data", look)
        void ended.then(() => {
          clearTimeout(timer)
          if (!look()) fail("the container ended")
        })
      }),
  }
}
