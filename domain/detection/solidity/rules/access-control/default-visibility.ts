import { shutsOut } from "../../demands/demands.ts"
import type { Rule } from "../../../Rule.ts"
import type { FunctionModel } from "../../model.ts"
import type { Program } from "../../program.ts"

export const defaultVisibility: Rule<Program> = {
  meta: {
    id: "evm/access-control/default-visibility",
    class: "default-visibility",
    title: "Helper function is public by default",
    severity: "medium",
    confidence: "medium",
    cwe: [710, 284],
    swc: 100,
    description:
      "Before Solidity 0.5, a function without a visibility specifier is public. This one changes state or " +
      "moves ether, and other functions of the contract use it as a step that follows their checks, but anyone " +
      "can call it directly and bypass them.",
    remediation:
      "Specify the visibility: `internal` or `private` for helpers. Use compiler version 0.5 or later, which " +
      "requires it.",
    references: [
      "https://swcregistry.io/docs/SWC-100",
      "https://docs.soliditylang.org/en/latest/050-breaking-changes.html#explicitness-requirements",
    ],
  },
  check: (program, report) => {
    for (const fn of program.functions) {
      if (fn.node.visibility !== "default" || fn.contract === undefined) continue
      if (!actsForAnyone(program, fn)) continue
      if (!isHelper(program, fn)) continue
      report({ file: fn.source.file, span: fn.node.nameSpan, scope: fn.scope })
    }
  },
  examples: {
    vulnerable: [
      `pragma solidity ^0.4.24;
contract Guess {
  function withdraw() public {
    require(uint32(msg.sender) == 0);
    pay();
  }
  function pay() { // FINDING
    msg.sender.transfer(this.balance);
  }
}`,
      `pragma solidity ^0.4.11;
contract Wallet {
  address owner;
  uint256 limit;
  function Wallet(address first) { init(first, 1); }
  function init(address who, uint256 most) { // FINDING
    owner = who;
    limit = most;
  }
  function spend(address to, uint256 amount) public { require(msg.sender == owner && amount < limit); to.transfer(amount); }
}`,
    ],
    safe: [
      `pragma solidity ^0.4.24;
contract Guess {
  uint256 count;
  function withdraw() public { require(uint32(msg.sender) == 0); pay(); }
  function pay() internal { msg.sender.transfer(this.balance); }
  function play() { count++; }
  function total() constant returns (uint256) { return count; }
}`,
      `pragma solidity ^0.4.24;
contract Wallet {
  address owner;
  uint256 limit;
  function Wallet() { owner = msg.sender; }
  function setAll(uint256 to) { require(to > 0); set(to); }
  function set(uint256 to) { require(msg.sender == owner); limit = to; }
}`,
      // Public on purpose, reading only, or out of reach.
      `pragma solidity ^0.4.24;
interface IFeed { function read() external view returns (uint256); }
library Counter {
  struct Data { uint256 count; }
  function add(Data storage data, uint256 more) { data.count += more; }
}
contract Wallet {
  using Counter for Counter.Data;
  Counter.Data data;
  address owner = msg.sender;
  uint256 rate;
  IFeed feed;
  function setRate(uint256 to) public { rate = to; }
  function look() returns (uint256) { return feed.read(); }
  function down(uint256 steps) { if (steps > 0) { rate -= 1; down(steps - 1); } }
  function run() public { require(msg.sender == owner); setRate(1); look(); data.add(1); }
}`,
      // Since 0.5 the compiler demands that it is written.
      `pragma solidity ^0.5.0;
contract Wallet {
  address owner = msg.sender;
  uint256 rate;
  function run() public { require(msg.sender == owner); setRate(1); }
  function setRate(uint256 to) { rate = to; }
}`,
      // Functions outside of contracts have no visibility.
      `pragma solidity ^0.8.20;
function approve(address token, address spender) {
  (bool ok, ) = token.call(abi.encodeWithSignature("approve(address,uint256)", spender, 1));
  require(ok);
}
contract Wallet {
  address owner = msg.sender;
  function run(address token, address spender) external { require(msg.sender == owner); approve(token, spender); }
}`,
    ],
  },
}

const actsForAnyone = (program: Program, fn: FunctionModel): boolean => {
  const flow = program.flow(fn)
  const acts = [...flow.writes, ...flow.externalCalls.filter(({ event }) => !event.isStatic)]
  return acts.some(({ at }) => !shutsOut(flow, at))
}

/** Whether it is called behind a check, or by a constructor: it is not meant for outsiders. */
const isHelper = (program: Program, fn: FunctionModel): boolean =>
  program.graph.callers(fn).some(({ from, call }) => {
    if (from === fn) return false
    const flow = program.flow(from)
    const site = flow.siteOf(call.node)
    return site !== undefined && (flow.facts(site.at).length > 0 || shutsOut(flow, site.at))
  })
