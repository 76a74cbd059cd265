import { readFileSync } from "node:fs"
import { Worker } from "node:worker_threads"
import { type Mutant, mutantsOf } from "./guards.ts"
import type { MutantJob, MutantMessage } from "./mutantThread.ts"
import type { RuleFile } from "./ruleFiles.ts"

/** A mutant that takes longer than this hangs, which its tests would notice, in milliseconds. */
const patience = 20_000

/** Runs a rule's mutants from `from` on; ends at the first one that hangs. Gives the index to go on from. */
const run = (job: MutantJob, survived: (index: number) => void): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const thread = new Worker(new URL("mutantThread.ts", import.meta.url), { workerData: job })
    let trying = job.from
    const hung = () => {
      resolve(trying + 1)
      void thread.terminate()
    }
    let timer = setTimeout(hung, patience)
    thread.on("message", (message: MutantMessage) => {
      clearTimeout(timer)
      if (message.type === "done") resolve(undefined)
      else {
        timer = setTimeout(hung, patience)
        trying = message.index
        if (message.type === "tried" && !message.killed) survived(message.index)
      }
    })
    thread.on("error", (error) => {
      clearTimeout(timer)
      reject(error)
    })
    thread.on("exit", () => clearTimeout(timer))
  })

/** Tries every mutant of a rule against the rule's own examples, in a thread of its own. */
export const tryMutants = async ({
  id,
  path,
  url,
}: RuleFile): Promise<{ readonly tried: number; readonly survivors: ReadonlyArray<Mutant> }> => {
  const mutants = mutantsOf(path, readFileSync(path, "utf8"))
  const survived: Array<Mutant> = []
  let from: number | undefined = 0
  while (from !== undefined && from < mutants.length) {
    from = await run({ url, id, from }, (index) => survived.push(mutants[index]!))
  }
  return { tried: mutants.length, survivors: survived }
}
