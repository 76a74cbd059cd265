/** First four bytes of Keccak-256 of a signature such as `transfer(address,uint256)`, as a number. */
export const selectorOf = (signature: string): number => {
  const bytes = new TextEncoder().encode(signature)
  // FIPS 202's permutation with the padding byte 0x01 of the original Keccak; the rate for 256 bits is 136 bytes
  const rate = 136
  const padded = new Uint8Array(Math.ceil((bytes.length + 1) / rate) * rate)
  padded.set(bytes)
  padded[bytes.length] = 1
  padded[padded.length - 1]! |= 0x80
  const lanes = new BigUint64Array(25)
  const view = new DataView(padded.buffer)
  for (let block = 0; block < padded.length; block += rate) {
    for (let i = 0; i < rate / 8; i++) lanes[i]! ^= view.getBigUint64(block + i * 8, true)
    permute(lanes)
  }
  const first = Number(lanes[0]! & 0xffffffffn)
  // the lane is little-endian, the selector big-endian
  return (((first & 0xff) << 24) | ((first & 0xff00) << 8) | ((first >>> 8) & 0xff00) | (first >>> 24)) >>> 0
}

const mask = 0xffffffffffffffffn
const rotate = (x: bigint, by: number): bigint => ((x << BigInt(by)) | (x >> BigInt(64 - by))) & mask

/** Rotation of each lane, and where it goes, in the order in which rho and pi visit them. */
const steps: ReadonlyArray<readonly [lane: number, by: number]> = (() => {
  const order: Array<readonly [number, number]> = []
  let x = 1
  let y = 0
  for (let t = 0; t < 24; t++) {
    ;[x, y] = [y, (2 * x + 3 * y) % 5]
    order.push([x + 5 * y, (((t + 1) * (t + 2)) / 2) % 64])
  }
  return order
})()

/** The constants of iota, from the linear feedback shift register that defines them. */
const roundConstants: ReadonlyArray<bigint> = (() => {
  const constants: Array<bigint> = []
  let register = 1
  for (let round = 0; round < 24; round++) {
    let constant = 0n
    for (let j = 0; j < 7; j++) {
      if ((register & 1) === 1) constant |= 1n << BigInt((1 << j) - 1)
      register = (register << 1) ^ ((register >> 7) * 0x171)
    }
    constants.push(constant)
  }
  return constants
})()

const permute = (a: BigUint64Array): void => {
  const column = new BigUint64Array(5)
  const row = new BigUint64Array(5)
  for (const constant of roundConstants) {
    for (let x = 0; x < 5; x++) column[x] = a[x]! ^ a[x + 5]! ^ a[x + 10]! ^ a[x + 15]! ^ a[x + 20]!
    for (let x = 0; x < 5; x++) {
      const parity = column[(x + 4) % 5]! ^ rotate(column[(x + 1) % 5]!, 1)
      for (let y = 0; y < 25; y += 5) a[x + y]! ^= parity
    }
    let moved = a[1]!
    for (const [lane, by] of steps) {
      const next = a[lane]!
      a[lane] = rotate(moved, by)
      moved = next
    }
    for (let y = 0; y < 25; y += 5) {
      for (let x = 0; x < 5; x++) row[x] = a[x + y]!
      for (let x = 0; x < 5; x++) a[x + y] = row[x]! ^ (~row[(x + 1) % 5]! & mask & row[(x + 2) % 5]!)
    }
    a[0]! ^= constant
  }
}
