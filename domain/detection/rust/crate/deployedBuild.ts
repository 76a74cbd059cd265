import type { Attribute, AttributeArg, Expression, Item, RustFile } from "../syntax/syntax.ts"
import type { Manifest } from "./manifest.ts"

/**
 * Whether a `cfg` option (`feature = "x"`, or a bare `test`) is set in the deployed build. Undefined if the repository
 * does not determine it; both alternatives are analyzed then.
 */
export type BuildOptions = (name: string, value: string | undefined) => boolean | undefined

/** Features for tests, clients and other networks, which are off unless they are defaults. */
const isForDevelopment = (feature: string): boolean =>
  /^(?:no[-_]entrypoint|cpi|idl[-_]build|no[-_]idl|no[-_]log[-_]ix[-_]name|library|client|cli)$/.test(feature) ||
  feature.split(/[-_]/).some((word) => developmentWords.test(word))

const developmentWords =
  /^(?:tests?|testing|mocks?|dev|devel|develop|development|devnet|testnet|localnet|localhost|local|debug|fuzz|fuzzing|bench|benchmarks?|benchmarking|sandbox|kani|certora)$/

const off = new Set(["test", "debug_assertions", "doc", "doctest", "fuzzing", "kani", "loom", "miri"])

const targets: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["target_os", new Set(["solana"])],
  ["target_arch", new Set(["bpf", "sbf"])],
])
const hostTargets = /^(?:linux|macos|windows|x86|x86_64|aarch64|arm)$/

/** The features that each package is built with: its defaults, and those that dependent packages enable. */
export const enabledFeatures = (manifests: ReadonlyArray<Manifest>): ReadonlyMap<Manifest, ReadonlySet<string>> => {
  const byName = new Map(manifests.flatMap((one) => (one.name === undefined ? [] : [[one.name, one] as const])))
  const enabled = new Map(manifests.map((one) => [one, new Set<string>()]))
  const todo: Array<readonly [Manifest, string]> = manifests.map((one) => [one, "default"])
  const ask = (name: string, feature: string): void => {
    const linked = byName.get(name)
    if (linked !== undefined && !isForDevelopment(feature)) todo.push([linked, feature])
  }
  for (const one of manifests)
    for (const dependency of one.dependencies)
      if (dependency.kind === "normal" && !dependency.optional)
        for (const feature of dependency.features) ask(dependency.package, feature)
  const packages = new Map(manifests.map((one) => [one, Map.groupBy(one.dependencies, ({ name }) => name)]))
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const [manifest, feature] = next
    const known = enabled.get(manifest)!
    if (known.has(feature)) continue
    known.add(feature)
    for (const implied of manifest.features.get(feature) ?? []) {
      const [name, ofDependency] = implied.replace("?", "").split("/")
      if (ofDependency === undefined) todo.push([manifest, implied.replace(/^dep:/, "")])
      else
        for (const linked of new Set(
          packages
            .get(manifest)!
            .get(name!)
            ?.map((one) => one.package),
        ))
          ask(linked, ofDependency)
    }
  }
  return enabled
}

/** The options of a build for a chain; without a Cargo.toml, those common to all packages. */
export const buildOptions = (manifest: Manifest | undefined, enabled: ReadonlySet<string>): BuildOptions => {
  const optional = new Set(manifest?.dependencies.map((one) => one.name))
  return (name, value) => {
    if (off.has(name)) return false
    if (value === undefined) return undefined
    const target = targets.get(name)
    if (target !== undefined) return target.has(value) ? true : hostTargets.test(value) ? false : undefined
    if (name !== "feature") return undefined
    if (enabled.has(value)) return true
    if (isForDevelopment(value)) return false
    const isDeclared = manifest === undefined || manifest.features.has(value) || optional.has(value)
    // Cargo cannot enable a feature that is not declared.
    return isDeclared ? undefined : false
  }
}

const every = (parts: ReadonlyArray<boolean | undefined>): boolean | undefined =>
  parts.includes(false) ? false : parts.includes(undefined) ? undefined : true

const some = (parts: ReadonlyArray<boolean | undefined>): boolean | undefined =>
  parts.includes(true) ? true : parts.includes(undefined) ? undefined : false

const negated = (part: boolean | undefined): boolean | undefined => (part === undefined ? undefined : !part)

const combined = (name: string, parts: ReadonlyArray<boolean | undefined>): boolean | undefined => {
  if (name === "all") return every(parts)
  if (name === "any") return some(parts)
  return name === "not" && parts.length === 1 ? negated(parts[0]) : undefined
}

const text = (value: Expression | undefined): string | undefined =>
  value?.kind === "literal" && value.type === "string" ? value.value : undefined

const holds = (options: BuildOptions, { name, value, args }: AttributeArg): boolean | undefined => {
  if (args.length === 0)
    return value !== undefined && text(value) === undefined ? undefined : options(name, text(value))
  return combined(
    name,
    args.map((one) => holds(options, one)),
  )
}

const nameOf = (node: Expression): string =>
  node.kind === "path" && node.path.segments.length === 1 ? node.path.segments[0]!.name : ""

