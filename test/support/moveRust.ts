import { codeOf } from "./renameRust.ts"

/** Begins a further file of an example: its name in the module's folder. */
export const fileMark = "// FILE "

/** Where the braces of an item that begins at `start` end, with a comment behind them. */
const endOf = (code: string, start: number): number => {
  let depth = 0
  for (let i = start; i < code.length; i++) {
    if (code[i] === "{") depth++
    if (code[i] === "}" && --depth === 0) return i + 1 + /^ */.exec(code.slice(i + 1))![0].length
  }
  return code.length
}

/** The methods of an inherent implementation as a trait and its implementation; undefined where it holds other things. */
const asTrait = (text: string, name: string): { readonly trait: string; readonly own: string } | undefined => {
  const code = codeOf(text)
  const [head, generics = "", type = ""] = /^impl(<[^>{]*>)? (\w+(?:<[^>{]*>)?) \{/.exec(code) ?? []
  if (head === undefined || /#\[|^ {4}(?:pub )?(?:const|type|async|unsafe)\b/m.test(code)) return undefined
  const signatures = [...code.matchAll(/^ {4}(?:pub(?:\([^)]*\))? )?(fn [^{;]*[^\s{;])\s*\{/gm)].map(
    ([, one]) => `    ${one};\n`,
  )
  const methods = text.slice(head.length).replaceAll(/^ {4}pub(?:\([^)]*\))? fn/gm, "    fn")
  return {
    trait: `pub trait ${name}${generics} {\n${signatures.join("")}}\n`,
    own: `impl${generics} ${name}${generics} for ${type} {${methods}`,
  }
}

/**
 * Moves what a Rust example shares into another file, as `inherit` moves it away from where Solidity uses it: private
 * functions into a module, methods into traits. Functions with attributes stay: they may be entry points.
 */
export const moveRust = (text: string): string => {
  const code = codeOf(text)
  let [moved, kept, from, traits] = ["", "", 0, 0]
  for (const { 0: item, index } of code.matchAll(/(?<=^|(?:^|\n)[^#\n]*\n)(?:fn (?!main\b)|impl\b[^{]*\{)/g)) {
    const end = endOf(code, index)
    const taken = text.slice(index, end)
    const trait = item.startsWith("fn ") ? undefined : asTrait(taken, `Moved${traits + 1}`)
    if (!item.startsWith("fn ") && trait === undefined) continue
    if (trait !== undefined) traits++
    kept += text.slice(from, index) + (trait?.own ?? "")
    moved += trait?.trait ?? `pub(super) ${taken}\n`
    from = end
  }
  if (moved === "") return text
  return `mod moved;\nuse moved::*;\n${kept}${text.slice(from).trimEnd()}\n${fileMark}moved.rs\nuse super::*;\n\n${moved}`
}
