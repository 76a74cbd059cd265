import type { Rule } from "../../../Rule.ts"
import { idleGuards } from "../../access/checks/idleGuards.ts"
import { voidChecks } from "../../access/checks/voids.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import type { StateVariable } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import { droppedAnswers } from "../../questions/call/droppedAnswer.ts"
import { idleConditions } from "../../questions/value/idleCondition.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"

interface Overwritten {
  readonly first: FlowNode
  readonly second: FlowNode
  readonly variable: StateVariable
}

interface Assigned {
  readonly variable: StateVariable
  /** What is assigned, as written: the variable, or one of its entries. */
  readonly left: S.Expression
  readonly isEntry: boolean
}

export const statementWithoutEffect: Rule<Program> = {
  meta: {
    id: "evm/logic/statement-without-effect",
    class: "write-after-write",
    title: "Statement without effect",
    severity: "medium",
    confidence: "high",
    cwe: [563],
    swc: 135,
    description:
      "The statement computes a value that is never used (`paid == true;` where `=` was intended), assigns a " +
      "variable to itself, sets a state variable that the next statements overwrite before it is read, discards " +
      "the result of a function that only computes a result, or tests a condition on which nothing depends. The " +
      "intended update does not happen: a flag is never set, so the same action can be repeated, or one of two " +
      "values is lost.",
    remediation: "Write the intended assignment (`=`, `+=`), or remove the statement.",
    references: [
      "https://swcregistry.io/docs/SWC-135",
      "https://github.com/crytic/slither/wiki/Detector-Documentation#write-after-write",
    ],
  },

  check: (program, report) => {
    // `void-check` tells what was to be a check of the caller
    const checked = new Set<unknown>(voidChecks(program).map(({ expression }) => expression))
    for (const flow of program.allFlows()) {
      for (const node of flow.nodes) {
        if (!flow.isReachable(node)) continue
        const place = { file: node.callable.source.file, scope: node.callable.scope }
        const unused = idle(node)
        if (unused !== undefined) report({ ...place, span: unused, message: "The result is never used." })
        const self = selfAssigned(node)
        if (self !== undefined) report({ ...place, span: self, message: "The variable is assigned to itself." })
      }
      for (const { at, node } of droppedAnswers(flow)) {
        if (checked.has(node)) continue
        const { file } = at.callable.source
        report({
          file,
          span: node,
          scope: at.callable.scope,
          message: "The result is ignored, and the call has no other effect.",
        })
      }
      const guards = new Set(idleGuards(flow))
      for (const node of idleConditions(flow)) {
        if (guards.has(node)) continue
        const { file } = node.callable.source
        report({
          file,
          span: node.expression!,
          scope: node.callable.scope,
          message: "Nothing depends on this condition.",
        })
      }
      for (const { first, second, variable } of overwrites(flow)) {
        const { file } = first.callable.source
        report({
          file,
          span: first.expression!,
          scope: first.callable.scope,
          message: `\`${variable.name}\` is overwritten before it is read.`,
          trace: [
            { file, span: first.expression!, note: "set" },
            { file: second.callable.source.file, span: second.expression!, note: "set again" },
          ],
        })
      }
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.0;
interface IRules { function open(uint256 id) external view returns (bool); }
library Shares { function fits(uint256 a) internal pure returns (bool) { return a <= 100; } }
contract Rules is IRules {
    mapping(uint256 => bool) isOpen;
    function open(uint256 id) external view override returns (bool) { return _open(id); }
    function _open(uint256 id) internal view returns (bool) { return isOpen[id]; }
}
contract Market {
    IRules rules;
    uint256 public share;
    mapping(uint256 => uint256) public bids;
    function bid(uint256 id, uint256 amount) external {
        rules.open(id); // FINDING
        bids[id] = amount;
    }
    function setShare(uint256 to) external {
        Shares.fits(to); // FINDING
        if (to > block.timestamp) {} // FINDING
        share = to;
    }
}`,
      `pragma solidity ^0.8.0;
contract Book {
    mapping(address => uint256) public entries;
    function put(uint256 amount) external {
        entries[msg.sender] = amount; // FINDING
        entries[msg.sender] = 0;
    }
}`,
      `pragma solidity ^0.8.0;
contract Refunds {
    mapping(address => uint256) deposits;
    mapping(address => bool) paid;
    function refund() external {
        require(!paid[msg.sender]);
        paid[msg.sender] == true; // FINDING
        deposits[msg.sender] - msg.value; // FINDING
        payable(msg.sender).transfer(deposits[msg.sender]);
    }
}`,
      `pragma solidity ^0.5.0;
contract Settings {
    uint256 fee;
    address owner;
    event Changed(uint256 fee);
    function set(uint256 a, uint256 b, address next) external {
        fee = a; // FINDING
        emit Changed(b);
        fee = b;
        owner = owner; // FINDING
        owner = next;
        fee - 1; // FINDING
    }
}`,
      `pragma solidity ^0.8.0;
contract Prices {
    uint256 public price;
    uint256 public fee;
    uint256 public limit;
    bool open;
    bool closed;

    function check(uint256 a, uint256 b) external {
        a < b; // FINDING
        !open == closed; // FINDING
        unchecked {
            a + b; // FINDING
        }
        limit = limit; // FINDING
    }

    function copy() external {
        price = 1; // FINDING
        price = fee;
    }

    function convert(uint128 to) external {
        price = 1; // FINDING
        uint256 n = to + 1;
        price = uint256(n);
    }
}`,
      `pragma solidity ^0.7.6;
contract Sums {
    function add(uint256 a, uint256 b) external pure returns (uint256) {
        a + b; // FINDING
        return b;
    }
}`,
    ],
    safe: [
      // The function changes what it is given in memory.
      `pragma solidity ^0.8.20;
library Machines {
  struct Machine { uint256 pc; uint256 recovery; }
  function recover(Machine memory m) internal pure returns (bool) {
    if (m.recovery == 0) return false;
    m.pc = m.recovery;
    return true;
  }
}
contract Prover {
  using Machines for Machines.Machine;
  function step(Machines.Machine memory m) external pure returns (uint256) {
    m.recover();
    return m.pc;
  }
}`,
      `pragma solidity ^0.8.0;
interface IRules {
    function open(uint256 id) external view returns (bool);
    function check(uint256 id) external view returns (bool);
    function enter(uint256 id) external returns (bool);
    function unknown(uint256 id) external view returns (bool);
}
contract Rules is IRules {
    mapping(uint256 => bool) isOpen;
    function open(uint256 id) external view override returns (bool) { return isOpen[id]; }
    function check(uint256 id) external view override returns (bool) { return _check(id); }
    function _check(uint256 id) internal view returns (bool) { require(isOpen[id]); return true; }
    function enter(uint256 id) external override returns (bool) { isOpen[id] = true; return true; }
}
contract Market {
    IRules rules;
    uint256 public last;
    mapping(uint256 => uint256) public bids;
    function level() internal view returns (uint256) { return last; }
    function bid(uint256 id, uint256 amount, address by) external {
        rules.check(id);
        rules.enter(id);
        rules.unknown(id);
        level();
        require(rules.open(id));
        bool known = rules.open(id);
        if (by == msg.sender) {}
        if (amount > 3) last = 1;
        if ((last = amount) > 3) {}
    }
    function use(IRules next) external {
        next.open(0);
        rules = next;
    }
    function stay(bool known, uint256 id, uint256 amount) external {
        if (known) { bids[id] = amount; } else { bids[id] = 0; }
    }
}`,
      `pragma solidity ^0.5.0;
contract Context {
    function both(uint256 a, address to) external pure returns (uint256) {
        to = to;
        return a;
    }
    function data(uint256 unused) external view returns (bytes memory) {
        this;
        unused;
        return msg.data;
    }
}`,
      `pragma solidity ^0.8.0;
contract Settings {
    uint256 fee;
    uint256 lock;
    mapping(uint256 => uint256) table;
    function read() internal view returns (uint256) { return lock; }
    function ordered(uint256 a, uint256 b) external pure {
        a - b;
    }
    function run(uint256 a, address to) external {
        lock = 1;
        (bool ok, ) = to.call("");
        require(ok);
        lock = 0;
        fee = a;
        fee = fee * 2;
        table[a] = 1;
        table[a + 1] = 2;
        table[1] = read();
        lock = 3;
        if (a > 3) lock = 4;
    }
}`,
      `pragma solidity ^0.8.0;
contract Locked {
  bool locked;
  uint256 count;
  modifier lock() { require(!locked); locked = true; _; locked = false; }
  function bump() external lock { count++; }
}`,
      `pragma solidity ^0.7.6;
contract Steps {
    struct Range {
        uint256 from;
        uint256 to;
    }
    uint256 public total;
    uint256 public last;
    uint256[] list;
    Range range;

    function next() internal returns (uint256) {
        return list.length;
    }

    function run(uint256 a) external {
        next() + 1;
        (total = a) == 0;
        last++ == 3;
        last-- == 3;
        total += total;
        list[next()] = list[next()];
    }

    function fill(uint256 i) external {
        list[i] = 1;
        i += 1;
        list[i] = 2;
        range.from = 3;
        range.to = 4;
    }

    function choose(bool high) external {
        last = 1;
        if (high) last = 2;
    }

    function stop() external {
        return;
        last = last;
        last = 1;
        last = 2;
    }
}`,
    ],
  },
}

const hasCall = (root: S.Node): boolean => {
  let found = false
  walk(root, (e) => {
    if (e.kind === "FunctionCall" || e.kind === "Assignment") found = true
    if (e.kind === "UnaryOperation" && (e.operator === "++" || e.operator === "--")) found = true
    return !found
  })
  return found
}

/** An operation with an unused result: `a == b;`. A name alone is how old code silences warnings. */
const idle = (node: FlowNode): S.Expression | undefined => {
  const e = node.node?.kind === "ExpressionStatement" ? node.node.expression : undefined
  if (e?.kind !== "BinaryOperation" || hasCall(e)) return undefined
  // checked arithmetic reverts on overflow: a sum of locals alone can be intended as that check
  const { checkedArithmetic } = node.callable.source.version
  const isCheck = checkedArithmetic && !node.unchecked && /^[-+*/%]$/.test(e.operator)
  return isCheck && !node.events.some(({ kind }) => kind === "read") ? undefined : e
}

const sameText = (node: FlowNode, a: S.Expression, b: S.Expression): boolean => {
  const { text } = node.callable.source.file
  const strip = (e: S.Expression): string => text.slice(e.start, e.end).replaceAll(/\s/g, "")
  return strip(a) === strip(b)
}

/** `x = x;` of storage. With a parameter, some use it to silence a warning. */
const selfAssigned = (node: FlowNode): S.Expression | undefined => {
  const e = node.expression
  if (e?.kind !== "Assignment" || e.operator !== "=" || hasCall(e.left)) return undefined
  return node.events.some(({ kind }) => kind === "write") && sameText(node, e.left, e.right) ? e : undefined
}

/** The next step, if there is only one. */
const following = (node: FlowNode): FlowNode | undefined => {
  const [next] = node.succs
  return node.succs.length === 1 ? next : undefined
}

const stepLimit = 12

/** The state variable, or its entry, that a step assigns, if that is its only effect on storage. */
const assigned = (node: FlowNode): Assigned | undefined => {
  const e = node.expression
  if (e?.kind !== "Assignment") return undefined
  const write = node.events.find((event) => event.kind === "write")
  if (write?.kind !== "write") return undefined
  const [variable] = write.place.variables
  return variable === undefined ? undefined : { variable, left: e.left, isEntry: write.place.path !== "" }
}

/** State variables that are assigned twice before anybody could have read them. */
const overwrites = (flow: Flow): ReadonlyArray<Overwritten> => {
  const found: Array<Overwritten> = []
  for (const first of flow.nodes) {
    // a modifier also surrounds other bodies: `locked = true; _; locked = false;`
    const isOwn = first.callable === flow.fn && flow.isReachable(first)
    const target = isOwn ? assigned(first) : undefined
    if (target === undefined) continue
    const { variable, left, isEntry } = target
    let node = following(first)
    for (let i = 0; i < stepLimit && node !== undefined; i++) {
      const quiet = node.events.every((event) =>
        event.kind === "call"
          ? event.callKind === "conversion" || event.callKind === "event"
          : event.kind === "write" || !event.place.variables.includes(variable),
      )
      if (!quiet) break
      // the index may have changed then
      if (isEntry && node.definitions.length > 0) break
      const again = assigned(node)
      if (again?.variable === variable && sameText(node, left, again.left)) {
        found.push({ first, second: node, variable })
        break
      }
      node = following(node)
    }
  }
  return found
}
