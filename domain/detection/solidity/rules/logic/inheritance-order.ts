import type { Rule } from "../../../Rule.ts"
import type { ContractModel, FunctionModel } from "../../model.ts"
import type { Program } from "../../program.ts"
import { walk } from "../../visit.ts"
import type { Span } from "../../../SourceFile.ts"

interface Clash {
  readonly wins: FunctionModel
  readonly loses: FunctionModel
}

export const inheritanceOrder: Rule<Program> = {
  meta: {
    id: "evm/logic/inheritance-order",
    class: "c3-linearization",
    title: "Ambiguous inheritance order",
    severity: "medium",
    confidence: "medium",
    cwe: [696],
    swc: 125,
    description:
      "Two base contracts provide the same function, or arguments for the same base constructor, and the " +
      "contract does not say which one it wants. Before Solidity 0.6, the base listed last wins without a " +
      "warning, so swapping two names in the `is` list can replace a check or a limit with a weaker one, and " +
      "one of the arguments is dropped.",
    remediation:
      "Override the function in this contract and call the intended one by name, or order the bases from most " +
      "general to most specific. Pass arguments to each base constructor in one place. From 0.6 on, the " +
      "compiler requires it.",
    references: [
      "https://swcregistry.io/docs/SWC-125",
      "https://docs.soliditylang.org/en/latest/contracts.html#multiple-inheritance-and-linearization",
    ],
  },

  check: (program, report) => {
    const passed = new Map(program.contracts.map((contract) => [contract, passedBy(contract)]))
    for (const contract of program.contracts) {
      const { file } = contract.source
      const place = { file, span: contract.node.nameSpan, scope: contract.name }
      // with a single base, the order is that base's
      const [clash] = contract.bases.length < 2 ? [] : clashes(contract)
      if (clash !== undefined) {
        report({
          ...place,
          message: `\`${clash.wins.name}\` of \`${clash.wins.contract!.name}\` runs, not that of \`${clash.loses.contract!.name}\`.`,
          trace: [
            { file: clash.loses.source.file, span: clash.loses.node.nameSpan, note: "does not run" },
            {
              file: clash.wins.source.file,
              span: clash.wins.node.nameSpan,
              note: "runs, because its contract comes later in the list",
            },
          ],
        })
        continue
      }
      const byBase = Map.groupBy(
        contract.linearization.flatMap((each) => passed.get(each) ?? []),
        ({ to }) => to,
      )
      for (const base of contract.linearization.slice(1)) {
        const given = byBase.get(base.name) ?? []
        if (given.length < 2 || (contract.bases.length < 2 && !given.some(({ by }) => by === contract))) continue
        report({
          ...place,
          message: `The constructor of \`${base.name}\` is given arguments in ${given.length} places.`,
          trace: given.map(({ by, span }) => ({ file: by.source.file, span, note: `arguments by \`${by.name}\`` })),
        })
        break
      }
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.4.24;
contract Crowdsale {
    uint256 cap;
    function isValid() internal view returns (bool) { return true; }
}
contract Capped is Crowdsale {
    uint256 raised;
    function isValid() internal view returns (bool) { return raised <= cap; }
}
contract Whitelisted is Crowdsale {
    mapping(address => bool) listed;
    function isValid() internal view returns (bool) { return listed[msg.sender]; }
    function list() public { listed[msg.sender] = true; }
}
contract Sale is Capped, Whitelisted { // FINDING
    function buy() public payable { require(isValid()); raised += msg.value; }
}`,
      `pragma solidity ^0.4.21;
contract A {
    uint256 number;
    constructor(uint256 x) public { number = x; }
}
contract B is A {
    constructor() A(1) public {}
}
contract C is A {
    constructor() A(2) public {}
}
contract D is B, C { // FINDING
    function get() public view returns (uint256) { return number; }
}`,
      `pragma solidity ^0.5.0;
contract Fees {
    uint256 rate;
    constructor() public { rate = 1; }
    function fee(uint256 a) public view returns (uint256) {
        if (a > rate) return half(a);
        return a;
    }
    function half(uint256 a) private pure returns (uint256) { return a / 2; }
    function base() public view returns (uint256) { return rate; }
}
interface IOther {
    function fee(uint256 a) external view returns (uint256);
}
contract Discounts {
    uint256 cut;
    IOther other;
    constructor() public { cut = 2; }
    function fee(uint256 a) public view returns (uint256) { return other.fee(a) - cut; }
    function half(uint256 a) private pure returns (uint256) { return a / 2; }
}
contract Shop is Fees, Discounts { // FINDING
    function name() public pure returns (string memory) { return "shop"; }
}
contract Branch is Shop {
    function city() public pure returns (string memory) { return "bonn"; }
}`,
      `pragma solidity ^0.5.0;
contract First {
    uint256 count;
    function add(uint256 n) public { count += n; }
    function run(uint256 n) public { count += n; }
}
contract Second is First {
    function add(uint256 n) public { if (n > 1) super.add(n); }
}
contract Third is First {
    function add(uint256 n) public { if (n > 2) super.add(n); }
}
contract Both is Second, Third { // FINDING
}
contract Fourth is First {
    function run(uint256 n) public { super.add(n > 1 ? n : 1); }
}
contract Fifth is First {
    function run(uint256 n) public { super.add(n); }
}
contract Runs is Fourth, Fifth { // FINDING
}`,
      `pragma solidity ^0.4.24;
contract Base {
    uint256 x;
    constructor(uint256 to) public { x = to; }
}
contract Middle is Base(1) {
    uint256 y;
}
contract Top is Middle { // FINDING
    constructor() Base(2) public {}
}
contract Over is Top {
    uint256 z;
}`,
      `pragma solidity ^0.5.0;
contract Counter {
  uint256 public total;
  function add(uint256 n) public returns (uint256) { total += n; return total; }
}
contract Small is Counter {
  function add(uint256 n) public returns (uint256) { return n < 10 ? super.add(n) : total; }
}
contract Even is Counter {
  function add(uint256 n) public returns (uint256) { return n % 2 == 0 ? super.add(n) : total; }
}
contract Both is Small, Even { // FINDING
}`,
    ],
    safe: [
      `pragma solidity ^0.4.24;
contract Sale { function check(uint256 amount) internal { require(amount > 0); } }
contract Capped is Sale {
    uint256 cap;
    function check(uint256 amount) internal { super.check(amount); require(amount <= cap); }
}
contract Timed is Sale {
    uint256 end;
    function check(uint256 amount) internal { super.check(amount); require(now < end); }
}
contract Both is Capped, Timed {
    function buy() public payable { check(msg.value); }
}`,
      `pragma solidity ^0.5.0;
contract Base {
    function isValid() internal view returns (bool) { return true; }
}
contract Left is Base {
    function isValid() internal view returns (bool) { return msg.sender != address(0); }
}
contract Right is Base {
    function other() internal view returns (bool) { return true; }
}
contract Both is Left, Right {
    function buy() public payable { require(isValid()); }
}
contract Two { function isValid() internal view returns (bool) { return false; } }
contract Chosen is Left, Two {
    function isValid() internal view returns (bool) { return Left.isValid() && Two.isValid(); }
}`,
      `pragma solidity ^0.8.0;
contract Left {
    uint256 a;
    constructor(uint256 x) { a = x; }
    function isValid() internal view virtual returns (bool) { return a > 0; }
}
contract Right {
    function isValid() internal view virtual returns (bool) { return msg.sender != address(0); }
}
contract Both is Left, Right {
    constructor() Left(1) {}
    function isValid() internal view override(Left, Right) returns (bool) { return super.isValid(); }
}`,
      `pragma solidity ^0.5.0;
contract Owned {
    address owner;
    constructor(address o) public { owner = o; }
    modifier once(uint256 n) { require(n > 0); _; }
}
contract Named {
    string name;
    constructor(string memory n) public { name = n; }
}
contract Counted {
    uint256 count;
    constructor() public { count = 1; }
}
contract Plain is Owned(msg.sender), Named("a"), Counted {
    constructor() public Counted() once(1) { count = 2; }
}
contract Other is Owned, Named, Counted {
    constructor() public Owned(msg.sender) Named("b") Counted() {}
}`,
      // What the interface declares has nothing to run.
      `pragma solidity ^0.5.0;
interface IShares {
  function sharesOf(address who) external view returns (uint256);
}
contract Ledger {
  mapping(address => uint256) internal shares;
  function sharesOf(address who) external view returns (uint256) { return shares[who]; }
}
contract Fund is IShares, Ledger {
  function join() external { shares[msg.sender] += 1; }
}`,
    ],
  },
}

/** Functions that two unrelated direct bases implement and the contract itself does not. */
const clashes = (contract: ContractModel): ReadonlyArray<Clash> => {
  const found: Array<Clash> = []
  const own = new Set(contract.functions.map((fn) => fn.signature))
  const seen = new Map<string, FunctionModel>()
  // in C3 order, the first one found is the one that runs
  for (const c of contract.linearization.slice(1)) {
    for (const fn of c.functions) {
      if (!fn.implemented || fn.role !== "function" || fn.visibility === "private" || own.has(fn.signature)) continue
      const first = seen.get(fn.signature)
      if (first === undefined) seen.set(fn.signature, fn)
      else if (!first.contract!.linearization.includes(c) && !passesOn(first)) found.push({ wins: first, loses: fn })
    }
  }
  return found
}

/** Whether it always calls the next one in line, so that each of them runs in any order; behind `||`, it may not. */
const passesOn = (fn: FunctionModel): boolean => {
  let found = false
  let alternatives = false
  walk(fn.node, (e) => {
    if (e.kind === "BinaryOperation" && e.operator === "||") alternatives = true
    if (e.kind === "IfStatement" || e.kind === "Conditional") alternatives = true
    if (
      e.kind === "MemberAccess" &&
      e.member === fn.name &&
      e.object.kind === "Identifier" &&
      e.object.name === "super"
    )
      found = true
  })
  return found && !alternatives
}

/** Arguments for the constructor of a base. */
interface Passed {
  readonly to: string
  readonly by: ContractModel
  readonly span: Span
}

/**
 * Arguments that a contract itself passes to the constructors of its bases, in its inheritance list or in its own
 * constructor's.
 */
const passedBy = (contract: ContractModel): ReadonlyArray<Passed> =>
  [...contract.node.bases, ...contract.functions.flatMap((fn) => fn.node.modifiers)].flatMap((span) => {
    const to = span.path.at(-1)
    return to === undefined || (span.args?.length ?? 0) === 0 ? [] : [{ to, by: contract, span }]
  })
