import type { Rule } from "../../../Rule.ts"
import { has, Source } from "../../flow/graph/origins.ts"
import type { Program } from "../../program.ts"
import { revertsOnFailure } from "../../questions/call/revertsOnFailure.ts"

export const returnBomb: Rule<Program> = {
  meta: {
    id: "evm/denial-of-service/return-bomb",
    class: "return-bomb",
    title: "Return data bomb",
    severity: "low",
    confidence: "medium",
    cwe: [400],
    description:
      "The call limits the gas for an untrusted contract and continues if the call fails. However, Solidity " +
      "copies all returned data into memory, even if it is discarded, and the caller pays for that: the callee " +
      "can return, or revert with, a very large payload, and the caller runs out of gas despite the limit.",
    remediation:
      "Make the call in assembly and copy at most a fixed number of bytes (`call(gasLimit, to, value, ptr, len, 0, 0)`), or use the " +
      "ExcessivelySafeCall library.",
    references: [
      "https://github.com/nomad-xyz/ExcessivelySafeCall",
      "https://docs.soliditylang.org/en/latest/control-structures.html#external-function-calls",
    ],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      for (const site of flow.calls()) {
        if (site.gas === undefined || site.receiver === undefined) continue
        // before 0.5, the data was not copied
        if (site.node.kind === "YulFunctionCall" || site.at.callable.source.version.before05) continue
        const receiver = flow.deepOrigins(site.receiver, site.at)
        if (!has(receiver, Source.parameter | Source.state | Source.sender | Source.calldata)) continue
        if (revertsOnFailure(flow, site) || flow.isRestricted(site.at)) continue
        report({ file: site.at.callable.source.file, span: site.node, scope: site.at.callable.scope })
      }
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.0;
contract Bridge {
    event Failed(address to);

    function deliver(address to, bytes calldata data) external {
        (bool ok, ) = to.call{gas: 100000}(data); // FINDING
        if (!ok) emit Failed(to);
    }
}`,
      `pragma solidity ^0.8.0;
contract Hooks {
    mapping(address => address) hooks;
    uint256 failures;

    function register(address hook) external {
        hooks[msg.sender] = hook;
    }

    function notify(address of_, uint256 limit) external {
        (bool ok, bytes memory answer) = hooks[of_].call{gas: limit}(abi.encodeWithSignature("ping()")); // FINDING
        if (!ok || answer.length != 32) failures++;
    }
}`,
      `pragma solidity ^0.8.20;
contract Runner {
  uint256 failed;
  function read(address to) external {
    (bool ok, ) = to.staticcall{gas: 5000}(""); // FINDING
    if (!ok) failed += 1;
  }
  function run(address to) external {
    (bool ok, ) = to.delegatecall{gas: 5000}(""); // FINDING
    if (!ok) failed += 1;
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
contract Bridge {
    address immutable trusted;

    constructor(address t) {
        trusted = t;
    }

    function deliver(address to, bytes calldata data) external {
        (bool ok, ) = to.call{gas: 100000}(data);
        require(ok);
    }

    function tell(bytes calldata data) external returns (bool ok) {
        (ok, ) = trusted.call{gas: 100000}(data);
    }
}`,
      `pragma solidity ^0.8.0;
contract Safe {
    uint256 failures;

    function deliver(address to, uint256 limit) external {
        bool ok;
        assembly {
            ok := call(limit, to, 0, 0, 0, 0, 0)
        }
        if (!ok) failures++;
    }

    function forward(address to, bytes calldata data) external returns (bytes memory answer) {
        (, answer) = to.call(data);
    }
}`,
      `pragma solidity ^0.8.20;
interface IHook { function ping() external; }
interface IRegistry { function hook() external view returns (address); }
contract Runner {
  address immutable treasury = msg.sender;
  IRegistry immutable registry;
  uint256 failed;
  constructor(IRegistry r) { registry = r; }
  function ping(IHook hook) external { hook.ping{gas: 5000}(); }
  function fixedOne() external { (bool ok, ) = treasury.call{gas: 5000}(""); if (!ok) failed += 1; }
  function listed() external { (bool ok, ) = registry.hook().call{gas: 5000}(""); if (!ok) failed += 1; }
  function asBoss(address to) external {
    require(msg.sender == treasury);
    (bool ok, ) = to.call{gas: 5000}("");
    if (!ok) failed += 1;
  }
}`,
      `pragma solidity ^0.4.24;
contract Runner {
  uint256 failed;
  function run(address to) public { if (!to.call.gas(5000)()) failed += 1; }
}`,
    ],
  },
}
