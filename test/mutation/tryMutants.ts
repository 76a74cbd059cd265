import { readFileSync } from "node:fs"
import { pathToFileURL } from "node:url"
import { Worker } from "node:worker_threads"
import { detailsOf } from "./details.ts"
import { type Mutant, mutantsOf } from "./guards.ts"
import type { MutantJob, MutantMessage } from "./mutantThread.ts"
import type { Variant } from "../support/exampleVariants.ts"
import { dependentsOf, type GuardedFile, ruleFiles } from "./ruleFiles.ts"

/** Milliseconds after which a mutant counts as hanging, which its tests would notice. */
const patience = { trying: 60_000, hint: 600_000 }

/** Megabytes after which a thread is replaced, and which it may not exceed. */
const memory = { replaced: 3_000, most: 6_000 }

export interface Survivor extends Mutant {
  /** Its index among the mutants of its file. */
  readonly index: number
  /** No example evaluates the guard so that its removal could make a difference. */
  readonly isUnseen: boolean
}

export interface Found {
  readonly variant: Variant
  readonly indexes: ReadonlyArray<number>
}

export interface Tried {
  readonly tried: number
  readonly survivors: ReadonlyArray<Survivor>
}

/** A thread in which mutants are tried, one file after another. It retains what it parsed. */
export class Trial {
  private thread: Worker | undefined
  private readonly details: boolean

  constructor(details: boolean) {
    this.details = details
  }

  /** Tries every mutant of a file against the examples of the rules that see it. */
  async try(file: GuardedFile): Promise<Tried> {
    const mutants = (this.details ? detailsOf : mutantsOf)(file.path, readFileSync(file.path, "utf8"))
    const survivors: Array<Survivor> = []
    await this.each({ ...this.jobOf(file), indexes: mutants.map((_, index) => index) }, (message) => {
      if (message.type === "tried" && !message.killed)
        survivors.push({ ...mutants[message.index]!, index: message.index, isUnseen: !message.isSeen })
    })
    return { tried: mutants.length, survivors }
  }

  /** Where survivors make a difference in other code, by their indexes. */
  async hints(
    file: GuardedFile,
    survivors: ReadonlyArray<Survivor>,
    folder: string,
  ): Promise<ReadonlyMap<number, string>> {
    const hints = new Map<number, string>()
    const indexes = survivors.map(({ index }) => index)
    await this.each({ ...this.jobOf(file), indexes, hints: folder }, (message) => {
      if (message.type === "hint" && message.hint !== undefined) hints.set(message.index, message.hint)
    })
    return hints
  }

  /** Programs near examples that distinguish survivors from their rule, and the survivors that each distinguishes. */
  async search(file: GuardedFile, survivors: ReadonlyArray<Survivor>, seconds: number): Promise<ReadonlyArray<Found>> {
    const found: Array<Found> = []
    const indexes = survivors.map(({ index }) => index)
    await this.each({ ...this.jobOf(file), indexes, search: seconds }, (message) => {
      if (message.type === "found") found.push(message)
    })
    return found
  }

  /** Ends the thread. */
  end(): void {
    void this.thread?.terminate()
    this.thread = undefined
  }

  private jobOf({ id, path, url }: GuardedFile): Omit<MutantJob, "indexes"> {
    const own = ruleFiles.find((rule) => rule.id === id)
    const dependents = own === undefined ? dependentsOf(path) : undefined
    return {
      url,
      details: this.details,
      reload: [...(dependents?.files ?? [])].map((file) => pathToFileURL(file).href),
      rules: (dependents?.rules ?? [own!]).map((rule) => ({ id: rule.id, url: rule.url })),
    }
  }

  /** Tries again without a mutant that hangs. */
  private async each(job: MutantJob, heard: (message: MutantMessage) => void): Promise<void> {
    let { indexes } = job
    while (indexes.length > 0) {
      const hung = await this.run({ ...job, indexes }, heard)
      indexes = hung === undefined ? [] : indexes.filter((index) => index !== hung)
    }
  }

  /** Stops at the first mutant that hangs, and returns its index. */
  private run(job: MutantJob, heard: (message: MutantMessage) => void): Promise<number | undefined> {
    const thread = (this.thread ??= new Worker(new URL("mutantThread.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: memory.most },
    }))
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      let tried: number | undefined
      const end = (settle: () => void) => {
        clearTimeout(timer)
        thread.off("message", hear)
        thread.off("error", fail)
        settle()
      }
      const watch = (trying: number) => {
        clearTimeout(timer)
        tried = trying
        const hung = () => {
          this.end()
          end(() => resolve(trying))
        }
        const slow = job.hints !== undefined || job.search !== undefined
        timer = setTimeout(hung, slow ? patience.hint : patience.trying)
      }
      const hear = (message: MutantMessage) => {
        if (message.type === "done") {
          if (message.megabytes > memory.replaced) this.end()
          end(() => resolve(undefined))
        } else if (message.type === "failed") end(() => reject(new Error(message.reason)))
        else if (message.type === "trying") watch(message.index)
        else if (message.type === "resting") {
          clearTimeout(timer)
          tried = undefined
        } else heard(message)
      }
      const fail = (error: unknown) => {
        // It has ended and would never respond to further requests.
        this.end()
        // A mutant that fills the memory would never end either.
        const isFull = (error as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY"
        if (isFull && tried !== undefined) return end(() => resolve(tried))
        end(() => reject(error instanceof Error ? error : new Error(String(error))))
      }
      thread.on("message", hear)
      thread.on("error", fail)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- of a thread, which has none
      thread.postMessage(job)
    })
  }
}
