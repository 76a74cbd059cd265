import type { Rule } from "../../../Rule.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import { isZero } from "../../flow/values/isZero.ts"
import { sendsEther } from "../../flow/events/outgoingCalls.ts"
import type { LocalVariable } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import { isReferenceType } from "../../types.ts"
import { walk } from "../../visit.ts"

export const localNeverAssigned: Rule<Program> = {
  meta: {
    id: "evm/initialization/local-never-assigned",
    class: "uninit-local",
    title: "Local variable used before assignment",
    severity: "medium",
    confidence: "medium",
    cwe: [457],
    description:
      "The local variable is declared without a value and used although nothing has been assigned to it, on any " +
      "path or on the one that leads to a payment. It is zero at that point: ether goes to address(0) and is " +
      "lost, or an amount or flag does not have the value that the code expects. Usually, an assignment was " +
      "forgotten or went to another variable.",
    remediation:
      "Assign the value on every path before it is used. If zero is intended, write it explicitly: `uint256 " +
      "total = 0;`, and reject address(0) before paying.",
    references: ["https://github.com/crytic/slither/wiki/Detector-Documentation#uninitialized-local-variables"],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      let naming: ReturnType<typeof stepsNaming> | undefined
      for (const node of flow.nodes) {
        if (!flow.isReachable(node)) continue
        for (const { variable, value } of node.definitions) {
          if (variable.kind !== "LocalVariable" || variable.role !== "local" || value !== undefined) continue
          if (isReferenceType(variable.type) || variable.type.kind === "unknown") continue
          const never = flow.definitionsOf(variable).length === 1
          if (never) naming ??= stepsNaming(program, flow)
          const use = never
            ? firstUse(program, naming?.get(variable) ?? [], variable)
            : unsetReceiver(program, flow, variable)
          if (use?.expression === undefined) continue
          const { file } = node.callable.source
          report({
            file,
            span: variable.node,
            scope: node.callable.scope,
            message: never
              ? `\`${variable.name}\` is never assigned a value.`
              : `\`${variable.name}\` has no value on one of the paths to the payment.`,
            trace: [
              { file, span: variable.node, note: "declared without a value" },
              { file: use.callable.source.file, span: use.expression, note: "used" },
            ],
          })
        }
      }
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.0;
contract Till {
    function pay() external payable {
        address payable to; // FINDING
        to.transfer(msg.value);
    }
}`,
      `pragma solidity ^0.4.24;
contract Game {
    address first;
    uint256 total;

    function close(bool won, uint256 amount) public {
        address winner; // FINDING
        uint256 fee; // FINDING
        if (won) winner = first;
        total = amount - fee;
        winner.transfer(amount);
    }
}`,
      // Also where only assembly reads it.
      `pragma solidity ^0.8.20;
contract Desk {
  function pay() external payable {
    address to; // FINDING
    assembly { pop(call(gas(), to, 1, 0, 0, 0, 0)) }
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
interface IIssuer { function burn(uint256 amount) external; }
contract Relay {
    address immutable bridge;
    constructor(address b) { bridge = b; }
    function send(uint256 amount) external {
        IIssuer issuer;
        (bool ok, ) = bridge.call(abi.encodeWithSelector(issuer.burn.selector, amount));
        require(ok);
    }
}`,
      `pragma solidity ^0.8.0;
contract Till {
    uint256[] amounts;
    mapping(address => address payable) heirs;

    function sum() external view returns (uint256) {
        uint256 total;
        for (uint256 i; i < amounts.length; i++) total += amounts[i];
        return total;
    }

    function pay(bool first, address payable a, address payable b) external payable {
        address payable to;
        if (first) to = a;
        else to = b;
        to.transfer(msg.value);
    }

    function checked(bool first, address payable a) external payable {
        address payable to;
        if (first) to = a;
        require(to != address(0));
        to.transfer(msg.value);
    }

    function raw() external view returns (uint256) {
        uint256 size;
        assembly { size := extcodesize(caller()) }
        return size;
    }
}`,
      `pragma solidity ^0.8.0;
contract Empty {
    struct Note { uint256 a; }
    Note[] notes;

    function add() external {
        Note memory note;
        notes.push(note);
        bytes memory nothing;
        (bool ok, ) = msg.sender.call(nothing);
        require(ok);
    }

    function twice(uint256 a, uint256 b) internal pure returns (uint256) {
        return a + b;
    }

    function plain(uint256 a) external pure returns (uint256) {
        uint256 zero;
        return twice(a, zero);
    }

    function decode(bytes memory data) external pure returns (uint256 a) {
        uint256 b;
        (a, b) = abi.decode(data, (uint256, uint256));
        a += b;
    }
}`,
      // The zero is meant, or was thought of.
      `pragma solidity ^0.8.20;
contract Desk {
  function total() external pure returns (uint256 sum) { return sum + 1; }
  function ignore(bytes32 code) external pure returns (bytes32) { delete code; return code; }
  function clear() external pure { uint256 zero; assembly { mstore(0, zero) } }
  function pay(bool own) external payable {
    address payable to;
    if (own) to = payable(msg.sender);
    require(address(0) != to);
    to.transfer(1);
  }
}`,
    ],
  },
}

/** The steps whose expressions name a variable, in order. */
const stepsNaming = (program: Program, flow: Flow): ReadonlyMap<unknown, ReadonlyArray<FlowNode>> => {
  const naming = new Map<unknown, Array<FlowNode>>()
  for (const node of flow.nodes) {
    if (node.kind === "branch" || node.expression === undefined || !flow.isReachable(node)) continue
    walk(node.expression, (e) => {
      if (e.kind !== "Identifier" && e.kind !== "YulIdentifier") return
      const variable = program.referenceOf(e)
      const known = naming.get(variable)
      if (known === undefined) naming.set(variable, [node])
      else known.push(node)
    })
  }
  return naming
}

/** The first step that reads a local. A number that is only passed to calls or assembly represents an intended zero. */
const firstUse = (program: Program, naming: ReadonlyArray<FlowNode>, variable: LocalVariable): FlowNode | undefined =>
  naming.find((node) => {
    if (node.expression === undefined) return false
    let found = false
    walk(node.expression, (e) => {
      if (
        e.kind === "FunctionCall" &&
        variable.type.kind === "integer" &&
        e.args.some((arg) => program.referenceOf(arg) === variable)
      )
        return false
      // a type under another name: `issuer.burn.selector`
      if (e.kind === "MemberAccess" && e.member === "selector") return false
      const mentions = e.kind === "Identifier" || (e.kind === "YulIdentifier" && variable.type.kind !== "integer")
      if (mentions && program.referenceOf(e) === variable) found = true
      return !found
    })
    return found
  })

/** A comparison with zero before the use shows that the author considered it. */
const isCompared = (program: Program, flow: Flow, variable: LocalVariable): boolean => {
  let found = false
  for (const node of flow.conditionNodes()) {
    walk(node.expression!, (e) => {
      if (e.kind !== "BinaryOperation") return
      const other = isZero(e.left) ? e.right : isZero(e.right) ? e.left : undefined
      if (other?.kind === "Identifier" && program.referenceOf(other) === variable) found = true
    })
  }
  return found
}

/** A payment of ether to a local address that some path leaves unassigned. */
const unsetReceiver = (program: Program, flow: Flow, variable: LocalVariable): FlowNode | undefined => {
  if (isCompared(program, flow, variable)) return undefined
  for (const site of flow.calls()) {
    if (!sendsEther(site) || site.receiver?.kind !== "Identifier") continue
    if (program.referenceOf(site.receiver) !== variable) continue
    if (flow.values.reaching(variable, site.at).definitions.some((d) => d.value === undefined)) return site.at
  }
  return undefined
}
