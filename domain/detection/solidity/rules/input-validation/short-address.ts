import type { Rule } from "../../../Rule.ts"
import type { Reached } from "../../flow/functionSummary.ts"
import type { StorageAccess } from "../../flow/graph/events.ts"
import type { LocalVariable } from "../../model.ts"
import { has, Source } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import { reachedValue } from "../../questions/value/reachedValue.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"

export const shortAddress: Rule<Program> = {
  meta: {
    id: "evm/input-validation/short-address",
    class: "short-address",
    title: "Short-address attack on a transfer",
    severity: "low",
    // Requires a sender that encodes calldata carelessly, such as an exchange of the time.
    confidence: "medium",
    cwe: [20],
    description:
      "Before Solidity 0.5, missing bytes at the end of the calldata read as zero. A recipient whose address " +
      "ends in zero bytes can omit them; if a service does not check the length and sends 67 bytes, the decoder " +
      "takes the missing byte from the front of the amount, and the amount becomes 256 times what was " +
      "requested.",
    remediation:
      "Compile with 0.5 or later, which rejects such calls. In old code, check the length at the start of the " +
      "function, `require(msg.data.length >= 68)`, and validate addresses wherever calldata is built.",
    references: [
      "https://ericrafaloff.com/analyzing-the-erc20-short-address-attack/",
      "https://docs.soliditylang.org/en/v0.5.0/050-breaking-changes.html",
    ],
  },

  check: (program, report) => {
    const told = new Set<unknown>()
    for (const flow of program.allFlows()) {
      const { fn } = flow
      if (fn.source.version.min >= checkedDecoding || !program.graph.isEntryPoint(fn) || told.has(fn.contract)) continue
      const found = lastTwo(flow)
      if (found === undefined || checksLength(flow)) continue
      const credit = credits(flow, ...found)
      if (credit === undefined || flow.isRestricted(credit.at)) continue
      // the sender pays: otherwise nobody is robbed
      const paid = flow.writes.some(({ place }) => place !== undefined && has(place.keys, Source.sender))
      if (!paid) continue
      told.add(fn.contract)
      report({ file: fn.source.file, span: fn.node.nameSpan, scope: fn.scope })
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.4.18;
contract Coin {
    mapping(address => uint256) balances;
    function _move(address from, address to, uint256 amount) internal {
        require(balances[from] >= amount);
        balances[from] -= amount;
        balances[to] += amount;
    }
    function transfer(address to, uint256 amount) public { // FINDING
        _move(msg.sender, to, amount);
    }
}`,
      `pragma solidity ^0.4.11;
contract Coin {
    mapping(address => uint256) balances;
    function send(address to, uint256 amount) public returns (bool) { // FINDING
        if (balances[msg.sender] < amount) return false;
        balances[msg.sender] -= amount;
        balances[to] += amount;
        return true;
    }
}`,
      `pragma solidity ^0.4.24;
contract Points {
    mapping(address => uint256) points;
    function give(bytes32 memo, address to, uint256 amount) external { // FINDING
        require(points[msg.sender] >= amount && memo != 0);
        points[msg.sender] -= amount;
        points[to] = points[to] + amount;
    }
}`,
      `pragma solidity ^0.4.24;
contract Token {
  mapping(address => uint256) balances;
  address[] holders;
  function transfer(address to, uint256 amount) public { // FINDING
    require(holders.length < 100);
    assembly { if callvalue { revert(0, 0) } }
    balances[msg.sender] -= amount;
    balances[to] += amount;
  }
  function give(address to, uint256 amount) public {
    balances[msg.sender] -= amount;
    balances[to] += amount;
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.4.11;
contract Coin {
    mapping(address => uint256) balances;
    address owner = msg.sender;
    modifier sized(uint256 size) { require(msg.data.length >= size + 4); _; }
    function send(address to, uint256 amount) public sized(64) returns (bool) {
        require(balances[msg.sender] >= amount);
        balances[msg.sender] -= amount;
        balances[to] += amount;
        return true;
    }
    function burn(address of, uint256 amount) public {
        balances[of] -= amount;
        balances[msg.sender] = 0;
    }
    function mint(address to, uint256 amount) public {
        require(msg.sender == owner);
        balances[to] += amount;
    }
}`,
      `pragma solidity ^0.5.0;
contract Coin {
    mapping(address => uint256) balances;
    function send(address to, uint256 amount) public returns (bool) {
        require(balances[msg.sender] >= amount);
        balances[msg.sender] -= amount;
        balances[to] += amount;
        return true;
    }
}`,
      `pragma solidity ^0.4.24;
library Safe { function sub(uint256 a, uint256 b) public pure returns (uint256) { assert(b <= a); return a - b; } }
contract Inner {
  mapping(address => uint256) balances;
  function send(uint256 amount, address to) public { move(to, amount); }
  function move(address to, uint256 amount) internal { balances[msg.sender] -= amount; balances[to] += amount; }
}
contract Minted {
  address boss = msg.sender;
  mapping(address => uint256) balances;
  function mint(address to, uint256 amount) public {
    require(msg.sender == boss);
    balances[msg.sender] -= amount;
    balances[to] += amount;
  }
}
contract Free {
  uint256 total;
  mapping(address => uint256) balances;
  function mint(address to, uint256 amount) public { total += amount; balances[to] += amount; }
}
contract Small {
  mapping(address => uint128) balances;
  function transfer(address to, uint128 amount) public { balances[msg.sender] -= amount; balances[to] += amount; }
}
contract Fixed {
  uint256 price = 5;
  mapping(address => uint256) balances;
  function buy(address to, uint256 id) public { balances[msg.sender] -= price; balances[to] += price; emit Bought(id); }
  event Bought(uint256 id);
}
contract Debt {
  using Safe for uint256;
  mapping(address => uint256) paid;
  mapping(address => uint256) owed;
  mapping(address => mapping(address => uint256)) allowed;
  function repay(address to, uint256 amount) public { paid[msg.sender] += amount; owed[to] = owed[to].sub(amount); }
  function clear(address to, uint256 amount) public { paid[msg.sender] += 1; owed[to] = subtract(owed[to], amount); }
  function reset(address to, uint256 amount) public { paid[msg.sender] += 1; owed[to] = uint256(amount); }
  function allow(address to, uint256 amount) public { paid[msg.sender] += 1; allowed[to][msg.sender] += amount; }
  function subtract(uint256 a, uint256 b) public pure returns (uint256) { return a - b; }
}`,
    ],
  },
}

/** First compiler whose decoder rejects calldata that is too short. */
const checkedDecoding = 5000

/** The address followed by the amount at the end of the parameters, where a missing byte is taken from the amount. */
const lastTwo = (flow: Flow): readonly [LocalVariable, LocalVariable] | undefined => {
  const [to, amount] = flow.fn.parameters.slice(-2)
  if (to?.type.kind !== "address" || amount?.type.kind !== "integer" || amount.type.bits < 256) return undefined
  return [to, amount]
}

const checksLength = (flow: Flow): boolean => {
  for (const node of flow.conditionNodes()) {
    let found = false
    walk(node.expression!, (e) => {
      if (e.kind === "MemberAccess" && e.member === "length" && flow.program.isBuiltin(e.object, "msg.data"))
        found = true
      if (e.kind === "YulFunctionCall" && e.name === "calldatasize") found = true
      return !found
    })
    if (found) return true
  }
  return false
}

/** Whether it increases the existing value: `+=`, `x + amount`, `x.add(amount)`. */
const raises = ({ at }: StorageAccess): boolean => {
  const e = at.expression
  if (e?.kind !== "Assignment") return false
  if (e.operator !== "=") return e.operator === "+="
  if (e.right.kind === "BinaryOperation") return e.right.operator === "+"
  return (
    e.right.kind === "FunctionCall" && e.right.callee.kind !== "TypeNameExpression" && !/sub/i.test(nameOf(e.right))
  )
}

const nameOf = ({ callee }: S.FunctionCall): string =>
  callee.kind === "MemberAccess" ? callee.member : callee.kind === "Identifier" ? callee.name : ""

/** `balances[to] += amount` */
const credits = (flow: Flow, to: LocalVariable, amount: LocalVariable): Reached<StorageAccess> | undefined =>
  flow.writes.find(
    (write) =>
      raises(write.event) &&
      write.place?.keys.parameters.includes(to) === true &&
      // an allowance depends on both
      !has(write.place.keys, Source.sender) &&
      reachedValue(flow, write).parameters.includes(amount),
  )
