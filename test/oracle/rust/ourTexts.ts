import { globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { catalog } from "../../../domain/detection/catalog.ts"

const fixtures = fileURLToPath(new URL("../../fixtures", import.meta.url))

interface NamedText {
  readonly name: string
  readonly text: string
}

/** The Rust files among our fixtures. */
export const fixtureTexts: ReadonlyArray<NamedText> = globSync("**/*.rs", { cwd: fixtures })
  .toSorted()
  .map((name) => ({ name, text: readFileSync(`${fixtures}/${name}`, "utf8") }))

/** The examples of the rules for Solana and CosmWasm that are Rust. */
export const exampleTexts: ReadonlyArray<NamedText> = catalog
  .filter(({ meta, examples }) => !meta.id.startsWith("evm/") && examples.file === undefined)
  .flatMap(({ meta, examples: { vulnerable, safe } }) =>
    [...vulnerable, ...safe].map((text, index) => ({ name: `${meta.id} ${index + 1}`, text })),
  )
