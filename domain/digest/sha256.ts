import { sha256 as digest } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"

/** SHA-256 of a text in UTF-8. */
export const sha256 = (text: string): Uint8Array => digest(utf8ToBytes(text))

/** The same in hexadecimal digits. */
export const sha256Hex = (text: string): string => bytesToHex(sha256(text))
