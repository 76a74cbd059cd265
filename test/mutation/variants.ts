import type { Edits } from "../support/exampleVariants.ts"

/** Words with a meaning in the language, and possible replacements. */
const kin: ReadonlyArray<ReadonlyArray<string>> = [
  ["==", "!="],
  ["<", "<=", ">", ">="],
  ["+", "-", "*", "/", "%"],
  ["&&", "||"],
  ["+=", "-=", "="],
  ["true", "false"],
  ["public", "external", "internal", "private"],
  ["view", "pure", "payable", ""],
  ["memory", "storage", "calldata"],
  ["constant", "immutable", ""],
  ["uint256", "uint128", "uint8", "int256", "address", "bytes32", "bool", "bytes", "uint256[]", "uint256[3]"],
  ["external", "external view", "external payable", "external pure"],
  ["internal", "internal view", "internal pure", "internal virtual"],
  ["public", "public constant", "public immutable", "public view", "public payable"],
  ["contract", "interface", "library", "abstract contract"],
  ["constructor", "function f"],
  ["msg.sender", "tx.origin", "address(this)", "address(0)", "owner"],
  ["require", "assert"],
  ["call", "delegatecall", "staticcall"],
  ["transfer", "send", "safeTransfer", "transferFrom"],
  ["mapping(address => uint256)", "uint256[]"],
  ["while", "if"],
  ["^0.8.0", "^0.7.0", "^0.4.24"],
  ["u64", "u128", "u32", "u8", "i64", "f64", "Uint128", "String"],
  ["Signer<'info>", "UncheckedAccount<'info>", "AccountInfo<'info>", "SystemAccount<'info>"],
  ["Account<", "AccountLoader<", "InterfaceAccount<", "Box<Account<"],
  ["Addr", "String", "CanonicalAddr"],
  ["Decimal", "Uint128", "Uint256"],
  ["pub fn", "fn"],
  ["checked_add", "saturating_add", "wrapping_add", "checked_sub", "saturating_sub", "checked_mul", "checked_div"],
  ["unwrap", "unwrap_or_default", "is_ok", "ok"],
  ["?", "", ".unwrap()"],
  ["&mut", "&", ""],
  ["mut", ""],
  ["init", "init_if_needed", "mut"],
  ["info.sender", "env.contract.address", "msg.owner"],
  ["is_signer", "is_writable", "executable"],
  ["save", "remove", "may_load", "load", "update"],
  ["ExecuteMsg", "QueryMsg", "InstantiateMsg", "SudoMsg"],
  ["DepsMut", "Deps"],
]

const isWord = (character: string | undefined): boolean => character !== undefined && /[\w$]/.test(character)

/** Positions of a word in a line, not inside other words. */
const placesOf = (line: string, word: string): ReadonlyArray<number> => {
  const found: Array<number> = []
  for (let at = line.indexOf(word); at !== -1; at = line.indexOf(word, at + 1)) {
    const before = isWord(word[0]) && isWord(line[at - 1])
    const after = isWord(word.at(-1)) && isWord(line[at + word.length])
    const symbol = !isWord(word[0]) && /[-+*/%<>=!&|]/.test(`${line[at - 1] ?? ""}${line[at + word.length] ?? ""}`)
    if (!before && !after && !symbol) found.push(at)
  }
  return found
}

const depthOf = (line: string): number =>
  [...line].reduce(
    (depth, character) => depth + ("{([".includes(character) ? 1 : "})]".includes(character) ? -1 : 0),
    0,
  )

/** The line that closes the bracket opened on this one. */
const closing = (lines: ReadonlyArray<string>, from: number): number => {
  let depth = 0
  for (let at = from; at < lines.length; at++) {
    depth += depthOf(lines[at]!)
    if (depth <= 0) return at
  }
  return lines.length - 1
}

const isBlank = (line: string): boolean => /^\s*(?:\/\/.*)?$/.test(line)

const withoutLines = (lines: ReadonlyArray<string>): ReadonlyArray<Edits> =>
  lines.flatMap((line, from) => {
    if (isBlank(line) || depthOf(line) < 0) return []
    const to = closing(lines, from)
    const range = Object.fromEntries(lines.slice(from, to + 1).map((_, index) => [from + index + 1, ""]))
    if (to === from) return [range]
    const head = /^\s*\}/.test(lines[to]!) ? [{ [from + 1]: "{", [to + 1]: "}" }] : []
    return [range, ...head, { [from + 1]: "", [to + 1]: "" }]
  })

