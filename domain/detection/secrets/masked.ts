import { type SourceFile, sourceFile, type Span } from "../SourceFile.ts"
import { oncePer } from "../oncePer.ts"
import { secretsIn } from "./findSecrets.ts"
import type { Secret } from "./Secret.ts"

/** What every output shows in place of a secret. */
export const mask = "[masked]"

/** The first secret that ends after an offset; logarithmic in the number of secrets. */
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

/** An excerpt of a file with its secrets masked, including those that the excerpt cuts off. */
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

const tokensIn = oncePer(
  (file: SourceFile): ReadonlySet<string> =>
    new Set(
      secretsIn(file).flatMap(({ start, end }) => {
        const secret = file.text.slice(start, end)
        return [secret, secret.replace(/^0x/, ""), `0x${secret}`]
      }),
    ),
)

/** A statement about a file, without any of the file's secrets that it repeats. */
export const maskedWords = (file: SourceFile, text: string): string => {
  const known = tokensIn(file)
  return known.size === 0 ? text : text.replaceAll(/[\w-]+/g, (word) => (known.has(word) ? mask : word))
}

/** Any text with the secrets masked that it reveals by itself. */
export const maskedText = (path: string, text: string): string =>
  maskedSlice(sourceFile(path, text), { start: 0, end: text.length })
