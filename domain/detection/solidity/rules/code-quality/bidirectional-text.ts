import type { Rule } from "../../../Rule.ts"
import type { SourceModel } from "../../model.ts"
import type { Program } from "../../program.ts"
import { contractAt } from "../../questions/contractAt.ts"

export const bidirectionalText: Rule<Program> = {
  meta: {
    id: "evm/code-quality/bidirectional-text",
    class: "rtlo",
    title: "Bidirectional control characters in source code",
    severity: "high",
    confidence: "high",
    cwe: [1007],
    swc: 130,
    description:
      "The text contains Unicode characters that reverse the display direction of the text after them. Editors " +
      "and explorers show swapped arguments, or code as part of a comment, while the compiler reads the " +
      "characters in their actual order: the code that runs is not the code that was reviewed. Honest source " +
      "code has no use for them.",
    remediation:
      "Remove the characters (`cat -A` or an editor that marks them makes them visible), and find out how they " +
      "got there.",
    references: ["https://swcregistry.io/docs/SWC-130", "https://trojansource.codes/trojan-source.pdf"],
  },

  check: (program, report) => {
    for (const source of program.sources) {
      check(source, (start, message) => {
        report({ file: source.file, span: { start, end: start + 1 }, scope: contractAt(source, start), message })
      })
    }
  },

  examples: {
    vulnerable: [
      // In a contract and between two; on the last line, once for both.
      `pragma solidity ^0.8.0;
contract First {}
contract Second {
    // \u202e // FINDING
} /* \u202e */ uint256 constant X = 1; // FINDING
contract Third {}\u2066uint256 constant Y = 1; // FINDING
/* \u2067 */ /* \u2068 */ // FINDING`,
      // A file full of them is reported in part.
      `pragma solidity ^0.8.0;
contract Full {
${"    // \u202e // FINDING\n".repeat(20)}    // \u202e
}`,
      `pragma solidity ^0.5.0;
contract Guess {
    function check(uint256 a, uint256 b) internal pure returns (bool) {
        return a == b;
    }
    function guess(uint256 n) external pure returns (bool) {
        return check(/*n\u202e*/ 3, /*\u202d*/ n); // FINDING
    }
}`,
      `pragma solidity ^0.8.0;
contract Names {
    string public name = "abc\u2067def"; // FINDING
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
contract Names {
    string public name = unicode"שלום, café, 漢字 😀";
}`,
      `pragma solidity ^0.8.0;
contract Names {
    string public name = "abc\\u202edef";
    function f() external pure returns (uint256) { return 1; }
}`,
    ],
  },
}

/** Embeddings, overrides and isolates that change the order in which text is shown; marks for single characters are harmless. */
const controls = /[\u202a-\u202e\u2066-\u2069]/g

const linesLimit = 20

const names: Readonly<Record<string, string>> = {
  "\u202a": "left-to-right embedding",
  "\u202b": "right-to-left embedding",
  "\u202c": "end of embedding",
  "\u202d": "left-to-right override",
  "\u202e": "right-to-left override",
  "\u2066": "left-to-right isolate",
  "\u2067": "right-to-left isolate",
  "\u2068": "first strong isolate",
  "\u2069": "end of isolate",
}

const check = (source: SourceModel, report: (start: number, name: string) => void): void => {
  const { text } = source.file
  let lineEnd = -1
  let lines = 0
  for (const match of text.matchAll(controls)) {
    // one finding a line
    if (match.index < lineEnd) continue
    if (++lines > linesLimit) return
    const next = text.indexOf("\n", match.index)
    lineEnd = next === -1 ? text.length : next
    const code = match[0].codePointAt(0)!.toString(16).toUpperCase()
    report(match.index, `U+${code}, ${names[match[0]]}.`)
  }
}
