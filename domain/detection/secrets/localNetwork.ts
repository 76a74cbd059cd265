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

/** Whether a value stands in the settings of a network that runs on the developer's machine: `networks.ganache`. */
export const isForLocalNetwork = (text: string, at: number): boolean => {
  const around = objectsAround(text, at)
  const network = around[around.findIndex(({ name }) => name === "networks") - 1]
  if (network === undefined) return false
  if (run.test(network.name)) return true
  const host = hostOfUrl.exec(settingsFrom(text, network.start))?.[1]
  return host !== undefined && isNear(host)
}
