import { lexicalScan } from "../../domain/finding/lexicalScan.ts"

const opening = /#\[cfg\(test\)\]\s*(?:pub(?:\(crate\))?\s+)?mod\s+[A-Za-z_]\w*\s*\{/g

const [openBrace, closeBrace] = [123, 125]

/**
 * The text with the bodies of `#[cfg(test)] mod …` blank: nothing of them is kept, and they are 27 % of SPL's program
 * files and 55 % of cw-plus. What is left stands where it stood. Where the braces do not match, the text as it is.
 */
export const withoutTestModules = (text: string): string => {
  const found = [...text.matchAll(opening)]
  if (found.length === 0) return text
  let next = 0
  let kept = ""
  let keptUntil = 0
  let at = 0
  let body = 0
  let depth = 0
  const readCode = (end: number): void => {
    while (at < end) {
      if (depth > 0) {
        const c = text.charCodeAt(at++)
        if (c === openBrace) depth++
        else if (c === closeBrace && --depth === 0) {
          kept += text.slice(keptUntil, body) + " ".repeat(at - 1 - body)
          keptUntil = at - 1
        }
        continue
      }
      // Those that were passed stand in comments, strings or other test modules.
      while (next < found.length && found[next]!.index < at) next++
      const module = found[next]
      if (module === undefined || module.index >= end) {
        at = end
        return
      }
      body = at = module.index + module[0].length
      depth = 1
    }
  }
  lexicalScan(text, "rust", (_, start, end) => {
    readCode(start)
    at = end
  })
  readCode(text.length)
  return kept + text.slice(keptUntil)
}
