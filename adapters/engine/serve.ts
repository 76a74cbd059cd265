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
import type { DetectJob, ExamineJob, Job, LoadFrontEnd, ThreadData, ThreadMessage } from "./ThreadProtocol.ts"

/** A thread that holds more than this after an analysis is replaced: WebAssembly memory never shrinks. */
const retireBytes = 256_000_000

/** Answers jobs one after the other, for as long as the thread lives. What goes wrong ends the thread. */
export const serve = async (data: ThreadData): Promise<void> => {
  const port = parentPort
  if (port === null) throw new Error("the engine's thread has no parent")
  // The module is the application's own and its shape is what `ThreadData.frontEnds` asks for.
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

  const detect = (job: DetectJob): void => {
    const monitor = heartbeatMonitor(job.heartbeat, { files: job.files, rules: [] })
    // The paths are foreign, too: from here on a stall is theirs.
    monitor.enter("parse")
    const sources = directorySources(job.directory, job.files, job.maxFileBytes, monitor.took, fileOf)
    let done = 0
    const read = (path: string): SourceFile | undefined => {
      if (job.excludedFiles.has(path)) return undefined
      monitor.begin({ phase: "parse", file: path }, done++, job.files.length)
      const file = sources.read(path)
      return "lineStarts" in file ? file : undefined
    }
    say({ type: "detected", ecosystems: detectEcosystems(job.files, read) })
  }

  const examineFiles = async (job: ExamineJob): Promise<void> => {
    const chosen = await Promise.all(job.ecosystems.map(load))
    const ids = chosen.flatMap((some) => some((frontEnd) => frontEnd.rules.map((rule) => rule.meta.id)))
    say({ type: "rules", ids })
    const heartbeat = heartbeatMonitor(job.heartbeat, { files: job.files, rules: ids })
    const monitor = ruleClock(collectingMonitor(heartbeat, ownHeap), ids, () => say({ type: "checking" }))
    monitor.enter("parse")
    const examination = examine(
      {
        sources: withChanges(
          directorySources(job.directory, job.files, job.maxFileBytes, monitor.took, fileOf),
          job.changed,
        ),
        frontEnds: chosen,
        excludedFiles: job.excludedFiles,
        excludedRules: job.excludedRules,
        notes: job.notes,
        incomplete: job.incomplete,
        ...(job.advisories === undefined ? {} : { advisories: job.advisories }),
        ...(job.access === undefined ? {} : { access: job.access }),
        engine: { name: "assay", version: job.version },
      },
      monitor,
    )
    const ruleSeconds = monitor.seconds()
    monitor.enter("report")
    say({ type: "done", examination, ruleSeconds, retire: heldBytes(retireBytes) > retireBytes })
  }

  // A rejection ends the thread, which is how its parent hears of it.
  port.on("message", (job: Job) => void (job.task === "detect" ? detect(job) : examineFiles(job)))
}
