import { indexBy } from "../../../indexBy.ts"
import { oncePer } from "../../../oncePer.ts"
import type { Rule } from "../../../Rule.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import { isZero } from "../../flow/values/isZero.ts"
import { sendsEther } from "../../flow/events/outgoingCalls.ts"
import type { Callable, LocalVariable } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
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
      "total = 0;`, outside of functions with loops, and reject address(0) before paying.",
    references: ["https://github.com/crytic/slither/wiki/Detector-Documentation#uninitialized-local-variables"],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      let naming: ReturnType<typeof stepsNaming> | undefined
      for (const { variable, callable, definitions } of unsetLocals(flow)) {
        // `return (x, total)` names each result anew, after the last use of its old value
        const given = flow.definitionsOf(variable).filter(({ at }) => at.node?.kind !== "ReturnStatement")
        const never = given.length === definitions
        if (never && isFloor(program, variable, callable)) continue
        if (never) naming ??= stepsNaming(program, flow)
        const use = never ? firstUse(program, naming?.get(variable) ?? [], variable) : unsetReceiver(flow, variable)
        if (use?.expression === undefined && !(never && definitions === 0 && !returnsValue(flow))) continue
        const { file } = callable.source
        report({
          file,
          span: variable.node,
          scope: callable.scope,
          message: never
            ? `\`${variable.name}\` is never assigned a value.`
            : `\`${variable.name}\` has no value on one of the paths to the payment.`,
          trace: [
            { file, span: variable.node, note: "declared without a value" },
            ...(use?.expression === undefined
              ? []
              : [{ file: use.callable.source.file, span: use.expression, note: "used" }]),
          ],
        })
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
      // Totals of a loop that nothing is added to.
      `pragma solidity ^0.8.20;
interface IDesk { function pay(address to, uint256 amount) external payable; }
contract Batch {
  IDesk immutable desk;
  mapping(address => uint256) due;
  constructor(IDesk d) { desk = d; }
  function payAll(address[] calldata to, uint256[] calldata amounts) external payable {
    uint256 spent = 0; // FINDING
    for (uint256 i = 0; i < to.length; i++) desk.pay{value: amounts[i]}(to[i], amounts[i]);
    payable(msg.sender).transfer(msg.value - spent);
  }
  function collect(address[] calldata from) external returns (
    uint256 total // FINDING
  ) {
    for (uint256 i = 0; i < from.length; i++) due[from[i]] = 0;
    payable(msg.sender).transfer(total + 1);
  }
  function take(address[] calldata from) external returns (
    uint256[] memory amounts,
    uint256 sum // FINDING
  ) {
    amounts = new uint256[](from.length);
    for (uint256 i = 0; i < from.length; i++) amounts[i] = due[from[i]];
    return (amounts, sum);
  }
  function drop(address[] calldata from) external returns (
    uint256 count // FINDING
  ) {
    for (uint256 i = 0; i < from.length; i++) delete due[from[i]];
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
      // Nothing unsigned is less than zero: the limit was forgotten.
      `pragma solidity ^0.8.0;
contract Curve {
    function rate(uint256 n) external pure returns (uint256) {
        uint256 least; // FINDING
        return n > least ? n : least;
    }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
contract Sums {
    function none(uint256 a) external pure returns (uint256) {
        uint256 fee = 0;
        return a - fee;
    }

    function nothing(uint256[] calldata a) external pure returns (uint256[] memory none) {
        for (uint256 i = 0; i < a.length; i++) require(a[i] == 7);
    }

    function last(uint256[] calldata a) external pure returns (uint256 found) {
        for (uint256 i = 0; i < a.length; i++) if (a[i] == 7) return i;
    }

    function each(uint256[] calldata a) external view returns (uint256 found) {
        for (uint256 i = 0; i < a.length; i++) if (a[i] == 7) assembly { found := 1 }
    }
}`,
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
      // What is negative becomes zero.
      `pragma solidity ^0.8.0;
contract Curve {
    function rate(int256 n) external pure returns (uint256) {
        int256 zero;
        return uint256(n > zero ? n : zero);
    }
}`,
    ],
  },
}

interface Unset {
  readonly variable: LocalVariable
  readonly callable: Callable
  /** How many definitions it has of which none gives it a value. */
  readonly definitions: number
}

/**
 * Locals declared without a value. In a function with a loop, also the numbers that begin at zero: nothing is ever
 * added to a total that remains so.
 */
function* unsetLocals(flow: Flow): Generator<Unset> {
  const sums = flow.loops.length > 0
  for (const node of flow.nodes) {
    if (!flow.isReachable(node)) continue
    for (const { variable, value } of node.definitions) {
      if (variable.kind !== "LocalVariable" || variable.role !== "local") continue
      if (isReferenceType(variable.type) || variable.type.kind === "unknown") continue
      if (value === undefined || (sums && isZero(value))) yield { variable, callable: node.callable, definitions: 1 }
    }
  }
  if (!sums) return
  for (const variable of flow.fn.returns)
    if (variable.type.kind === "integer") yield { variable, callable: flow.fn, definitions: 0 }
}

/** Whether some path names what it returns. */
const returnsValue = (flow: Flow): boolean => flow.nodes.some(({ node }) => node?.kind === "ReturnStatement")

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

/** `n > zero ? n : zero`, of signed numbers: what is negative becomes zero. */
const isFloor = (program: Program, variable: LocalVariable, { node }: Callable): boolean => {
  let found = false
  if (variable.type.kind !== "integer" || !variable.type.signed || node.body === undefined) return false
  const isIt = (e: S.Expression): boolean => program.referenceOf(e) === variable
  walk(node.body, (e) => {
    found ||=
      e.kind === "Conditional" &&
      e.condition.kind === "BinaryOperation" &&
      [e.condition.left, e.condition.right].some(isIt) &&
      [e.then, e.else].some(isIt)
    return !found
  })
  return found
}

/** What is compared with zero: the author thought of it. */
const comparedWithZero = oncePer((flow: Flow): ReadonlySet<unknown> => {
  const found = new Set<unknown>()
  for (const node of flow.conditionNodes())
    walk(node.expression!, (e) => {
      if (e.kind !== "BinaryOperation") return
      const other = isZero(e.left) ? e.right : isZero(e.right) ? e.left : undefined
      if (other?.kind === "Identifier") found.add(flow.program.referenceOf(other))
    })
  return found
})

/** Payments of ether by the variable that names the receiver. */
const paymentsTo = oncePer((flow: Flow) =>
  indexBy(flow.calls().filter(sendsEther), ({ receiver }) =>
    receiver?.kind === "Identifier" ? [flow.program.referenceOf(receiver)] : [],
  ),
)

/** A payment of ether to a local address that some path leaves unassigned. */
const unsetReceiver = (flow: Flow, variable: LocalVariable): FlowNode | undefined =>
  comparedWithZero(flow).has(variable)
    ? undefined
    : paymentsTo(flow)
        .get(variable)
        ?.find(({ at }) => flow.values.reaching(variable, at).definitions.some((d) => d.value === undefined))?.at
