import type { Edits } from "../support/exampleVariants.ts"

/** Words that mean something in the language, and what may stand in their place. */
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
  ["uint256", "uint128", "uint8", "int256", "address", "bytes32", "bool"],
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

/** Places of a word in a line, not inside of others. */
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

/** The line on which what opens on this one is closed. */
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

const withOtherWords = (lines: ReadonlyArray<string>): ReadonlyArray<Edits> =>
  lines.flatMap((line, index) =>
    kin.flatMap((words) =>
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

/** One side of `a && b`, of a chain of calls, and one entry fewer in a list. */
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

/** A line of another example, put in before one of this that it has not. */
const withForeignLines = (lines: ReadonlyArray<string>, donors: ReadonlyArray<string>): ReadonlyArray<Edits> =>
  donors
    .filter((donor) => !lines.some((line) => line.trim() === donor.trim()))
    .flatMap((donor) =>
      lines.flatMap((line, index) =>
        isBlank(line) ? [] : [{ [index + 1]: `${/^\s*/.exec(line)![0]}${donor.trim()} ${line.trimStart()}` }],
      ),
    )

/** Programs near an example: with one small change each, or with a line of another example more. */
export function* variantsOf(text: string, others: ReadonlyArray<string>): Generator<Edits, undefined> {
  const lines = text.split("\n")
  for (const change of [withoutLines, withFewerParts, swapped, withOtherWords]) yield* change(lines)
  yield* withForeignLines(lines, donorsIn(others.filter((other) => other !== text)))
}
