import type { Severity } from "../../../finding/Severity.ts"
import { type Advisory, type AffectedPackage, type RangeEvent, type Registry, registries } from "./Advisory.ts"
import { cvss3BaseScore, severityOfScore } from "./cvss.ts"
import { cvss4Score } from "./cvss4.ts"

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])
const objects = (value: unknown): ReadonlyArray<Json> => list(value).filter(isObject)
const strings = (value: unknown): ReadonlyArray<string> =>
  list(value).filter((one): one is string => typeof one === "string")
const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

/** Where texts are truncated and lists end, so that an entry stays small whatever its source sends. */
const limits = { text: 300, list: 2_000, references: 10 } as const

const eventsOf = (range: Json): ReadonlyArray<RangeEvent> =>
  objects(range["events"])
    .slice(0, limits.list)
    .flatMap((event) =>
      (["introduced", "fixed", "last_affected"] as const).flatMap((kind) => {
        const version = text(event[kind])
        return version === undefined ? [] : [{ kind, version }]
      }),
    )

const registryOf = (value: unknown): Registry | undefined => registries.find((one) => one === value)

/** Commits that a git range names as affected; those in between are not known without the repository. */
const commitsOf = (ranges: ReadonlyArray<Json>): ReadonlyArray<string> =>
  ranges
    .filter(({ type }) => type === "GIT")
    .flatMap(eventsOf)
    .filter(({ kind, version }) => kind !== "fixed" && version !== "0")
    .map(({ version }) => version)

const affectedOf = (entry: Json): ReadonlyArray<AffectedPackage> =>
  objects(entry["affected"])
    .slice(0, limits.list)
    .flatMap((one) => {
      const named = isObject(one["package"]) ? one["package"] : {}
      const registry = registryOf(named["ecosystem"])
      const name = text(named["name"])
      if (registry === undefined || name === undefined) return []
      const ranges = objects(one["ranges"])
      return [
        {
          registry,
          name,
          ranges: ranges.filter(({ type }) => type === "SEMVER" || type === "ECOSYSTEM").map(eventsOf),
          versions: strings(one["versions"]).slice(0, limits.list),
          commits: commitsOf(ranges),
        },
      ]
    })

const words: Record<string, Severity> = {
  CRITICAL: "critical",
  HIGH: "high",
  MODERATE: "medium",
  MEDIUM: "medium",
  LOW: "low",
}

/** RustSec's notices: https://github.com/rustsec/advisory-db, `informational`. */
const notices: Record<string, Severity> = { unmaintained: "informational", notice: "informational", unsound: "low" }

const specifics = (entry: Json): ReadonlyArray<Json> =>
  [entry, ...objects(entry["affected"])].flatMap((one) =>
    isObject(one["database_specific"]) ? [one["database_specific"]] : [],
  )

const first = <A>(values: ReadonlyArray<A | undefined>): A | undefined => values.find((one) => one !== undefined)

/** The band of the CVSS score, or else the database's own rating. */
const severityOf = (entry: Json): Severity | undefined => {
  const vectors = [entry, ...objects(entry["affected"])]
    .flatMap((one) => objects(one["severity"]))
    .flatMap(({ score }) => text(score) ?? [])
  for (const scoreOf of [cvss3BaseScore, cvss4Score]) {
    const scores = vectors.flatMap((vector) => scoreOf(vector) ?? [])
    if (scores.length > 0) return severityOfScore(Math.max(...scores))
  }
  const said = specifics(entry)
  return (
    first(said.map((one) => notices[text(one["informational"]) ?? ""])) ??
    first(said.map((one) => words[(text(one["severity"]) ?? "").toUpperCase()]))
  )
}

const isWeb = (url: string): boolean => url.startsWith("https://") && url.length <= 500 && URL.canParse(url)

const referencesOf = (id: string, entry: Json): ReadonlyArray<string> => {
  const given = objects(entry["references"]).flatMap(({ url }) => text(url) ?? [])
  const own = id.startsWith("GHSA-")
    ? [`https://github.com/advisories/${id}`]
    : id.startsWith("RUSTSEC-")
      ? [`https://rustsec.org/advisories/${id}.html`]
      : []
  return [...new Set([...own, ...given])].filter(isWeb).slice(0, limits.references)
}

const plain = (value: string): string => value.replaceAll(/\s+/g, " ").trim().slice(0, limits.text).toWellFormed()

/**
 * Reads one entry in the OSV format (https://ossf.github.io/osv-schema/). Undefined for entries about packages of other
 * registries; malformed parts of all others are left out. A withdrawn entry affects nothing.
 */
export const readOsv = (entry: unknown): Advisory | undefined => {
  if (!isObject(entry)) return undefined
  const id = text(entry["id"])
  if (id === undefined || !/^[\w.:-]{1,100}$/.test(id)) return undefined
  const named = affectedOf(entry)
  if (named.length === 0) return undefined
  const severity = severityOf(entry)
  return {
    id,
    aliases: strings(entry["aliases"])
      .filter((alias) => /^[\w.:-]{1,100}$/.test(alias))
      .slice(0, 20),
    summary: plain(text(entry["summary"]) ?? text(entry["details"]) ?? id),
    severity: severity ?? "medium",
    rated: severity !== undefined,
    affected: text(entry["withdrawn"]) === undefined ? named : [],
    references: referencesOf(id, entry),
  }
}
