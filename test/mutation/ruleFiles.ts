import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, sep } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { indexBy } from "../../domain/detection/indexBy.ts"

/** A file whose guards are removed: a rule, or a question that rules share. */
export interface GuardedFile {
  /** A rule's id, or `solidity/access/entries/deeds`. */
  readonly id: string
  readonly path: string
  readonly url: string
}

export const root = fileURLToPath(new URL("../..", import.meta.url))

const ecosystemOf: Readonly<Record<string, string>> = { solidity: "evm", solana: "solana", cosmwasm: "cosmwasm" }

const guardedFile = (id: string, path: string): GuardedFile => ({ id, path, url: pathToFileURL(path).href })

/** Every file that holds a rule, by the convention that its path is its id. */
export const ruleFiles: ReadonlyArray<GuardedFile> = Object.entries(ecosystemOf).flatMap(([folder, ecosystem]) => {
  const rules = join(root, "domain/detection", folder, "rules")
  return readdirSync(rules, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && name.includes(sep))
    .toSorted()
    .map((name) => guardedFile(`${ecosystem}/${name.split(sep).join("/").slice(0, -3)}`, join(rules, name)))
})

/** Tables of small programs with the answers of a question on each line, which test it as examples test a rule. */
export const tableFiles: ReadonlyArray<GuardedFile> = ["solidity", "solana", "cosmwasm"].flatMap((folder) => {
  const tables = join(root, "test/domain/detection", folder, "questions/tables")
  return readdirSync(tables, { encoding: "utf8" })
    .toSorted()
    .map((name) => guardedFile(`${ecosystemOf[folder]}/questions/${name.slice(0, -3)}`, join(tables, name)))
})

const imports = new Map<string, ReadonlyArray<string>>()

/** Paths of the project's files that a file imports. */
const importsOf = (path: string): ReadonlyArray<string> => {
  const known = imports.get(path)
  if (known !== undefined) return known
  const specifiers = readFileSync(path, "utf8").matchAll(
    /^(?:import|export)\s(?!type\s)[^"'`]*?["'](\.[^"'\n]+\.ts)["']/gm,
  )
  const found = [...specifiers].map(([, specifier]) => join(dirname(path), specifier!))
  imports.set(path, found)
  return found
}

/** Some files and all that they import, directly or not, except through `without`. */
const withImports = (files: Iterable<string>, without: ReadonlyArray<string> = []): ReadonlySet<string> => {
  const found = new Set(files)
  // A set also iterates over what is added in the meantime.
  for (const file of found) for (const path of importsOf(file)) if (!without.includes(path)) found.add(path)
  return found
}

const judges: ReadonlyArray<GuardedFile> = [...tableFiles, ...ruleFiles]

const importers = indexBy(withImports(judges.map(({ path }) => path)), importsOf)

/** Every file that must be reloaded for a rule to see another version of `path`, and the rules that see it. */
export const dependentsOf = (
  path: string,
): { readonly files: ReadonlySet<string>; readonly rules: ReadonlyArray<GuardedFile> } => {
  const files = new Set([path])
  for (const file of files) for (const importer of importers.get(file) ?? []) files.add(importer)
  return { files, rules: judges.filter((rule) => files.has(rule.path)) }
}

/** Questions that the front end itself asks are answered before a rule runs, so that another version makes no difference. */
const frontEndsOwn = (folder: string): ReadonlySet<string> => {
  const ecosystem = join(root, "domain/detection", folder)
  const later = ["catalog.ts", "access.ts", "access/table/table.ts"].map((name) => join(ecosystem, name))
  return withImports([join(ecosystem, "frontEnd.ts")], later)
}

/** Every other file of an ecosystem that rules ask, wherever it is. */
export const questionFiles: ReadonlyArray<GuardedFile> = Object.keys(ecosystemOf).flatMap((folder) => {
  const directory = join(root, "domain/detection", folder)
  const own = frontEndsOwn(folder)
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && name.includes(sep) && !name.startsWith(`rules${sep}`))
    .filter((name) => !own.has(join(directory, name)))
    .toSorted()
    .map((name) => guardedFile(`${folder}/${name.split(sep).join("/").slice(0, -3)}`, join(directory, name)))
    .filter(({ path }) => dependentsOf(path).rules.length > 0)
})

export interface Changed {
  /** Rules and questions. */
  readonly guarded: ReadonlyArray<GuardedFile>
  /** Other files of the engine, by path, whose guards are never removed. */
  readonly others: ReadonlyArray<string>
}

/** The files of the engine that differ from a revision's. */
export const changedSince = (revision: string): Changed => {
  const changed = execFileSync("git", ["diff", "--name-only", "--diff-filter=AMR", revision, "--"], {
    cwd: root,
    encoding: "utf8",
  })
  const nameOf = ({ path }: GuardedFile): string => relative(root, path).split(sep).join("/")
  const paths = new Set(changed.split("\n").filter((path) => path.startsWith("domain/detection/")))
  const guarded = [...ruleFiles, ...questionFiles].filter((file) => paths.has(nameOf(file)))
  for (const file of guarded) paths.delete(nameOf(file))
  return { guarded, others: [...paths].toSorted() }
}
