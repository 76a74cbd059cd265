import { frontEnd } from "../../../apps/engine/frontEnds.ts"
import type { Ecosystem } from "../../../domain/analysis/Framework.ts"
import { examine } from "../../../domain/detection/examine.ts"
import type { SomeFrontEnd } from "../../../domain/detection/FrontEnd.ts"
import type { Monitor, Work } from "../../../domain/detection/Monitor.ts"
import { sourceFile } from "../../../domain/detection/SourceFile.ts"
import { cpuTime } from "../cpuTime.ts"
import { type Axis, sizeOf } from "./axis.ts"
import { cosmwasmAxes } from "./cosmwasm.ts"
import { solanaAxes } from "./solana.ts"
import { solidityAxes } from "./solidity.ts"

export const axes: Readonly<Record<Ecosystem, Readonly<Record<string, Axis>>>> = {
  evm: solidityAxes,
  solana: solanaAxes,
  cosmwasm: cosmwasmAxes,
}

export interface Examined {
  /** Milliseconds of CPU time by rule, or by the phase before or after the rules. */
  readonly spent: ReadonlyMap<string, number>
  /** What did not get to its end. */
  readonly broken: ReadonlyArray<string>
}

/** The front end, announcing when its access tables begin, which come after the last rule. */
const announcing =
  (some: SomeFrontEnd, begin: (part: string) => void): SomeFrontEnd =>
  (use) =>
    some((frontEnd) => {
      const { access } = frontEnd
      if (access === undefined) return use(frontEnd)
      return use({
        ...frontEnd,
        access: (program, isReported) => {
          begin("access")
          return access(program, isReported)
        },
      })
    })

/** Examines files as the engine does, and says what each rule took; `announce` is told which part begins. */
export const examiner = async (
  ecosystem: Ecosystem,
  announce: (part: string) => void = () => {},
): Promise<(files: ReturnType<Axis>) => Examined> => {
  const some = await frontEnd(ecosystem)
  return (files) => {
    const spent = new Map<string, number>()
    let part = "start"
    let since = cpuTime()
    const begin = (next: string): void => {
      const now = cpuTime()
      spent.set(part, (spent.get(part) ?? 0) + now - since)
      part = next
      since = now
      announce(next)
    }
    const monitor: Monitor = {
      begin: (work: Work) => begin(work.phase === "rule" ? work.rule : work.phase),
      file: () => {},
    }
    const { coverage } = examine(
      {
        sources: { paths: Object.keys(files), read: (path) => sourceFile(path, files[path] ?? "") },
        frontEnds: [announcing(some, begin)],
        access: true,
        engine: { name: "assay", version: "0" },
      },
      monitor,
    )
    begin("end")
    const notes = coverage.engines.flatMap(({ note }) => note ?? [])
    return { spent, broken: [...notes, ...coverage.filesSkipped.map(({ file, reason }) => `${file} ${reason}`)] }
  }
}

/**
 * Milliseconds of CPU time below which nothing can be said of growth: of a rule, and of what comes before and after
 * the rules and does more.
 */
const negligible = (part: string): number => (part.includes("/") ? 15 : 60)
/** Of four times the text: what is quadratic takes 16 times as long, and sorting little more than 4. */
const suspicious = 8
/**
 * The same of twice and of four times that text. Many rules compare each function with at most some hundred others, which
 * is quadratic only up to there.
 */
const allowed = new Map([
  [2, 2.8],
  [4, 11],
])
/** Milliseconds that need no second opinion. */
const unbearable = 2_000

export interface Growth {
  /** Rules and phases that grow too fast, with the milliseconds that they took. */
  readonly suspects: ReadonlyArray<string>
  /** What did not get to its end with the larger size. */
  readonly broken: ReadonlyArray<string>
  /** Milliseconds that the larger size took. */
  readonly total: number
}

/**
 * The rules and phases whose time grows faster than the text, from a quarter of the characters to all of them, and, for
 * those that are suspected, to twice and then to four times as many: the collector and the compiler run in whichever rule
 * comes.
 */
export const growthAlong = (run: (files: ReturnType<Axis>) => Examined, axis: Axis, characters: number): Growth => {
  const size = sizeOf(axis, characters / 4)
  const { spent: many, broken } = run(axis(4 * size))
  const total = [...many.values()].reduce((sum, time) => sum + time, 0)
  // Where all take next to nothing, there is nothing to compare with a smaller size.
  const slow = [...many].filter(([part, time]) => time > negligible(part))
  const few = slow.length === 0 ? many : run(axis(size)).spent
  let suspects = slow
    .filter(([part, time]) => time > suspicious * (few.get(part) ?? 0))
    .map(([part, time]) => ({ part, time, took: [few.get(part) ?? 0, time] }))
  for (const [factor, most] of allowed) {
    if (suspects.length === 0 || suspects.some(({ time }) => time > unbearable)) break
    const more = run(axis(4 * factor * size)).spent
    suspects = suspects
      .map(({ part, time, took }) => ({ part, time, took: [...took, more.get(part) ?? Infinity] }))
      .filter(({ time, took }) => took.at(-1)! >= most * time)
  }
  return {
    suspects: suspects.map(({ part, took }) => `${part}: ${took.map((each) => each.toFixed(0)).join(", ")} ms`),
    broken,
    total,
  }
}
