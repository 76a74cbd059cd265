/**
 * Looks for shapes whose cost grows faster than the text: `npm run bench:multiply [-- ecosystem [seed [seconds [part of an
 * example's name]]]]` takes pieces of rules' examples, multiplies them (beside each other, in each other, two kinds at
 * once) and names the rules and phases that take too long. `ASSAY_FINDS=<folder>` keeps the programs.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import { ecosystems, type Ecosystem } from "../../domain/analysis/Framework.ts"
import { frontEnd } from "../../apps/engine/frontEnds.ts"
import type { Examined } from "../support/axes/growth.ts"
import { examplesOf } from "../support/exampleFindings.ts"
import { exampleProject } from "../support/exampleRun.ts"
import { anyShape, grammarOf, seeded } from "../support/multiply.ts"

const [only, seed = "1", seconds = "600", part = ""] = process.argv.slice(2)
if ((only !== undefined && !(ecosystems as ReadonlyArray<string>).includes(only)) || !(Number(seconds) > 0)) {
  console.error(`npm run bench:multiply [-- ${ecosystems.join("|")} [seed [seconds [part of an example's name]]]]`)
  process.exit(2)
}
const until = Date.now() + Number(seconds) * 1_000
const folder = process.env["ASSAY_FINDS"]

type Files = Readonly<Record<string, string>>

/** Seconds of CPU time after which a program of up to 48,000 characters counts as hanging. */
const patience = 12

/** Runs the engine in a thread with the production limits, and starts another one when it dies or hangs. */
class Elsewhere {
  private worker: Worker | undefined
  private readonly part = new Uint8Array(new SharedArrayBuffer(100))
  private readonly ecosystem: Ecosystem

  constructor(ecosystem: Ecosystem) {
    this.ecosystem = ecosystem
  }

  private answer<A>(worker: Worker, send: () => void): Promise<A> {
    return new Promise((resolve, reject) => {
      const fail = (reason: string) => {
        this.worker = undefined
        clearInterval(timer)
        void worker.terminate()
        reject(new Error(`${reason} in ${new TextDecoder().decode(this.part.slice()).trim()}`))
      }
      let allowed = Infinity
      const timer = setInterval(() => {
        void worker.cpuUsage().then(
          ({ user }) => {
            const spent = user / 1_000_000
            if (allowed === Infinity) allowed = spent + patience
            else if (spent > allowed) fail("hangs")
          },
          () => {},
        )
      }, 2_000)
      worker.removeAllListeners()
      worker.on("message", (message: A) => {
        clearInterval(timer)
        resolve(message)
      })
      worker.on("error", (error) => {
        clearInterval(timer)
        fail(`dies (${error instanceof Error ? error.message.slice(0, 200) : "?"})`)
      })
      send()
    })
  }

  async run(files: Files): Promise<Examined> {
    if (this.worker === undefined) {
      const worker = new Worker(new URL("../support/multiplyThread.ts", import.meta.url), {
        workerData: { ecosystem: this.ecosystem, part: this.part },
        resourceLimits: { maxOldGenerationSizeMb: 1_500, maxYoungGenerationSizeMb: 64, stackSizeMb: 8 },
      })
      await this.answer(worker, () => {})
      this.worker = worker
    }
    const { worker } = this
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
    return this.answer(worker, () => worker.postMessage(files))
  }

  async stop(): Promise<void> {
    await this.worker?.terminate()
  }
}

const small = 12_000
/** Milliseconds for the small size: of a rule, and of what comes before and after the rules. */
const noticed = (name: string): number => (name.includes("/") ? 25 : 80)
/** The same for four times as much, and its multiple of the small size: what is linear takes 4 times as long. */
const slow = 200
const faster = 7

/** Limits of the parsers are said as such; whatever else ends early is a mistake. */
const isFailure = (note: string): boolean =>
  /ended early|could not be (?!parsed: (?:an operator chain|nest|takes the parser|\d+ syntax error))/.test(note)

const seen = new Map<string, number>()
let kept = 0
const tell = (key: string, what: string, sized: (size: number) => Files): void => {
  const times = (seen.get(key) ?? 0) + 1
  seen.set(key, times)
  if (times > 3) return
  const path =
    folder === undefined ? "" : join(folder, `${seed}-${kept++}-${key.replaceAll(/\W+/g, "-").slice(0, 60)}.json`)
  if (folder !== undefined) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(path, JSON.stringify([1, 2, 4, 8].map((times) => sized(times * small))))
  }
  console.log(`${what} ${path}`)
}

for (const ecosystem of ecosystems) {
  if (only !== undefined && only !== ecosystem) continue
  const random = seeded(Number(seed))
  const some = await frontEnd(ecosystem)
  const grammar = await grammarOf(ecosystem)
  const plain = await grammarOf("text")
  const elsewhere = new Elsewhere(ecosystem)
  const examples = examplesOf(ecosystem).filter(({ name }) => name.includes(part))
  let cases = 0
  while (Date.now() < until) {
    const example = examples[random(examples.length)]!
    const { sources, path } = exampleProject(some, example.text, example.file)
    const isOther = example.file !== undefined || random(20) === 0
    const name = isOther ? sources.paths[random(sources.paths.length)]! : path
    const files = Object.fromEntries(
      sources.paths.map((each) => {
        const read = sources.read(each)
        return [each, "text" in read ? read.text : ""]
      }),
    )
    const shape = anyShape(files[name]!, isOther ? plain : grammar, random)
    if (shape === undefined) continue
    const sized = (size: number): Files => ({ ...files, [name]: shape.text(size) })
    const title = `${example.name} · ${name} · ${shape.name}`
    cases++
    try {
      const first = await elsewhere.run(sized(small))
      for (const note of first.broken.filter(isFailure)) tell(note.slice(0, 60), `BROKEN ${note}\n    ${title}`, sized)
      const suspects = [...first.spent].filter(([key, time]) => time > noticed(key))
      if (suspects.length === 0) continue
      const more = await elsewhere.run(sized(4 * small))
      const again = (await elsewhere.run(sized(small))).spent
      for (const [key, before] of suspects) {
        const after = more.spent.get(key) ?? 0
        const least = Math.min(before, again.get(key) ?? 0)
        if (after < slow || after < faster * least) continue
        tell(key, `SLOW ${key} ${least.toFixed(0)} → ${after.toFixed(0)} ms\n    ${title}`, sized)
      }
    } catch (error) {
      tell(String(error).slice(0, 80), `${String(error)}\n    ${title}`, sized)
    }
  }
  await elsewhere.stop()
  console.log(
    `${ecosystem}: ${cases} cases with seed ${seed}; ${[...seen].map(([key, times]) => `${times}× ${key}`).join("; ")}`,
  )
}
