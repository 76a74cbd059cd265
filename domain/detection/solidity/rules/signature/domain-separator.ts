import type { Rule } from "../../../Rule.ts"
import type { ContractModel, FunctionModel, StateVariable } from "../../model.ts"
import { has, Source } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { constantNumber } from "../../questions/value/constantNumber.ts"
import { selectorOf } from "../../questions/call/selector.ts"
import { walk } from "../../visit.ts"
import { contractAt } from "../../questions/contractAt.ts"

interface Cached {
  readonly flow: Flow
  readonly variable: StateVariable
  readonly span: S.Node
}

export const domainSeparator: Rule<Program> = {
  meta: {
    id: "evm/signature/domain-separator",
    class: "domain-separator",
    title: "Signing domain not bound to chain or contract",
    severity: "medium",
    confidence: "medium",
    cwe: [294],
    description:
      "The EIP-712 domain of the signed messages lacks the chain id or the contract's address, or it is " +
      "computed once at deployment and reused although the chain id can change. After a fork of the chain, or " +
      "on another deployment of the same code, the same signature is valid a second time, so a permit or an " +
      "order signed here can also be executed there.",
    remediation:
      "Include `uint256 chainId` and `address verifyingContract` in the domain, store the deployment chain id " +
      "together with the separator, and recompute the separator when `block.chainid` differs. OpenZeppelin's " +
      "EIP712 and Solady's EIP712 do this.",
    references: [
      "https://eips.ethereum.org/EIPS/eip-712#definition-of-domainseparator",
      "https://eips.ethereum.org/EIPS/eip-2612#security-considerations",
    ],
  },

  check: (program, report) => {
    for (const source of program.sources) {
      // if the text does not contain the type, its tree need not be examined
      if (!domainType.test(source.file.text)) continue
      for (const { node, lacks } of weakDomains(source.unit)) {
        report({
          file: source.file,
          span: node,
          scope: contractAt(source, node.start),
          message: `The domain lacks ${lacks}.`,
        })
      }
      for (const span of fixedChains(program, source.unit)) {
        const message = "The chain id is hard-coded, whatever chain the contract is on."
        report({ file: source.file, span, scope: contractAt(source, span.start), message })
      }
    }
    for (const contract of program.contracts) {
      const constructors = contract.functions.filter((fn) => fn.role === "constructor")
      const cached = constructors.flatMap((fn) => cachedIn(program.flow(fn)))
      const inline = contract.stateVariables.filter(
        (v) => v.type.kind === "fixedBytes" && v.node?.value !== undefined && readsChainId(v.node.value),
      )
      const clash = clashing(program, contract)
      if (clash !== undefined) {
        const message = `\`${clash.signature}\` has the selector of \`DOMAIN_SEPARATOR()\`: callers mistake its result for the separator.`
        report({ file: clash.source.file, span: clash.node.nameSpan, scope: clash.scope, message })
      }
      if (cached.length + inline.length === 0) continue
      if ([contract, ...contract.derived].some((c) => rechecks(program, c))) continue
      const { file } = contract.source
      const message = "The chain id is fixed at deployment."
      // it matters only after a fork of the chain
      const weight = { confidence: "low", severity: "low" } as const
      for (const { flow, span } of cached) report({ file, span, scope: flow.fn.scope, message, ...weight })
      for (const { node } of inline)
        if (node !== undefined) report({ file, span: node, scope: contract.name, message, ...weight })
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.0;
contract Fixed {
    bytes32 constant DOMAIN = keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)");

    function separator() public view returns (bytes32) {
        return keccak256(abi.encode(DOMAIN, keccak256("Fixed"), 1, address(this))); // FINDING
    }
}`,
      `pragma solidity ^0.8.0;
contract Permits {
    bytes32 public immutable separator;

    constructor() {
        separator = keccak256(abi.encode(keccak256("EIP712Domain(uint256 chainId,address verifyingContract)"), block.chainid, address(this))); // FINDING
    }

    function digest(bytes32 h) external view returns (bytes32) {
        return keccak256(abi.encodePacked("\\x19\\x01", separator, h));
    }
}`,
      `pragma solidity ^0.8.0;
contract Orders {
    bytes32 constant DOMAIN = keccak256("EIP712Domain(string name,string version)"); // FINDING

    function separator() public pure returns (bytes32) {
        return keccak256(abi.encode(DOMAIN, keccak256("Orders"), keccak256("1")));
    }
}`,
      `pragma solidity ^0.5.16;
contract Pair {
    bytes32 public separator;

    constructor() public {
        uint256 id;
        assembly {
            id := chainid
        }
        separator = keccak256(abi.encode(id, address(this))); // FINDING
    }
}`,
      `pragma solidity ^0.8.0;
contract Halves {
    bytes32 constant NO_CHAIN = keccak256("EIP712Domain(string name,address verifyingContract)"); // FINDING
    bytes32 constant NO_CONTRACT = keccak256("EIP712Domain(string name,uint256 chainId)"); // FINDING
    bytes32 constant DOMAIN = keccak256(bytes("EIP712Domain(string name,uint256 chainId,address verifyingContract)"));

    function separator() public view returns (bytes32) {
        return keccak256(abi.encode(DOMAIN, keccak256("Halves"), 56, address(this))); // FINDING
    }
}`,
      `pragma solidity ^0.8.0;
contract Orders {
    bytes32 immutable separator = keccak256(abi.encode(block.chainid, address(this))); // FINDING

    function isContract(address a) external view returns (bool yes) {
        assembly {
            yes := gt(extcodesize(a), 0)
        }
    }
}`,
      // A name that Slither found to clash with the separator: callers read a number instead.
      `pragma solidity ^0.8.20;
contract Coin {
  mapping(address => uint256) public balances;
  function balanceOf(address who) external view returns (uint256) { return balances[who]; }
  function fopwCDKKK() external pure returns (uint256) { return 1; } // FINDING
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
contract Permits {
    bytes32 private immutable cached;
    uint256 private immutable chain;

    constructor() {
        chain = block.chainid;
        cached = build();
    }

    function build() private view returns (bytes32) {
        return keccak256(abi.encode(keccak256("EIP712Domain(uint256 chainId,address verifyingContract)"), block.chainid, address(this)));
    }

    function separator() public view returns (bytes32) {
        return block.chainid == chain ? cached : build();
    }
}`,
      `pragma solidity ^0.8.0;
contract Ids {
    bytes32 public immutable id;
    bytes32 constant TYPE = keccak256("Order(address maker,uint256 amount)");

    constructor(string memory name) {
        id = keccak256(abi.encode(TYPE, name, address(this)));
    }
}`,
      `pragma solidity ^0.8.0;
abstract contract Domain {
    bytes32 internal separator;
    uint256 immutable home = block.chainid;
    bytes32 slot = keccak256("domain.slot");
    uint256 public chain;

    constructor() {
        chain = block.chainid;
    }

    function balanceOf(address) external pure returns (uint256) {
        return 0;
    }

    function DOMAIN_SEPARATOR() external view returns (bytes32) {
        return separator;
    }

    function _renew() internal {
        separator = keccak256(abi.encode(block.chainid, address(this)));
    }
}`,
      `pragma solidity ^0.8.0;
contract Numbered {
    bytes32 constant DOMAIN = keccak256("EIP712Domain(uint256 chainId,address verifyingContract)");

    function separator() public view returns (bytes32) {
        return keccak256(abi.encode(DOMAIN, block.chainid, address(this)));
    }

    function first() external pure returns (bytes32) {
        return keccak256(abi.encode(1, 2));
    }
}`,
      // Nobody asks for the separator of a contract that is not a token, or by an internal function.
      `pragma solidity ^0.8.20;
contract Engine {
  function fopwCDKKK() external pure returns (uint256) { return 1; }
}
contract Coin {
  mapping(address => uint256) public balances;
  function balanceOf(address who) external view returns (uint256) { return balances[who]; }
  function count() external pure returns (uint256) { return fopwCDKKK(); }
  function fopwCDKKK() internal pure returns (uint256) { return 1; }
}`,
    ],
  },
}

const domainType = /EIP712Domain\(([^()]*)\)/

/** String literals that define an EIP-712 domain without the fields that tie it to a chain and a contract. */
const weakDomains = (root: S.Node): ReadonlyArray<{ readonly node: S.Literal; readonly lacks: string }> => {
  const found: Array<{ node: S.Literal; lacks: string }> = []
  walk(root, (e) => {
    if (e.kind !== "Literal") return
    const fields = domainType.exec(e.value)?.[1]
    if (fields === undefined) return
    const lacks = ["chainId", "verifyingContract"].filter((field) => !fields.includes(field))
    if (lacks.length > 0) found.push({ node: e, lacks: lacks.join(" and ") })
  })
  return found
}

/** Where a complete domain is filled in with a number for the chain id: `abi.encode(TYPE, name, 1, …)`. */
const fixedChains = (program: Program, root: S.Node): ReadonlyArray<S.Expression> => {
  const found: Array<S.Expression> = []
  walk(root, (e) => {
    if (e.kind !== "FunctionCall") return
    const call = program.callOf(e)
    const hash = call?.args[0]
    if (call?.kind !== "builtin" || hash === undefined) return
    const field = typeFields(program, hash).findIndex((text) => text.endsWith(" chainId"))
    const chain = field === -1 ? undefined : call.args[field + 1]
    if (chain !== undefined && constantNumber(program, chain) !== undefined) found.push(e)
  })
  return found
}

/**
 * The fields of the domain type that a hash represents: `keccak256("EIP712Domain(…)")`, or a constant of that value.
 */
const typeFields = (program: Program, hash: S.Expression, depth = 0): ReadonlyArray<string> => {
  const variable = program.referenceOf(hash)
  const value = variable?.kind === "StateVariable" ? variable.node?.value : undefined
  if (value !== undefined && depth < 3) return typeFields(program, value, depth + 1)
  const text = hash.kind === "FunctionCall" ? program.callOf(hash)?.args[0] : undefined
  const inner = text?.kind === "FunctionCall" ? program.callOf(text)?.args[0] : text
  if (inner?.kind !== "Literal") return []
  return domainType.exec(inner.value)?.[1]?.split(",") ?? []
}

const readsChainId = (root: S.Node): boolean => {
  let found = false
  walk(root, (e) => {
    if (e.kind === "MemberAccess" && e.member === "chainid") found = true
    if (e.kind === "YulFunctionCall" && e.name === "chainid") found = true
    return !found
  })
  return found
}

/** Whether a function that outsiders can call compares the chain id with the one at deployment. */
const rechecks = (program: Program, contract: ContractModel): boolean =>
  program
    .functionsOf(contract)
    .some((fn) => program.graph.isReachable(fn) && fn.node.body !== undefined && readsChainId(fn.node.body))

const separator = "DOMAIN_SEPARATOR()"

const separatorSelector = selectorOf(separator)

/** A function of a token that responds where EIP-2612 expects the separator. */
const clashing = (program: Program, contract: ContractModel): FunctionModel | undefined => {
  if (program.implementation(contract, "balanceOf(address)") === undefined) return undefined
  return contract.functions.find(
    (fn) =>
      fn.signature !== separator && program.graph.isEntryPoint(fn) && selectorOf(fn.signature) === separatorSelector,
  )
}

/** Separators computed once, in a constructor, from the chain id at that time. */
const cachedIn = (flow: Flow): ReadonlyArray<Cached> =>
  flow.writes.flatMap(({ event, via, place }) => {
    const variable = place?.variables[0]
    if (via.length > 0 || event.value === undefined || variable === undefined) return []
    const value = flow.origins(event.value, event.at)
    if (!has(value, Source.hash) || !has(value, Source.chainId)) return []
    // It is not Yul but a Solidity expression or an opcode, a node either way.
    return [{ flow, variable, span: event.expression }]
  })
