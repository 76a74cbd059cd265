import { segment } from "./ExternalResult.ts"

type Json = Readonly<Record<string, unknown>>

const object = (value: unknown): Json =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {}
const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const log = (name: string, results: ReadonlyArray<object>, rules: ReadonlyArray<object> = []): object => ({
  version: "2.1.0",
  runs: [{ tool: { driver: { name, rules } }, results }],
})

const result = (ruleId: string, level: string, text: unknown, uri: unknown, region: object): object => ({
  ruleId,
  level,
  message: { text },
  locations: [{ physicalLocation: { artifactLocation: { uri }, region } }],
})

const mythrilLevels: Readonly<Record<string, string>> = { High: "error", Medium: "warning", Low: "note" }

/** `myth analyze -o json`: one object with `issues`, each with `lineno` and the number of its SWC entry. */
export const mythrilSarif = (value: unknown): object | undefined => {
  const output = object(value)
  if (!Array.isArray(output["issues"])) return undefined
  const issues = output["issues"].map(object)
  const ids = new Map(issues.map((issue) => [`swc-${String(issue["swc-id"])}`, issue["title"]]))
  const rules = [...ids].map(([id, title]) => ({ id, shortDescription: { text: title } }))
  const results = issues.map((issue) => {
    const level = mythrilLevels[String(issue["severity"])] ?? "warning"
    const region = typeof issue["lineno"] === "number" ? { startLine: issue["lineno"] } : {}
    return result(`swc-${String(issue["swc-id"])}`, level, issue["description"], issue["filename"], region)
  })
  return log("mythril", results, rules)
}

/** `cargo clippy --message-format=json`: an object on each line, of which compiler messages with a code are results. */
export const clippySarif = (lines: ReadonlyArray<unknown>): object | undefined => {
  const messages = lines.map(object).filter(({ reason }) => reason === "compiler-message")
  if (messages.length === 0 && !lines.some((line) => object(line)["reason"] === "build-finished")) return undefined
  const results = messages.flatMap(({ message }) => {
    const { code, level, spans, message: text } = object(message)
    const id = object(code)["code"]
    const span = list(spans)
      .map(object)
      .find((one) => one["is_primary"] === true)
    if (typeof id !== "string" || span === undefined) return []
    const region = {
      startLine: span["line_start"],
      endLine: span["line_end"],
      startColumn: span["column_start"],
      endColumn: span["column_end"],
    }
    const severity = level === "error" ? "warning" : "note"
    return [result(segment(id.replace(/^clippy::/, "")), severity, text, span["file_name"], region)]
  })
  return log("clippy", results)
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** An engine's output as SARIF, if it is one of those with their own JSON; otherwise unchanged. */
export const asSarif = (text: string): string => {
  const head = text.slice(0, 500)
  if (head.includes('"issues"') && !head.includes('"runs"')) {
    const converted = mythrilSarif(parse(text))
    if (converted !== undefined) return JSON.stringify(converted)
  }
  if (!head.includes('"reason"')) return text
  const lines = text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [parse(line)]))
  const converted = clippySarif(lines)
  return converted === undefined ? text : JSON.stringify(converted)
}
