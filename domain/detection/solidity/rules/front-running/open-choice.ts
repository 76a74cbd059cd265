import type { Rule } from "../../../Rule.ts"
import type { StorageAccess } from "../../flow/graph/events.ts"
import type { StateVariable } from "../../model.ts"
import { has, Source } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import { isLargeFunction } from "../../questions/largeFunction.ts"
import { originsThrough } from "../../questions/authority/callOut.ts"
import { paymentsOf } from "../../questions/call/payments.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"

export const openChoice: Rule<Program> = {
  meta: {
    id: "evm/front-running/open-choice",
    class: "front-running",
    title: "Player's choice is visible before others have committed",
    severity: "medium",
    confidence: "low",
    cwe: [362, 200],
    swc: 114,
    description:
      "Players send their choices in the clear, and the payout depends on the choices of several players. A " +
      "later player can read the earlier choices in the mempool or in the contract's storage (`private` hides " +
      "nothing) and respond with the winning choice.",
    remediation:
      "Have all players commit to `keccak256(abi.encode(choice, salt, msg.sender))` first and reveal " +
      "afterwards, with a deposit that is forfeited by those who do not reveal in time.",
    references: ["https://swcregistry.io/docs/SWC-114", "https://swcregistry.io/docs/SWC-136"],
  },

  check: (program, report) => {
    for (const [variable, { flow, write }] of moves(program)) {
      const deciding = decidesPayment(program, variable)
      if (deciding === undefined) continue
      const { file } = write.at.callable.source
      report({
        file,
        span: write.expression,
        scope: flow.fn.scope,
        trace: [
          { file, span: write.expression, note: "the choice is stored in the clear" },
          {
            file: deciding.fn.source.file,
            span: deciding.fn.node.nameSpan,
            note: "the payout is decided by several choices",
          },
        ],
      })
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.4.24;
contract Parity {
    struct Player { address addr; uint number; }
    Player[2] private players;
    uint8 count;

    function play(uint number) public payable {
        require(msg.value == 1 ether);
        players[count] = Player(msg.sender, number); // FINDING
        count++;
        if (count == 2) finish();
    }

    function finish() private {
        uint n = players[0].number + players[1].number;
        if (n % 2 == 0) {
            players[0].addr.transfer(1800 finney);
        } else {
            players[1].addr.transfer(1800 finney);
        }
        count = 0;
    }
}`,
      `pragma solidity ^0.8.0;
contract Rps {
    struct Move { address payable who; uint8 hand; }
    mapping(uint256 => Move) moves;
    uint256 next;

    function show(uint8 hand) external payable {
        require(msg.value == 1 ether && hand < 3);
        moves[next++] = Move({who: payable(msg.sender), hand: hand}); // FINDING
    }

    function settle() external {
        require(next == 2);
        next = 0;
        if (moves[0].hand == moves[1].hand) return;
        (bool ok, ) = moves[0].who.call{value: 2 ether}("");
        require(ok);
    }
}`,
      `pragma solidity ^0.8.0;
contract Hands {
    struct Hand {
        address payable player;
        bytes32 sign;
    }
    Hand[] hands;

    function join(bytes32 sign) external payable {
        hands.push(Hand(payable(msg.sender), sign)); // FINDING
    }

    function joinToo(bytes32 sign) external payable {
        hands.push(Hand(payable(msg.sender), sign));
    }

    function settle() external {
        if (hands[0].sign > hands[1].sign) hands[0].player.transfer(1 ether);
    }
}`,
      `pragma solidity ^0.8.0;
contract Coins {
    struct Coin {
        address payable player;
        bool heads;
    }
    Coin[] coins;

    function toss(bool heads) external payable {
        coins.push(Coin(payable(msg.sender), heads)); // FINDING
    }

    function settle() external {
        if (coins[0].heads != coins[1].heads) coins[1].player.transfer(1 ether);
    }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
contract Rps {
    struct Move { address payable who; bytes32 commitment; uint8 hand; }
    mapping(uint256 => Move) moves;
    uint256 next;

    function commit(bytes32 hidden) external payable {
        moves[next++] = Move(payable(msg.sender), keccak256(abi.encode(hidden)), 0);
    }

    function reveal(uint256 i, uint8 hand, bytes32 salt) external {
        require(moves[i].commitment == keccak256(abi.encode(keccak256(abi.encode(hand, salt, msg.sender)))));
        moves[i].hand = hand;
    }

    function settle() external {
        if (moves[0].hand == moves[1].hand) return;
        (bool ok, ) = moves[0].who.call{value: 2 ether}("");
        require(ok);
    }
}`,
      `pragma solidity ^0.8.0;
contract Offers {
    struct Offer { address payable by; uint256 price; }
    Offer[] offers;

    function offer(uint256 price) external {
        offers.push(Offer(payable(msg.sender), price));
    }

    function accept(uint256 i) external payable {
        require(msg.value == offers[i].price);
        (bool ok, ) = offers[i].by.call{value: msg.value}("");
        require(ok);
    }
}`,
      `pragma solidity ^0.8.0;
contract Entries {
    struct Entry {
        address payable player;
        uint256 amount;
    }
    struct Referred {
        address payable player;
        address by;
    }
    address payable immutable owner = payable(msg.sender);
    Entry[] given;
    Entry[] kept;
    Entry[] open;
    Entry[] shown;
    Entry[] ready;
    Referred[] referred;
    uint256[] other;

    function _enter(uint256 amount) internal {
        kept.push(Entry(payable(msg.sender), amount));
    }

    function give(address payable to, uint256 amount) external payable {
        given.push(Entry(to, amount));
        open.push(Entry(payable(msg.sender), amount));
        shown.push(Entry(payable(msg.sender), amount));
        ready.push(Entry(payable(msg.sender), amount));
    }

    function add(uint256 amount) external {
        require(msg.sender == owner);
        kept.push(Entry(payable(msg.sender), amount));
    }

    function refer(address by) external {
        referred.push(Referred(payable(msg.sender), by));
    }

    function settle() external {
        if (given[0].amount > given[1].amount) given[0].player.transfer(1 ether);
        if (kept[0].amount > kept[1].amount) kept[0].player.transfer(1 ether);
        if (referred[0].by != referred[1].by) referred[0].player.transfer(1 ether);
    }

    function compare() external view returns (bool) {
        return shown[0].amount > shown[1].amount;
    }

    function payOwner() external {
        if (shown[0].amount > shown[1].amount) owner.transfer(1 ether);
    }

    function payOpen() external {
        if (other[0] > other[1]) open[0].player.transfer(1 ether);
    }

    function payReady() external {
        require(ready[0].player != address(0) && ready[1].player != address(0));
        ready[0].player.transfer(1 ether);
    }
}`,
    ],
  },
}

/** A move in a game: the sender's address and a chosen number are stored together in a list that anyone can join. */
const moves = (
  program: Program,
): ReadonlyMap<StateVariable, { readonly flow: Flow; readonly write: StorageAccess }> => {
  const found = new Map<StateVariable, { readonly flow: Flow; readonly write: StorageAccess }>()
  for (const flow of program.allFlows()) {
    for (const { event, via, place, at } of flow.writes) {
      const variable = place?.variables[0]
      if (via.length > 0 || variable === undefined || found.has(variable) || event.value?.kind !== "FunctionCall")
        continue
      const call = program.callOf(event.value)
      if (call?.kind !== "struct" || flow.isRestricted(at)) continue
      const parts = call.args.map((arg) => ({ value: flow.origins(arg, at), type: program.typeOf(arg).kind }))
      const choice = parts.some(
        ({ value, type }) =>
          (type === "integer" || type === "fixedBytes" || type === "bool") &&
          value.sources === Source.parameter &&
          !has(value, Source.hash),
      )
      if (choice && parts.some(({ value }) => has(value, Source.sender))) found.set(variable, { flow, write: event })
    }
  }
  return found
}

/** How many reads of list entries an expression contains, through locals. */
const entriesIn = (flow: Flow, e: S.Node, variable: StateVariable): number => {
  let count = 0
  walk(e, (inner) => {
    if (inner.kind === "IndexAccess" && flow.program.referenceOf(inner.base) === variable) {
      count++
    }
  })
  return count
}

/** A function that compares or adds two entries and pays one of the players. */
const decidesPayment = (program: Program, variable: StateVariable): Flow | undefined => {
  for (const flow of program.allFlows()) {
    const pays = paymentsOf(flow).some(
      (call) =>
        call.event.receiver !== undefined && originsThrough(flow, call, call.event.receiver).state.includes(variable),
    )
    if (!pays || isLargeFunction(flow)) continue
    for (const node of flow.nodes) {
      if (node.expression !== undefined && node.kind !== "branch" && combines(flow, node.expression, variable))
        return flow
    }
  }
  return undefined
}

const combines = (flow: Flow, root: S.Node, variable: StateVariable): boolean => {
  let found = false
  walk(root, (e) => {
    found ||= e.kind === "BinaryOperation" && e.operator !== "&&" && entriesIn(flow, e, variable) > 1
    return !found
  })
  return found
}
