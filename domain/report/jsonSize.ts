import { utf8ToBytes } from "@noble/hashes/utils.js"

/** Bytes of a value as JSON in UTF-8. */
export const jsonSize = (value: unknown): number => utf8ToBytes(JSON.stringify(value)).length
