/** One line of the exposition. */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface Family {
  readonly name: string
  readonly type: string
  readonly help: string
  readonly samples: ReadonlyArray<Sample>
}

const labelText = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"/y
const number = /^(?:NaN|[+-]Inf|[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)$/

const parseLabels = (text: string, line: string): Record<string, string> => {
  const labels: Record<string, string> = {}
  for (let at = 0; at < text.length; at++) {
    labelText.lastIndex = at
    const found = labelText.exec(text)
    if (found === null) throw new Error(`no label at ${at}: ${line}`)
    if (Object.hasOwn(labels, found[1]!)) throw new Error(`the label ${found[1]} stands twice: ${line}`)
    labels[found[1]!] = found[2]!
    at = labelText.lastIndex
    if (at < text.length && text[at] !== ",") throw new Error(`no comma at ${at}: ${line}`)
  }
  return labels
}

const parseSample = (line: string): Sample => {
  const [, name, labels, value] = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
  if (name === undefined || value === undefined) throw new Error(`no sample: ${line}`)
  if (!number.test(value)) throw new Error(`no number: ${line}`)
  return { name, labels: parseLabels(labels ?? "", line), value: Number(value.replace("Inf", "Infinity")) }
}

const without = (labels: Readonly<Record<string, string>>, name: string): string =>
  JSON.stringify(
    Object.entries(labels)
      .filter(([key]) => key !== name)
      .toSorted(),
  )

/** Buckets grow, end at +Inf, and agree with the count. */
const checkHistogram = ({ name, samples }: Family): void => {
  const groups = Map.groupBy(samples, ({ labels }) => without(labels, "le"))
  for (const [group, members] of groups) {
    const buckets = members.filter((sample) => sample.name === `${name}_bucket`)
    const count = members.find((sample) => sample.name === `${name}_count`)
    const sum = members.find((sample) => sample.name === `${name}_sum`)
    if (count === undefined || sum === undefined) throw new Error(`${name}${group} lacks its count or sum`)
    const bounds = buckets.map(({ labels }) => Number(labels["le"]!.replace("Inf", "Infinity")))
    if (bounds.at(-1) !== Infinity) throw new Error(`${name}${group} does not end at +Inf`)
    for (const [index, { value }] of buckets.entries()) {
      if (index > 0 && (bounds[index]! <= bounds[index - 1]! || value < buckets[index - 1]!.value)) {
        throw new Error(`${name}${group} has buckets that do not grow`)
      }
    }
    if (buckets.at(-1)!.value !== count.value) throw new Error(`${name}${group} counts two ways`)
  }
}

const belongs = (family: string, type: string, sample: string): boolean =>
  type === "histogram" ? new RegExp(`^${family}_(bucket|sum|count)$`).test(sample) : sample === family

/**
 * Reads Prometheus' text format as strictly as its documentation defines it, and rejects what `promtool check metrics`
 * objects to: a family that has no help or type, occurs twice or is scattered, a duplicate series, a counter without
 * `_total`. https://prometheus.io/docs/instrumenting/exposition_formats/
 */
export const parsePrometheus = (text: string): ReadonlyMap<string, Family> => {
  if (!text.endsWith("\n")) throw new Error("the last line does not end")
  const families = new Map<string, { name: string; type: string; help: string; samples: Array<Sample> }>()
  let help: { readonly name: string; readonly text: string } | undefined
  let current: { name: string; type: string; help: string; samples: Array<Sample> } | undefined
  for (const line of text.slice(0, -1).split("\n")) {
    const [, kind, name, rest] = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/.exec(line) ?? []
    if (kind === "HELP") {
      help = { name: name!, text: rest! }
    } else if (kind === "TYPE") {
      if (families.has(name!)) throw new Error(`${name} stands twice`)
      if (help?.name !== name) throw new Error(`${name} has no help`)
      if (!/^(counter|gauge|histogram)$/.test(rest!)) throw new Error(`${name} is a ${rest}`)
      if (rest === "counter" && !name!.endsWith("_total")) throw new Error(`the counter ${name} lacks _total`)
      if (rest !== "counter" && name!.endsWith("_total")) throw new Error(`${name} is not a counter`)
      current = { name: name!, type: rest!, help: help!.text, samples: [] }
      families.set(name!, current)
    } else {
      const sample = parseSample(line)
      if (current === undefined || !belongs(current.name, current.type, sample.name)) {
        throw new Error(`${sample.name} is outside of its family`)
      }
      current.samples.push(sample)
    }
  }
  for (const family of families.values()) {
    const seen = new Set<string>()
    for (const { name, labels } of family.samples) {
      const key = name + without(labels, "")
      if (seen.has(key)) throw new Error(`${key} stands twice`)
      seen.add(key)
    }
    if (family.type === "histogram") checkHistogram(family)
  }
  return families
}
