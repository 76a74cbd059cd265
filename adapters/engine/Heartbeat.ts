import type { Ecosystem } from "../../domain/analysis/Framework.ts"
import type { Monitor } from "../../domain/detection/Monitor.ts"

/**
 * Shared memory in which a thread records what it is working on, so that the main thread knows it even if the thread
 * loops or has died. Names are sent once by message (`Names`); this contains only their positions.
 */
const field = { phase: 0, unit: 1, file: 2, done: 3, total: 4, beats: 5, turns: 6, kilobytes: 7 } as const

const phases = ["idle", "load", "parse", "build", "rule", "report"] as const
export type Phase = (typeof phases)[number]

const ecosystemAt: ReadonlyArray<Ecosystem> = ["evm", "solana", "cosmwasm"]

export interface Names {
  readonly files: ReadonlyArray<string>
  readonly rules: ReadonlyArray<string>
}

/** What a thread last reported doing; names are undefined if there are none. */
export interface Pulse {
  readonly phase: Phase
  /** Grows with every unit of work. */
  readonly beats: number
  /** Grows whenever work turns to a file or away from it. */
  readonly turns: number
  readonly done: number
  readonly total: number
  /** How much source text has been read so far. */
  readonly kilobytes: number
  readonly rule: string | undefined
  readonly ecosystem: Ecosystem | undefined
  /** The file being parsed, or the one on whose behalf other work is done. */
  readonly file: string | undefined
}

/** The state before a thread has taken the task: it is working on no file. */
export const heartbeatMemory = (): SharedArrayBuffer => {
  const memory = new SharedArrayBuffer(Object.keys(field).length * 4)
  Atomics.store(new Int32Array(memory), field.file, -1)
  return memory
}

export const readPulse = (memory: SharedArrayBuffer, names: Names): Pulse => {
  const at = new Int32Array(memory)
  const get = (name: keyof typeof field): number => Atomics.load(at, field[name])
  const phase = phases[get("phase")] ?? "idle"
  const unit = get("unit")
  return {
    phase,
    beats: get("beats"),
    turns: get("turns"),
    done: get("done"),
    total: get("total"),
    kilobytes: get("kilobytes"),
    rule: phase === "rule" ? names.rules[unit] : undefined,
    ecosystem: phase === "build" ? ecosystemAt[unit] : undefined,
    // Configuration is read before the first source is parsed.
    file: names.files[phase === "parse" && unit >= 0 ? unit : get("file")],
  }
}

/** The thread's side: a monitor that records each unit of work. One store costs a few nanoseconds. */
export const heartbeatMonitor = (
  memory: SharedArrayBuffer,
  names: Names,
): Monitor & { readonly enter: (phase: Phase) => void; readonly took: (characters: number) => void } => {
  const at = new Int32Array(memory)
  const files = new Map(names.files.map((path, index) => [path, index]))
  const rules = new Map(names.rules.map((id, index) => [id, index]))
  let characters = 0

  const write = (phase: Phase, unit: number, done: number, total: number): void => {
    Atomics.store(at, field.unit, unit)
    Atomics.store(at, field.file, -1)
    Atomics.store(at, field.done, done)
    Atomics.store(at, field.total, total)
    Atomics.store(at, field.phase, phases.indexOf(phase))
    Atomics.add(at, field.beats, 1)
  }

  return {
    enter: (phase) => write(phase, -1, 0, 0),
    took: (count) => {
      characters += count
      Atomics.store(at, field.kilobytes, Math.ceil(characters / 1024))
    },
    begin: (work, done, total) => {
      if (work.phase === "parse") write("parse", files.get(work.file) ?? -1, done, total)
      else if (work.phase === "build") write("build", ecosystemAt.indexOf(work.ecosystem), done, total)
      else if (work.phase === "rule") write("rule", rules.get(work.rule) ?? -1, done, total)
      else write("report", -1, done, total)
    },
    file: (path) => {
      Atomics.store(at, field.file, path === undefined ? -1 : (files.get(path) ?? -1))
      Atomics.add(at, field.turns, 1)
    },
  }
}
