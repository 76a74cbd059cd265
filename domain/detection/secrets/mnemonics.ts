import { validateMnemonic } from "@scure/bip39"
import { wordlist } from "@scure/bip39/wordlists/english.js"
import { before, nameIn } from "./context.ts"
import { developmentMnemonics } from "./developmentKeys.ts"
import { longRuns, runCharacters } from "./longRuns.ts"
import type { Secret, SecretFinder } from "./Secret.ts"

const listed = new Set(wordlist)
const lengths = new Set([12, 15, 18, 21, 24])

/** How many characters 12 words of 3 letters take, and 24 indented words of 8. */
const shortest = 12 * 4 - 1
const longest = 24 * 9 + 80
const lowercase = runCharacters(/[a-z ]/)

/**
 * One in sixteen texts of twelve such words has a valid checksum, so a mnemonic counts only if it stands alone, not
 * among other words.
 */
const opens = /(?:["'`=:]|^|\n)[ \t]*$/
const closes = /^\s*(?:["'`,;)\r\n\\#]|$)/

/** English BIP-39 mnemonics, recognized by their words and checksum. */
export const mnemonics: SecretFinder = ({ text }) => {
  const found: Array<Secret> = []
  for (const { run, start: from } of longRuns(text, lowercase, shortest, longest)) {
    const words = run.trim()
    const start = from + run.indexOf(words)
    const end = start + words.length
    const all = words.split(" ")
    if (!lengths.has(all.length) || !all.every((word) => listed.has(word))) continue
    if (!opens.test(text.slice(Math.max(0, start - 20), start)) || !closes.test(text.slice(end, end + 20))) continue
    if (developmentMnemonics.has(words) || new Set(all).size < all.length / 2) continue
    if (!validateMnemonic(words, wordlist)) continue
    found.push({
      kind: "mnemonic",
      what: `a mnemonic of ${all.length} words, with a valid checksum`,
      name: nameIn(before(text, start)),
      start,
      end,
    })
  }
  return found
}
