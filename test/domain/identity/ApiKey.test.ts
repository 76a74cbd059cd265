import { crc32 as zlibCrc32 } from "node:zlib"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { apiKeyEntropy, apiKeyPrefix, crc32, formatApiKey, isApiKey } from "../../../domain/identity/ApiKey.ts"

const entropy = fc.uint8Array({ minLength: apiKeyEntropy, maxLength: apiKeyEntropy })
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

describe("API key", () => {
  it("consists of assay_, 30 characters and a checksum of 6", () => {
    fc.assert(
      fc.property(entropy, (random) => {
        const key = formatApiKey(random)
        expect(key).toMatch(/^assay_[0-9A-Za-z]{36}$/)
        expect(isApiKey(key)).toBe(true)
        expect(apiKeyPrefix(key)).toBe(key.slice(0, 12))
      }),
    )
  })

  it("is rejected with any single character changed", () => {
    fc.assert(
      fc.property(entropy, fc.nat(41), fc.constantFrom(...alphabet), (random, at, character) => {
        const key = formatApiKey(random)
        const changed = `${key.slice(0, at)}${character}${key.slice(at + 1)}`
        expect(isApiKey(changed)).toBe(changed === key)
      }),
    )
  })

  it("is rejected with anything before, after or instead of it", () => {
    const key = formatApiKey(new Uint8Array(apiKeyEntropy).fill(7))
    for (const text of ["", "assay_", ` ${key}`, `${key}\n`, `${key}0`, key.toUpperCase(), "a".repeat(100_000)]) {
      expect(isApiKey(text)).toBe(false)
    }
  })

  it("differs for different randomness", () => {
    const keys = Array.from({ length: 256 }, (_, byte) => formatApiKey(new Uint8Array(apiKeyEntropy).fill(byte)))
    expect(new Set(keys).size).toBe(256)
  })

  it("cannot be made from too little randomness", () => {
    expect(() => formatApiKey(new Uint8Array(16))).toThrow(/32 random bytes/)
  })

  it("has the checksum that zlib computes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii" }), (text) => void expect(crc32(text)).toBe(zlibCrc32(text))),
    )
  })
})
