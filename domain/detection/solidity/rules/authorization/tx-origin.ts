import type { Rule } from "../../../Rule.ts"
import type { Expr, FlowNode } from "../../flow/graph/graph.ts"
import type { StorageAccess } from "../../flow/graph/events.ts"
import { Source, only } from "../../flow/graph/origins.ts"
import { isZero } from "../../flow/values/isZero.ts"
import type { Flow, Program } from "../../program.ts"
import { mentions } from "../../questions/value/mentions.ts"
import { walk } from "../../visit.ts"

export const txOrigin: Rule<Program> = {
  meta: {
    id: "evm/authorization/tx-origin",
    class: "tx-origin",
    title: "Authorization through tx.origin",
    severity: "medium",
    confidence: "high",
    cwe: [863, 477],
    swc: 115,
    description:
      "The check compares `tx.origin`, the account that signed the transaction, instead of `msg.sender`, the " +
      "account that makes the call. If an owner is lured into any transaction that reaches an attacker's " +
      "contract (a token with a hook, a payment to a contract), that contract can call this function and pass " +
      "the check, because `tx.origin` is still the owner.",
    remediation:
      "Compare `msg.sender` instead. To exclude smart contract accounts, `msg.sender == tx.origin` is safe from " +
      "this attack, but it locks out multisigs and account abstraction.",
    references: ["https://docs.soliditylang.org/en/latest/security-considerations.html#tx-origin"],
  },

  check: (program, report) => {
    // most projects never mention it
    const { declarations, unresolved } = mentions(program)
    if (!unresolved.has("origin") && ![...declarations].some((d) => d.kind === "Builtin" && d.name === "tx.origin"))
      return
    for (const flow of program.allFlows()) {
      for (const node of flow.nodes) {
        const { expression } = node
        if (expression === undefined || node.kind === "branch" || !flow.isReachable(node)) continue
        const found =
          comparesOrigin(flow, node, expression) ??
          looksUpOrigin(flow, node, expression) ??
          changesForOrigin(flow, node)
        if (found !== undefined) report({ file: node.callable.source.file, span: found, scope: node.callable.scope })
      }
    }
  },

  examples: {
    vulnerable: [
      // Somebody may have the key of an address that is written down, and whoever has that of the owner can be lured.
      `pragma solidity ^0.8.0;
contract Valve {
  address constant KEEPER = address(uint160(0x1234567890123456789012345678901234567890));
  address owner = address(uint160(uint256(keccak256("owner"))));
  uint256 public flow;
  function open() external { if (tx.origin == KEEPER) flow = 1; } // FINDING
  function close() external { if (tx.origin == owner) flow = 0; } // FINDING
}`,
      `pragma solidity ^0.8.0;
contract Wallet {
    address private owner = msg.sender;

    function pay(address payable to, uint256 amount) external {
        require(tx.origin == owner, "not owner"); // FINDING
        to.transfer(amount);
    }
}`,
      `pragma solidity ^0.4.24;
contract Registry {
    mapping(address => bool) admins;
    address chief;
    uint256 fee;

    modifier restricted() {
        address signer = tx.origin;
        if (signer != chief) { // FINDING
            revert();
        }
        _;
    }

    function setFee(uint256 next) public restricted {
        fee = next;
    }
}`,
      `pragma solidity ^0.8.0;
contract Members {
    mapping(address => bool) isAdmin;
    uint256 public fee;

    constructor() {
        isAdmin[msg.sender] = true;
    }

    function setFee(uint256 next) external {
        if (!isAdmin[tx.origin]) revert("not admin"); // FINDING
        fee = next;
    }
}`,
      `pragma solidity ^0.8.0;
contract Switch {
    address owner = msg.sender;
    bool public on;

    function isOwner() internal view returns (bool) {
        return tx.origin == owner; // FINDING
    }

    function flip() external {
        require(isOwner());
        on = !on;
    }
}`,
      `pragma solidity ^0.8.0;
contract Points {
    mapping(address => uint256) points;
    function earn() external payable { points[msg.sender] += msg.value; }
    function give(address to, uint256 amount) external {
        points[tx.origin] -= amount; // FINDING
        points[to] += amount;
    }
}`,
      `pragma solidity ^0.8.0;
contract Delegates {
  mapping(address => address) public delegates;
  function delegate(address to) external {
    delegates[tx.origin] = to; // FINDING
  }
}
contract Roles {
  struct Role { mapping(address => bool) holders; bytes32 admin; }
  mapping(bytes32 => Role) roles;
  mapping(bytes32 => bool) known;
  uint256 public fee;
  constructor() { roles["admin"].holders[msg.sender] = true; known[keccak256(abi.encode(msg.sender))] = true; }
  function setFee(uint256 next) external {
    require(roles["admin"].holders[tx.origin]); // FINDING
    fee = next;
  }
  function setDouble(uint256 next) external {
    require(known[keccak256(abi.encode(tx.origin))]); // FINDING
    fee = 2 * next;
  }
  function join(bytes32 role) external {
    roles[role].holders[tx.origin] = true; // FINDING
  }
}
contract Limits {
  mapping(uint256 => mapping(address => uint256)) public limits;
  function limit(uint256 kind, uint256 amount) external {
    limits[kind][tx.origin] = amount; // FINDING
  }
}`,
      // Whatever way the table or the comparison is written.
      `pragma solidity ^0.8.20;
contract Desk {
  mapping(address => bool) barred;
  mapping(address => bool) member;
  address owner = msg.sender;
  bool open = true;
  uint256 public count;
  function isMember(address who) public view returns (bool) { return member[who]; }
  function add() external {
    require(!barred[tx.origin]); // FINDING
    count += 1;
  }
  function addOpen() external {
    require(open && member[tx.origin]); // FINDING
    count += 2;
  }
  function addEither() external {
    require(open || member[tx.origin]); // FINDING
    count += 3;
  }
  function addAsked() external {
    require(isMember(tx.origin)); // FINDING
    count += 4;
  }
  function addLow() external {
    assembly { if iszero(eq(origin(), sload(owner.slot))) { revert(0, 0) } } // FINDING
    count += 5;
  }
}`,
    ],
    safe: [
      // Only simulations come from nobody.
      `pragma solidity ^0.8.0;
contract Relay {
  address constant SIMULATION = address(uint160(uint256(keccak256("simulation"))));
  uint256 public last;
  function check(address signer, bytes32 hash, uint8 v, bytes32 r, bytes32 s) public view {
    if (tx.origin == SIMULATION) return;
    require(ecrecover(hash, v, r, s) == signer);
  }
  function run(uint256 gas) external {
    if (tx.origin == address(0)) require(gasleft() > gas);
    last = gasleft();
  }
}`,
      // What is never reached asks nobody.
      `pragma solidity ^0.8.0;
contract Closed {
    address immutable owner = msg.sender;
    uint256 public fee;

    function setFee(uint256 next) external {
        revert("closed");
        require(tx.origin == owner);
        fee = next;
    }
}`,
      // An entry of its own by a number of its own, which anyone may make.
      `pragma solidity ^0.8.0;
contract Orders {
    struct State { bool made; uint256 amount; }
    mapping(address => uint256) public nonces;
    mapping(bytes32 => State) public states;

    function make(uint256 amount) external payable returns (bytes32 id) {
        id = keccak256(abi.encode(nonces[tx.origin]++, abi.encodePacked(tx.origin), amount));
        State storage state = states[id];
        if (state.made) revert();
        state.made = true;
        state.amount = amount;
    }
}`,
      `pragma solidity ^0.8.0;
contract Gate {
  mapping(address => uint256) seen;
  uint256 public passed;
  function pass() external {
    require(seen[tx.origin] < block.number);
    seen[tx.origin] = block.number;
    passed++;
  }
}`,
      `pragma solidity ^0.8.0;
contract Wallet {
    address private owner = msg.sender;

    function pay(address payable to, uint256 amount) external {
        require(msg.sender == owner, "not owner");
        to.transfer(amount);
    }
}`,
      `pragma solidity ^0.8.0;
contract Mint {
    event Minted(address indexed by, address indexed signer);
    mapping(address => uint256) public minted;

    function mint() external {
        require(msg.sender == tx.origin, "no contracts");
        minted[msg.sender] += 1;
        emit Minted(msg.sender, tx.origin);
    }
}`,
      // No condition depends on it.
      `pragma solidity ^0.8.20;
contract Draw {
  mapping(address => uint256) seats;
  uint256 public seed;
  function draw() external { seed = uint160(tx.origin) ^ block.number; }
  function mix() external {
    uint256 sum;
    assembly { sum := add(origin(), 1) }
    seed = sum;
  }
}`,
    ],
  },
}

