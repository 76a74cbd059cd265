import { describe, expect, it } from "vitest"
import { clientAddress } from "../../../adapters/http/request/clientAddress.ts"

describe("clientAddress", () => {
  it("is the address of the socket if no proxy is trusted", () => {
    expect(clientAddress("192.0.2.1", "203.0.113.1", 0)).toBe("192.0.2.1")
  })

  it.each([
    [1, "203.0.113.1", "203.0.113.1"],
    [1, "198.51.100.1, 203.0.113.1", "203.0.113.1"],
    [2, "198.51.100.9, 198.51.100.1, 203.0.113.1", "198.51.100.1"],
    [3, "203.0.113.1", "203.0.113.1"],
    [1, "203.0.113.1:5678", "203.0.113.1"],
    [2, "203.0.113.1:5678, 198.51.100.1", "203.0.113.1"],
    [1, "[2001:db8:1:2::9]:80", "2001:db8:1:2::/64"],
    [1, "[2001:db8:1:2::9]", "2001:db8:1:2::/64"],
    [1, "2001:db8:1:2::9", "2001:db8:1:2::/64"],
    [1, "[2001:db8::1", "192.0.2.1"],
    [1, "[2001:db8::1]x", "192.0.2.1"],
    [1, "[[::1]]:80", "192.0.2.1"],
    [1, "203.0.113.1:", "192.0.2.1"],
    [1, "203.0.113.1:80:80", "192.0.2.1"],
    [1, "not an address", "192.0.2.1"],
    [1, "", "192.0.2.1"],
  ])("with %i trusted proxies reads %j from the right", (proxies, forwarded, expected) => {
    expect(clientAddress("192.0.2.1", forwarded, proxies)).toBe(expected)
  })

  it("recognizes an IPv4-mapped IPv6 address", () => {
    expect(clientAddress("::ffff:192.0.2.1", undefined, 0)).toBe("192.0.2.1")
  })

  it.each([
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2::9", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ])("counts %s by its network %s", (address, network) => {
    expect(clientAddress(address, undefined, 0)).toBe(network)
  })
})
