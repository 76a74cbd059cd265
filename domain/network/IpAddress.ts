/** The bytes of an address, most significant first: 4 of IPv4, 16 of IPv6. */
export type IpAddress = ReadonlyArray<number>

const decimal = /^(?:0|[1-9]\d{0,2})$/

const parseIpv4 = (text: string): IpAddress | undefined => {
  const parts = text.split(".")
  if (parts.length !== 4 || !parts.every((part) => decimal.test(part))) return undefined
  const bytes = parts.map(Number)
  return bytes.every((byte) => byte <= 255) ? bytes : undefined
}

/** The bytes of colon-separated groups, the last of which may be an IPv4 address. */
const groupsToBytes = (text: string): IpAddress | undefined => {
  if (text === "") return []
  const groups = text.split(":")
  const bytes: Array<number> = []
  for (const [index, group] of groups.entries()) {
    if (/^[0-9a-f]{1,4}$/i.test(group)) {
      const value = Number.parseInt(group, 16)
      bytes.push(value >> 8, value & 0xff)
      continue
    }
    const embedded = index === groups.length - 1 ? parseIpv4(group) : undefined
    if (embedded === undefined) return undefined
    bytes.push(...embedded)
  }
  return bytes
}

const parseIpv6 = (text: string): IpAddress | undefined => {
  const halves = text.split("::")
  if (halves.length > 2) return undefined
  const [head, tail] = halves.map(groupsToBytes)
  if (head === undefined || (halves.length === 2 && tail === undefined)) return undefined
  // Only the very end may be written as IPv4.
  if (halves.length === 2 && halves[0]!.includes(".")) return undefined
  const missing = 16 - head.length - (tail?.length ?? 0)
  if (halves.length === 1) return missing === 0 ? head : undefined
  return missing < 2 ? undefined : [...head, ...Array.from({ length: missing }, () => 0), ...tail!]
}

/**
 * An address in the notation that resolvers and the URL parser write: four plain decimal numbers (RFC 6943 §3.1.1,
 * "strict"), or RFC 4291 §2.2. Everything else is rejected: a zone, octal, hexadecimal, fewer than four numbers.
 */
export const parseIpAddress = (text: string): IpAddress | undefined =>
  text.includes(":") ? parseIpv6(text) : parseIpv4(text)
