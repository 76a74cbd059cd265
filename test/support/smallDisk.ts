import { spawnSync } from "node:child_process"

/** As root with a separate mount table; otherwise as root of a user namespace, if the kernel allows that. */
const isRoot = process.getuid?.() === 0
const namespaces = isRoot ? ["unshare", "--mount"] : ["unshare", "--map-root-user", "--mount"]

/** Inside that namespace, another one in which the user is itself again: Postgres refuses to run as any root. */
const program = isRoot
  ? `exec "$@"`
  : `exec unshare --user --map-user=${process.getuid?.()} --map-group=${process.getgid?.()} "$@"`

const mounted = (directory: string, size: string, command: string): ReadonlyArray<string> => [
  ...namespaces,
  "sh",
  "-c",
  `mount -t tmpfs -o size=${size} assay "$0" && ${command}`,
  directory,
]

/** Whether this system lets the test mount a small file system that only the programs that it starts can see. */
export const canMountSmallDisk = (): boolean => {
  const [command, ...rest] = [...mounted("/tmp", "1m", program), "true"]
  return spawnSync(command!, rest, { stdio: "ignore", timeout: 10_000 }).status === 0
}

/**
 * The prefix of a program's command line that makes `directory`, which exists, a disk of that size (such as `8m`) for
 * it; the disk is empty and disappears with the program. Tests reach it through `/proc/<pid>/root`.
 */
export const onSmallDisk = (
  directory: string,
  size: string,
  user?: { readonly uid: number; readonly gid: number },
): ReadonlyArray<string> =>
  user === undefined
    ? mounted(directory, size, program)
    : mounted(
        directory,
        size,
        `chown ${user.uid}:${user.gid} "$0" && exec setpriv --reuid ${user.uid} --regid ${user.gid} --clear-groups "$@"`,
      )
