import { keccak_256 } from "@noble/hashes/sha3.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"

/** First four bytes of Keccak-256 of a signature such as `transfer(address,uint256)`, as a number. */
export const selectorOf = (signature: string): number => {
  const hash = keccak_256(utf8ToBytes(signature))
  return new DataView(hash.buffer, hash.byteOffset).getUint32(0)
}
