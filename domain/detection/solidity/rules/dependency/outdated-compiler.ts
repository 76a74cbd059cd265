import type { Rule } from "../../../Rule.ts"
import type { ContractModel } from "../../model.ts"
import type { SourceFile } from "../../../SourceFile.ts"
import type { Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import type { VersionRange } from "../../version.ts"

export const outdatedCompiler: Rule<Program> = {
  meta: {
    id: "evm/dependency/outdated-compiler",
    class: "outdated-compiler",
    title: "Outdated or floating compiler version",
    severity: "informational",
    confidence: "high",
    cwe: [1104],
    swc: 102,
    description:
      "The pragma requires or permits a Solidity compiler before 0.8. Those versions have known code generation " +
      "bugs that are fixed only in later ones, wrap silently on overflow, and lack newer checks. With a version " +
      "range across such changes, tests and deployment can run different code.",
    remediation:
      "Move to a current 0.8 compiler and pin a single version in contracts that are deployed (`pragma solidity " +
      "0.8.30;`). Libraries may allow a range within one minor version. Before changing a deployed system, read " +
      "the list of breaking changes.",
    references: [
      "https://docs.soliditylang.org/en/latest/bugs.html",
      "https://swcregistry.io/docs/SWC-103",
      "https://docs.soliditylang.org/en/latest/080-breaking-changes.html",
    ],
  },

  check: (program, report) => {
    const found = new Map<
      string,
      { readonly file: SourceFile; readonly span: S.Node; message: string; files: number }
    >()
    for (const source of program.sources) {
      const { version, unit, file } = source
      if (version.min >= maintained) continue
      // interfaces compile to nothing, and libraries allow a range on purpose
      if (!source.contracts.some(version.max < maintained ? hasCode : isDeployed)) continue
      const pragma = unit.pragmas.find(({ name }) => name === "solidity")
      if (pragma === undefined) continue
      const known = found.get(file.text.slice(pragma.start, pragma.end))
      if (known === undefined)
        found.set(file.text.slice(pragma.start, pragma.end), {
          file,
          span: pragma,
          message: messageFor(version),
          files: 1,
        })
      else known.files++
    }
    // The same decision in many files is one finding.
    for (const { file, span, message, files } of found.values())
      report({
        file,
        span,
        scope: "",
        message: files === 1 ? message : `${message} ${files} files have this pragma.`,
      })
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.4.11; // FINDING
contract Old {
    function f() public {}
}`,
      `pragma solidity >=0.6.0 <0.9.0; // FINDING
contract Open {
    uint256 public total;
    function add(uint256 x) external { total += x; }
}`,
      `// no licence
pragma experimental ABIEncoderV2;
pragma solidity >=0.5.0; // FINDING
contract Open {
    function f(uint256 x) external pure returns (uint256) { return x; }
}`,
      `pragma solidity >=0.7.0 <=0.8.0; // FINDING
contract Desk { uint256 count; function add() external { count += 1; } }`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
contract Current {
    function f() public {}
}`,
      `pragma solidity >=0.6.2;
interface Receiver {
    function f() external;
}
library Open {
    function f(uint256 x) internal pure returns (uint256) { return x; }
}`,
      `pragma solidity 0.8.30;
pragma abicoder v2;
library L {
    function f(uint256 x) internal pure returns (uint256) { return x; }
}`,
      // A library of the first compiler with checked arithmetic, and those before.
      `pragma solidity >=0.7.0 <=0.8.0;
library Sums { function add(uint256 a, uint256 b) internal pure returns (uint256) { return a + b; } }`,
    ],
  },
}

/** First version with checked arithmetic; earlier branches no longer receive fixes. */
const maintained = 8000

const messageFor = ({ min, max }: VersionRange): string =>
  max < maintained
    ? "Only compilers before 0.8 are allowed."
    : max === Infinity
      ? `Compilers from 0.${Math.floor(min / 1000)} on are allowed without an upper bound, and they compile the same code differently.`
      : "Compilers before and after 0.8 are allowed: whether arithmetic is checked depends on which one is used."

const isDeployed = ({ deployable }: ContractModel): boolean => deployable

const hasCode = (contract: ContractModel): boolean =>
  isDeployed(contract) || contract.functions.some((fn) => fn.implemented)