/** The comparison of tx.origin with anything but the sender. */
const comparesOrigin = (flow: Flow, node: FlowNode, e: Expr): Expr | undefined => {
  let found: Expr | undefined
  walk(e, (part) => {
    const sides =
      part.kind === "BinaryOperation" && (part.operator === "==" || part.operator === "!=")
        ? [part.left, part.right]
        : part.kind === "YulFunctionCall" && part.name === "eq"
          ? part.args
          : []
    const sources = sides.map((side) => flow.origins(side, node).sources)
    const isCheck = sources.some((o) => (o & Source.txOrigin) !== 0) && !sources.some((o) => (o & Source.sender) !== 0)
    if (isCheck && !sides.some((side) => isNobody(flow.program, side))) found ??= part as Expr // a comparison of either language is an expression
    return found === undefined
  })
  return found
}

/** An address without a key, from which only simulations are sent: zero, or the hash of a text. */
const isNobody = (program: Program, e: Expr): boolean => {
  if (isZero(e)) return true
  const constant = e.kind === "Identifier" ? program.referenceOf(e) : undefined
  if (constant?.kind !== "StateVariable" || !constant.constant || constant.node?.value === undefined) return false
  let isHash = false
  walk(constant.node.value, (part) => {
    isHash ||= part.kind === "FunctionCall" && program.callOf(part)?.name === "keccak256"
    return !isHash
  })
  return isHash
}

