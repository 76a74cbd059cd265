import type { Rule } from "../../../Rule.ts"
import type { ModifierModel } from "../../model.ts"
import type { Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"

export const lateCheck: Rule<Program> = {
  meta: {
    id: "evm/access-control/late-check",
    class: "bad-modifier",
    title: "Modifier checks its condition after the function body",
    // a failed check still undoes everything
    severity: "low",
    confidence: "medium",
    cwe: [696, 367],
    description:
      "The modifier runs the function body first and only then checks its condition. A failed check undoes the call, " +
      "but by then the body has called other contracts and changed what the check reads: a function that sets the " +
      "owner, unpauses or opens the next phase passes a check of the very value it has just written.",
    remediation: "Move `_;` to the end of the modifier, so that the condition is checked before the body runs.",
    references: ["https://docs.soliditylang.org/en/latest/contracts.html#function-modifiers"],
  },

  check: (program, report) => {
    for (const modifier of program.modifiers) {
      const late = checkAfterBody(program, modifier)
      if (late === undefined) continue
      report({ file: modifier.source.file, span: late, scope: modifier.scope })
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
contract Vault {
  address owner = msg.sender;
  bool paused;
  enum Phase { Open, Closed }
  Phase phase;
  uint256 end;
  uint256 fee;
  modifier onlyOwner() {
    _;
    require(msg.sender == owner); // FINDING
  }
  modifier whenLive() {
    _;
    if (paused) revert(); // FINDING
  }
  modifier inTime() {
    _;
    _checkTime(); // FINDING
  }
  modifier whenOpen() {
    _;
    require(phase == Phase.Open); // FINDING
  }
  modifier whenUnpaused() {
    _;
    _ensure(!paused); // FINDING
  }
  function _checkTime() internal view { require(block.timestamp < end); }
  function _ensure(bool holds) internal pure { require(holds, "not now"); }
  function give(address to) external onlyOwner { owner = to; }
  function pause() external whenLive whenUnpaused { paused = true; }
  function close() external whenOpen inTime { phase = Phase.Closed; }
  function setEnd(uint256 to) external onlyOwner { end = to; fee += 1; }
}`,
      `pragma solidity ^0.8.20;
import {Context} from "@openzeppelin/contracts/utils/Context.sol";
contract Registry is Context {
  mapping(address => bool) admins;
  error NotAdmin(address who);
  constructor() { admins[_msgSender()] = true; }
  modifier onlyAdmin() {
    _;
    if (!admins[_msgSender()]) revert NotAdmin(_msgSender()); // FINDING
  }
  function admit(address who) external onlyAdmin { admins[who] = true; }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
contract Vault {
  address owner = msg.sender;
  uint256 total;
  uint256 cap = 100;
  uint256 private entered = 1;
  uint256 updated;
  modifier onlyOwner() { require(msg.sender == owner); _; }
  modifier capped() { _; require(total <= cap); }
  modifier bounded() { _; require(_left() > 0); }
  modifier lock() { require(entered == 1); entered = 2; _; entered = 1; }
  modifier touching() { _; updated = block.timestamp; }
  modifier only() { _; }
  function _left() internal view returns (uint256) { return cap - total; }
  function add(uint256 by) external onlyOwner capped bounded lock touching only { total += by; }
}`,
      `pragma solidity ^0.8.20;
interface IHook { function after_() external; }
contract Hooked {
  IHook hook;
  uint256 total;
  modifier told() { _; hook.after_(); }
  modifier settled() { _; _settle(); }
  function _settle() internal { if (msg.sender != address(hook)) total = 0; }
  function add(uint256 by) external told settled { total += by; }
}`,
    ],
  },
}

/**
 * The first check of a modifier that begins with the body, if it is one that a body cannot be meant to prepare: about the
 * caller, the time, a flag or a phase. Amounts and invariants are rightly compared afterwards.
 */
const checkAfterBody = (program: Program, { node }: ModifierModel): S.Statement | undefined => {
  const [first, ...after] = node.body?.statements ?? []
  if (first?.kind !== "PlaceholderStatement") return undefined
  return after.find((statement) => isCheck(program, statement) && isPrecondition(program, statement, 0))
}

/** `require(…)`, `if (…) revert …`, or a helper that changes nothing. */
const isCheck = (program: Program, statement: S.Statement): boolean => {
  if (statement.kind === "IfStatement") return true
  if (statement.kind !== "ExpressionStatement" || statement.expression.kind !== "FunctionCall") return false
  const call = program.callOf(statement.expression)
  const { mutability } = call?.target ?? {}
  return call?.name === "require" || mutability === "view" || mutability === "pure"
}

/** Limit: nested helpers of a check that are followed. */
const depthLimit = 3

const isPrecondition = (program: Program, within: S.Node, depth: number): boolean => {
  let found = false
  walk(within, (part) => {
    if (part.kind === "MemberAccess")
      found ||= program.isBuiltin(part, "msg.sender") || program.isBuiltin(part, "block.timestamp")
    if (part.kind === "Identifier") found ||= isStatus(program, part)
    if (part.kind === "FunctionCall" && depth < depthLimit) {
      const body = program.callOf(part)?.target?.node.body
      found ||=
        program.callOf(part)?.name === "_msgSender" || (body !== undefined && isPrecondition(program, body, depth + 1))
    }
    return !found
  })
  return found
}

const isStatus = (program: Program, e: S.Identifier): boolean => {
  const named = program.referenceOf(e)
  return named?.kind === "StateVariable" && (named.type.kind === "bool" || named.type.kind === "enum")
}
