import { appendFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { variantsPath } from "../support/exampleVariants.ts"
import { changedSince, type GuardedFile, questionFiles, ruleFiles } from "./ruleFiles.ts"
import { refusedOf } from "./refused.ts"
import { pinnedQuestions, survivors as known } from "./survivors.ts"
import { type Survivor, Trial, type Tried } from "./tryMutants.ts"

const help = `Removes the guards of rules one at a time and lists those whose removal no example notices.

  npm run mutate -- evm/reentrancy/state-change-after-call   # one rule, or several
  npm run mutate -- evm/reentrancy                           # a category
  npm run mutate -- solidity/access/entries/deeds            # a question that rules share, tested by their examples
  npm run mutate -- --changed HEAD^                          # what changed since a revision
  npm run mutate -- --all

Pin each survivor with an example, or delete the guard; the few that stay are listed with their reasons in
test/mutation/survivors.ts. A guard without which the rule does not compile narrows a type and counts as pinned. A survivor
marked (unseen) is a guard that no example evaluates to a value for which its removal would make a difference. Exits with 1 if
there is a survivor that is not listed, or a listed one that no longer survives. With --changed, survivors in questions that
are not pinned yet are reported and tolerated.

  --limit PERCENT   share of mutants that may survive (default 0)
  --summary         print only the counts
  --details         change what guards say instead of removing them: words of regular expressions, bits of masks, entries
                    of tables, operators, numbers. These survivors are not recorded, and no check depends on them
  --search SECONDS  CPU seconds per file to search for variants of its examples that kill survivors; variants found are
                    added to test/pinned/variants.jsonl
  --hints DIR       show where a survivor makes a difference: in the examples of other rules, and in the projects in
                    DIR's folders
`

/** Files whose survivors are compiled together and then reported. */
const pieceSize = 16

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

const trial = new Trial(values.details)
let before: GuardedFile | undefined
const broken: Array<string> = []
const count = { tried: 0, accepted: 0, surviving: 0, stale: 0, tolerated: 0 }

const tryFile = async (file: GuardedFile): Promise<ReadonlyArray<Result>> => {
  // A thread retains what it parsed.
  if (before !== undefined && before.id.split("/")[0] !== file.id.split("/")[0]) trial.end()
  before = file
  try {
    return [{ file, ...(await trial.try(file)) }]
  } catch (error) {
    broken.push(`${file.id}: ${error instanceof Error ? error.message : String(error)}`)
    return []
  }
}

/** Writes down programs that tell survivors from the rules, and returns the survivors that none tells. */
const searched = async (file: GuardedFile, open: ReadonlyArray<Survivor>): Promise<ReadonlyArray<Survivor>> => {
  if (values.search === undefined || open.length === 0) return open
  const found = await trial.search(file, open, Number(values.search))
  const told = new Set(found.flatMap(({ indexes }) => indexes))
  appendFileSync(variantsPath, found.map(({ variant }) => `${JSON.stringify(variant)}\n`).join(""))
  process.stdout.write(`${file.id}: ${found.length} programs tell ${told.size} of ${open.length} survivors\n`)
  return open.filter(({ index }) => !told.has(index))
}

const report = async ({ file, tried, survivors }: Result, refused: ReadonlySet<Survivor>): Promise<void> => {
  const { id } = file
  const surviving = survivors.filter((survivor) => !refused.has(survivor))
  const reasons = values.details ? {} : (known[id] ?? {})
  const unlisted = await searched(
    file,
    surviving.filter(({ name }) => reasons[name] === undefined),
  )
  const listed = surviving.filter(({ name }) => reasons[name] !== undefined)
  const gone = Object.keys(reasons).filter((name) => !surviving.some((survivor) => survivor.name === name))
  count.tried += tried
  count.accepted += listed.length
  if (isTolerated(file)) count.tolerated += unlisted.length
  else count.surviving += unlisted.length
  count.stale += gone.length
  const hints = values.hints === undefined ? undefined : await trial.hints(file, unlisted, values.hints)
  const lines = [
    ...unlisted.flatMap(({ line, name, index, isUnseen }) => [
      `  ${line}${isUnseen ? " (unseen)" : ""}: ${name}`,
      ...(hints?.get(index)?.split("\n") ?? []).map((hint) => `      ${hint}`),
    ]),
    ...gone.map((name) => `  listed, but does not survive: ${name}`),
  ]
  const accepted = listed.length === 0 ? "" : `, ${listed.length} for a reason`
  process.stdout.write(
    [
      `${id}: ${unlisted.length} of ${tried} survive${accepted}${isTolerated(file) ? " (not pinned yet)" : ""}`,
      ...(values.summary ? [] : lines),
    ].join("\n") + "\n",
  )
}

const refusedAmong = (results: ReadonlyArray<Result>): ReadonlySet<Survivor> => {
  try {
    return refusedOf(results.map(({ file: { path }, survivors }) => ({ path, survivors })))
  } catch (error) {
    return fail(String(error))
  }
}

for (let at = 0; at < chosen.length; at += pieceSize) {
  const results: Array<Result> = []
  for (const file of chosen.slice(at, at + pieceSize)) results.push(...(await tryFile(file)))
  const refused = refusedAmong(results)
  for (const result of results) await report(result, refused)
}
trial.end()

const percent = count.tried === 0 ? 0 : (100 * count.surviving) / count.tried
process.stdout.write(
  `${count.surviving} of ${count.tried} guards survive (${percent.toFixed(1)} %), ${count.accepted} more for a reason\n`,
)
if (count.tolerated > 0) process.stdout.write(`${count.tolerated} more survive in questions that are not pinned yet\n`)
for (const path of changed?.others ?? [])
  process.stdout.write(`not looked at, since it is neither rule nor question: ${path}\n`)
for (const each of broken) process.stdout.write(`${each}\n`)
process.exit(broken.length > 0 || percent > Number(values.limit) || count.stale > 0 ? 1 : 0)
