import type { Rule } from "../../../Rule.ts"
import { demandsAt, mayAsk } from "../../demands/demands.ts"
import type { ContractModel, FunctionModel } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"

export const unprotectedUpgrade: Rule<Program> = {
  meta: {
    id: "evm/upgradeability/unprotected-upgrade",
    class: "missing-access-control",
    title: "Unprotected upgrade",
    severity: "critical",
    confidence: "high",
    cwe: [862, 284],
    swc: 105,
    description:
      "The contract is a UUPS implementation: any account that passes `_authorizeUpgrade` can replace the code " +
      "behind the proxy. This `_authorizeUpgrade` lets everyone pass. An attacker can upgrade the proxy to a " +
      "contract of their own and take everything it holds.",
    remediation: "Restrict it: `function _authorizeUpgrade(address) internal override onlyOwner {}`.",
    references: [
      "https://docs.openzeppelin.com/contracts/5.x/api/proxy#UUPSUpgradeable",
      "https://eips.ethereum.org/EIPS/eip-1822",
    ],
  },
  check: (program, report) => {
    for (const flow of program.allFlows()) {
      const { fn } = flow
      if (fn.name !== "_authorizeUpgrade" || fn.contract === undefined) continue
      if (!isDeployed(program, fn, fn.contract) || !flow.isReachable(flow.exit) || isChecked(flow)) continue
      report({ file: fn.source.file, span: fn.node.nameSpan, scope: fn.scope })
    }
  },
  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts-upgradeable/proxy/utils/UUPSUpgradeable.sol";
contract Vault is UUPSUpgradeable {
  uint256 public total;
  function _authorizeUpgrade(address) internal override {} // FINDING
}`,
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts-upgradeable/proxy/utils/UUPSUpgradeable.sol";
contract Vault is UUPSUpgradeable {
  address owner;
  function _authorizeUpgrade(address next) internal view override { // FINDING
    require(next != address(0) && next.code.length > 0);
  }
}`,
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts-upgradeable/proxy/utils/UUPSUpgradeable.sol";
contract Vault is UUPSUpgradeable {
  function _authorizeUpgrade(address) internal override onlyProxy {} // FINDING
}
contract Guarded is UUPSUpgradeable {
  function _authorizeUpgrade(address) internal override lawful {}
}`,
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts-upgradeable/proxy/utils/UUPSUpgradeable.sol";
abstract contract Base is UUPSUpgradeable {
  uint256 public upgrades;
  modifier counted() { upgrades++; _; }
  function _authorizeUpgrade(address) internal virtual override counted {} // FINDING
}
contract Lending is Base { uint256 public total; }
contract Saving is Base {
  address owner = msg.sender;
  function _authorizeUpgrade(address) internal view override { require(msg.sender == owner); }
}`,
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts-upgradeable/proxy/utils/UUPSUpgradeable.sol";
abstract contract Account is UUPSUpgradeable {
  function _authorizeUpgrade(address) internal virtual override {} // FINDING
}`,
    ],
    safe: [
      // The proxy runs this code for its administrator alone.
      // Likewise, by a branch, in a proxy whose base is not among the sources.
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts-upgradeable/proxy/utils/UUPSUpgradeable.sol";
import "@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol";
contract Vault is UUPSUpgradeable, OwnableUpgradeable {
  function _authorizeUpgrade(address) internal override onlyOwner {}
}
contract Frozen is UUPSUpgradeable {
  function _authorizeUpgrade(address) internal pure override { revert("frozen"); }
}`,
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts-upgradeable/proxy/utils/UUPSUpgradeable.sol";
contract Vault is UUPSUpgradeable {
  mapping(address => bool) admins;
  address owner;
  function _isAdmin(address who) internal view returns (bool) { return admins[who]; }
  function _authorizeUpgrade(address) internal view override {
    if (!_isAdmin(msg.sender) && msg.sender != owner) revert("no");
  }
}`,
      // Every contract that runs replaces the default.
      `pragma solidity ^0.8.20;
import {UUPSUpgradeable} from "@openzeppelin/contracts-upgradeable/proxy/utils/UUPSUpgradeable.sol";
abstract contract Base is UUPSUpgradeable {
  function _authorizeUpgrade(address) internal virtual override {}
}
abstract contract Middle is Base {}
contract Vault is Middle {
  address owner;
  function _authorizeUpgrade(address) internal view override { require(msg.sender == owner); }
}`,
    ],
  },
}

/**
 * Whether some contract runs the function: it is not a default that every derived contract overrides. Nothing asks the
 * users of a library to override what has a body.
 */
const isDeployed = (program: Program, fn: FunctionModel, contract: ContractModel): boolean =>
  !contract.node.abstract ||
  contract.derived.length === 0 ||
  contract.derived.some((heir) => !heir.node.abstract && program.implementation(heir, fn.signature) === fn)

/** The caller is looked at, or something that is not among the sources may do it. */
const isChecked = (flow: Flow): boolean => mayAsk(flow) || demandsAt(flow, flow.exit).standing !== "open"
