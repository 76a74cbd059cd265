import * as fc from "fast-check"
import { BlockList } from "node:net"
import { describe, expect, it } from "vitest"
import { addressKind, isPublicAddress } from "../../../domain/network/AddressKind.ts"
import { parseIpAddress } from "../../../domain/network/IpAddress.ts"
import { webhookUrlObjection } from "../../../domain/notification/WebhookUrl.ts"

describe("addressKind", () => {
  it.each([
    ["8.8.8.8", "public"],
    ["100.63.255.255", "public"],
    ["100.128.0.0", "public"],
    ["172.15.255.255", "public"],
    ["172.32.0.0", "public"],
    ["192.0.1.0", "public"],
    ["223.255.255.255", "public"],
    ["0.0.0.0", "reserved"],
    ["0.255.255.255", "reserved"],
    ["10.0.0.0", "private"],
    ["10.255.255.255", "private"],
    ["100.64.0.0", "private"],
    ["100.127.255.255", "private"],
    ["100.100.100.200", "metadata"],
    ["127.255.255.255", "loopback"],
    ["168.63.129.16", "metadata"],
    ["169.254.0.0", "link-local"],
    ["169.254.169.254", "link-local"],
    ["172.16.0.0", "private"],
    ["172.31.255.255", "private"],
    ["192.0.0.8", "reserved"],
    ["192.0.0.192", "metadata"],
    ["192.0.2.1", "reserved"],
    ["192.88.99.1", "reserved"],
    ["192.168.255.255", "private"],
    ["198.18.0.0", "private"],
    ["198.19.255.255", "private"],
    ["198.51.100.1", "reserved"],
    ["203.0.113.1", "reserved"],
    ["224.0.0.1", "multicast"],
    ["239.255.255.255", "multicast"],
    ["240.0.0.1", "reserved"],
    ["255.255.255.255", "reserved"],
    ["2606:4700::1111", "public"],
    ["2000::", "public"],
    ["2001:200::1", "public"],
    ["2003::1", "public"],
    ["::", "reserved"],
    ["::1", "loopback"],
    ["::2", "reserved"],
    ["::127.0.0.1", "loopback"],
    ["::8.8.8.8", "reserved"],
    ["::ffff:127.0.0.1", "loopback"],
    ["::ffff:a00:1", "private"],
    ["::ffff:8.8.8.8", "reserved"],
    ["64:ff9b::7f00:1", "loopback"],
    ["64:ff9b::169.254.169.254", "link-local"],
    ["64:ff9b::8.8.8.8", "public"],
    ["64:ff9b:1::8.8.8.8", "reserved"],
    ["100::1", "reserved"],
    ["2001::1", "reserved"],
    ["2001:1ff:ffff::", "reserved"],
    ["2001:db8::1", "reserved"],
    ["2002:808:808::1", "reserved"],
    ["3fff:fff::1", "reserved"],
    ["4000::", "reserved"],
    ["5f00::1", "reserved"],
    ["fc00::1", "private"],
    ["fdff::1", "private"],
    ["fd00:ec2::254", "metadata"],
    ["fd20:ce::254", "metadata"],
    ["fe80::1", "link-local"],
    ["febf::1", "link-local"],
    ["fec0::1", "reserved"],
    ["ff02::1", "multicast"],
  ])("of %s is %s", (address, kind) => {
    expect(addressKind(address)).toBe(kind)
    expect(isPublicAddress(address)).toBe(kind === "public")
  })

  it.each([
    [""],
    ["localhost"],
    ["1.2.3"],
    ["1.2.3.4.5"],
    ["256.1.1.1"],
    ["01.2.3.4"],
    ["0x7f.0.0.1"],
    ["2130706433"],
    ["1.2.3.4 "],
    [":"],
    [":::"],
    ["1::2::3"],
    ["1:2:3:4:5:6:7"],
    ["1:2:3:4:5:6:7:8:9"],
    ["1:2:3:4:5:6:7:8::"],
    ["::1.2.3"],
    ["1.2.3.4::"],
    ["::12345"],
    ["fe80::1%eth0"],
    ["[::1]"],
    ["::ffff:1.2.3.4:5"],
  ])("of %j is undefined: it is not an address as resolvers write them", (text) => {
    expect(addressKind(text)).toBeUndefined()
    expect(isPublicAddress(text)).toBe(false)
  })
})

/** The same blocks for Node's own matcher, as the two registries list what is not globally reachable. */
const registry = new BlockList()
for (const range of [
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24",
  "192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3",
]) {
  for (const each of range.split(" ")) {
    const [network, bits] = each.split("/")
    registry.addSubnet(network!, Number(bits), "ipv4")
  }
}

