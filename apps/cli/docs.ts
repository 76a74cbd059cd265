import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { catalog } from "../../domain/detection/catalog.ts"
import { rulePages } from "../../domain/detection/rulePages.ts"

const folder = fileURLToPath(new URL("../../docs/rules/", import.meta.url))
const pages = rulePages(catalog)

// Pages of removed rules are deleted, too.
rmSync(folder, { recursive: true, force: true })
for (const [path, text] of pages) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
console.log(`${pages.size} pages written to docs/rules`)
