import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join, relative } from "node:path"
import type { checkSync } from "recheck"
import { parseAst } from "rolldown/parseAst"

// The package's own entry starts a platform-specific program, or Java; this build is the same checker in JavaScript.
const require = createRequire(import.meta.url)
const recheck = require("recheck/lib/browser.js") as { readonly checkSync: typeof checkSync }
const { version } = require("recheck/package.json") as { readonly version: string }

const root = join(import.meta.dirname, "../..")

export interface Expression {
  readonly place: string
  readonly source: string
  readonly flags: string
}

const isNode = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const expressions: Array<Expression> = []
/**
 * Places of `RegExp(…)` without a comment `// linear: why` on the line above, since the resulting expression is unknown.
 */
export const composed: Array<string> = []

const visit = (node: unknown, lines: ReadonlyArray<string>, at: (offset: number) => string): void => {
  if (!isNode(node)) return
  const { type, regex, callee, start } = node
  if (type === "Literal" && isNode(regex)) {
    expressions.push({ place: at(Number(start)), source: String(regex["pattern"]), flags: String(regex["flags"]) })
  }
  if ((type === "NewExpression" || type === "CallExpression") && isNode(callee) && callee["name"] === "RegExp") {
    const place = at(Number(start))
    if (!lines[Number(place.split(":")[1]) - 2]?.includes("// linear: ")) composed.push(place)
  }
  for (const child of Object.values(node)) visit(child, lines, at)
}

for (const folder of ["domain", "application", "adapters", "apps"]) {
  for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.tsx?$/.test(entry.name) || entry.parentPath.includes("node_modules")) continue
    const path = join(entry.parentPath, entry.name)
    const text = readFileSync(path, "utf8")
    const at = (offset: number): string => `${relative(root, path)}:${text.slice(0, offset).split("\n").length}`
    visit(parseAst(text, { lang: path.endsWith("x") ? "tsx" : "ts" }).body, text.split("\n"), at)
  }
}

/** All regular expressions of the code, each once, with all its places. */
export const distinct = [...Map.groupBy(expressions, ({ source, flags }) => `/${source}/${flags}`).values()].map(
  ([first, ...others]) => ({ ...first!, place: [first!, ...others].map(({ place }) => place).join(" ") }),
)

/**
 * The same with large counts left open, which matches more and is never faster: the checker unrolls counts, and has to
 * guess attacks if the automaton gets too large, with results that vary from day to day.
 */
const widened = (source: string): string =>
  source.replaceAll(/(?<!\\)\{(\d+)(?:,(\d*))?\}/g, (all, from: string, to = from) =>
    (to === "" ? Number(from) : Number(to)) <= 8 ? all : from === "0" ? "*" : "+",
  )

/** The alternatives of an expression that are outside of any bracket. */
const branches = (source: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  let depth = 0
  let from = 0
  for (const { 0: token, index } of source.matchAll(/\\[^]|\[(?:\\[^]|[^\]\\])*\]|[()|]/g)) {
    if (token === "(") depth++
    if (token === ")" && --depth < 0) return []
    if (token !== "|" || depth > 0) continue
    found.push(source.slice(from, index))
    from = index + 1
  }
  return [...found, source.slice(from)]
}

/**
 * The first group that is not repeated and that has alternatives or further groups in it: what precedes it, its
 * alternatives, and what follows it.
 */
const firstChoice = (source: string): readonly [string, ReadonlyArray<string>, string] | undefined => {
  const open: Array<number> = []
  for (const { 0: token, index } of source.matchAll(/\\[^]|\[(?:\\[^]|[^\]\\])*\]|[()]/g)) {
    if (token === "(") open.push(index)
    if (token !== ")") continue
    const from = open.pop()
    if (from === undefined || open.length > 0) continue
    const after = source.slice(index + 1)
    const inner = /^(?:\?:)?(?!\?)([^]*)$/.exec(source.slice(from + 1, index))?.[1]
    if (inner === undefined || /^[*+?{]/.test(after)) continue
    const alternatives = branches(inner)
    if (alternatives.length > 1 || inner.includes("(")) return [source.slice(0, from), alternatives, after]
  }
  return undefined
}

/**
 * Expressions that together take as long as this one, except for their constant number: one for each alternative. The
 * checker takes seconds for long ones of many words. Back references stay with their groups.
 */
const parts = (source: string, most = 1_000): ReadonlyArray<string> =>
  branches(source).flatMap((branch) => {
    const choice = /\\[1-9k]/.test(branch) ? undefined : firstChoice(branch)
    if (choice === undefined || choice[1].length > most) return [branch]
    const [before, alternatives, after] = choice
    return alternatives.flatMap((one) => parts(`${before}${one}${after}`, most / alternatives.length))
  })

/**
 * A part that matches lines as parts that match a whole text, because the checker takes ten times as long with `m`. The
 * line break is consumed, which changes nothing, since it comes last.
 */
const ofText = (part: string, flags: string): ReadonlyArray<readonly [string, string]> => {
  const body = /^\^((?:\\[^]|\[\^?(?:\\[^]|[^\]\\^])*\]|[^^$\\[])*)(\$?)$/.exec(part)
  if (!flags.includes("m") || body === null) return [[part, flags]]
  const [, line, end] = body
  return ["^", "\\n"].map((start) => [start + line + (end === "" ? "" : "(?:\\n|$)"), flags.replace("m", "")] as const)
}

/** Why one of the parts is not known to be linear; undefined if it is. Takes up to seconds. */
export const objection = (part: string, flags: string): string | undefined => {
  const wide = widened(part)
  if (!/[*+{]/.test(wide)) return undefined
  const proof = recheck.checkSync(wide, flags, { checker: "automaton", timeout: 60_000 })
  // Lookaheads and back references are beyond automata: in these cases, a search for an attack has to do.
  const unsupported = proof.status === "unknown" && proof.error.kind === "unsupported"
  const found = unsupported ? recheck.checkSync(wide, flags, { checker: "fuzz", randomSeed: 1 }) : proof
  if (found.status === "safe") return undefined
  return found.status === "vulnerable" ? found.complexity.summary : `not decided: ${found.error.kind}`
}

export interface Part {
  readonly part: string
  readonly flags: string
  /** Names the part and the checker. */
  readonly hash: string
}

/** What has to be proven of an expression. */
export const partsOf = ({ source, flags }: Expression): ReadonlyArray<Part> =>
  parts(source)
    .flatMap((part) => ofText(part, flags))
    .map(([part, within]) => ({
      part,
      flags: within,
      hash: createHash("sha256").update(`${version} ${within} ${part}`).digest("hex").slice(0, 32),
    }))

/** Where the parts that have been proven are recorded, one hash per line. */
export const recordPath = new URL("../pinned/linearExpressions.txt", import.meta.url)
