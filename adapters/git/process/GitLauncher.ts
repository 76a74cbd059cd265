import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createServer, type Server, type Socket } from "node:net"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import {
  type CommandLine,
  type Ended,
  type GitProcess,
  killGroup,
  neverStarted,
  type StartProcess,
} from "./GitProcess.ts"
import { onDisk } from "../onDisk.ts"

/** A request to the launcher: start a command whose streams are connections to `socket`. */
export interface LauncherOrder extends CommandLine {
  readonly id: number
  readonly socket: string
}

export type LauncherAnswer =
  | { readonly type: "started"; readonly id: number; readonly pid: number }
  | { readonly type: "exited"; readonly id: number; readonly code: number | null; readonly signal: string | null }
  | { readonly type: "failed"; readonly id: number; readonly message: string }

/**
 * Milliseconds within which a launcher starts a command: starting the launcher itself takes some seconds on a busy
 * machine.
 */
const patience = 30_000

/** How many bytes a connection uses to say what it is for. */
const maxName = 32

/** Reports what a connection is for, and leaves the rest to be read. */
const named = (socket: Socket, onName: (name: string) => void): void => {
  let read = Buffer.alloc(0)
  const look = (): void => {
    // Nothing sets an encoding.
    const chunk = socket.read() as Buffer | null
    if (chunk === null) return
    read = Buffer.concat([read, chunk])
    const end = read.indexOf("\n")
    if (end === -1 && read.length <= maxName) return
    socket.off("readable", look)
    if (end === -1) return void socket.destroy()
    if (read.length > end + 1) socket.unshift(read.subarray(end + 1))
    onName(read.toString("latin1", 0, end))
  }
  socket.on("readable", look)
}

/** A command being started: each part is there once the launcher has reported it. */
interface Command {
  readonly pid: PromiseWithResolvers<number>
  readonly streams: ReadonlyArray<PromiseWithResolvers<Socket>>
  readonly exited: PromiseWithResolvers<Ended>
}

const giveUp = ({ pid, streams, exited }: Command, error: string): void => {
  for (const part of [pid, ...streams]) part.reject(new Error(error))
  exited.resolve({ code: null, signal: null, error })
}

const newCommand = (): Command => ({
  pid: Promise.withResolvers(),
  streams: [Promise.withResolvers(), Promise.withResolvers(), Promise.withResolvers()],
  exited: Promise.withResolvers(),
})

/** Accepts the connections that serve as the commands' streams. */
const streamsAt = async (socket: string, commands: ReadonlyMap<number, Command>): Promise<Server> => {
  const server = createServer((connection) => {
    // Reading from it reveals the error, and what is written to it need not arrive.
    connection.on("error", () => {})
    named(connection, (name) => {
      const [id, stream] = name.split(" ").map(Number)
      const wanted = commands.get(id!)?.streams[stream!]
      if (wanted === undefined) connection.destroy()
      else wanted.resolve(connection)
    })
  })
  server.listen(socket)
  await once(server, "listening")
  return server
}

/** A complete command; it has ended when its streams have. */
const processOf = (
  [pid, stdin, stdout, stderr]: readonly [pid: number, ...streams: ReadonlyArray<Socket>],
  exited: Promise<Ended>,
): GitProcess => {
  // Nothing but its end comes from there.
  stdin!.resume()
  const closed = [stdout!, stderr!].map((stream) => stream.closed || new Promise((done) => stream.once("close", done)))
  const ended = exited.then(async (exit) => {
    if (exit.error !== undefined) killGroup(pid)
    await Promise.all(closed)
    return exit
  })
  return { pid, stdin: stdin!, stdout: stdout!, stderr: stderr!, ended }
}

interface Launcher {
  readonly start: StartProcess
  readonly close: () => void
}

const launcherAt = async (socket: string): Promise<Launcher> => {
  const commands = new Map<number, Command>()
  let count = 0
  let running: ChildProcess | undefined

  const server = await streamsAt(socket, commands)

  const onAnswer = (answer: LauncherAnswer): void => {
    const command = commands.get(answer.id)
    if (command === undefined) return
    if (answer.type === "started") return command.pid.resolve(answer.pid)
    if (answer.type === "failed") giveUp(command, answer.message)
    else command.exited.resolve({ code: answer.code, signal: answer.signal })
  }

  /** The process, restarted if it ended; whatever was running in it is abandoned. */
  const launcher = (): ChildProcess => {
    if (running !== undefined) return running
    const child = spawn(process.execPath, [fileURLToPath(new URL("./launcher.ts", import.meta.url))], {
      env: { PATH: process.env["PATH"] },
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    })
    const over = (): void => {
      if (running !== child) return
      running = undefined
      for (const command of commands.values()) giveUp(command, "the process that starts it ended")
    }
    child.on("message", onAnswer).on("exit", over).on("error", over)
    running = child
    return child
  }

  const start: StartProcess = async (line) => {
    const id = ++count
    const command = newCommand()
    commands.set(id, command)
    const parts = Promise.all([command.pid.promise, ...command.streams.map(({ promise }) => promise)] as const)
    // The end of a short command may be reported before its connections arrive.
    void Promise.allSettled([parts, command.exited.promise]).then(() => commands.delete(id))
    const child = launcher()
    const order: LauncherOrder = { ...line, id, socket }
    child.send(order, (error) => {
      if (error !== null) giveUp(command, error.message)
    })
    // What it was working on is abandoned with it, and the next command starts another launcher.
    const slow = setTimeout(() => child.kill("SIGKILL"), patience)
    try {
      return processOf(await parts, command.exited.promise)
    } catch (error) {
      for (const { promise } of command.streams) void promise.then((stream) => stream.destroy()).catch(() => {})
      return neverStarted(String(error))
    } finally {
      clearTimeout(slow)
    }
  }

  return {
    start,
    close: () => {
      const child = running
      running = undefined
      child?.kill()
      server.close()
    },
  }
}

/**
 * Starts processes from a small one, within `directory`, which only this user may read. Starting a process copies the
 * parent's page tables, during which nothing else is done: 11 ms of CPU if a worker holds 370 MB, and analyzing one
 * repository without submodules took seven of them. From the small process it takes 2 ms, whatever the worker holds.
 */
export const gitLauncher = (directory: string) =>
  Effect.acquireRelease(
    onDisk(() => launcherAt(join(directory, "git"))),
    (launcher) => Effect.sync(launcher.close),
  ).pipe(Effect.map(({ start }) => start))
