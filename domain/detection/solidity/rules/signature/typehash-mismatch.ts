import type { Rule } from "../../../Rule.ts"
import type { Flow, Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import type { Type } from "../../types.ts"

export const typehashMismatch: Rule<Program> = {
  meta: {
    id: "evm/signature/typehash-mismatch",
    class: "sig-replay",
    title: "EIP-712 struct hash does not match its type",
    severity: "medium",
    confidence: "high",
    cwe: [347, 345],
    description:
      "The hash that is signed encodes fewer or more fields than the EIP-712 type whose hash it begins with. A field " +
      "that is left out, such as the nonce, the deadline or the amount, is not covered by the signature: whoever " +
      "submits it can choose that field freely or use the signature again. Wallets that encode the type as declared " +
      "produce signatures that the contract rejects.",
    remediation:
      "Encode exactly the fields of the type string, in their order: " +
      "`keccak256(abi.encode(PERMIT_TYPEHASH, owner, spender, value, nonces[owner]++, deadline))`.",
    references: ["https://eips.ethereum.org/EIPS/eip-712#definition-of-encodedata"],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      for (const { name, args, at } of flow.calls()) {
        if (name !== "keccak256") continue
        const found = mismatchIn(flow, args[0])
        if (found === undefined) continue
        const { file } = at.callable.source
        const { encoded, fields, given } = found
        report({
          file,
          span: encoded,
          scope: at.callable.scope,
          message: `The type has ${fields} fields, but ${given} are encoded.`,
        })
      }
    }
  },

  examples: {
    vulnerable: [
      // A member is missing, or is of a type that is encoded elsewhere.
      `pragma solidity ^0.8.20;
contract Grants {
  struct Grant { address to; uint256 amount; }
  struct Note { address to; string text; }
  bytes32 constant GRANT = keccak256("Grant(address to,uint256 amount,uint256 nonce)");
  bytes32 constant NOTE = keccak256("Note(address to,string text)");
  function hash(Grant calldata grant, Note calldata note) external pure returns (bytes32, bytes32) {
    return (
      keccak256(abi.encode(GRANT, grant)), // FINDING
      keccak256(abi.encode(NOTE, note)) // FINDING
    );
  }
}`,
      `pragma solidity ^0.8.20;
contract Coin {
  bytes32 constant PERMIT_TYPEHASH = keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
  bytes32 immutable domain;
  mapping(address => uint256) nonces;
  mapping(address => mapping(address => uint256)) allowed;
  constructor(bytes32 d) { domain = d; }
  function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
    require(block.timestamp <= deadline);
    nonces[owner]++;
    bytes32 inner = keccak256(abi.encode(PERMIT_TYPEHASH, owner, spender, value, deadline)); // FINDING
    require(owner != address(0) && ecrecover(keccak256(abi.encodePacked(hex"1901", domain, inner)), v, r, s) == owner);
    allowed[owner][spender] = value;
  }
}`,
      `pragma solidity ^0.8.20;
library Types { bytes32 internal constant CLAIM = keccak256(abi.encodePacked("Claim(", "address to,", "uint256 amount)")); }
contract Claims {
  bytes32 private constant EMPTY = keccak256("Ping()");
  bytes32 private constant VOTE = keccak256(bytes("Vote(uint256 id,bool support)"));
  function hash(address to, uint256 amount, uint256 id) external pure returns (bytes32, bytes32, bytes32, bytes32) {
    return (
      keccak256(abi.encode(Types.CLAIM, to, amount, id)), // FINDING
      keccak256(abi.encode(keccak256("Bid(address to,Item item)Item(uint256 id)"), to)), // FINDING
      keccak256(abi.encode(EMPTY, id)), // FINDING
      keccak256(abi.encode(VOTE, id)) // FINDING
    );
  }
}`,
    ],
    safe: [
      // The struct is encoded member by member.
      `pragma solidity ^0.8.20;
contract Grants {
  struct Grant { address to; uint256 amount; uint256 nonce; }
  bytes32 constant GRANT = keccak256("Grant(address to,uint256 amount,uint256 nonce)");
  function hash(Grant calldata grant) external pure returns (bytes32) { return keccak256(abi.encode(GRANT, grant)); }
}`,
      `pragma solidity ^0.8.20;
contract Coin {
  bytes32 constant PERMIT_TYPEHASH = keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
  bytes32 constant BID = keccak256(abi.encodePacked("Bid(address to,Item item)", "Item(uint256 id)"));
  bytes32 constant PING = keccak256("Ping()");
  bytes32 constant ROLE = keccak256("KEEPER");
  bytes32 computed = keccak256("Late(uint256 id)");
  mapping(address => uint256) nonces;
  function hash(address owner, address spender, uint256 value, uint256 deadline) external returns (bytes32) {
    return keccak256(abi.encode(PERMIT_TYPEHASH, owner, spender, value, nonces[owner]++, deadline));
  }
  function bid(address to, bytes32 item) external pure returns (bytes32, bytes32) {
    return (keccak256(abi.encode(BID, to, item)), keccak256(abi.encode(PING)));
  }
  function keys(address who, bytes memory rest) external view returns (bytes32, bytes32, bytes32) {
    return (keccak256(abi.encode(ROLE, who, rest)), keccak256(abi.encode(computed, who, who)), keccak256(abi.encodePacked(BID, rest)));
  }
}`,
      `pragma solidity ^0.8.20;
contract Orders {
  bytes32 constant ORDER = keccak256("Order(address maker,uint256 a,uint256 b)");
  function hash(address maker, uint256 a, uint256 b) external pure returns (bytes32) {
    return keccak256(bytes.concat(abi.encode(ORDER, maker), abi.encode(a, b)));
  }
  function id(string memory text) external pure returns (bytes32) { return keccak256(abi.encode(text)); }
  function slot(address maker, uint256 a) external pure returns (bytes32) {
    return keccak256(abi.encode(bytes32("orders(v2)"), maker, a));
  }
}`,
    ],
  },
}

