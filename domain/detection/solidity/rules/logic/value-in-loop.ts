import type { Rule } from "../../../Rule.ts"
import type { Expr, FlowNode } from "../../flow/graph/graph.ts"
import { isZero } from "../../flow/values/isZero.ts"
import type { Flow, Program } from "../../program.ts"
import { callSteps, placeAt, placeOf } from "../../questions/authority/attackerControl.ts"
import { walk } from "../../visit.ts"

export const valueInLoop: Rule<Program> = {
  meta: {
    id: "evm/logic/value-in-loop",
    class: "delegatecall-loop",
    title: "msg.value used in a loop",
    severity: "high",
    confidence: "medium",
    cwe: [837],
    description:
      "`msg.value` is the same in every iteration of the loop, but each iteration credits it, forwards it, or " +
      "accepts it as full payment. The caller pays once and is served as often as the loop runs: ten items for " +
      "the price of one, or the same deposit credited to ten accounts.",
    remediation:
      "Compare `msg.value` with the total once, outside the loop, or keep the remaining value in a local " +
      "variable that each iteration reduces.",
    references: [
      "https://github.com/crytic/slither/wiki/Detector-Documentation#msgvalue-inside-a-loop",
      "https://www.paradigm.xyz/2021/08/two-rights-might-make-a-wrong",
    ],
  },
  check: (program, report) => {
    for (const flow of program.allFlows()) {
      for (const node of flow.nodes) {
        // What the loop reaches only once, such as before it returns, is no different from outside.
        if (node.loop === undefined || !flow.reaches(node, node)) continue
        if (node.kind === "condition" && node.expression !== undefined) {
          if (acceptsValue(flow, node, node.expression))
            report({ ...placeAt(node, node.expression), scope: flow.fn.scope })
          continue
        }
        for (const event of node.events) {
          if (event.kind === "call" && event.callKind === "internal" && event.target?.implemented === true) {
            const inner = program.flow(event.target)
            for (const each of inner.conditionNodes()) {
              if (each.expression === undefined || !acceptsValue(inner, each, each.expression)) continue
              report({ ...placeAt(each, each.expression), scope: inner.fn.scope, trace: callSteps([event]) })
            }
          }
          // a payment, or an amount that is credited
          if (event.value === undefined || !isWholeValue(program, event.value)) continue
          report({ ...placeOf(event), scope: flow.fn.scope })
        }
      }
    }
  },
  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
contract Pots {
  mapping(address => uint256) public pots;
  function fill(address[] calldata who) external payable {
    for (uint256 i = 0; i < who.length; i++) {
      pots[who[i]] += msg.value; // FINDING
    }
  }
}`,
      `pragma solidity ^0.8.20;
contract Shop {
  uint256 constant PRICE = 1 ether;
  mapping(uint256 => address) public ownerOf;
  function buy(uint256[] calldata ids) external payable {
    for (uint256 i; i < ids.length; ++i) {
      require(msg.value >= PRICE, "pay"); // FINDING
      ownerOf[ids[i]] = msg.sender;
    }
  }
}`,
      `pragma solidity ^0.8.20;
contract Shop {
  uint256 price = 1 ether;
  uint256 sold;
  function buy() public payable {
    require(msg.value == price, "pay"); // FINDING
    sold++;
  }
  function buyMany(uint256 count) external payable {
    for (uint256 i; i < count; ++i) buy();
  }
}`,
      `pragma solidity ^0.8.0;
contract Shop {
    mapping(address => uint256) credit;
    mapping(uint256 => address) ownerOf;
    uint256 price = 1 ether;
    uint256 fee;

    function _take(uint256 id) internal {
        uint256 due = price;
        require(msg.value >= due); // FINDING
        ownerOf[id] = msg.sender;
    }

    function take(uint256[] calldata ids) external payable {
        for (uint256 i = 0; i < ids.length; i++) _take(ids[i]);
    }

    function buy(uint256[] calldata ids) external payable {
        uint256 due = fee;
        for (uint256 i = 0; i < ids.length; i++) {
            if (ids[i] == 0 || due > msg.value) revert(); // FINDING
            require(price == msg.value && ids[i] > 1); // FINDING
            ownerOf[ids[i]] = msg.sender;
        }
        price += 1;
    }

    function share(address[] calldata to) external payable {
        for (uint256 i = 0; i < to.length; i++) {
            credit[to[i]] = credit[to[i]] + msg.value; // FINDING
            payable(to[i]).transfer(msg.value - fee); // FINDING
            address next = to[i];
            assembly {
                pop(call(gas(), next, callvalue(), 0, 0, 0, 0)) // FINDING
            }
        }
    }
}`,
    ],
    safe: [
      // The loop ends with the payment.
      `pragma solidity ^0.8.20;
contract Feeds {
  mapping(bytes32 => uint256) times;
  uint256 public fee = 1;
  function update() public payable { if (msg.value < fee) revert(); }
  function updateIfNew(bytes32[] calldata ids, uint256[] calldata at) external payable {
    for (uint256 i = 0; i < ids.length; i++) {
      if (times[ids[i]] < at[i]) {
        update();
        return;
      }
    }
  }
}`,
      `pragma solidity ^0.8.20;
contract Shop {
  uint256 constant PRICE = 1 ether;
  mapping(uint256 => address) public ownerOf;
  mapping(address => uint256) public pots;
  function buy(uint256[] calldata ids) external payable {
    require(msg.value == PRICE * ids.length, "pay");
    for (uint256 i; i < ids.length; ++i) ownerOf[ids[i]] = msg.sender;
  }
  function split(address[] calldata who) external payable {
    uint256 share = msg.value / who.length;
    for (uint256 i; i < who.length; ++i) pots[who[i]] += share;
  }
}`,
      `pragma solidity ^0.8.20;
contract Split {
  mapping(address => uint256) public pots;
  function fill(address[] calldata who, uint256[] calldata amounts) external payable {
    uint256 spent;
    for (uint256 i; i < who.length; ++i) {
      spent += amounts[i];
      require(spent <= msg.value, "too much");
      pots[who[i]] += amounts[i];
    }
    while (spent < msg.value) { pots[msg.sender] += 1; spent += 1; }
  }
  function share(address[] calldata who) external payable {
    for (uint256 i; i < who.length; ++i) pots[who[i]] += msg.value / who.length;
  }
}`,
      `pragma solidity ^0.8.0;
contract Market {
    uint256 public price = 1 ether;
    mapping(uint256 => address) ownerOf;

    function buy(uint256 id, address to) external payable {
        require(msg.value >= price);
        ownerOf[id] = to;
    }
}
contract Basket {
    mapping(uint256 => bool) seen;

    function _check(uint256 id) internal {
        require(!seen[id] && id > 0);
        seen[id] = true;
    }

    function buyAll(Market market, uint256[] calldata ids) external payable {
        uint256 price = market.price();
        for (uint256 i = 0; i < ids.length; i++) {
            require(msg.value > 0);
            _check(ids[i]);
            market.buy{value: price}(ids[i], msg.sender);
        }
    }
}`,
    ],
  },
}

/** `msg.value` itself, or something added to it. */
const isWholeValue = (program: Program, e: Expr): boolean => {
  if (e.kind === "YulFunctionCall") return e.name === "callvalue"
  if (e.kind === "BinaryOperation" && (e.operator === "+" || e.operator === "-"))
    return isWholeValue(program, e.left) || isWholeValue(program, e.right)
  return e.kind === "MemberAccess" && program.isBuiltin(e, "msg.value")
}

/** A comparison of msg.value with something that no iteration changes. */
const acceptsValue = (flow: Flow, node: FlowNode, e: Expr): boolean => {
  if (e.kind !== "BinaryOperation") return false
  if (e.operator === "&&" || e.operator === "||")
    return acceptsValue(flow, node, e.left) || acceptsValue(flow, node, e.right)
  const value = [e.left, e.right].find((side) => isWholeValue(flow.program, side))
  const price = value === e.left ? e.right : e.left
  return value !== undefined && !isZero(price) && !changesInLoop(flow, node, price)
}

/** Whether the value mentions a local that the loop assigns, or state that it writes. */
const changesInLoop = (flow: Flow, node: FlowNode, e: Expr): boolean => {
  if (node.loop === undefined) return false
  const inLoop = flow.nodes.filter((other) => other.loop === node.loop)
  const changed = new Set<unknown>(inLoop.flatMap((other) => other.definitions.map(({ variable }) => variable)))
  for (const { at, place } of flow.writes)
    if (at.loop === node.loop) for (const v of place?.variables ?? []) changed.add(v)
  let found = false
  walk(e, (part) => {
    if (part.kind === "Identifier" && changed.has(flow.program.referenceOf(part))) found = true
    return !found
  })
  return found
}
