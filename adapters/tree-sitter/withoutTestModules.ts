import { lexicalScan } from "../../domain/finding/lexicalScan.ts"

const opening = /#\[cfg\(test\)\]\s*(?:pub(?:\(crate\))?\s+)?mod\s+[A-Za-z_]\w*\s*\{/g

const braces = /[{}]/g

/**
 * The text with the bodies of `#[cfg(test)] mod …` blanked out: nothing in them is kept, and they make up 27 % of SPL's
 * program files and 55 % of cw-plus. The rest stays in place. If the braces do not match, the text is unchanged.
 */
export const withoutTestModules = (text: string): string => {
  const modules = [...text.matchAll(opening)]
  if (modules.length === 0) return text
  let next = 0
  let kept = ""
  let keptUntil = 0
  let at = 0
  let body = 0
  let depth = 0
  /** The first brace after `at`, as far as it was searched for; it may be in a comment or a string. */
  let brace = -1
  const nextBrace = (): number => {
    if (brace >= at) return brace
    braces.lastIndex = at
    brace = braces.exec(text)?.index ?? text.length
    return brace
  }
  const readCode = (end: number): void => {
    while (at < end) {
      if (depth > 0) {
        const found = nextBrace()
        if (found >= end) return
        at = found + 1
        depth += text[found] === "{" ? 1 : -1
        if (depth > 0) continue
        kept += text.slice(keptUntil, body) + " ".repeat(found - body)
        keptUntil = found
        continue
      }
      // Those that were passed are in comments, strings or other test modules.
      while (next < modules.length && modules[next]!.index < at) next++
      const module = modules[next]
      if (module === undefined || module.index >= end) return
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
