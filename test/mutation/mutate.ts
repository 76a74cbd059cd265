import { appendFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { variantsPath } from "../support/exampleVariants.ts"
import { changedSince, type GuardedFile, questionFiles, ruleFiles } from "./ruleFiles.ts"
import { refusedOf } from "./refused.ts"
import { pinnedQuestions, survivors as known } from "./survivors.ts"
import { type Survivor, Trial, type Tried } from "./tryMutants.ts"

const help = `Takes the guards out of rules one at a time and names those that no example misses.

  npm run mutate -- evm/reentrancy/state-change-after-call   # one rule, or several
  npm run mutate -- evm/reentrancy                           # a category
  npm run mutate -- solidity/access/entries/deeds                    # what rules ask in common, by their examples
  npm run mutate -- --changed HEAD^                          # what changed since a revision
  npm run mutate -- --all

A survivor is a guard to pin with an example or to delete; the few that stay are listed, each with its reason, in
test/mutation/survivors.ts. A guard without which the rule does not compile narrows a type; it counts as pinned. Exits
with 1 where there is a survivor that is not listed, or a listed one that no longer survives. With --changed, survivors
of questions that are not pinned yet are reported and tolerated.

  --limit PERCENT   tolerate so many survivors, of all mutants tried (default 0)
  --summary         counts only
  --details         changes what guards say instead of removing them: words of regular expressions, bits of masks, entries
                    of tables, operators, numbers. What survives is not listed anywhere, and nothing holds a change to it
  --search SECONDS  look so long (of CPU), for each file, for programs near its examples that tell survivors from the rule, and
                    write them down in test/pinned/variants.jsonl
  --hints DIR       name places where a survivor makes a difference: in examples of other rules, and in the projects
                    that are folders of DIR
`

/** Files tried at the same time. */
const parallel = 1

const fail = (message: string): never => {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: "boolean", default: false },
    changed: { type: "string" },
    limit: { type: "string", default: "0" },
    summary: { type: "boolean", default: false },
    details: { type: "boolean", default: false },
    hints: { type: "string" },
    search: { type: "string" },
    help: { type: "boolean", short: "h", default: false },
  },
})
if (values.help) {
  process.stdout.write(help)
  process.exit(0)
}

const everything = [...ruleFiles, ...questionFiles]

const named = (name: string): ReadonlyArray<GuardedFile> => {
  const found = everything.filter(({ id }) => id === name || id.startsWith(`${name}/`))
  return found.length > 0 ? found : fail(`There is no rule or category ${name}. docs/rules/README.md lists them.`)
}

const asked = values.all ? everything : positionals.flatMap(named)
const changed = values.changed === undefined ? undefined : changedSince(values.changed)
if (changed === undefined && asked.length === 0) fail(help)
const chosen = [...new Set([...asked, ...(changed?.guarded ?? [])])]

/** A question that was changed, but is not pinned yet. */
const isTolerated = (file: GuardedFile): boolean =>
  !asked.includes(file) && !ruleFiles.includes(file) && !pinnedQuestions.has(file.id)

interface Result extends Tried {
  readonly file: GuardedFile
}

const trials = Array.from({ length: parallel }, () => new Trial(values.details))

/** Processes a list, one item per thread at a time. */
const overAll = async <A>(items: ReadonlyArray<A>, work: (trial: Trial, item: A) => Promise<void>): Promise<void> => {
  const queue = [...items]
  await Promise.all(
    trials.map(async (trial) => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(trial, item)
    }),
  )
}

const results: Array<Result> = []
const broken: Array<string> = []
let before: GuardedFile | undefined
await overAll(chosen, async (trial, file) => {
  // A thread retains what it parsed, and every mutant that it loaded.
  if (before !== undefined && before.id.split("/")[0] !== file.id.split("/")[0]) trial.end()
  before = file
  try {
    results.push({ file, ...(await trial.try(file)) })
  } catch (error) {
    broken.push(`${file.id}: ${error instanceof Error ? error.message : String(error)}`)
  }
})
results.sort((a, b) => (a.file.id < b.file.id ? -1 : 1))
const refusedAmong = (all: ReadonlyArray<Result>): ReadonlySet<Survivor> => {
  try {
    return refusedOf(all.map(({ file: { path }, survivors }) => ({ path, survivors })))
  } catch (error) {
    return fail(String(error))
  }
}
const refused = refusedAmong(results)

const hints = new Map<string, ReadonlyMap<number, string>>()
if (values.hints !== undefined) {
  const folder = values.hints
  await overAll(results, async (trial, { file, survivors }) => {
    const open = survivors.filter((survivor) => !refused.has(survivor) && known[file.id]?.[survivor.name] === undefined)
    hints.set(file.id, await trial.hints(file, open, folder))
  })
}
if (values.search !== undefined) {
  const seconds = Number(values.search)
  await overAll(results, async (trial, { file, survivors }) => {
    const open = survivors.filter((survivor) => !refused.has(survivor) && known[file.id]?.[survivor.name] === undefined)
    if (open.length === 0) return
    const found = await trial.search(file, open, seconds)
    const told = new Set(found.flatMap(({ indexes }) => indexes))
    appendFileSync(variantsPath, found.map(({ variant }) => `${JSON.stringify(variant)}\n`).join(""))
    process.stdout.write(`${file.id}: ${found.length} programs tell ${told.size} of ${open.length} survivors\n`)
  })
}
for (const trial of trials) trial.end()

const count = { tried: 0, accepted: 0, surviving: 0, stale: 0, tolerated: 0 }
for (const { file, tried, survivors } of results) {
  const { id } = file
  const surviving = survivors.filter((survivor) => !refused.has(survivor))
  const reasons = values.details ? {} : (known[id] ?? {})
  const unlisted = surviving.filter(({ name }) => reasons[name] === undefined)
  const gone = Object.keys(reasons).filter((name) => !surviving.some((survivor) => survivor.name === name))
  count.tried += tried
  count.accepted += surviving.length - unlisted.length
  if (isTolerated(file)) count.tolerated += unlisted.length
  else count.surviving += unlisted.length
  count.stale += gone.length
  const accepted = surviving.length === unlisted.length ? "" : `, ${surviving.length - unlisted.length} for a reason`
  const lines = [
    ...unlisted.flatMap(({ line, name, index }) => [
      `  ${line}: ${name}`,
      ...(hints.get(id)?.get(index)?.split("\n") ?? []).map((hint) => `      ${hint}`),
    ]),
    ...gone.map((name) => `  listed, but does not survive: ${name}`),
  ]
  process.stdout.write(
    [
      `${id}: ${unlisted.length} of ${tried} survive${accepted}${isTolerated(file) ? " (not pinned yet)" : ""}`,
      ...(values.summary ? [] : lines),
    ].join("\n") + "\n",
  )
}

const percent = count.tried === 0 ? 0 : (100 * count.surviving) / count.tried
process.stdout.write(
  `${count.surviving} of ${count.tried} guards survive (${percent.toFixed(1)} %), ${count.accepted} more for a reason\n`,
)
if (count.tolerated > 0) process.stdout.write(`${count.tolerated} more survive in questions that are not pinned yet\n`)
for (const path of changed?.others ?? [])
  process.stdout.write(`not looked at, since it is neither rule nor question: ${path}\n`)
for (const each of broken) process.stdout.write(`${each}\n`)
process.exit(broken.length > 0 || percent > Number(values.limit) || count.stale > 0 ? 1 : 0)
