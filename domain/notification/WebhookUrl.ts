import { isPublicAddress } from "../network/AddressKind.ts"
import { parseIpAddress } from "../network/IpAddress.ts"

/** Whether a host, as normalized by the URL parser, refers to this machine or its own network. */
const isPrivateHost = (hostname: string): boolean => {
  const host = hostname.replace(/\.$/, "").toLowerCase()
  const address = host.replace(/^\[|\]$/g, "")
  if (parseIpAddress(address) !== undefined) return !isPublicAddress(address)
  return !host.includes(".") || /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/.test(host)
}

/**
 * What is wrong with a URL for notifications, or undefined. Only the URL itself is judged; a name that resolves to a
 * private address is rejected on connection. Decimal, octal and hexadecimal spellings of an address do not get around
 * this, because the URL parser converts them to four decimal numbers.
 */
export const webhookUrlObjection = (text: string, allowPrivate: boolean): string | undefined => {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    return "must be an absolute URL that starts with https:// or http://"
  }
  if (url.username !== "" || url.password !== "") return "must not contain credentials"
  if (!allowPrivate && isPrivateHost(url.hostname)) return "must not point to a private, loopback or link-local address"
  return undefined
}
