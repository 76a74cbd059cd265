import * as Result from "effect/Result"
import { resultLimits } from "../finding/ResultLimits.ts"
import { maskedText } from "../detection/secrets/masked.ts"
import { boundedText } from "../finding/boundedText.ts"
import type { Confidence, Severity } from "../finding/Severity.ts"
import { type ExternalResult, type ExternalRun, segment } from "./ExternalResult.ts"
import { type Paths, relativePath } from "./paths.ts"

/** How much of a log is read; the rest is counted. */
export const sarifLimits = {
  characters: 100_000_000,
  runs: 20,
  results: 25_000,
  rules: 10_000,
  resultCharacters: 8_000_000,
} as const

type Json = Readonly<Record<string, unknown>>

const object = (value: unknown): Json =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {}
const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])
const string = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value : undefined
const integer = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined

/** A foreign text as we show it: truncated, and with secrets masked. */
const said = (value: unknown, length: number = resultLimits.message): string | undefined => {
  const text = string(value)
  return text === undefined ? undefined : maskedText("", boundedText(text, length))
}

const textOf = (value: unknown): string | undefined => string(object(value)["text"])

const levels: Readonly<Record<string, Severity>> = {
  error: "high",
  warning: "medium",
  note: "low",
  none: "informational",
}

const scored = (score: number): Severity =>
  score >= 9 ? "critical" : score >= 7 ? "high" : score >= 4 ? "medium" : score > 0 ? "low" : "informational"

/** GitHub's score if the rule has one; otherwise the level of the result, the rule, and SARIF's default (3.27.10). */
const severityOf = (result: Json, rule: Json): Severity => {
  const score = Number(object(rule["properties"])["security-severity"] ?? Number.NaN)
  if (Number.isFinite(score)) return scored(score)
  const level = string(result["level"]) ?? string(object(rule["defaultConfiguration"])["level"]) ?? "warning"
  return levels[level] ?? "medium"
}

const confidenceOf = (rule: Json): Confidence => {
  const { precision } = object(rule["properties"])
  return precision === "very-high" || precision === "high" ? "high" : precision === "low" ? "low" : "medium"
}

interface Region {
  readonly lineStart: number
  readonly lineEnd: number
  readonly columnStart?: number
  readonly columnEnd?: number
  readonly byteOffset?: number
  readonly byteLength?: number
}

const regionOf = (region: Json): Region => {
  const lineStart = Math.max(1, integer(region["startLine"]) ?? 1)
  const lineEnd = Math.max(lineStart, integer(region["endLine"]) ?? lineStart)
  const columnStart = integer(region["startColumn"])
  const columnEnd = integer(region["endColumn"])
  const byteOffset = region["startLine"] === undefined ? integer(region["byteOffset"]) : undefined
  return {
    lineStart,
    lineEnd,
    ...(columnStart === undefined || columnStart < 1 ? {} : { columnStart }),
    ...(columnStart === undefined || columnEnd === undefined || columnEnd < 1 ? {} : { columnEnd }),
    ...(byteOffset === undefined ? {} : { byteOffset, byteLength: integer(region["byteLength"]) ?? 0 }),
  }
}

/** Slither prefixes the name with numbers for impact and confidence, Semgrep with the path of the rule's file. */
const detectorOf = (id: string): string => segment(id.replace(/^\d-\d-/, "").slice(id.lastIndexOf(".") + 1))

interface Rules {
  readonly byIndex: ReadonlyArray<unknown>
  readonly byId: ReadonlyMap<string, Json>
}

const rulesOf = (driver: Json): Rules => {
  const byIndex = list(driver["rules"]).slice(0, sarifLimits.rules)
  return { byIndex, byId: new Map(byIndex.map((rule) => [String(object(rule)["id"]), object(rule)])) }
}

