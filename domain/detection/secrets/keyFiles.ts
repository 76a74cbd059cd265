import { before, nameIn } from "./context.ts"
import type { Secret, SecretFinder } from "./Secret.ts"

/** With fewer distinct bytes, it is a pattern rather than a key. */
const fewestBytes = 24

const isKeyPair = (list: string): boolean => {
  if (list.length > 1_000) return false
  const numbers = list.slice(1, -1).trim().replace(/,$/, "").split(",").map(Number)
  return numbers.length === 64 && numbers.every((one) => one < 256) && new Set(numbers).size >= fewestBytes
}

/** Key pairs as `solana-keygen` writes them: 64 numbers, in a file of their own or passed to a call. */
export const solanaKeyPairs: SecretFinder = ({ path, text }) => {
  const found: Array<Secret> = []
  for (const { 0: list, index: start } of text.matchAll(/\[[\d,\s]+\]/g)) {
    if (!isKeyPair(list)) continue
    const segment = before(text, start)
    const isFile = path.endsWith(".json") && list.length === text.trim().length
    if (!isFile && !/secret|private|key_?pair/i.test(segment)) continue
    found.push({
      kind: "private-key",
      what: "a Solana key pair",
      name: nameIn(segment),
      start,
      end: start + list.length,
    })
  }
  return found
}

const opening = "-----BEGIN "
/** A PEM key has no more lines of base64 than this. */
const pemLength = 20_000

/** Unencrypted private keys in PEM. */
export const pemKeys: SecretFinder = ({ text }) => {
  const found: Array<Secret> = []
  for (let start = text.indexOf(opening); start !== -1; start = text.indexOf(opening, start + 1)) {
    const head = /^(?:RSA |EC |DSA |OPENSSH )?PRIVATE KEY-----/.exec(text.slice(start + 11, start + 60))
    if (head === null) continue
    const from = start + 11 + head[0].length
    const body = /^(?:[A-Za-z0-9+/=\s]|\\[rn])*/.exec(text.slice(from, from + pemLength))![0]
    if (body.length < 60 || new Set(body).size < 16) continue
    found.push({ kind: "private-key", what: "a PEM private key", name: "", start, end: from + body.length })
  }
  return found
}
