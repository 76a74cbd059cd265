import type { Rule } from "../../../Rule.ts"
import type { Program } from "../../program.ts"
import { drawsOf, isDrawnInitially } from "../../questions/blockEntropy.ts"

export const blockDataRandomness: Rule<Program> = {
  meta: {
    id: "evm/bad-randomness/block-data",
    class: "weak-randomness",
    title: "Weak randomness from block data",
    severity: "high",
    // It is certain that the number is predictable; the stakes are not always money.
    confidence: "medium",
    cwe: [338, 330],
    swc: 120,
    description:
      "A random number is derived from block data: a block hash, `difficulty` or `prevrandao`, `coinbase`, or a " +
      "hash of the time or block number. Every contract that runs in the same block knows all of it, so an " +
      "attacker's contract can compute the number first and participate only if it wins; the block proposer can " +
      "also withhold a block. The hash of a block more than 256 blocks old is zero, and anyone can wait for " +
      "that.",
    remediation:
      "Use a verifiable random function (Chainlink VRF, drand) whose result arrives in a later transaction, or " +
      "a commit-reveal scheme: take bets first, and let a previously committed secret decide, or the " +
      "`prevrandao` of a block well in the future that is fixed at bet time. Do not let one transaction both " +
      "learn the number and revert.",
    references: [
      "https://swcregistry.io/docs/SWC-120",
      "https://eips.ethereum.org/EIPS/eip-4399#security-considerations",
      "https://docs.chain.link/vrf",
    ],
  },

  check: (program, report) => {
    for (const { stateVariables, source, name } of program.contracts) {
      for (const variable of stateVariables) {
        if (variable.node === undefined || !isDrawnInitially(program, variable)) continue
        report({ file: source.file, span: variable.node, scope: `${name}.${variable.name}` })
      }
    }
    for (const flow of program.allFlows()) {
      for (const draw of drawsOf(flow)) {
        const { callable } = draw.at
        // a previously committed secret is included
        if (flow.callerChecks(draw.at).some(({ kind }) => kind === "proof")) continue
        report({
          file: callable.source.file,
          span: draw.expression,
          scope: callable.scope,
          ...(draw.source.start >= draw.expression.start && draw.source.end <= draw.expression.end
            ? {}
            : {
                trace: [
                  { file: draw.sourceAt.callable.source.file, span: draw.source, note: "block data is read" },
                  { file: callable.source.file, span: draw.expression, note: "used as a random number" },
                ],
              }),
        })
      }
    }
  },

  examples: {
    vulnerable: [
      // The hash of a guess wins if it is that of the block's.
      `pragma solidity ^0.8.0;
contract Guess {
  function guess(bytes32 number) external payable {
    if (keccak256(abi.encode(number)) == keccak256(abi.encode(blockhash(block.number - 1)))) // FINDING
      payable(msg.sender).transfer(1 ether);
  }
}`,
      `pragma solidity ^0.8.0;
contract Guess {
    function guess(uint256 number) external payable {
        uint256 answer = uint256(keccak256(abi.encodePacked(blockhash(block.number - 1), block.timestamp))); // FINDING
        if (number == answer) payable(msg.sender).transfer(1 ether);
    }
}`,
      `pragma solidity ^0.4.18;
contract Lottery {
    address[] players;
    uint64 nonce;

    function draw() internal returns (uint) {
        uint seed = block.difficulty;
        nonce++;
        return uint(sha3(seed, now, nonce)) % players.length; // FINDING
    }

    function play() public payable {
        players.push(msg.sender);
        if (players.length == 10) players[draw()].transfer(this.balance);
    }

    function bet(uint8 n) public payable {
        uint roll = uint8(block.blockhash(block.number - 1)); // FINDING
        if (roll == n) msg.sender.transfer(msg.value * 2);
    }
}`,
      `pragma solidity ^0.8.18;
contract Mint {
    uint256 minted;
    mapping(uint256 => uint256) rarity;

    function mint() external {
        uint256 r = block.prevrandao % 100; // FINDING
        rarity[minted++] = r;
    }

    function mintOther() external {
        bytes32 digest = keccak256(abi.encode(block.timestamp, msg.sender, minted));
        rarity[minted++] = uint256(digest) % 100; // FINDING
    }
}`,
      `pragma solidity ^0.4.24;
contract Coin {
    address[] players;
    mapping(address => bytes32) guesses;

    function random() internal view returns (bytes32) {
        return keccak256(abi.encodePacked(now, msg.sender));
    }

    function pick() public {
        players[uint(random()) % players.length].transfer(1 ether); // FINDING
    }

    uint8 lucky = uint8(keccak256(abi.encodePacked(blockhash(block.number - 1)))); // FINDING
    uint constant salt = now; // FINDING

    function flip() public payable {
        bool won = (block.number % 2) == 0; // FINDING
        if (won) {
            msg.sender.transfer(2 ether);
        }
    }

    function settle() public {
        bytes32 answer = blockhash(block.number - 1); // FINDING
        if (guesses[msg.sender] == answer) {
            msg.sender.transfer(2 ether);
        }
    }
}`,
    ],
    safe: [
      // An identifier that no other chain gives.
      `pragma solidity ^0.8.20;
contract Gateway {
  mapping(bytes32 => address) disputes;
  uint256 next;
  function create(uint256 choices) external {
    bytes32 id = keccak256(abi.encodePacked(blockhash(block.number - 1), block.chainid, msg.sender, next++, choices));
    disputes[id] = msg.sender;
  }
}`,
      // What was attested is compared with the block, byte by byte.
      `pragma solidity ^0.8.0;
contract Attested {
  mapping(address => uint256) public seen;
  function attest(bytes calldata payload, bytes32 commitment, uint256 number) external {
    bytes memory expected = abi.encode(commitment, blockhash(number));
    require(keccak256(expected) == keccak256(payload));
    seen[msg.sender] = number;
  }
}`,
      `pragma solidity ^0.8.0;
contract Epochs {
    uint256 public immutable start = block.timestamp;
    mapping(bytes32 => bool) orders;
    bytes32 public anchor;

    function epoch() external view returns (uint256) {
        return (block.timestamp - start) / 1 days;
    }

    function slot() external view returns (uint256) {
        return block.number % 32;
    }

    function open(uint256 amount) external returns (bytes32 id) {
        id = keccak256(abi.encode(msg.sender, amount, block.timestamp));
        orders[id] = true;
    }

    function check(uint256 number, bytes32 expected) external view returns (bool) {
        return blockhash(number) == expected;
    }

    function keep() external {
        anchor = blockhash(block.number - 1);
        require(anchor != bytes32(0));
        block.coinbase.transfer(1 gwei);
    }
}`,
      `pragma solidity ^0.8.0;
contract Reveal {
    mapping(address => bytes32) commitments;
    mapping(address => uint256) committedAt;
    uint256 public winner;

    function commit(bytes32 c) external {
        commitments[msg.sender] = c;
        committedAt[msg.sender] = block.number;
    }

    function reveal(bytes32 secret) external {
        require(keccak256(abi.encode(secret)) == commitments[msg.sender]);
        winner = uint256(keccak256(abi.encode(secret, blockhash(committedAt[msg.sender] + 1)))) % 10;
    }
}`,
    ],
  },
}
