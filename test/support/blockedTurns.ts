/**
 * Loaded before a program (`--import`), writes a line to the file in `BLOCKED_TURNS` whenever its main thread blocked
 * everything else for long: CPU milliseconds of that thread, so that other work on the machine does not count. With
 * `BLOCKED_TURNS_WHERE` set, it adds where they were spent. Reading the profile for that stops the thread for 300 to
 * 500 ms every two seconds, so do not set it when measuring response times.
 */
import { appendFileSync } from "node:fs"
import { Session } from "node:inspector"
import { isMainThread } from "node:worker_threads"

/** Milliseconds of CPU time from which a turn is reported. */
const long = 30
const interval = 5

interface ProfileNode {
  readonly id: number
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  readonly children?: ReadonlyArray<number>
}
interface Profile {
  readonly nodes: ReadonlyArray<ProfileNode>
  readonly samples: ReadonlyArray<number>
}

const report = process.env["BLOCKED_TURNS"]

/** A running profile. Returns the stacks that were seen most since the last call, innermost first. */
const profile = () => {
  const session = new Session()
  session.connect()
  session.post("Profiler.enable")
  session.post("Profiler.setSamplingInterval", { interval: 2_000 })
  session.post("Profiler.start")
  let began = performance.now()

  const whereNow = (): ReadonlyArray<string> => {
    let told: ReadonlyArray<string> = []
    // The callback runs before `post` returns.
    session.post("Profiler.stop", (error, answer) => {
      if (error !== null) return
      const { nodes, samples } = answer.profile as Profile
      const byId = new Map(nodes.map((node) => [node.id, node]))
      const parents = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id] as const)))
      const counts = new Map<string, number>()
      for (const sample of samples.slice(-200)) {
        const stack: Array<string> = []
        for (let id: number | undefined = sample; id !== undefined && stack.length < 12; id = parents.get(id)) {
          const { functionName, url, lineNumber } = byId.get(id)!.callFrame
          stack.push(`${functionName || "?"}@${url.split("/").slice(-2).join("/")}:${lineNumber + 1}`)
        }
        const key = stack.join(" < ")
        if (!key.startsWith("(idle)")) counts.set(key, (counts.get(key) ?? 0) + 1)
      }
      told = [...counts]
        .toSorted((a, b) => b[1] - a[1])
        .slice(0, 3)
        .map(([stack, count]) => `${count}× ${stack}`)
    })
    session.post("Profiler.start")
    began = performance.now()
    return told
  }
  /** Keeps a profile of idle time from growing. */
  const renew = (): void => {
    if (performance.now() - began > 2_000) whereNow()
  }
  return { whereNow, renew }
}

if (report !== undefined && isMainThread) {
  const profiler = process.env["BLOCKED_TURNS_WHERE"] === undefined ? undefined : profile()
  let cpu = process.threadCpuUsage()
  let wall = performance.now()
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(cpu)
    const now = performance.now()
    const milliseconds = (user + system) / 1_000
    if (milliseconds > long) {
      const line = { cpu: Math.round(milliseconds), wall: Math.round(now - wall), where: profiler?.whereNow() ?? [] }
      appendFileSync(report, `${JSON.stringify(line)}\n`)
    } else profiler?.renew()
    cpu = process.threadCpuUsage()
    wall = performance.now()
  }, interval).unref()
}
