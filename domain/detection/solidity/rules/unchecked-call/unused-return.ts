import type { Rule } from "../../../Rule.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import type { FunctionModel } from "../../model.ts"
import type { Program } from "../../program.ts"
import { lostResult } from "../../questions/call/lostResult.ts"

export const unusedReturn: Rule<Program> = {
  meta: {
    id: "evm/unchecked-call/unused-return",
    class: "unused-return",
    title: "Unused return value of an external call",
    severity: "low",
    confidence: "medium",
    cwe: [252],
    swc: 104,
    description:
      "The return value of the called function reports how much it did, or whether it did anything at all, but " +
      "it is ignored. A redemption that yields less than requested, or an approval that was rejected, goes " +
      "unnoticed, and the recorded amounts become wrong.",
    remediation:
      "Use the return value: `require(…)` a boolean, and record the returned amount rather than the requested " +
      "one. If it really does not matter, say so in a comment.",
    references: [
      "https://swcregistry.io/docs/SWC-104",
      "https://github.com/crytic/slither/wiki/Detector-Documentation#unused-return",
    ],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      // One decision, made for each of several calls in a row.
      const told = new Set<FunctionModel>()
      for (const site of flow.calls()) {
        if (site.callKind !== "external") continue
        const { target } = site
        const isUnread = target?.returns.length === 1 && lostResult(flow, site) === "unread"
        if (!site.resultIgnored && !isUnread) continue
        if (target === undefined || told.has(target) || movesTokens.test(target.signature) || !isTelling(site)) continue
        // without an effect there, the call is made because it may revert
        if (site.isStatic) continue
        // a call to oneself is the contract's own affair
        if (
          site.receiver !== undefined &&
          site.receiver.kind === "Identifier" &&
          program.isBuiltin(site.receiver, "this")
        )
          continue
        told.add(target)
        report({
          file: site.at.callable.source.file,
          span: site.node,
          scope: site.at.callable.scope,
          // Without the allowance the transfer that needs it fails.
          ...(approves.test(target.signature) ? { severity: "informational" as const } : {}),
        })
      }
    }
  },

  examples: {
    vulnerable: [
      // The same call several times is one finding.
      `pragma solidity ^0.8.0;
interface ITracker { function claim(address who) external returns (uint256); function stop(address who) external returns (bool); }
contract Router {
  ITracker first;
  ITracker second;
  function claimAll() external {
    first.claim(msg.sender); // FINDING
    second.claim(msg.sender);
    second.stop(msg.sender); // FINDING
  }
  function claimSecond() external {
    second.claim(msg.sender); // FINDING
  }
}`,
      `pragma solidity ^0.8.0;
interface IMarket { function redeem(uint256 shares) external returns (uint256 amount); }
contract Strategy {
    IMarket market;
    uint256 public idle;

    function exit(uint256 shares) external {
        market.redeem(shares); // FINDING
        idle += shares;
    }
}`,
      `pragma solidity ^0.6.0;
interface IERC20 { function approve(address spender, uint256 amount) external returns (bool); }
contract Pool {
    function allow(IERC20 token, address spender) external {
        token.approve(spender, 1); // FINDING
    }
}`,
      `pragma solidity ^0.8.0;
interface IPool { function redeem(uint256 shares) external returns (uint256); }
contract Leaver {
    IPool pool;
    uint256 left;
    function leave(uint256 shares) external {
        uint256 got = pool.redeem(shares); // FINDING
        left = shares;
    }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
interface IMarket {
    function redeem(uint256 shares) external returns (uint256 amount);
    function sync() external;
}
interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); }
contract Strategy {
    IMarket market;
    IERC20 token;
    uint256 public idle;

    function exit(uint256 shares) external {
        uint256 amount = market.redeem(shares);
        idle += amount;
        market.sync();
    }

    function pay(address to) external {
        token.transfer(to, 1);
    }
}`,
      `pragma solidity ^0.8.0;
library Set {
    struct Data { mapping(uint256 => bool) has; }
    function add(Data storage set, uint256 x) internal returns (bool) {
        set.has[x] = true;
        return true;
    }
}
interface IHook { function onEnter(address who) external returns (bytes4); }
contract Bag {
    using Set for Set.Data;
    Set.Data data;
    IHook hook;

    function put(uint256 x) external {
        data.add(x);
        _more(x);
        hook.onEnter(msg.sender);
    }

    function _more(uint256 x) internal returns (bool) {
        return data.add(x + 1);
    }
}`,
      `pragma solidity ^0.8.20;
interface IVault {
  function check() external view returns (bool);
  function split() external returns (uint256 a, uint256 b);
}
contract User {
  uint256 public last;
  function use(IVault vault) external {
    vault.check();
    (uint256 a, uint256 b) = vault.split();
    last = b;
    this.bump();
  }
  function bump() external returns (uint256) { last += 1; return last; }
}`,
    ],
  },
}

const approves = /^approve\(/

/** Their results are covered by another rule. */
const movesTokens = /^transfer(?:From)?\(/

/** Results that tell the caller nothing new: a callback's magic value, or the id that was passed in. */
const isTelling = (site: CallSite): boolean => {
  const type = site.target?.returns[0]?.type
  return type !== undefined && (type.kind === "bool" || type.kind === "integer")
}