const withOtherWords = (
  lines: ReadonlyArray<string>,
  groups: ReadonlyArray<ReadonlyArray<string>>,
): ReadonlyArray<Edits> =>
  lines.flatMap((line, index) =>
    groups.flatMap((words) =>
      words.flatMap((word) =>
        word === ""
          ? []
          : placesOf(line, word).flatMap((at) =>
              words
                .filter((other) => other !== word)
                .map((other) => ({ [index + 1]: line.slice(0, at) + other + line.slice(at + word.length) })),
            ),
      ),
    ),
  )

/** One side of `a && b`, part of a chain of calls, or a list with one entry fewer. */
const withFewerParts = (lines: ReadonlyArray<string>): ReadonlyArray<Edits> =>
  lines.flatMap((line, index) => {
    const found: Array<Edits> = []
    for (const part of line.matchAll(/\s(?:&&|\|\|)\s[^&|()]*(?:\([^()]*\)[^&|()]*)*/g))
      found.push({ [index + 1]: line.slice(0, part.index) + line.slice(part.index + part[0].length) })
    for (const part of line.matchAll(/, [^,()]+(?=[,)\]])|(?<=[([])[^,()]+, |\.\w+\([^()]*\)|\b\w+\(\)\s|!(?=\w)/g))
      found.push({ [index + 1]: line.slice(0, part.index) + line.slice(part.index + part[0].length) })
    for (const part of line.matchAll(/\b\d+\b/g))
      for (const number of ["0", "1", "2", "10", "1000000"])
        found.push({ [index + 1]: line.slice(0, part.index) + number + line.slice(part.index + part[0].length) })
    return found
  })

const swapped = (lines: ReadonlyArray<string>): ReadonlyArray<Edits> =>
  lines.flatMap((line, index) => {
    const next = lines[index + 1]
    return next === undefined || isBlank(line) || isBlank(next) ? [] : [{ [index + 1]: next, [index + 2]: line }]
  })

const withoutMarker = (line: string): string => line.replace(/\s*(?:\/\/|#) FINDING\r?$/, "")

/** Whole statements, members and attributes. */
const donorsIn = (texts: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(
    texts
      .flatMap((text) => text.split("\n").map(withoutMarker))
      .filter((line) => /[;},\]]$/.test(line) && depthOf(line) === 0 && !isBlank(line) && !/^\s*[})]/.test(line)),
  ),
]

/** A line of another example that this one lacks, inserted before one of its own. */
const withForeignLines = (lines: ReadonlyArray<string>, donors: ReadonlyArray<string>): ReadonlyArray<Edits> =>
  donors
    .filter((donor) => !lines.some((line) => line.trim() === donor.trim()))
    .flatMap((donor) =>
      lines.flatMap((line, index) =>
        isBlank(line) ? [] : [{ [index + 1]: `${/^\s*/.exec(line)![0]}${donor.trim()} ${line.trimStart()}` }],
      ),
    )

const isRust = (text: string): boolean => /\bfn \w+/.test(text)

/** What may enclose a statement. */
const surroundings = {
  solidity: [
    ["if (true) {} else { ", " }"],
    ["{ ", " }"],
    ["unchecked { ", " }"],
    ["for (; gasleft() > 9; ) { ", " }"],
    ["do { ", " } while (gasleft() > 9);"],
    ["assembly { let q := mload(0x40) } ", ""],
    ["return; ", ""],
  ],
  rust: [
    ["if true {} else { ", " }"],
    ["{ ", " }"],
    ["for _ in 0..3 { ", " }"],
    ["loop { ", " break; }"],
    ["match 1 { 1 => { ", " } _ => {} }"],
    ["#[cfg(test)] ", ""],
  ],
} as const

const wrapped = (lines: ReadonlyArray<string>, language: keyof typeof surroundings): ReadonlyArray<Edits> =>
  lines.flatMap((line, index) => {
    const statement = withoutMarker(line)
    if (!statement.endsWith(";") || depthOf(statement) !== 0) return []
    return surroundings[language].map(([before, after]) => ({ [index + 1]: before + statement.trimStart() + after }))
  })