/** The same for the arguments of `cfg!(…)`, which are parsed as expressions. */
const holdsIn = (options: BuildOptions, node: Expression): boolean | undefined => {
  if (node.kind === "path") return options(nameOf(node), undefined)
  if (node.kind === "assign") return options(nameOf(node.left), text(node.right))
  if (node.kind !== "call") return undefined
  return combined(
    nameOf(node.callee),
    node.args.map((one) => holdsIn(options, one)),
  )
}

/** The condition of a `cfg` that excludes what it stands on. */
const excluding = (options: BuildOptions, attributes: ReadonlyArray<Attribute>): AttributeArg | undefined =>
  attributes.find(({ name, args }) => name === "cfg" && args.length === 1 && holds(options, args[0]!) === false)
    ?.args[0]

/** `cfg_attr(condition, a, b(c))` is `a` and `b(c)` unless the condition is known to be false. */
const applied = (options: BuildOptions, attribute: Attribute): ReadonlyArray<Attribute> => {
  const [condition, ...given] = attribute.args
  return attribute.name === "cfg_attr" && condition !== undefined && holds(options, condition) !== false
    ? given.map((arg) => {
        const path = arg.name.split("::")
        return { ...arg, name: path.at(-1)!, path }
      })
    : [attribute]
}

const isAboutFeature = ({ name, args }: AttributeArg): boolean => name === "feature" || args.some(isAboutFeature)

type Node = { readonly [key: string]: unknown }

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value)

/** Tells whether a node may be conditional: its text, from its attributes on, contains `cfg`. */
const mayBeConditional = (text: string): ((node: Node) => boolean) => {
  const marks = [...text.matchAll(/cfg/g)].map(({ index }) => index)
  return ({ start, end, attributes }) => {
    if (typeof start !== "number" || typeof end !== "number") return true
    const [first] = (attributes ?? []) as ReadonlyArray<Attribute>
    const from = Math.min(start, first?.start ?? start)
    let [low, high] = [0, marks.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (marks[middle]! < from) low = middle + 1
      else high = middle
    }
    return low < marks.length && marks[low]! < end
  }
}

/** The file as deployed, without the items, statements, arms and fields that `cfg` excludes. */
export const deployedBuild = (file: RustFile, options: BuildOptions): RustFile => {
  if (!file.conditional) return file
  const modules: Array<string> = []
  const leftOut = new Set<string>()
  const isExcluded = (attributes: ReadonlyArray<Attribute>): boolean => {
    const condition = excluding(options, attributes)
    if (condition !== undefined && isAboutFeature(condition))
      leftOut.add(file.file.text.slice(condition.start, condition.end))
    return condition !== undefined
  }
  if (isExcluded(file.attributes)) return { ...file, items: [], leftOut }

  const isOut = (value: unknown): boolean => {
    if (!isNode(value) || !Array.isArray(value["attributes"])) return false
    // Nodes of the syntax have one meaning of `attributes`.
    if (!isExcluded(value["attributes"] as ReadonlyArray<Attribute>)) return false
    const { kind, name, items } = value as Partial<Item> & { readonly items?: unknown }
    if (kind === "module" && items === undefined && name !== undefined) modules.push(name)
    return true
  }
  const attributesOf = (given: ReadonlyArray<Attribute>): ReadonlyArray<Attribute> =>
    given.some(({ name }) => name === "cfg_attr") ? given.flatMap((one) => applied(options, one)) : given
  const isOpen = mayBeConditional(file.file.text)
  const within = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      const kept = value.filter((one) => !isOut(one)).map(within)
      return kept.length === value.length && kept.every((one, at) => one === value[at]) ? value : kept
    }
    if (!isNode(value) || value["kind"] === "literal" || !isOpen(value)) return value
    const decided = value["kind"] === "macro" && value["name"] === "cfg" ? literal(value) : undefined
    if (decided !== undefined) return decided
    let changed: Record<string, unknown> | undefined
    for (const [key, part] of Object.entries(value)) {
      if (typeof part !== "object") continue
      const kept = key === "attributes" ? attributesOf(part as ReadonlyArray<Attribute>) : within(part)
      if (kept !== part) (changed ??= { ...value })[key] = kept
    }
    return value["kind"] === "block" ? withTail(changed ?? value) : (changed ?? value)
  }
  const literal = ({ start, end, args }: Node): Node | undefined => {
    const [only] = args as ReadonlyArray<Expression>
    const value = only === undefined ? undefined : holdsIn(options, only)
    if (value === undefined) return undefined
    const condition = file.file.text.slice(only!.start, only!.end)
    if (condition.includes("feature")) leftOut.add(value ? `not(${condition})` : condition)
    return { start, end, kind: "literal", type: "boolean", value: String(value) }
  }
  // The tree keeps its shape, but TypeScript cannot type a generic traversal of all node kinds.
  const items = within(file.items) as RustFile["items"]
  return { ...file, items, testModules: [...file.testModules, ...modules], leftOut }
}

/** Once excluded alternatives are gone, the last expression without a semicolon is the block's value. */
const withTail = (block: Node): Node => {
  if (block["tail"] !== undefined) return block
  const statements = block["statements"] as ReadonlyArray<Node>
  const last = statements.at(-1)
  if (last?.["kind"] !== "expression" || last["semicolon"] === true) return block
  return { ...block, statements: statements.slice(0, -1), tail: last["expression"] }
}
