/**
 * Reads an index that rust-analyzer writes: which symbol stands where, and where it is defined. Of SCIP's messages only what
 * this needs is read: https://github.com/sourcegraph/scip/blob/main/scip.proto
 */
interface Field {
  readonly number: number
  readonly value: number | Uint8Array
}

function* fieldsOf(bytes: Uint8Array): Iterable<Field> {
  let at = 0
  const varint = (): number => {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++]!
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
  }
  while (at < bytes.length) {
    const tag = varint()
    const number = Math.floor(tag / 8)
    const wire = tag % 8
    if (wire === 0) yield { number, value: varint() }
    else if (wire === 2) {
      const length = varint()
      yield { number, value: bytes.subarray(at, (at += length)) }
    } else throw new Error(`wire type ${wire} in an index`)
  }
}

const parts = (bytes: Uint8Array, number: number): ReadonlyArray<Uint8Array> =>
  [...fieldsOf(bytes)].flatMap((one) => (one.number === number && typeof one.value !== "number" ? [one.value] : []))

const numbersIn = (packed: Uint8Array): ReadonlyArray<number> => {
  const found: Array<number> = []
  let value = 0
  let scale = 1
  for (const byte of packed) {
    value += (byte & 127) * scale
    scale *= 128
    if (byte >= 128) continue
    found.push(value)
    value = 0
    scale = 1
  }
  return found
}

const text = new TextDecoder()

export interface ScipIndex {
  /** `path:line:column`, both counted from 1, to the symbol that stands there. */
  readonly symbols: ReadonlyMap<string, string>
  /** A symbol to the place of its definition, where that is in the project. */
  readonly definitions: ReadonlyMap<string, string>
}

export const readScip = (bytes: Uint8Array): ScipIndex => {
  const symbols = new Map<string, string>()
  const definitions = new Map<string, string>()
  for (const document of parts(bytes, 2)) {
    const path = text.decode(parts(document, 1)[0])
    for (const occurrence of parts(document, 2)) {
      const [line, column] = numbersIn(parts(occurrence, 1)[0]!)
      const place = `${path}:${line! + 1}:${column! + 1}`
      const name = text.decode(parts(occurrence, 2)[0])
      // What is local to a function has a name that another file gives to something else.
      const symbol = name.startsWith("local ") ? `${path} ${name}` : name
      const roles = [...fieldsOf(occurrence)].find(({ number }) => number === 3)?.value
      if (typeof roles === "number" && roles % 2 === 1) definitions.set(symbol, place)
      else symbols.set(place, symbol)
    }
  }
  return { symbols, definitions }
}
