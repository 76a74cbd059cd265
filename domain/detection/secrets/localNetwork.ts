import { addressKind } from "../../network/AddressKind.ts"

/** How far the settings of one network are searched for, in characters. */
const reach = 4_000

/** How many objects a value may be nested in: `networks.base.accounts` of a whole configuration, with one to spare. */
const deepest = 5

/** The networks that development tools run themselves. */
const run = /^(?:hardhat|buidlerevm|anvil|ganache|local\w*|develop|development|coverage)$/i

const hostOfUrl = /\burl["']?\s*:\s*["'`]\w+:\/\/(\[[0-9a-f:]{2,39}\]|[\w.-]{1,253})/

/** A host that only the machine itself, its network or its containers reach. */
const isNear = (host: string): boolean => {
  const kind = addressKind(host)
  return kind === undefined ? !host.includes(".") : kind === "loopback" || kind === "private"
}

/** The key before an object: `ganache` of `"ganache": {`. */
const keyBefore = (text: string, start: number): string => {
  const before = text.slice(Math.max(0, start - 80), start).trimEnd()
  return before.endsWith(":")
    ? (before
        .slice(0, -1)
        .match(/[\w-]+/g)
        ?.at(-1) ?? "")
    : ""
}

interface Enclosing {
  readonly name: string
  readonly start: number
}

/** The objects around a place in JavaScript or JSON, innermost first, with the names they stand under. */
const objectsAround = (text: string, at: number): ReadonlyArray<Enclosing> => {
  const found: Array<Enclosing> = []
  let closed = 0
  for (let start = at - 1; start >= Math.max(0, at - reach) && found.length < deepest; start--) {
    if (text[start] === "}") closed++
    if (text[start] !== "{") continue
    if (closed > 0) closed--
    else found.push({ name: keyBefore(text, start), start })
  }
  return found
}

/** The text of the object that opens at `start`, as far as it is searched for. */
const settingsFrom = (text: string, start: number): string => {
  let depth = 0
  let end = start
  do {
    if (text[end] === "{") depth++
    if (text[end] === "}") depth--
    end++
  } while (depth > 0 && end < text.length && end < start + 2 * reach)
  return text.slice(start, end)
}

/** Whether the settings of a network stand around a place, and that network runs on the developer's machine. */
const localNetworkAt = (text: string, at: number): boolean | undefined => {
  const around = objectsAround(text, at)
  const network = around[around.findIndex(({ name }) => name === "networks") - 1]
  if (network === undefined) return undefined
  if (run.test(network.name)) return true
  const host = hostOfUrl.exec(settingsFrom(text, network.start))?.[1]
  return host !== undefined && isNear(host)
}

/** `const phrase = "…`: the name that a value is given. */
const named = /\b(?:const|let|var) {1,4}([A-Za-z_$][\w$]{0,60})(?: {0,4}: {0,4}string)?\s{0,8}=\s{0,8}["'`]?$/

/** How far after it the uses of a name are searched for, in characters, and how many are looked at. */
const namedReach = 20_000
const mostUses = 8

/** For each use of the name of a value in the settings of a network, whether that network is local. */
const usesOfName = (text: string, at: number): ReadonlyArray<boolean> => {
  const name = named.exec(text.slice(Math.max(0, at - 160), at))?.[1]
  if (name === undefined) return []
  const after = text.slice(at, at + namedReach)
  const found: Array<boolean> = []
  let from = after.indexOf(name)
  for (let seen = 0; from >= 0 && seen < mostUses; seen++) {
    const isWhole = !/[\w$]/.test(after[from - 1] ?? " ") && !/[\w$]/.test(after[from + name.length] ?? " ")
    const isLocal = isWhole ? localNetworkAt(text, at + from) : undefined
    if (isLocal !== undefined) found.push(isLocal)
    from = after.indexOf(name, from + name.length)
  }
  return found
}

/**
 * Whether a value stands in the settings of a network that runs on the developer's machine (`networks.ganache`), or is
 * used by its name in the settings of such networks and of no others.
 */
export const isForLocalNetwork = (text: string, at: number): boolean => {
  const here = localNetworkAt(text, at)
  if (here !== undefined) return here
  const uses = usesOfName(text, at)
  return uses.length > 0 && uses.every((isLocal) => isLocal)
}
