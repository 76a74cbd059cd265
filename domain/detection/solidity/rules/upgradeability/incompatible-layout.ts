import type { Rule } from "../../../Rule.ts"
import type { ContractModel, StateVariable } from "../../model.ts"
import type { Program } from "../../program.ts"
import { isInitializable } from "../../questions/deployment/initializer.ts"
import { isReserved } from "../../questions/storage/gaps.ts"
import { changedPlace, isSuccessor } from "../../questions/storage/layoutChange.ts"

export const incompatibleLayout: Rule<Program> = {
  meta: {
    id: "evm/upgradeability/incompatible-layout",
    class: "storage-collision",
    title: "Upgrade changes the storage layout",
    severity: "high",
    // that one contract replaces the other is inferred from their names
    confidence: "medium",
    cwe: [119, 787],
    swc: 124,
    description:
      "The contract replaces an earlier version behind a proxy and reads the state that the earlier version left, " +
      "by position. This variable occupies a place where the earlier version kept a different one, because a " +
      "variable was inserted, removed, moved or given another type, or because a base contract was added before the " +
      "others. After the upgrade, the contract reads an old balance as an owner, or a flag as a limit, and " +
      "overwrites what was there.",
    remediation:
      "Keep all variables of the earlier version in order and with their types, ideally by inheriting from it or " +
      "from a common storage contract, and add new ones only after them or in a storage gap. Check each upgrade " +
      "with OpenZeppelin's upgrades plugin or `forge inspect storageLayout`.",
    references: [
      "https://docs.openzeppelin.com/upgrades-plugins/writing-upgradeable#modifying-your-contracts",
      "https://docs.soliditylang.org/en/latest/internals/layout_in_storage.html",
    ],
  },
  check: (program, report) => {
    for (const { before, after } of successions(program)) {
      const change = changedPlace(program, before, after, (placed) => isReserved(program, placed))
      if (change === undefined) continue
      const { before: former, after: later } = change
      const place = declarationOf(later.variable)
      report({
        ...(place ?? { file: after.source.file, span: after.node.nameSpan }),
        scope: after.name,
        message: `${later.variable.name} lies where ${before.name} has ${former.variable.name}.`,
        trace: [former.variable, later.variable].flatMap((variable) => {
          const declared = declarationOf(variable)
          const note =
            variable === former.variable ? `what ${before.name} keeps there` : `${after.name} reads it as this`
          return declared === undefined ? [] : [{ ...declared, note }]
        }),
      })
    }
  },
  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
contract VaultV1 is Initializable {
  address public owner;
  uint256 public total;
  mapping(address => uint256) public shares;
  function initialize(address first) external initializer { owner = first; }
}
contract VaultV2 is Initializable {
  address public owner;
  uint256 public fee; // FINDING
  uint256 public total;
  mapping(address => uint256) public shares;
  function initialize(address first) external initializer { owner = first; }
}`,
      `pragma solidity ^0.8.20;
import {OwnableUpgradeable} from "@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol";
contract Registry is OwnableUpgradeable {
  mapping(bytes32 => address) internal entries;
  uint128 internal opened;
  uint64 internal closed;
  function initialize() external initializer { __Ownable_init(msg.sender); }
}
contract RegistryV2 is OwnableUpgradeable {
  mapping(bytes32 => address) internal entries;
  uint64 internal opened; // FINDING
  uint64 internal closed;
  function initialize() external initializer { __Ownable_init(msg.sender); }
}`,
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
abstract contract Stopped { bool internal stopped; // FINDING
}
contract Farm_V2 is Initializable {
  struct Pool { address token; uint256 rate; }
  Pool[] internal pools;
  uint256 internal rate;
  function setUp(uint256 first) external initializer { rate = first; }
}
contract Farm_V3 is Initializable, Stopped {
  struct Pool { address token; uint256 rate; }
  Pool[] internal pools;
  uint256 internal rate;
  function setUp(uint256 first) external initializer { rate = first; }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
interface IToken { function f() external; }
contract VaultV1 is Initializable {
  address public owner;
  address internal token;
  uint256 public total;
  uint256[40] private __gap;
  function initialize(address first) external initializer { owner = first; }
}
contract VaultV2 is Initializable {
  uint256 public constant MOST = 3;
  address public governor;
  IToken internal _token;
  uint256 public total;
  uint256 public fee;
  uint256[39] private __gap;
  function initialize(address first) external initializer { governor = first; }
}
contract VaultV3 is VaultV2 {
  uint256 public more;
}`,
      `pragma solidity ^0.8.20;
import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";
contract RouterV2 is Initializable {
  address internal factory;
  uint256 internal fee;
  uint256 internal count;
  function initialize(address first) external initializer { factory = first; }
}
contract RouterV3 is Initializable {
  mapping(address => bool) internal pools;
  address internal factory;
  function initialize(address first) external initializer { factory = first; }
}
contract PlainV1 { uint256 internal a; address internal b; }
contract PlainV2 { address internal b; uint256 internal a; }`,
    ],
  },
}

interface Succession {
  readonly before: ContractModel
  readonly after: ContractModel
}

/** Contracts behind proxies by name without the version number, and that number. */
const successions = (program: Program): ReadonlyArray<Succession> => {
  const families = new Map<string, Map<number, ContractModel | undefined>>()
  for (const contract of program.contracts) {
    if (!contract.deployable || !isInitializable(contract)) continue
    const { stem, version } = versionOf(contract)
    const family = families.get(stem) ?? new Map<number, ContractModel | undefined>()
    families.set(stem, family)
    // if two have the same name and version, it is not known which one is meant
    family.set(version, family.has(version) ? undefined : contract)
  }
  return [...families.values()].flatMap((family) => {
    const versions = [...family].toSorted(([a], [b]) => a - b)
    return versions.slice(1).flatMap(([, after], i) => {
      const before = versions[i]![1]
      if (before === undefined || after === undefined) return []
      return isSuccessor(program, before, after) ? [{ before, after }] : []
    })
  })
}

/** `VaultV2`, `Vault_v2`, `v2/Vault.sol`; a name without a number is the first. */
const versionOf = ({ name, source }: ContractModel): { readonly stem: string; readonly version: number } => {
  const named = /^(\w*?)_?[vV](\d{1,3})(?:Upgradeable)?$/.exec(name)
  if (named !== null) return { stem: named[1]!, version: Number(named[2]) }
  const folder = /(?:^|\/)[vV](\d{1,3})\//.exec(source.file.path)
  return { stem: name, version: folder === null ? 1 : Number(folder[1]) }
}

const declarationOf = ({ source, node }: StateVariable) =>
  source === undefined || node === undefined ? undefined : { file: source.file, span: node.nameSpan }