const resultOf = (
  value: unknown,
  { byIndex, byId }: Rules,
  paths: Paths,
): ExternalResult | "placeless" | "suppressed" => {
  const result = object(value)
  const reference = object(result["rule"])
  const index = integer(result["ruleIndex"]) ?? integer(reference["index"])
  const named = string(result["ruleId"]) ?? string(reference["id"])
  const rule = (named === undefined ? undefined : byId.get(named)) ?? object(index === undefined ? {} : byIndex[index])
  const suppressed = list(result["suppressions"]).some((one) => (object(one)["status"] ?? "accepted") === "accepted")
  if (suppressed) return "suppressed"
  const place = object(object(list(result["locations"])[0])["physicalLocation"])
  const artifact = object(place["artifactLocation"])
  const file = relativePath(string(artifact["uri"]) ?? "", paths)
  if (file === undefined) return "placeless"
  const id = named ?? string(rule["id"]) ?? "unnamed"
  const detector = detectorOf(id)
  const title = said(textOf(rule["shortDescription"]) ?? rule["name"] ?? undefined, 150) ?? detector
  const message = said(textOf(result["message"])) ?? said(textOf(rule["fullDescription"])) ?? title
  const helpUri = string(rule["helpUri"])
  return {
    detector,
    title,
    message,
    remediation: said(textOf(rule["help"])) ?? `See the engine's documentation for ${detector}.`,
    severity: severityOf(result, rule),
    confidence: confidenceOf(rule),
    ...(helpUri !== undefined && helpUri.length < 500 && /^https:\/\/\S+$/.test(helpUri) ? { helpUri } : {}),
    file,
    ...regionOf(object(place["region"])),
  }
}

const readRun = (value: unknown, paths: Paths, room: number): ExternalRun => {
  const run = object(value)
  const driver = object(object(run["tool"])["driver"])
  const rules = rulesOf(driver)
  const all = list(run["results"])
  const counts = { placeless: 0, suppressed: 0 }
  const results: Array<ExternalResult> = []
  let read = 0
  let characters = 0
  for (const one of all.slice(0, room)) {
    const result = resultOf(one, rules, paths)
    if (typeof result === "string") counts[result]++
    else {
      characters += result.file.length + result.title.length + result.message.length + result.remediation.length
      if (characters > sarifLimits.resultCharacters) break
      results.push(result)
    }
    read++
  }
  const failed = list(run["invocations"]).some((one) => object(one)["executionSuccessful"] === false)
  const notes = [
    ...(failed ? ["the engine reports that it did not finish"] : []),
    ...(all.length > read ? [`${all.length - read} results beyond the limit are omitted`] : []),
    ...(counts.placeless > 0 ? [`${counts.placeless} results do not refer to a file in the repository`] : []),
    ...(counts.suppressed > 0 ? [`${counts.suppressed} results are suppressed`] : []),
  ]
  const version = string(driver["semanticVersion"]) ?? string(driver["version"]) ?? "unknown"
  return { engine: segment(string(driver["name"]) ?? "unknown"), version: version.slice(0, 50), results, notes }
}

/**
 * The runs of a SARIF 2.1.0 log of any engine: hostile input, nothing of which is trusted and everything bounded. The
 * failure says what is wrong with the text.
 */
export const readSarif = (text: string, paths: Paths): Result.Result<ReadonlyArray<ExternalRun>, string> => {
  if (text.trim() === "") return Result.fail("is empty")
  if (text.length > sarifLimits.characters) return Result.fail("is larger than 100 MB")
  let log: unknown
  try {
    log = JSON.parse(text.replace(/^\uFEFF/, ""))
  } catch {
    return Result.fail("is not JSON")
  }
  const { version, runs } = object(log)
  if (!Array.isArray(runs)) return Result.fail("is not a SARIF log: it has no runs")
  if (version !== "2.1.0") return Result.fail("is not a SARIF log of version 2.1.0")
  let room: number = sarifLimits.results
  return Result.succeed(
    runs.slice(0, sarifLimits.runs).map((run) => {
      const one = readRun(run, paths, room)
      room = Math.max(0, room - list(object(run)["results"]).length)
      return one
    }),
  )
}
