import type { Rule } from "../../../Rule.ts"
import { has, Source } from "../../flow/graph/origins.ts"
import type { Program } from "../../program.ts"
import { constantNumber } from "../../questions/value/constantNumber.ts"
import type * as S from "../../syntax.ts"

export const hardcodedGas: Rule<Program> = {
  meta: {
    id: "evm/denial-of-service/hardcoded-gas",
    class: "hardcoded-gas",
    title: "Payment with a fixed gas stipend",
    severity: "low",
    // Plain accounts can always be paid; multisigs, proxies and smart accounts often cannot.
    confidence: "medium",
    cwe: [655, 400],
    swc: 134,
    description:
      "`transfer`, `send` and calls with a literal amount of gas rely on current opcode prices. Prices have " +
      "changed before (EIP-1884, EIP-2929), and a receiver that is a multisig, a proxy or a smart account " +
      "already needs more than 2,300 gas: the payment fails, and the receiver's ether remains locked here.",
    remediation:
      'Pay with `(bool ok, ) = to.call{value: amount}(""); require(ok);` after all state changes, with a reentrancy lock where ' +
      "needed, or use OpenZeppelin's Address.sendValue.",
    references: [
      "https://swcregistry.io/docs/SWC-134",
      "https://eips.ethereum.org/EIPS/eip-1884",
      "https://diligence.consensys.io/blog/2019/09/stop-using-soliditys-transfer-now/",
    ],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      for (const site of flow.calls()) {
        const { callKind, at } = site
        const stipend =
          (callKind === "transfer" || callKind === "send") && at.callable.source.version.min >= afterRepricing
        const literalGas =
          (callKind === "call" || (callKind === "external" && !site.isStatic)) &&
          site.gas !== undefined &&
          constantNumber(program, site.gas as S.Expression) !== undefined
        if (!stipend && !literalGas) continue
        // the proposer of a block, and the burn address, need no gas
        if (site.receiver !== undefined && has(flow.origins(site.receiver, at), Source.blockEntropy)) continue
        report({ file: at.callable.source.file, span: site.node, scope: at.callable.scope })
      }
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.5.0;
interface Receiver { function received() external; }
contract Notifier {
    function tell(Receiver to) external {
        to.received.gas(10000)(); // FINDING
    }
}`,
      `pragma solidity ^0.8.0;
contract Bank {
    mapping(address => uint256) balances;

    function withdraw(uint256 amount) external {
        balances[msg.sender] -= amount;
        payable(msg.sender).transfer(amount); // FINDING
    }
}`,
      `pragma solidity ^0.7.0;
contract Split {
    address payable partner;

    function pay() external payable {
        require(partner.send(msg.value)); // FINDING
    }

    function ping(address other) external payable {
        (bool ok, ) = other.call{value: msg.value, gas: 10000}(""); // FINDING
        require(ok);
    }
}`,
      `pragma solidity 0.6.0;
contract Payer {
  function pay(address payable to) external {
    to.transfer(1); // FINDING
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); }
contract Bank {
    mapping(address => uint256) balances;
    IERC20 token;

    function withdraw(uint256 amount) external {
        balances[msg.sender] -= amount;
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok);
        require(token.transfer(msg.sender, amount));
    }

    function forward(address to, uint256 gasLimit) external payable {
        (bool ok, ) = to.call{value: msg.value, gas: gasLimit}("");
        require(ok);
    }
}`,
      `pragma solidity ^0.4.24;
contract Old {
    function refund() public payable {
        msg.sender.transfer(msg.value);
    }
}`,
      `pragma solidity ^0.8.20;
interface IHook { function look() external view returns (uint256); }
contract Payer {
  function tip() external { block.coinbase.transfer(1); }
  function look(IHook hook) external view returns (uint256) { return hook.look{gas: 5000}(); }
  function run(address to) external { (bool ok, ) = to.delegatecall{gas: 5000}(""); require(ok); }
}`,
      `pragma solidity ^0.8.20;
contract Payer {
  function pay(address to) external { assembly { if iszero(call(5000, to, 1, 0, 0, 0, 0)) { revert(0, 0) } } }
}`,
    ],
  },
}

/**
 * Compilers since the repricing of storage reads (EIP-1884, December 2019), which broke receivers that relied on 2,300
 * gas.
 */
const afterRepricing = 6000
