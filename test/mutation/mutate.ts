import { parseArgs } from "node:util"
import { type RuleFile, ruleFiles, rulesChangedSince } from "./ruleFiles.ts"
import { survivors as known } from "./survivors.ts"
import { tryMutants } from "./tryMutants.ts"

const help = `Takes the guards out of rules one at a time and names those that no example misses.

  npm run mutate -- evm/reentrancy/state-change-after-call   # one rule, or several
  npm run mutate -- evm/reentrancy                           # a category
  npm run mutate -- --since HEAD^                            # the rules that changed since a revision
  npm run mutate -- --all

A survivor is a guard to pin with an example or to delete; the few that stay are listed, each with its reason, in
test/mutation/survivors.ts. Exits with 1 where there is a survivor that is not listed, or a listed one that no longer
survives.

  --limit PERCENT   tolerate so many survivors, of all mutants tried (default 0)
`

/** Rules tried at the same time. */
const parallel = 2

const fail = (message: string): never => {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: "boolean", default: false },
    since: { type: "string" },
    limit: { type: "string", default: "0" },
    help: { type: "boolean", short: "h", default: false },
  },
})
if (values.help) {
  process.stdout.write(help)
  process.exit(0)
}

const named = (name: string): ReadonlyArray<RuleFile> => {
  const found = ruleFiles.filter(({ id }) => id === name || id.startsWith(`${name}/`))
  return found.length > 0 ? found : fail(`There is no rule or category ${name}. docs/rules/README.md lists them.`)
}

const chosen = values.all
  ? ruleFiles
  : [
      ...new Set([
        ...positionals.flatMap(named),
        ...(values.since === undefined ? [] : rulesChangedSince(values.since)),
      ]),
    ]
if (chosen.length === 0 && values.since === undefined) fail(help)

let tried = 0
let surviving = 0
let stale = 0
const queue = [...chosen]

const work = async (): Promise<void> => {
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    const result = await tryMutants(file)
    const reasons = known[file.id] ?? {}
    const unlisted = result.survivors.filter(({ name }) => reasons[name] === undefined)
    const gone = Object.keys(reasons).filter((name) => !result.survivors.some((survivor) => survivor.name === name))
    tried += result.tried
    surviving += unlisted.length
    stale += gone.length
    process.stdout.write(
      [
        `${file.id}: ${unlisted.length} of ${result.tried} survive`,
        ...unlisted.map(({ line, name }) => `  ${line}: ${name}`),
        ...gone.map((name) => `  listed, but does not survive: ${name}`),
      ].join("\n") + "\n",
    )
  }
}
await Promise.all(Array.from({ length: parallel }, work))

const percent = tried === 0 ? 0 : (100 * surviving) / tried
process.stdout.write(`${surviving} of ${tried} guards survive (${percent.toFixed(1)} %)\n`)
process.exit(percent > Number(values.limit) || stale > 0 ? 1 : 0)
