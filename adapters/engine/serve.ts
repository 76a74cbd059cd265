import { parentPort } from "node:worker_threads"
import type { Ecosystem } from "../../domain/analysis/Framework.ts"
import { detectEcosystems } from "../../domain/detection/detectEcosystems.ts"
import { examine } from "../../domain/detection/examine.ts"
import type { SomeFrontEnd } from "../../domain/detection/FrontEnd.ts"
import type { SourceFile } from "../../domain/detection/SourceFile.ts"
import { collectingMonitor } from "./collectingMonitor.ts"
import { heartbeatMonitor } from "./Heartbeat.ts"
import { heldBytes, ownHeap } from "./heldBytes.ts"
import { directorySources, withChanges } from "./readSources.ts"
import { ruleClock } from "./ruleClock.ts"
import { SourceMemory } from "./SourceMemory.ts"
import type { DetectTask, ExamineTask, ThreadTask, LoadFrontEnd, ThreadData, ThreadMessage } from "./ThreadProtocol.ts"

/** A thread that holds more than this after an analysis is replaced: WebAssembly memory never shrinks. */
const retireBytes = 256_000_000

/** Performs one task after another for as long as the thread lives. Any error ends the thread. */
export const serve = async (data: ThreadData): Promise<void> => {
  const port = parentPort
  if (port === null) throw new Error("the engine's thread has no parent")
  // The module is the application's own, and its shape is what `ThreadData.frontEnds` requires.
  const { frontEnd } = (await import(data.frontEnds)) as { readonly frontEnd: LoadFrontEnd }
  const loaded = new Map<Ecosystem, Promise<SomeFrontEnd>>()
  const load = (ecosystem: Ecosystem): Promise<SomeFrontEnd> => {
    const known = loaded.get(ecosystem) ?? frontEnd(ecosystem)
    loaded.set(ecosystem, known)
    return known
  }
  const memory = new SourceMemory()
  const fileOf: SourceMemory["file"] = (path, text) => memory.file(path, text)
  const say = (message: ThreadMessage): void => port.postMessage(message)

  const detect = (task: DetectTask): void => {
    const monitor = heartbeatMonitor(task.heartbeat, { files: task.files, rules: [] })
    // The paths are foreign, too: from here on, a stall is their fault.
    monitor.enter("parse")
    const sources = directorySources(task.directory, task.files, task.maxFileBytes, monitor.took, fileOf)
    let done = 0
    const read = (path: string): SourceFile | undefined => {
      if (task.excludedFiles.has(path)) return undefined
      monitor.begin({ phase: "parse", file: path }, done++, task.files.length)
      const file = sources.read(path)
      return "lineStarts" in file ? file : undefined
    }
    say({ type: "detected", ecosystems: detectEcosystems(task.files, read) })
  }

  const examineFiles = async (task: ExamineTask): Promise<void> => {
    const chosen = await Promise.all(task.ecosystems.map(load))
    const ids = chosen.flatMap((some) => some((frontEnd) => frontEnd.rules.map((rule) => rule.meta.id)))
    say({ type: "rules", ids })
    const heartbeat = heartbeatMonitor(task.heartbeat, { files: task.files, rules: ids })
    const monitor = ruleClock(collectingMonitor(heartbeat, ownHeap), ids, () => say({ type: "checking" }))
    monitor.enter("parse")
    const examination = examine(
      {
        sources: withChanges(
          directorySources(task.directory, task.files, task.maxFileBytes, monitor.took, fileOf),
          task.changed,
        ),
        frontEnds: chosen,
        excludedFiles: task.excludedFiles,
        excludedRules: task.excludedRules,
        notes: task.notes,
        incomplete: task.incomplete,
        ...(task.advisories === undefined ? {} : { advisories: task.advisories }),
        ...(task.access === undefined ? {} : { access: task.access }),
        engine: { name: "assay", version: task.version },
      },
      monitor,
    )
    const ruleSeconds = monitor.seconds()
    monitor.enter("report")
    say({ type: "done", examination, ruleSeconds, retire: heldBytes(retireBytes) > retireBytes })
  }

  // A rejection ends the thread, which is how its parent learns of it.
  port.on("message", (task: ThreadTask) => void (task.kind === "detect" ? detect(task) : examineFiles(task)))
}
