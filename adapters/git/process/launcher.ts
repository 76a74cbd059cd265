import { spawn } from "node:child_process"
import { connect, type Socket } from "node:net"
import { setPriority } from "node:os"
import type { LauncherAnswer, LauncherOrder } from "./GitLauncher.ts"

/**
 * A process of its own that starts commands for its parent, `GitLauncher`, and ends with it. The three streams of a
 * command are connections that the launcher opens to its parent, so that none of the data passes through here.
 */

// All of git yields to what answers requests; its children inherit the priority.
try {
  setPriority(5)
} catch {
  // A sandbox may forbid it: nothing depends on it.
}

const answer = (message: LauncherAnswer): void => void process.send?.(message)

/** A connection that says what it is for; nothing is read from it here. */
const open = (path: string, name: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ path })
    socket.pause()
    socket.once("error", reject)
    socket.once("connect", () => socket.write(`${name}\n`, () => resolve(socket)))
  })

const launch = async ({ id, socket, command, directory, environment }: LauncherOrder): Promise<void> => {
  const streams = await Promise.all([0, 1, 2].map((stream) => open(socket, `${id} ${stream}`)))
  const [program, ...programArguments] = command
  const child = spawn(program!, programArguments, {
    cwd: directory,
    env: environment,
    detached: true,
    stdio: streams,
  })
  for (const stream of streams) stream.destroy()
  child.on("exit", (code, signal) => answer({ type: "exited", id, code, signal }))
  child.on("error", ({ message }) => answer({ type: "failed", id, message }))
  if (child.pid !== undefined) answer({ type: "started", id, pid: child.pid })
}

// Whatever is sent here comes from `GitLauncher`.
process.on("message", (order: LauncherOrder) => {
  launch(order).catch((error: unknown) => answer({ type: "failed", id: order.id, message: String(error) }))
})
process.on("disconnect", () => process.exit())
