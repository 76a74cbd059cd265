import type { Rule } from "../../../Rule.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import type { Fact } from "../../flow/facts/facts.ts"
import { has, type Origins, Source } from "../../flow/graph/origins.ts"
import type { StateVariable } from "../../model.ts"
import type { Program } from "../../program.ts"
import { placeOf } from "../../questions/authority/attackerControl.ts"

export const secretInStorage: Rule<Program> = {
  meta: {
    id: "evm/code-quality/secret-in-storage",
    class: "privacy",
    title: "Secret stored in publicly readable storage",
    severity: "informational",
    // Only names indicate a secret, unless the caller has to submit the value.
    confidence: "low",
    cwe: [767],
    swc: 136,
    description:
      "A private variable holds an apparent secret: a password, or a value that callers must know. `private` " +
      "only prevents other contracts from reading it. Anyone can read the storage slot from a node, or the " +
      "transaction that set it, and then open the lock or win the game.",
    remediation:
      "Keep secrets off the chain. Store a hash with a long random salt and have the value revealed later " +
      "(commit-reveal), or check a signature or a zero-knowledge proof instead of a password.",
    references: [
      "https://swcregistry.io/docs/SWC-136",
      "https://docs.soliditylang.org/en/latest/security-considerations.html#private-information-and-randomness",
    ],
  },

  check: (program, report) => {
    const tell = (variable: StateVariable, message: string, asked?: ReturnType<typeof placeOf>): void => {
      const { node, source, contract } = variable
      if (node === undefined || source === undefined) return
      report({
        file: source.file,
        span: node,
        scope: contract?.name ?? "",
        message,
        ...(asked === undefined ? {} : { trace: [{ ...asked, note: "pulled back from the caller" }] }),
      })
    }
    for (const flow of program.allFlows()) {
      if (!program.graph.isEntryPoint(flow.fn)) continue
      const seen = new Set<FlowNode>()
      for (const effect of [...flow.writes, ...flow.externalCalls]) {
        if (seen.has(effect.at)) continue
        seen.add(effect.at)
        for (const variable of flow.facts(effect.at).flatMap(comparedWithInput)) {
          if (!isHidden(variable) || !holdsText(variable)) continue
          tell(variable, `Callers must pass the value of \`${variable.name}\`.`, placeOf(effect.event))
        }
      }
    }
    for (const contract of program.contracts) {
      for (const variable of contract.stateVariables) {
        if (isHidden(variable) && holdsValue(variable) && secretName.test(variable.name))
          tell(variable, `\`${variable.name}\` can be read by anyone.`)
      }
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.0;
contract Locker {
    bytes32 private word; // FINDING
    bool public open;
    constructor(bytes32 w) { word = w; }
    function unlock(bytes32 w) external {
        require(w == word, "wrong");
        open = true;
    }
}`,
      `pragma solidity ^0.4.24;
contract Riddle {
    string answer; // FINDING
    address owner = msg.sender;
    function set(string a) public { require(msg.sender == owner); answer = a; }
    function attempt(string a) public payable {
        if (keccak256(bytes(a)) == keccak256(bytes(answer))) msg.sender.transfer(address(this).balance);
    }
}`,
      `pragma solidity ^0.8.20;
contract Vault {
  bytes private code; // FINDING
  bytes32 private word; // FINDING
  bytes32 private other; // FINDING
  uint256 public opened;
  constructor(bytes memory c, bytes32 w) { code = c; word = w; other = w; }
  function open(bytes memory c) external { require(keccak256(code) == keccak256(c)); opened = 1; }
  function left(bytes32 w) external { require(word == w); opened = 2; }
  function right(bytes32 w) external { require(w == other); opened = 3; }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
contract Locker {
    bytes32 private hashed;
    uint256 private nonce;
    bytes32 private root;
    bool public open;
    constructor(bytes32 h) { hashed = h; }
    function unlock(string memory w, uint256 n) external {
        require(n == nonce);
        nonce++;
        require(keccak256(bytes(w)) == hashed, "wrong");
        open = true;
    }
    function prove(bytes32 leaf, bytes32 side) external view returns (bool) {
        return keccak256(abi.encode(leaf, side)) == root;
    }
}`,
      `pragma solidity ^0.8.0;
contract Names {
    string private title;
    uint256 internal limit;
    mapping(address => bytes32) private notes;
    bytes32 public code;
    constructor(string memory t, bytes32 c) { title = t; code = c; }
    function set(bytes32 note, bytes32 c) external { require(c == code); notes[msg.sender] = note; }
    function name() external view returns (string memory) { return title; }
}`,
      `pragma solidity ^0.8.20;
contract Vault {
  string constant PASSWORD = "none";
  bytes32 immutable secretHash;
  bytes32 public passcode;
  bool private secretSet;
  bytes32 private word;
  bytes32 private next;
  bytes32 private third;
  mapping(address => bytes32) private words;
  uint256 public opened;
  constructor(bytes32 w) { secretHash = w; passcode = w; word = w; next = w; third = w; }
  function differ(bytes32 w) external { require(word != w); opened = 1; secretSet = true; }
  function own(bytes32 w) external { require(words[msg.sender] == w); opened = 2; }
  function both() external { require(word == next); opened = 3; }
  function mixed(bytes32 w) external { require((word ^ next) == w); opened = 4; }
  function sender() external { require(third == bytes32(uint256(uint160(msg.sender)))); opened = 5; }
  function unused(bytes32 w) private { require(third == w); opened = 6; }
}`,
    ],
  },
}

/** Words for what nobody else should know. */
const secretName = /pass(word|wd|phrase|code)|secret|privatekey|mnemonic|(^|_)pin($|_|code)|credential/i

const isHidden = (v: StateVariable): boolean => !v.constant && !v.immutable && v.visibility !== "public"

const holdsText = ({ type }: StateVariable): boolean =>
  type.kind === "string" || type.kind === "bytes" || type.kind === "fixedBytes"

const holdsValue = (v: StateVariable): boolean => holdsText(v) || v.type.kind === "integer"

/** State that is compared unchanged with a value from the caller. */
const comparedWithInput = (fact: Fact): ReadonlyArray<StateVariable> => {
  if (fact.kind === "any") return fact.options.flatMap((option) => option.flatMap(comparedWithInput))
  const { operator, left, right } = fact
  if (operator !== "==" || right === undefined) return []
  // texts are compared by their hashes; a stored hash is not a secret
  const stored = (o: Origins): boolean => (o.sources & ~Source.hash) === Source.state && o.state.length === 1
  const passed = (o: Origins): boolean => (o.sources & ~Source.hash) === Source.parameter
  if (has(left, Source.hash) !== has(right, Source.hash)) return []
  if (stored(left) && passed(right)) return left.state
  return passed(left) ? right.state : []
}
