import { readFileSync } from "node:fs"
import { registerHooks } from "node:module"
import { fileURLToPath } from "node:url"
import type { Rule } from "../../domain/detection/Rule.ts"
import { applyMutant, controlOf, type Mutant } from "./guards.ts"
import { repeatable, type Schema, schemaOf } from "./schema.ts"
import { Switch } from "./switch.ts"

/** What loaded schemas ask for the active mutant. */
export const mutation = new Switch()
Object.assign(globalThis, { $mutation: mutation })

const memos = new URL("../../domain/detection/oncePer.ts", import.meta.url).href

let url = ""
let schema: Schema = { text: "", unwatched: new Set() }
let control = ""
let reloaded: ReadonlySet<string> = new Set()
let serial = 0

/** Chooses the file that is loaded as a schema, and the files that are loaded again to see it. */
export const mutate = (file: string, reload: Iterable<string>, mutants: ReadonlyArray<Mutant>): Schema => {
  const path = fileURLToPath(file)
  const text = readFileSync(path, "utf8")
  url = file
  schema = schemaOf(path, text, mutants)
  control = applyMutant(text, controlOf(path, text))
  reloaded = new Set([...reload, file, memos])
  mutation.again.length = 0
  mutation.witnessed = new Uint8Array(mutants.length)
  serial++
  return schema
}

/** A file that is mutated, or that depends on one: its memos forget, and it can be worked out anew. */
const sourceOf = (file: string): string => {
  const path = fileURLToPath(file)
  const text = file === url ? schema.text : readFileSync(path, "utf8")
  const forgetful = text.replaceAll("new WeakMap", "new $mutation.Memo")
  return schema.unwatched.size === 0 ? forgetful : repeatable(path, forgetful)
}

registerHooks({
  resolve: (specifier, context, next) => {
    const found = next(specifier, context)
    const query = context.parentURL === undefined ? "" : new URL(context.parentURL).search
    return query !== "" && found.url.startsWith("file:") && reloaded.has(found.url)
      ? { ...found, url: found.url + query }
      : found
  },
  load: (asked, context, next) => {
    const file = new URL(asked)
    const version = file.searchParams.get("version")
    if (version === null) return next(asked, context)
    file.search = ""
    const source = version.startsWith("control") && file.href === url ? control : sourceOf(file.href)
    return { format: "module-typescript", source, shortCircuit: true }
  },
})

const ruleIn = async (file: string, id: string): Promise<Rule<unknown>> => {
  const isRule = (value: unknown): value is Rule<unknown> =>
    typeof value === "object" && value !== null && "meta" in value && (value as Rule<unknown>).meta.id === id
  const rule = Object.values((await import(file)) as object).find(isRule)
  if (rule === undefined) throw new Error(`${file} exports no rule ${id}`)
  return rule
}

/** A rule that sees the schema. */
export const ruleOf = ({ url, id }: { readonly url: string; readonly id: string }): Promise<Rule<unknown>> =>
  ruleIn(`${url}?version=${serial}`, id)

/** A rule that sees a file which finds nothing, or does not load. */
export const controlRuleOf = ({ url, id }: { readonly url: string; readonly id: string }): Promise<Rule<unknown>> =>
  ruleIn(`${url}?version=control${serial}`, id)