interface Mismatch {
  readonly encoded: S.Expression
  readonly fields: number
  readonly given: number
}

/** `abi.encode(TYPEHASH, …)`; packed encodings may hold several fields in one argument. */
const mismatchIn = ({ program }: Flow, e: Flow["nodes"][number]["expression"]): Mismatch | undefined => {
  if (e?.kind !== "FunctionCall" || program.callOf(e)?.name !== "abi.encode") return undefined
  const [type, ...rest] = e.args
  const text = type === undefined ? undefined : typeString(program, type)
  const fields = text === undefined ? undefined : fieldsOf(text)
  const given = rest.reduce((sum, arg) => sum + wordsOf(program.typeOf(arg)), 0)
  return fields === undefined || fields === given ? undefined : { encoded: e, fields, given }
}

/** A struct of numbers and accounts is encoded member by member. */
const wordsOf = (type: Type): number => {
  if (type.kind !== "struct") return 1
  const { members } = type.struct
  return members.every((member) => isWord(member.type)) ? members.length : 1
}

const isWord = ({ kind }: Type): boolean => !["struct", "array", "mapping", "bytes", "string", "unknown"].includes(kind)

/** The text whose hash an expression or constant is. */
const typeString = (program: Program, e: S.Expression): string | undefined => {
  const named = program.referenceOf(e)
  const hash = named?.kind === "StateVariable" && named.constant ? named.node?.value : e
  if (hash?.kind !== "FunctionCall" || program.callOf(hash)?.name !== "keccak256") return undefined
  const [hashed] = hash.args
  let text = ""
  for (const part of hashed?.kind === "FunctionCall" ? hashed.args : [hashed]) {
    if (part?.kind !== "Literal") return undefined
    text += part.value
  }
  return text
}

/** How many members the first struct of `Mail(Person from,string text)Person(…)` has. */
const fieldsOf = (text: string): number | undefined => {
  const members = /^\w+\(([^)]*)\)/.exec(text)?.[1]
  return members === "" ? 0 : members?.split(",").length
}
