import { shutsOut } from "../../demands/demands.ts"
import type { Rule } from "../../../Rule.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import { has, Source } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import { destroys, ephemeralContracts } from "../../questions/deployment/ephemeral.ts"

export const unprotectedSelfdestruct: Rule<Program> = {
  meta: {
    id: "evm/access-control/unprotected-selfdestruct",
    class: "unprotected-selfdestruct",
    title: "Unprotected selfdestruct",
    severity: "high",
    confidence: "high",
    cwe: [284],
    swc: 106,
    description:
      "The function runs `selfdestruct` without checking the caller. Any account can send the contract's entire " +
      "ether balance to the beneficiary and, on chains and in deployments where the opcode still deletes code " +
      "(before EIP-6780, or in the transaction that created the contract), destroy the contract for all its " +
      "users. Implementations behind proxies have been frozen this way, with hundreds of millions in them.",
    remediation:
      "Remove the self-destruct; to retire a contract, pause it instead. If it must stay, restrict it to an " +
      "owner, a role or a multisig, and pay to a fixed address.",
    references: [
      "https://swcregistry.io/docs/SWC-106",
      "https://eips.ethereum.org/EIPS/eip-6780",
      "https://www.parity.io/blog/a-postmortem-on-the-parity-multi-sig-library-self-destruct/",
    ],
  },
  check: (program, report) => {
    for (const flow of program.allFlows()) {
      const { context } = flow
      for (const site of flow.calls()) {
        if (!destroys(site) || shutsOut(flow, site.at)) continue
        if (context !== undefined && ephemeralContracts(program).has(context)) continue
        report({
          file: site.at.callable.source.file,
          span: site.node,
          scope: flow.fn.scope,
          ...(holdsNothing(flow) && hasHadItsTime(flow, site.at)
            ? {
                message: "The contract accepts no ether and destroys itself only after its time is over.",
                severity: "low",
              }
            : {}),
        })
      }
    }
  },
  examples: {
    vulnerable: [
      // Created twice, and destroyed once or only on one of the ways.
      `pragma solidity ^0.8.0;
contract Handler {
  receive() external payable {}
  function close(address payable to) external {
    selfdestruct(to); // FINDING
  }
}
contract Other {
  receive() external payable {}
  function close(address payable to, bool on) external {
    if (on) selfdestruct(to); // FINDING
  }
}
contract Gateway {
  address collector = msg.sender;
  function make() external { new Handler(); }
  function collect() external { Handler handler = new Handler(); handler.close(payable(collector)); }
  function collectOther(bool on) external { Other other = new Other(); other.close(payable(collector), on); }
}`,
      `pragma solidity ^0.4.11;
contract Pot {
  function () payable {}
  function close(address to) {
    suicide(to); // FINDING
  }
}`,
      `pragma solidity ^0.8.0;
contract Wallet {
  address owner = msg.sender;
  uint256 unlocked;
  function setUnlock(uint256 at) external { require(msg.sender == owner); unlocked = at; }
  function finish() public {
    require(block.timestamp > unlocked, "early");
    _end(payable(msg.sender));
  }
  function _end(address payable to) internal {
    selfdestruct(to); // FINDING
  }
}`,
      `pragma solidity ^0.8.0;
contract Proxyless {
  fallback() external payable {
    assembly {
      selfdestruct(caller()) // FINDING
    }
  }
}`,
      // Only a contract that takes no ether and whose time is over loses nothing.
      `pragma solidity ^0.8.0;
import {Treasury} from "./Treasury.sol";
contract Sale {
  uint256 immutable end = block.timestamp + 30 days;
  function buy() external payable {}
  function close() external {
    require(block.timestamp > end);
    selfdestruct(payable(msg.sender)); // FINDING
  }
}
contract Fund is Treasury {
  uint256 immutable end = block.timestamp + 30 days;
  function close() external {
    require(block.timestamp > end);
    selfdestruct(payable(msg.sender)); // FINDING
  }
}
contract Round {
  uint256 left = 5;
  function play() external { left--; }
  function close() external {
    require(left == 0);
    selfdestruct(payable(msg.sender)); // FINDING
  }
}`,
    ],
    safe: [
      // Created and destroyed in one function, nobody else finds it.
      `pragma solidity ^0.8.0;
contract Handler {
  function close(address payable to) external { selfdestruct(to); }
}
contract Gateway {
  address collector = msg.sender;
  function collect(bytes32 salt, bool on) external {
    if (!on) return;
    Handler handler = new Handler{salt: salt}();
    handler.close(payable(collector));
  }
}`,
      `pragma solidity ^0.8.0;
contract Base {
  address private admin = msg.sender;
  modifier restricted() { _check(); _; }
  function _check() internal view virtual { require(msg.sender == admin, "no"); }
}
contract Wallet is Base {
  function finish(address payable to) external restricted { _end(to); }
  function _end(address payable to) private { selfdestruct(to); }
}`,
      `pragma solidity ^0.4.24;
contract Wallet {
  mapping(address => bool) admins;
  function Wallet() public { admins[msg.sender] = true; }
  function kill() public {
    if (admins[msg.sender] == true) { selfdestruct(msg.sender); }
  }
}`,
      `pragma solidity ^0.4.9;
contract Several {
  mapping(uint => uint) index;
  function Several(address[] who) { for (uint i = 0; i < who.length; i++) { index[uint(who[i])] = i + 1; } }
  function isOwner(address who) constant returns (bool) { return index[uint(who)] > 0; }
  modifier onlyOwner { if (!isOwner(msg.sender)) throw; _; }
  function kill(address to) onlyOwner external { suicide(to); }
}`,
      `pragma solidity ^0.8.0;
contract Payment {
  constructor(address payable to) payable { selfdestruct(to); }
}`,
      // Nothing that can be called later calls it.
      `pragma solidity ^0.8.0;
abstract contract Mortal {
  constructor(bool on) { if (on) _end(payable(msg.sender)); }
  function _end(address payable to) internal { selfdestruct(to); }
  function _endFor(uint256 depth) private { if (depth == 0) _end(payable(msg.sender)); else _endFor(depth - 1); }
}
contract Wallet is Mortal {
  constructor() Mortal(false) {}
  receive() external payable {}
}`,
    ],
  },
}

/** Nothing of the contract takes ether. */
const holdsNothing = ({ context }: Flow): boolean =>
  context !== undefined &&
  context.missingBases.length === 0 &&
  context.linearization.every(({ functions }) => functions.every(({ mutability }) => mutability !== "payable"))

/** A time that is stored has come. */
const hasHadItsTime = (flow: Flow, at: FlowNode): boolean =>
  flow
    .facts(at)
    .some(
      (fact) =>
        fact.kind === "relation" &&
        [fact.left, fact.right].some((side) => side !== undefined && has(side, Source.timestamp | Source.blockNumber)),
    )
