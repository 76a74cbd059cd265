import { type SourceFile, sourceFile, type Span } from "../SourceFile.ts"
import { secretsIn } from "./findSecrets.ts"
import type { Secret } from "./Secret.ts"

/** What stands in every output where a secret was. */
export const mask = "[masked]"

/** The first secret that ends behind an offset; logarithmic in their number. */
const firstAfter = (secrets: ReadonlyArray<Secret>, offset: number): number => {
  let low = 0
  let high = secrets.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (secrets[middle]!.end <= offset) low = middle + 1
    else high = middle
  }
  return low
}

/** A piece of a file's text with its secrets masked, those that it cuts through as well. */
export const maskedSlice = (file: SourceFile, { start, end }: Span): string => {
  const secrets = secretsIn(file)
  let text = ""
  let from = start
  for (let index = firstAfter(secrets, start); index < secrets.length && secrets[index]!.start < end; index++) {
    text += file.text.slice(from, Math.max(from, secrets[index]!.start)) + mask
    from = Math.min(end, secrets[index]!.end)
  }
  return text + file.text.slice(from, end)
}

const tokens = new WeakMap<SourceFile, ReadonlySet<string>>()

const tokensIn = (file: SourceFile): ReadonlySet<string> => {
  const known =
    tokens.get(file) ??
    new Set(
      secretsIn(file).flatMap(({ start, end }) => {
        const secret = file.text.slice(start, end)
        return [secret, secret.replace(/^0x/, ""), `0x${secret}`]
      }),
    )
  tokens.set(file, known)
  return known
}

/** What is said of a file, without the secrets in it that it repeats. */
export const maskedWords = (file: SourceFile, text: string): string => {
  const known = tokensIn(file)
  return known.size === 0 ? text : text.replaceAll(/[\w-]+/g, (word) => (known.has(word) ? mask : word))
}

/** Any text with the secrets that it shows by itself masked. */
export const maskedText = (path: string, text: string): string =>
  maskedSlice(sourceFile(path, text), { start: 0, end: text.length })
