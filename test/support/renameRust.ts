import { lexicalScan } from "../../domain/finding/lexicalScan.ts"

/** The text with comments and literals blanked out, in the same places. */
export const codeOf = (text: string): string => {
  let code = ""
  let from = 0
  lexicalScan(text, "rust", (_part, start, end) => {
    code += text.slice(from, start) + text.slice(start, end).replace(/[^\n]/g, " ")
    from = end
  })
  return code + text.slice(from)
}

const isKnownElsewhere = (code: string, text: string, name: string): boolean =>
  [
    // A field, also of a struct of another crate: `.name`, `name: T`, `{ name }`.
    new RegExp(`\\.\\s*${name}\\b`),
    new RegExp(`(?:^|[{,(]|\\bpub)\\s*${name}\\s*:(?!:)`, "m"),
    new RegExp(`[{,]\\s*(?:ref |mut )*${name}\\s*[,}]`),
    // A path, a macro, an attribute.
    new RegExp(`::\\s*${name}\\b|\\b${name}\\s*(?:::|!)`),
    new RegExp(`#!?\\[[^\\]]*\\b${name}\\b`),
  ].some((use) => use.test(code)) || text.includes(`{${name}`)

/**
 * Gives the locals and private functions of a Rust example meaningless names. Accounts of native programs keep theirs:
 * what a program calls an account says what it is for.
 */
export const renameRust = (text: string): string => {
  const code = codeOf(text)
  const names = new Set<string>()
  for (const [, name] of code.matchAll(/^(?:async )?fn ([a-z_][a-z_0-9]*)/gm)) names.add(name!)
  for (const [, name, value] of code.matchAll(/\blet (?:mut )?([a-z][a-z_0-9]*)\s*(?::[^=;]+)?=([^;]*)/g)) {
    if (!/account|iter/i.test(value!)) names.add(name!)
  }
  const fresh = new Map<string, string>()
  for (const name of names) if (!isKnownElsewhere(code, text, name)) fresh.set(name, `q${fresh.size + 1}x`)
  if (fresh.size === 0) return text
  const own = new RegExp(`\\b(?:${[...fresh.keys()].join("|")})\\b`, "g")
  let renamed = ""
  let last = 0
  for (const match of code.matchAll(own)) {
    renamed += text.slice(last, match.index) + fresh.get(match[0])!
    last = match.index + match[0].length
  }
  return renamed + text.slice(last)
}