const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255))
/** Often at or next to the boundary of a block. */
const ipv4 = fc.oneof(
  octets,
  fc
    .tuple(
      fc.constantFrom(
        ...[0, 10, 100, 127, 168, 169, 172, 192, 198, 203, 223, 224, 240, 255].flatMap((first) => [
          [first, 0, 0, 0] as const,
          [first, 16, 0, 0] as const,
          [first, 64, 0, 0] as const,
          [first, 168, 0, 0] as const,
          [first, 254, 169, 254] as const,
          [first, 31, 255, 255] as const,
          [first, 0, 2, 7] as const,
          [first, 51, 100, 7] as const,
          [first, 0, 113, 7] as const,
        ]),
      ),
      fc.integer({ min: -1, max: 1 }),
    )
    .map(([bytes, step]) => {
      const value = bytes.reduce((sum, byte) => sum * 256 + byte, 0) + step
      const within = ((value % 2 ** 32) + 2 ** 32) % 2 ** 32
      return [within >>> 24, (within >>> 16) & 255, (within >>> 8) & 255, within & 255] as const
    }),
)
const dotted = (bytes: ReadonlyArray<number>): string => bytes.join(".")
const groups = fc.array(fc.oneof(fc.nat(0xffff), fc.constant(0)), { minLength: 8, maxLength: 8 })

describe("every IPv4 address", () => {
  it("is public if and only if the registry has no block for it", () => {
    fc.assert(
      fc.property(ipv4, (bytes) => {
        expect(isPublicAddress(dotted(bytes))).toBe(!registry.check(dotted(bytes), "ipv4"))
      }),
      { numRuns: 3000 },
    )
  })

  it("that is not public is refused however its URL spells it", () => {
    const part = (value: number, base: "decimal" | "octal" | "hex" | "padded"): string => {
      switch (base) {
        case "decimal":
          return String(value)
        case "octal":
          return `0${value.toString(8)}`
        case "hex":
          return `0x${value.toString(16)}`
        case "padded":
          return `0X000${value.toString(16)}`
      }
    }
    const base = fc.constantFrom("decimal" as const, "octal" as const, "hex" as const, "padded" as const)
    const spelling = fc.tuple(ipv4, fc.tuple(base, base, base, base), fc.integer({ min: 1, max: 4 }), fc.boolean())
    fc.assert(
      fc.property(spelling, ([bytes, bases, parts, dot]) => {
        // The last part of a shorter spelling stands for all the bytes that are left.
        const rest = bytes.slice(parts - 1).reduce((sum, byte) => sum * 256 + byte, 0)
        const numbers = [...bytes.slice(0, parts - 1), rest]
        const host = numbers.map((value, index) => part(value, bases[index]!)).join(".") + (dot ? "." : "")
        const refused = webhookUrlObjection(`http://${host}:8080/x`, false) !== undefined
        expect(refused).toBe(!isPublicAddress(dotted(bytes)))
      }),
      { numRuns: 3000 },
    )
  })

  it("is not public inside an IPv6 address if it is not public itself", () => {
    fc.assert(
      fc.property(ipv4, (bytes) => {
        const [a, b, c, d] = bytes
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
        const forms = [dotted(bytes), hex].flatMap((tail) => [`::ffff:${tail}`, `::${tail}`, `64:ff9b::${tail}`])
        for (const form of [...forms, `2002:${hex}::1`, `64:ff9b:1::${hex}`]) {
          if (!isPublicAddress(dotted(bytes))) expect([form, isPublicAddress(form)]).toEqual([form, false])
          const refused = webhookUrlObjection(`https://[${form}]/`, false) !== undefined
          expect([form, refused]).toEqual([form, !isPublicAddress(form)])
        }
      }),
      { numRuns: 1000 },
    )
  })
})

describe("every IPv6 address", () => {
  it("is read as by the URL parser, however it is abbreviated", () => {
    fc.assert(
      fc.property(groups, fc.boolean(), (numbers, upper) => {
        const full = numbers.map((each) => each.toString(16)).join(":")
        const canonical = new URL(`http://[${full}]/`).hostname.slice(1, -1)
        const text = upper ? full.toUpperCase() : full
        expect(parseIpAddress(text)).toEqual(numbers.flatMap((each) => [each >> 8, each & 255]))
        expect(parseIpAddress(canonical)).toEqual(parseIpAddress(text))
      }),
      { numRuns: 1000 },
    )
  })

  it("is not public outside 2000::/3, except for translated ones", () => {
    fc.assert(
      fc.property(groups, (numbers) => {
        const text = numbers.map((each) => each.toString(16)).join(":")
        fc.pre(numbers[0]! >> 13 !== 1 && !text.startsWith("64:ff9b:0:0:0:0:"))
        expect(isPublicAddress(text)).toBe(false)
      }),
      { numRuns: 1000 },
    )
  })
})
