import { sha256Hex } from "../digest/sha256.ts"
import { type Lexis, lexicalScan, lexisOf } from "./lexicalScan.ts"

/** What identifies a finding across scans. Its position in the file is not part of it. */
export interface Identity {
  readonly ruleId: string
  readonly file: string
  /** Enclosing contract and function, as in `Match.scope`. */
  readonly scope: string
  /** The source text that the finding is about. */
  readonly snippet: string
}

/** Only the first characters of a long snippet count: a change far down does not make it a different problem. */
const snippetLength = 1_000

const wordEnd = /[\p{L}\p{N}_$]$/u
const wordStart = /^[\p{L}\p{N}_$]/u

/** Code without white space, except where it separates two words. */
const squeeze = (code: string): string => {
  const words = code.split(/\s+/)
  let squeezed = words[0]!
  for (const word of words.slice(1)) {
    squeezed += wordEnd.test(squeezed.slice(-2)) && wordStart.test(word) ? ` ${word}` : word
  }
  return squeezed
}

/** The snippet without comments and layout; string literals stay as they are. */
export const normalizeSnippet = (snippet: string, lexis: Lexis): string => {
  // Four times the length leaves room for the comments and layout that are removed.
  const text = snippet.slice(0, 4 * snippetLength)
  const pieces: Array<string> = []
  let code = ""
  let from = 0
  lexicalScan(text, lexis, (part, start, end) => {
    code += text.slice(from, start)
    from = end
    if (part === "comment") code += " "
    else {
      pieces.push(squeeze(code).trim(), text.slice(start, end))
      code = ""
    }
  })
  pieces.push(squeeze(code + text.slice(from)).trim())
  return pieces.join("").slice(0, snippetLength)
}

/** 64 bits of SHA-256: among 100,000 findings, two share a value with a probability of 3 in 10 billion. */
const digest = (parts: ReadonlyArray<string | number>): string => sha256Hex(JSON.stringify(parts)).slice(0, 16)

/**
 * One fingerprint of 16 hex digits per identity, all of them different: of several identical ones, the first keeps the
 * plain one and a counter distinguishes the others. Pass them in source order, which makes the counter repeatable.
 */
export const fingerprints = (identities: ReadonlyArray<Identity>): ReadonlyArray<string> => {
  const seen = new Map<string, number>()
  return identities.map(({ ruleId, file, scope, snippet }) => {
    const parts = [ruleId, file, scope, normalizeSnippet(snippet, lexisOf(file))]
    const plain = digest(parts)
    const twin = seen.get(plain) ?? 0
    seen.set(plain, twin + 1)
    return twin === 0 ? plain : digest([...parts, twin])
  })
}

/** The id under which the API returns a finding. */
export const findingId = (fingerprint: string): string => `f_${fingerprint}`
