const ipv4 = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/

/** Networks that are nobody's on the public internet: RFC 6890, with the cloud metadata addresses in link-local. */
const isPrivateIpv4 = (a: number, b: number, c: number): boolean =>
  a === 0 ||
  a === 10 ||
  a === 127 ||
  a >= 224 ||
  (a === 100 && b >= 64 && b < 128) ||
  (a === 169 && b === 254) ||
  (a === 172 && b >= 16 && b < 32) ||
  (a === 192 && ((b === 0 && (c === 0 || c === 2)) || b === 168)) ||
  (a === 198 && (b === 18 || b === 19 || (b === 51 && c === 100))) ||
  (a === 203 && b === 0 && c === 113)

/** Of IPv6 only global unicast, 2000::/3, is public; 6to4, Teredo and documentation within it are not. */
const isPrivateIpv6 = (address: string): boolean => {
  const first = Number.parseInt(address.split(":")[0] || "0", 16)
  return first < 0x2000 || first > 0x3fff || first === 0x2002 || /^2001:(?:0:|db8|:)/.test(address)
}

/** Whether a host, as the URL parser normalises it, names this machine or its own network. */
const isPrivateHost = (hostname: string): boolean => {
  const host = hostname.replace(/\.$/, "").toLowerCase()
  const address = ipv4.exec(host)
  if (address !== null) return isPrivateIpv4(Number(address[1]), Number(address[2]), Number(address[3]))
  if (host.startsWith("[")) return isPrivateIpv6(host.slice(1, -1))
  return !host.includes(".") || /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/.test(host)
}

/**
 * What is wrong with a URL that is to receive notifications, or undefined. Only what the URL itself says is judged;
 * a name that resolves to a private address is refused when it is connected to.
 */
export const webhookUrlObjection = (text: string, allowPrivate: boolean): string | undefined => {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    return "must be a full URL that begins with https:// or http://"
  }
  if (url.username !== "" || url.password !== "") return "must not contain credentials"
  if (!allowPrivate && isPrivateHost(url.hostname)) return "must not point to a private, loopback or link-local address"
  return undefined
}
