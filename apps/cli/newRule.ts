import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { scaffold } from "./scaffoldRule.ts"

const help = `Scaffolds a rule: a file with metadata, check and examples to fill in, and a line in the catalog.

  npm run rule:new -- <ecosystem>/<category>/<rule>

  npm run rule:new -- evm/reentrancy/hook-before-update
  npm run rule:new -- solana/cpi/unchecked-program

See docs/writing-a-rule.md for a guide.
`

const root = fileURLToPath(new URL("../..", import.meta.url))

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { help: { type: "boolean", short: "h", default: false } },
})
const [id] = positionals
if (values.help || id === undefined || positionals.length > 1) {
  process.stdout.write(help)
  process.exit(values.help ? 0 : 2)
}

const plan = scaffold(id, (path) => readFileSync(join(root, path), "utf8"))
if (typeof plan === "string" || existsSync(join(root, plan.rule.path))) {
  process.stderr.write(`${typeof plan === "string" ? plan : `${plan.rule.path} already exists.`}\n`)
  process.exit(2)
}
for (const { path, text } of [plan.rule, plan.catalog]) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
process.stdout.write(
  `Created ${relative(root, join(root, plan.rule.path))} and added it to ${plan.catalog.path}.\n` +
    `Next, fill in the examples and run npx vitest run test/domain/detection -t ${id}\n`,
)
