import type { Rule } from "../../../Rule.ts"
import type { ContractModel } from "../../model.ts"
import type { Program } from "../../program.ts"

export const reusedContractName: Rule<Program> = {
  meta: {
    id: "evm/code-quality/reused-contract-name",
    class: "reused-name",
    title: "Duplicate contract name",
    // Which one is deployed depends on the tool and on the order of the files.
    severity: "informational",
    confidence: "medium",
    cwe: [694],
    description:
      "Two deployable contracts in different files have the same name but different code. Truffle and similar " +
      "tools write one artifact per name, so the later file overwrites the earlier one: scripts may deploy, " +
      "verify and test a different contract than the one that was reviewed.",
    remediation: "Give each deployable contract a unique name, or remove the unused copy.",
    references: ["https://github.com/crytic/slither/wiki/Detector-Documentation#name-reused"],
  },

  check: (program, report) => {
    const byName = new Map<string, ContractModel>()
    for (const contract of program.everything.contracts) {
      if (!contract.deployable || contract.functions.length + contract.stateVariables.length === 0) continue
      const { file } = contract.source
      const key = `${buildRoot(file.path)} ${contract.name}`
      const first = byName.get(key)
      if (first === undefined) {
        byName.set(key, contract)
        continue
      }
      const text = (c: ContractModel): string => c.source.file.text.slice(c.node.start, c.node.end)
      if (text(first) === text(contract)) continue
      report({
        file,
        span: contract.node.nameSpan,
        scope: contract.name,
        message: `\`${contract.name}\` is also declared in ${first.source.file.path}.`,
        trace: [
          { file: first.source.file, span: first.node.nameSpan, note: "first declaration" },
          { file, span: contract.node.nameSpan, note: "second declaration" },
        ],
      })
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.0;
contract Vault {
    uint256 public total;
    function add(uint256 x) external { total += x; }
}
contract Vault { // FINDING
    uint256 public total;
    function add(uint256 x) external { total += 2 * x; }
}`,
      `pragma solidity ^0.4.24;
contract Token {
    uint256 public supply = 1;
}
contract Sale {
    Token token = new Token();
}
contract Token { // FINDING
    uint256 public supply = 1000000;
    function mint() public { supply++; }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
interface IVault { function add(uint256 x) external; }
contract Vault is IVault {
    uint256 public total;
    function add(uint256 x) external { total += x; }
}
contract Vault2 is IVault {
    uint256 public total;
    function add(uint256 x) external { total += 2 * x; }
}`,
      `pragma solidity ^0.8.0;
library Vault { function a() internal pure {} }
contract VaultLogic { function a() external pure { Vault.a(); } }`,
      `pragma solidity ^0.8.20;
interface IToken { function a() external; }
interface IToken { function b() external; }
contract Marker {}
contract Marker { }`,
      `pragma solidity ^0.8.20;
contract Twin { uint256 public count; function add() external { count += 1; } }
contract Twin { uint256 public count; function add() external { count += 1; } }`,
    ],
  },
}

/** The folder up to the one that contains the sources: the scope of one build. */
const buildRoot = (path: string): string => {
  const folder = /^(.*?)(?:^|\/)(?:contracts|src|source|sources)\//.exec(path)
  return folder?.[1] ?? ""
}
