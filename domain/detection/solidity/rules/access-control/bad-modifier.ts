import type { Rule } from "../../../Rule.ts"
import type { Program } from "../../program.ts"
import type * as S from "../../syntax.ts"

export const badModifier: Rule<Program> = {
  meta: {
    id: "evm/access-control/bad-modifier",
    class: "bad-modifier",
    title: "Modifier skips the function body without reverting",
    // the check itself holds; the problem is that its failure goes unnoticed
    severity: "low",
    confidence: "high",
    cwe: [670],
    description:
      "When its condition does not hold, the modifier neither runs the function nor reverts: the transaction " +
      "succeeds, the function does nothing, and it returns zero or false. Ether sent with the call stays in the " +
      "contract, and callers that rely on the result continue as if the function had run.",
    remediation: "Revert when the condition fails: `require(condition, …); _;`.",
    references: [
      "https://github.com/crytic/slither/wiki/Detector-Documentation#incorrect-modifier",
      "https://docs.soliditylang.org/en/latest/contracts.html#function-modifiers",
    ],
  },
  check: (program, report) => {
    for (const modifier of program.modifiers) {
      const { body } = modifier.node
      if (body === undefined) continue
      if (outcome(program, body).every((way) => way === "runs") || !contains(body)) continue
      report({ file: modifier.source.file, span: modifier.node.nameSpan, scope: modifier.scope })
    }
  },
  examples: {
    vulnerable: [
      `pragma solidity ^0.4.15;
contract Old {
  address owner = msg.sender;
  uint256 fee;
  modifier restricted { // FINDING
    if (msg.sender == owner) _;
  }
  function set(uint256 to) restricted { fee = to; }
}`,
      `pragma solidity ^0.8.0;
contract Gate {
  bool open;
  uint256 count;
  modifier whenOpen() { // FINDING
    if (open) {
      _;
    } else if (count > 100) {
      revert("over");
    }
  }
  function enter() external whenOpen returns (uint256) { return ++count; }
}`,
      `pragma solidity ^0.8.0;
contract Window {
  uint256 end = 10;
  uint256 count;
  modifier inTime() { // FINDING
    if (block.number > end) return;
    _;
  }
  function enter() external inTime returns (uint256) { return ++count; }
}`,
      // Passed over in silence, also from within a `try`, and whatever a loop did before.
      `pragma solidity ^0.8.20;
interface IGate { function check(address who) external; }
contract Desk {
  IGate immutable gate;
  address[] owners;
  bool open;
  constructor(IGate g) { gate = g; }
  modifier listed() { // FINDING
    bool found;
    for (uint256 i = 0; i < owners.length; i++) { if (owners[i] == msg.sender) found = true; }
    if (found) _;
  }
  modifier whenChecked() { // FINDING
    if (open) { try gate.check(msg.sender) { _; } catch { revert(); } }
  }
  modifier unlessChecked() { // FINDING
    if (open) { try gate.check(msg.sender) { revert(); } catch { _; } }
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
contract Gate {
  bool open;
  uint256 count;
  address owner = msg.sender;
  modifier whenOpen() { if (!open) { revert("closed"); } _; }
  modifier always() { if (open) { _; } else { count++; _; } }
  modifier byOwner() { if (msg.sender == owner) { _; } else { _fail(); } }
  function _fail() private pure { revert("no"); }
  function enter() external whenOpen always returns (uint256) { return ++count; }
  function set(bool to) external byOwner { open = to; }
}`,
      `pragma solidity ^0.4.15;
contract Old {
  address owner = msg.sender;
  uint256 fee;
  modifier restricted { if (msg.sender != owner) throw; _; }
  modifier counted { fee++; _; if (fee > 5) { fee = 0; } }
  function set(uint256 to) restricted counted { fee = to; }
}`,
      // The function runs, or the call reverts.
      `pragma solidity ^0.8.20;
contract Desk {
  address owner = msg.sender;
  uint256 rounds = 2;
  modifier closed() { revert("closed"); _; }
  modifier repeated() { for (uint256 i = 0; i < rounds; i++) { _; } }
  modifier either() { if (msg.sender == owner) _; else revert("owner"); }
}`,
    ],
  },
}

/**
 * The possible outcomes: `runs` after the body has run, `skips` at the end without it, `leaves` by return without it.
 * Empty if it always reverts.
 */
type Outcome = "runs" | "skips" | "leaves"

const outcome = (program: Program, s: S.Statement | undefined): ReadonlyArray<Outcome> => {
  switch (s?.kind) {
    case "PlaceholderStatement":
      return ["runs"]
    case "ThrowStatement":
    case "RevertStatement":
      return []
    case "Block": {
      let found: Set<Outcome> = new Set(["skips"])
      for (const each of s.statements) {
        if (!found.has("skips")) break
        found.delete("skips")
        found = new Set([...found, ...outcome(program, each)])
      }
      return [...found]
    }
    case "IfStatement":
      return [...new Set([...outcome(program, s.then), ...outcome(program, s.else)])]
    case "ForStatement":
    case "WhileStatement":
    case "DoWhileStatement":
    case "TryStatement":
    case "InlineAssembly":
      // loops and reverts in assembly are not followed, and nobody writes access checks that way
      return contains(s) || s.kind === "InlineAssembly" ? ["runs"] : ["skips"]
    case "ReturnStatement":
      return ["leaves"]
    case "ExpressionStatement":
      return neverReturns(program, s.expression) ? [] : ["skips"]
    default:
      return ["skips"]
  }
}

const neverReturns = (program: Program, e: S.Expression): boolean => {
  if (e.kind !== "FunctionCall") return false
  const call = program.callOf(e)
  if (call === undefined) return false
  if (call.kind === "builtin") return call.name === "revert"
  const { target } = call
  return target !== undefined && !program.flow(target).summary.returns
}

const contains = (s: S.Statement): boolean => {
  switch (s.kind) {
    case "PlaceholderStatement":
      return true
    case "Block":
      return s.statements.some(contains)
    case "IfStatement":
      return contains(s.then) || (s.else !== undefined && contains(s.else))
    case "ForStatement":
    case "WhileStatement":
    case "DoWhileStatement":
      return contains(s.body)
    case "TryStatement":
      return contains(s.body) || s.catches.some(({ body }) => contains(body))
    default:
      return false
  }
}
