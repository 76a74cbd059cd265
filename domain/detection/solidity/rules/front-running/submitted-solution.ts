import type { Rule } from "../../../Rule.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import { type Relation, relationsIn } from "../../flow/facts/facts.ts"
import { has, Source } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import { originsThrough } from "../../questions/authority/callOut.ts"
import { paymentsOf } from "../../questions/call/payments.ts"
import type * as S from "../../syntax.ts"
import { isLargeFunction } from "../../questions/largeFunction.ts"

export const submittedSolution: Rule<Program> = {
  meta: {
    id: "evm/front-running/submitted-solution",
    class: "front-running",
    title: "Solution can be front-run from the mempool",
    severity: "medium",
    confidence: "medium",
    cwe: [362],
    swc: 114,
    description:
      "The function rewards the sender who submits the preimage of a hash. The input is not bound to the sender " +
      "and is visible in the mempool before it is mined: an attacker copies it into a transaction with a higher " +
      "fee, which runs first and takes the reward.",
    remediation:
      "Let solvers commit first to `keccak256(abi.encode(solution, salt, msg.sender))` and reveal in a later block, or make the " +
      "solution depend on the sender (a signature or a proof for `msg.sender`).",
    references: [
      "https://swcregistry.io/docs/SWC-114",
      "https://consensys.github.io/smart-contract-best-practices/attacks/frontrunning/",
    ],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      if (!program.graph.isEntryPoint(flow.fn) || isLargeFunction(flow)) continue
      for (const check of flow.conditionNodes()) {
        if (!has(flow.origins(check.expression!, check), Source.hash)) continue
        const granted = check.succs.find((b) => relationsIn(flow.facts(b)).some((r) => r.at === check && isPuzzle(r)))
        if (granted === undefined) continue
        const prize = prizeAfter(flow, granted)
        if (prize === undefined || isPrivileged(flow, prize.at)) continue
        const { file } = check.callable.source
        const span = check.expression ?? prize.span
        report({
          file,
          span,
          scope: check.callable.scope,
          trace: [
            { file, span, note: "the solution is visible before it is mined" },
            { file, span: prize.span, note: prize.note },
          ],
        })
      }
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.4.22;
contract FindHash {
    bytes32 constant public hash = 0xb5b5b97fafd9855eec9b41f74dfb6c38f5951141f9a3ecd7f44d5479b630ee0a;

    constructor() public payable {}

    function solve(string solution) public {
        require(hash == sha3(solution)); // FINDING
        msg.sender.transfer(1000 ether);
    }
}`,
      `pragma solidity ^0.8.0;
contract Riddle {
    address payable public winner;
    bytes32 answerHash;

    constructor(bytes32 h) {
        answerHash = h;
    }

    function play(bytes32 guess) external {
        if (keccak256(abi.encode(guess)) == answerHash) { // FINDING
            winner = payable(msg.sender);
        }
    }

    function claim() external payable {
        winner.transfer(msg.value);
    }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
contract Riddle {
    mapping(address => bytes32) commitments;
    bytes32 answerHash;
    address public winner;
    bytes32 root;

    function commit(bytes32 c) external {
        commitments[msg.sender] = c;
    }

    function reveal(bytes32 guess, bytes32 salt) external {
        require(keccak256(abi.encode(guess, salt, msg.sender)) == commitments[msg.sender]);
        winner = msg.sender;
    }

    function claim(uint256 amount, bytes32 sibling) external {
        bytes32 leaf = keccak256(abi.encode(msg.sender, amount));
        require(keccak256(abi.encode(leaf, sibling)) == root);
        winner = msg.sender;
    }
}`,
      `pragma solidity ^0.8.0;
contract Gate {
    bytes32 constant ADMIN = keccak256("ADMIN");
    mapping(bytes32 => mapping(address => bool)) roles;
    address owner = msg.sender;
    address lastSeen;
    bytes32 secret;

    function renounce(bytes32 role) external {
        require(role == ADMIN);
        roles[role][msg.sender] = false;
    }

    function open(string calldata word) external {
        require(msg.sender == owner);
        require(keccak256(bytes(word)) == secret);
        lastSeen = msg.sender;
    }
}`,
      `pragma solidity ^0.8.0;
interface IList {
    function has(address who) external view returns (bool);
}
contract Riddle {
    bytes32 answer;
    bytes32 banned;
    address payable immutable keeper = payable(msg.sender);
    address public last;
    bool public open;
    mapping(address => bool) members;
    mapping(address => bytes32) commits;
    IList list;

    function _solve(string memory s) internal {
        require(keccak256(bytes(s)) == answer);
        payable(msg.sender).transfer(1 ether);
    }

    function other(string calldata s) external {
        require(keccak256(bytes(s)) != banned);
        payable(msg.sender).transfer(1 ether);
    }

    function lucky() external {
        require(keccak256(abi.encode(block.number)) == answer);
        payable(msg.sender).transfer(1 ether);
    }

    function byName(bytes32 id) external {
        require(id == keccak256("reward"));
        payable(msg.sender).transfer(1 ether);
    }

    function mine(string calldata s) external {
        require(keccak256(abi.encode(s, msg.sender)) == answer);
        payable(msg.sender).transfer(1 ether);
    }

    function same(string calldata a, string calldata b) external {
        require(keccak256(bytes(a)) == keccak256(bytes(b)));
        payable(msg.sender).transfer(1 ether);
    }

    function reveal(string calldata s) external {
        require(keccak256(bytes(s)) == commits[msg.sender]);
        payable(msg.sender).transfer(1 ether);
    }

    function refund(string calldata s) external {
        if (keccak256(bytes(s)) == answer) {
            open = true;
            return;
        }
        payable(msg.sender).transfer(1 ether);
    }

    function flush(string calldata s) external {
        last = msg.sender;
        require(keccak256(bytes(s)) == answer);
        keeper.transfer(1 ether);
        open = true;
    }

    function asMember(string calldata s) external {
        require(members[msg.sender] && keccak256(bytes(s)) == answer);
        payable(msg.sender).transfer(1 ether);
    }

    function asListed(string calldata s) external {
        require(list.has(msg.sender));
        require(keccak256(bytes(s)) == answer);
        payable(msg.sender).transfer(1 ether);
    }

    function asSigned(string calldata s, bytes32 h, uint8 v, bytes32 r, bytes32 t) external {
        require(ecrecover(h, v, r, t) == keeper);
        require(keccak256(bytes(s)) == answer);
        payable(msg.sender).transfer(1 ether);
    }
}`,
    ],
  },
}

const fixed = Source.literal | Source.constant | Source.immutable | Source.state | Source.hash

/** Whether an input that is not bound to its sender is compared with a fixed solution. */
const isPuzzle = ({ operator, left, right }: Relation): boolean => {
  if (operator !== "==" || right === undefined) return false
  return [[left, right] as const, [right, left] as const].some(
    ([input, solution]) =>
      has(input, Source.parameter | Source.calldata) &&
      has(input, Source.hash) &&
      !has(input, Source.sender | Source.recovered | Source.state | Source.external) &&
      (solution.sources & ~fixed) === 0 &&
      // what is stored for the sender is its own
      (solution.keys & Source.sender) === 0,
  )
}

/** What the sender gains after the check: a payment, or a place in storage. */
const prizeAfter = (
  flow: Flow,
  check: FlowNode,
): { readonly at: FlowNode; readonly span: S.Node; readonly note: string } | undefined => {
  for (const payment of paymentsOf(flow)) {
    const { event, at } = payment
    if (event.receiver === undefined || !flow.reaches(check, at)) continue
    if (!has(originsThrough(flow, payment, event.receiver), Source.sender | Source.parameter)) continue
    return { at, span: event.node, note: "pays whoever submits it first" }
  }
  for (const { event, via, at } of flow.writes) {
    if (via.length > 0 || event.value === undefined || !flow.reaches(check, at)) continue
    if (!has(flow.origins(event.value, event.at), Source.sender)) continue
    return { at, span: event.expression, note: "records whoever submits it first" }
  }
  return undefined
}

/** Whether only some accounts may call; requiring the right solution does not count. */
const isPrivileged = (flow: Flow, at: FlowNode): boolean =>
  flow
    .callerChecks(at)
    .some(({ kind }) => kind === "owner" || kind === "member" || kind === "signature" || kind === "external")
