/** `assay_`, 30 random characters, and 6 of a checksum that detects a mistyped key without a lookup. */
const shape = /^assay_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** Random bytes in a key: 2^256 values over 62^30 keys, so no key is more likely than another by more than 2^-77. */
export const apiKeyEntropy = 32

const base62 = (value: bigint, length: number): string => {
  let rest = value
  let digits = ""
  for (let i = 0; i < length; i++) {
    digits = alphabet[Number(rest % 62n)]! + digits
    rest /= 62n
  }
  return digits
}

/** The remainder for each byte: a tenth of the time of a bitwise loop, once per request. */
const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  return crc
})

/** CRC-32 as in zlib and PNG (reflected, polynomial 0xEDB88320), of ASCII text. */
export const crc32 = (text: string): number => {
  let crc = 0xffffffff
  for (let i = 0; i < text.length; i++) {
    crc = (crc >>> 8) ^ crcTable[(crc ^ text.charCodeAt(i)) & 0xff]!
  }
  return ~crc >>> 0
}

const checksumOf = (secret: string): string => {
  let rest = crc32(secret)
  let digits = ""
  for (let i = 0; i < 6; i++) {
    digits = alphabet[rest % 62]! + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** The key derived from `apiKeyEntropy` random bytes. */
export const formatApiKey = (random: Uint8Array): string => {
  if (random.length !== apiKeyEntropy) throw new RangeError(`an API key takes ${apiKeyEntropy} random bytes`)
  let value = 0n
  for (const byte of random) value = (value << 8n) | BigInt(byte)
  const secret = base62(value, 30)
  return `assay_${secret}${checksumOf(secret)}`
}

/**
 * Whether a text has the form of an API key, including its checksum. It says nothing about whether the key is known.
 */
export const isApiKey = (text: string): boolean => {
  const [, secret, checksum] = shape.exec(text) ?? []
  return secret !== undefined && checksumOf(secret) === checksum
}

/** The part of a key that may be shown to identify it: 6 of its 30 characters, which leaves 143 bits secret. */
export const apiKeyPrefix = (key: string): string => key.slice(0, 12)
