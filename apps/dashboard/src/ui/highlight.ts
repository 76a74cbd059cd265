import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from "@shikijs/core"
import { createJavaScriptRegexEngine } from "@shikijs/engine-javascript"

/** A piece of a line; `color` is a variable of the theme. */
export interface Token {
  readonly text: string
  readonly color: string | undefined
}

/** Longer text stays plain: grammars are regular expressions, and the text is untrusted. */
const longestLine = 400
const longestText = 120_000

let core: Promise<HighlighterCore> | undefined

const highlighter = (): Promise<HighlighterCore> =>
  (core ??= createHighlighterCore({
    themes: [createCssVariablesTheme({ name: "assay", variablePrefix: "--shiki-", fontStyle: false })],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  }))

/** A grammar is loaded with the first file that needs it: compiling one takes longer than highlighting with it. */
const grammars = {
  solidity: () => import("@shikijs/langs/solidity"),
  rust: () => import("@shikijs/langs/rust"),
  toml: () => import("@shikijs/langs/toml"),
}

const languages: Readonly<Record<string, keyof typeof grammars>> = {
  sol: "solidity",
  rs: "rust",
  toml: "toml",
  lock: "toml",
}

/** The lines of a file as colored pieces; undefined if it is shown plain. */
export const tokensOf = async (
  file: string,
  text: string,
): Promise<ReadonlyArray<ReadonlyArray<Token>> | undefined> => {
  const lang = languages[file.slice(file.lastIndexOf(".") + 1)]
  if (lang === undefined || text.length > longestText || text.split("\n").some((line) => line.length > longestLine)) {
    return undefined
  }
  const core = await highlighter()
  await core.loadLanguage(grammars[lang]())
  const { tokens } = core.codeToTokens(text, { lang, theme: "assay", tokenizeTimeLimit: 50 })
  return tokens.map((line) => line.map(({ content, color }) => ({ text: content, color })))
}
