import { isIP } from "node:net"

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** The first four groups of an IPv6 address: a customer's network, within which further addresses cost nothing. */
const network = (address: string): string => {
  const [head = "", tail] = address.split("::")
  const groups = head === "" ? [] : head.split(":")
  if (tail !== undefined) {
    const rest = tail === "" ? [] : tail.split(":")
    while (groups.length + rest.length < 8) groups.push("0")
    groups.push(...rest)
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, "").toLowerCase())
    .join(":")}::/64`
}

/** An entry of `X-Forwarded-For` without its port: some proxies write `192.0.2.1:443` and `[2001:db8::1]:443`. */
const withoutPort = (entry: string): string =>
  (/^\[([^[\]]*)\](?::\d{1,5})?$/.exec(entry) ?? /^([\d.]+):\d{1,5}$/.exec(entry))?.[1] ?? entry

/**
 * The address by which requests are counted: an IPv4 address, or the /64 of an IPv6 one. With n `trustedProxies`, the
 * n-th entry of `X-Forwarded-For` from the right, which the outermost trusted proxy wrote; everything to the left of it
 * is the client's own claim.
 */
export const clientAddress = (
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string => {
  let address = socketAddress ?? "unknown"
  if (trustedProxies > 0 && forwardedFor !== undefined) {
    const entries = forwardedFor.split(",")
    const claimed = withoutPort(entries[Math.max(0, entries.length - trustedProxies)]?.trim() ?? "")
    if (isIP(claimed) !== 0) address = claimed
  }
  if (!address.includes(":")) return address
  const ipv4 = mapped.exec(address)
  return ipv4 === null ? network(address.split("%", 1)[0]!) : ipv4[1]!
}
