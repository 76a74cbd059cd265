import { type IpAddress, parseIpAddress } from "./IpAddress.ts"

/**
 * The kind of an address. `private` is for private networks, `metadata` for services of cloud hosts, `reserved` for
 * unassigned blocks and for encodings of other addresses that no resolver should return.
 */
export type AddressKind = "public" | "loopback" | "link-local" | "private" | "metadata" | "multicast" | "reserved"

interface Block {
  readonly prefix: IpAddress
  readonly bits: number
  readonly kind: Exclude<AddressKind, "public">
}

const block = (kind: Block["kind"], ...ranges: ReadonlyArray<string>): ReadonlyArray<Block> =>
  ranges.map((range) => {
    const [network, bits] = range.split("/")
    const prefix = parseIpAddress(network!)
    if (prefix === undefined) throw new Error(`${range} is not a range of addresses`)
    return { prefix, bits: Number(bits), kind }
  })

/**
 * https://www.iana.org/assignments/iana-ipv4-special-registry and
 * https://www.iana.org/assignments/iana-ipv6-special-registry, with the addresses of cloud metadata services that are
 * outside link-local. The first match counts. The few routed protocol blocks within 2001::/23 contain no hosts.
 */
const ipv4Blocks = [
  // Alibaba Cloud, Azure, Oracle Cloud.
  ...block("metadata", "100.100.100.200/32", "168.63.129.16/32", "192.0.0.192/32"),
  ...block("loopback", "127.0.0.0/8"),
  ...block("link-local", "169.254.0.0/16"),
  ...block("private", "10.0.0.0/8", "100.64.0.0/10", "172.16.0.0/12", "192.168.0.0/16", "198.18.0.0/15"),
  ...block("multicast", "224.0.0.0/4"),
  ...block("reserved", "0.0.0.0/8", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24"),
  ...block("reserved", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4"),
]

const ipv6Blocks = [
  // Amazon and Google: within fc00::/7, but not the operator's own.
  ...block("metadata", "fd00:ec2::254/128", "fd20:ce::254/128"),
  ...block("loopback", "::1/128"),
  ...block("reserved", "::/128"),
  ...block("link-local", "fe80::/10"),
  ...block("private", "fc00::/7"),
  ...block("multicast", "ff00::/8"),
  // Protocol assignments with Teredo, documentation, 6to4: all within global unicast.
  ...block("reserved", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"),
]

/** No other IPv6 address is routed: RFC 4291 §2.4. */
const globalUnicast = block("reserved", "2000::/3")[0]!

const mapped = block("reserved", "::ffff:0:0/96")[0]!
const compatible = block("reserved", "::/96")[0]!
/** RFC 6052: in a network without IPv4, the only form in which public IPv4 addresses are reachable. */
const translated = block("reserved", "64:ff9b::/96")[0]!

const isIn = (address: IpAddress, { prefix, bits }: Block): boolean => {
  for (let index = 0; index * 8 < bits; index++) {
    const shift = Math.max(0, 8 - (bits - index * 8))
    if (address[index]! >> shift !== prefix[index]! >> shift) return false
  }
  return true
}

const kindOf = (address: IpAddress): AddressKind => {
  if (address.length === 4) return ipv4Blocks.find((each) => isIn(address, each))?.kind ?? "public"
  const special = ipv6Blocks.find((each) => isIn(address, each))
  if (special !== undefined) return special.kind
  const embedded = kindOf(address.slice(12))
  if (isIn(address, translated)) return embedded
  if (isIn(address, mapped) || isIn(address, compatible)) return embedded === "public" ? "reserved" : embedded
  return isIn(address, globalUnicast) ? "public" : "reserved"
}

/** The kind of an address; undefined for a text that is not one, as read by `parseIpAddress`. */
export const addressKind = (text: string): AddressKind | undefined => {
  const address = parseIpAddress(text)
  return address === undefined ? undefined : kindOf(address)
}

/** Whether an address is on the public internet. */
export const isPublicAddress = (text: string): boolean => addressKind(text) === "public"