const name = /(?<![\w$."])[A-Za-z_$][\w$]*/g

/** A name replaced by another name of the program, a number, or the result of a function. */
const withOtherNames = (lines: ReadonlyArray<string>, language: keyof typeof surroundings): ReadonlyArray<Edits> => {
  const used = new Map<string, number>()
  for (const line of lines) for (const [word] of line.matchAll(name)) used.set(word, (used.get(word) ?? 0) + 1)
  const others = [...used].flatMap(([word, count]) => (count > 1 ? [word] : [])).slice(0, 60)
  const made =
    language === "rust"
      ? (word: string) => [
          `&${word}`,
          `*${word}`,
          `${word}.clone()`,
          `${word}.into()`,
          `${word}.unwrap()`,
          `(${word} + 1)`,
          `Some(${word})`,
        ]
      : (word: string) => [
          `(${word} + 1)`,
          `(-${word})`,
          `uint256(${word})`,
          `address(${word})`,
          `(true ? ${word} : ${word})`,
          `${word}.length`,
          `${word}[0]`,
          `${word}()`,
        ]
  return lines.flatMap((line, index) =>
    [...line.matchAll(name)].flatMap(({ 0: word, index: at }) =>
      [...others, "0", "1", ...made(word)]
        .filter((other) => other !== word)
        .map((other) => ({ [index + 1]: line.slice(0, at) + other + line.slice(at + word.length) })),
    ),
  )
}

/** What is assigned, returned or tested in one place, used in another. */
const withOtherExpressions = (lines: ReadonlyArray<string>, texts: ReadonlyArray<string>): ReadonlyArray<Edits> => {
  const part = /(?<=[^=!<>]=\s|\breturn\s|\bif\s\(?|\brequire\(|\bassert\()[^;{}]+(?=;|\)\s*[{;]|\s\{)/g
  const all = new Set(texts.flatMap((text) => [...text.matchAll(part)].map(([expression]) => expression)))
  const short = [...all].filter((expression) => expression.length < 100 && depthOf(expression) === 0).slice(0, 60)
  return lines.flatMap((line, index) =>
    [...line.matchAll(part)].flatMap(({ 0: expression, index: at }) =>
      short
        .filter((other) => other !== expression)
        .map((other) => ({ [index + 1]: line.slice(0, at) + other + line.slice(at + expression.length) })),
    ),
  )
}

/** A name that the rule knows, given to one of the program's own declarations. */
const renamed = (lines: ReadonlyArray<string>, words: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<Edits> => {
  const own = new Set(
    lines.flatMap((line) =>
      [...line.matchAll(/\b(?:function|contract|struct|fn|let|u?int\d*|address)\s(\w+)/g)].map(([, word]) => word!),
    ),
  )
  return [...own].flatMap((word) =>
    words.flat().map((other) => {
      const changed = lines.flatMap((line, index) => {
        const to = line.replaceAll(new RegExp(`\\b${word}\\b`, "g"), () => other)
        return to === line ? [] : [[index + 1, to] as const]
      })
      return Object.fromEntries(changed)
    }),
  )
}

/** A reproducible order in which some changes of every kind come early. */
const shuffled = <A>(items: ReadonlyArray<A>): ReadonlyArray<A> => {
  let state = 1
  return items
    .map((item) => {
      state = (state * 48_271) % 2_147_483_647
      return [state, item] as const
    })
    .toSorted(([a], [b]) => a - b)
    .map(([, item]) => item)
}

/**
 * Programs near an example: with one small change each, or with an additional line of another example, then with two
 * changes. `words` are swapped like those of the language.
 */
export function* variantsOf(
  text: string,
  others: ReadonlyArray<string>,
  words: ReadonlyArray<ReadonlyArray<string>>,
): Generator<Edits, undefined> {
  const lines = text.split("\n")
  const language = isRust(text) ? "rust" : "solidity"
  const kinds = [
    withoutLines(lines),
    withFewerParts(lines),
    swapped(lines),
    withOtherWords(lines, words),
    withOtherWords(lines, kin),
    wrapped(lines, language),
    withOtherNames(lines, language),
    withOtherExpressions(lines, others),
    renamed(lines, words),
    withForeignLines(lines, donorsIn(others.filter((other) => other !== text))),
  ].map(shuffled)
  // In turn, so that many changes of one kind do not delay the few of another.
  for (let at = 0; kinds.some((edits) => at < edits.length); at++)
    for (const edits of kinds) if (at < edits.length) yield edits[at]!
  const all = shuffled(kinds.flat())
  for (const [index, edits] of all.entries()) {
    const more = all[(index * 7_919 + 1) % all.length]!
    if (Object.keys(more).every((line) => !(line in edits))) yield { ...edits, ...more }
  }
}
