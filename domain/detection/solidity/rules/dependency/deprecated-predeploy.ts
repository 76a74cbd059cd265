import type { Rule } from "../../../Rule.ts"
import type { Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"
import { contractAt } from "../../questions/contractAt.ts"

export const deprecatedPredeploy: Rule<Program> = {
  meta: {
    id: "evm/dependency/deprecated-predeploy",
    class: "l2-deprecated",
    title: "Deprecated predeployed contract",
    severity: "low",
    confidence: "high",
    cwe: [477],
    description:
      "The code relies on a deprecated predeployed contract of an OP Stack chain, or on functions of the gas " +
      "price oracle that revert since the Ecotone upgrade. Such calls fail or return values that are no longer " +
      "maintained, and the functions that make them stop working.",
    remediation:
      "Use the current predeploys: L2ToL1MessagePasser (0x42…0016), L1Block (0x42…0015), L2CrossDomainMessenger " +
      "(0x42…0007), and `getL1Fee` of the gas price oracle.",
    references: [
      "https://specs.optimism.io/protocol/predeploys.html",
      "https://github.com/crytic/slither/wiki/Detector-Documentation#optimism-deprecated-predeploy-or-function",
    ],
  },

  check: (program, report) => {
    for (const source of program.sources) {
      const { file } = source
      if (!mayName.test(file.text)) continue
      let usesOracle = false
      walk(source.unit, (e) => {
        const address = addressIn(e)
        if (address === undefined) return
        usesOracle ||= address === gasOracle
        const name = predeploys.get(address)
        if (name !== undefined)
          report({ file, span: e, scope: contractAt(source, e.start), message: `This is the ${name}.` })
      })
      if (!usesOracle) continue
      walk(source.unit, (e) => {
        if (e.kind !== "FunctionCall") return
        const call = program.callOf(e)
        if (call?.kind === "external" && oracleFunctions.has(call.name))
          report({
            file,
            span: e,
            scope: contractAt(source, e.start),
            message: `\`${call.name}\` reverts since Ecotone.`,
          })
      })
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.0;
interface IL1BlockNumber { function getL1BlockNumber() external view returns (uint256); }
contract Clock {
    function number() external view returns (uint256) {
        return IL1BlockNumber(0x4200000000000000000000000000000000000013).getL1BlockNumber(); // FINDING
    }
}`,
      `pragma solidity ^0.8.0;
interface IGasOracle {
    function scalar() external view returns (uint256);
    function getL1Fee(bytes memory data) external view returns (uint256);
}
contract Fees {
    IGasOracle constant oracle = IGasOracle(0x420000000000000000000000000000000000000F);
    address constant passer = 0x4200000000000000000000000000000000000000; // FINDING
    function fee(bytes memory data) external view returns (uint256) {
        return oracle.getL1Fee(data) * oracle.scalar(); // FINDING
    }
}`,
      // Whatever else of the oracle reverts, and in assembly.
      `pragma solidity ^0.8.20;
interface IGasOracle { function overhead() external view returns (uint256); function getL1GasUsed(bytes memory data) external view returns (uint256); }
contract Fees {
  IGasOracle constant ORACLE = IGasOracle(0x420000000000000000000000000000000000000F);
  function base() external view returns (uint256) {
    return ORACLE.overhead(); // FINDING
  }
  function used(bytes calldata data) external view returns (uint256) {
    return ORACLE.getL1GasUsed(data); // FINDING
  }
  function low() external view returns (uint256 size) {
    assembly { size := extcodesize(0x4200000000000000000000000000000000000013) } // FINDING
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
interface IL1Block { function number() external view returns (uint64); }
contract Clock {
    function number() external view returns (uint256) {
        return IL1Block(0x4200000000000000000000000000000000000015).number();
    }
}`,
      `pragma solidity ^0.8.0;
interface IScaled { function scalar() external view returns (uint256); }
contract Fees {
    IScaled immutable scaled;
    constructor(IScaled s) { scaled = s; }
    function fee(uint256 x) external view returns (uint256) { return x * scaled.scalar(); }
}`,
    ],
  },
}

/** Predeployed contracts of the OP Stack that are kept only for old callers. */
const predeploys: ReadonlyMap<string, string> = new Map([
  ["0x4200000000000000000000000000000000000000", "LegacyMessagePasser"],
  ["0x4200000000000000000000000000000000000001", "L1MessageSender"],
  ["0x4200000000000000000000000000000000000002", "DeployerWhitelist"],
  ["0x4200000000000000000000000000000000000013", "L1BlockNumber"],
  ["0xdeaddeaddeaddeaddeaddeaddeaddeaddead0000", "LegacyERC20ETH"],
])

const gasOracle = "0x420000000000000000000000000000000000000f"

/** Functions of the gas price oracle that revert since the Ecotone upgrade. */
const oracleFunctions = new Set(["overhead", "scalar", "getL1GasUsed"])

/** If the text contains none of the addresses, its tree need not be examined. */
const mayName = /0x4200000000000000000000000000000000000|0xdeaddeaddead/i

const addressIn = (e: S.Node): string | undefined =>
  e.kind === "Literal" || e.kind === "YulLiteral" ? e.value.toLowerCase() : undefined