/** What a condition is made of. */
const partsOf = (e: Expr): ReadonlyArray<Expr> =>
  e.kind === "BinaryOperation" && (e.operator === "&&" || e.operator === "||")
    ? [...partsOf(e.left), ...partsOf(e.right)]
    : [e]

/** A condition, or a boolean result, that looks up tx.origin in a table of members. */
const looksUpOrigin = (flow: Flow, node: FlowNode, e: Expr): Expr | undefined => {
  if (node.kind !== "condition") return undefined
  return partsOf(e).find((part) => {
    if (part.kind === "BinaryOperation") return false
    const { sources, keys } = flow.origins(part, node)
    return nameSigner(keys) && (sources & Source.state) !== 0
  })
}

/**
 * A change to the record of the account that signed the transaction, whoever called; the time it was last seen and the
 * number of its calls are not records.
 */
const changesForOrigin = (flow: Flow, node: FlowNode): Expr | undefined =>
  node.events.find(
    (event): event is StorageAccess =>
      event.kind === "write" &&
      event.operation !== "increment" &&
      nameSigner(event.place.keys.sources) &&
      !isLastSeen(flow, event),
  )?.expression

/** Whether keys name the signer: a hash over more than its address identifies something else. */
const nameSigner = (keys: number): boolean =>
  (keys & Source.txOrigin) !== 0 && ((keys & Source.hash) === 0 || (keys & (Source.parameter | Source.state)) === 0)

const isLastSeen = (flow: Flow, { value, at }: StorageAccess): boolean =>
  value !== undefined && only(flow.origins(value, at), Source.timestamp | Source.blockNumber)
