import { isPublicAddress } from "../network/AddressKind.ts"
import { parseIpAddress } from "../network/IpAddress.ts"

/** Whether a host, as the URL parser normalizes it, names this machine or its own network. */
const isPrivateHost = (hostname: string): boolean => {
  const host = hostname.replace(/\.$/, "").toLowerCase()
  const address = host.replace(/^\[|\]$/g, "")
  if (parseIpAddress(address) !== undefined) return !isPublicAddress(address)
  return !host.includes(".") || /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/.test(host)
}

/**
 * What is wrong with a URL that is to receive notifications, or undefined. Only what the URL itself says is judged;
 * a name that resolves to a private address is refused when it is connected to. Decimal, octal and hexadecimal
 * spellings of an address are no way round: the URL parser turns them into four decimal numbers.
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
