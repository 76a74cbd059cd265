import type { Rule } from "../../../Rule.ts"
import { isZero } from "../../flow/values/isZero.ts"
import type { LocalVariable } from "../../model.ts"
import { has, type Origins, Source } from "../../flow/graph/origins.ts"
import { isTrustedChoice, requiresTrusted } from "../../access/checks/trustedChoice.ts"
import type { Fact } from "../../flow/facts/facts.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import type { Flow, Program } from "../../program.ts"
import { revertsOnFailure } from "../../questions/call/revertsOnFailure.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"

export const callWithoutCode: Rule<Program> = {
  meta: {
    id: "evm/unchecked-call/call-without-code",
    class: "call-no-code",
    title: "Low-level call to an address without code succeeds",
    severity: "low",
    confidence: "low",
    cwe: [754],
    description:
      "A low-level call to an address without code does nothing and reports success. Here, a function of " +
      "another contract is called this way, and only the success flag is checked: if nothing is deployed at the " +
      "address (a token not yet created, one that destroyed itself, the wrong network), the contract records a " +
      "transfer that never took place. This is how Qubit lost 80 million dollars.",
    remediation:
      "Require `to.code.length > 0` first, or call through an interface, which checks it, or use OpenZeppelin's " +
      "Address.functionCall. If data is returned, check its length as well.",
    references: [
      "https://docs.soliditylang.org/en/latest/control-structures.html#error-handling-assert-require-revert-and-exceptions",
      "https://docs.openzeppelin.com/contracts/5.x/api/utils#Address",
      "https://rekt.news/qubit-rekt",
    ],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      if (!program.graph.isReachable(flow.fn)) continue
      for (const site of flow.calls()) {
        if (site.callKind !== "call" && site.callKind !== "delegatecall") continue
        if (site.receiver === undefined || !callsFunction(flow, site)) continue
        const receiver = flow.deepOrigins(site.receiver, site.at)
        // fixed at deployment, or this contract itself
        if (!has(receiver, Source.parameter | Source.state | Source.calldata)) continue
        if (usesData(flow, site) || looksAtCode(flow, site) || !revertsOnFailure(flow, site)) continue
        report({
          file: site.at.callable.source.file,
          span: site.node,
          scope: site.at.callable.scope,
          ...(isTrustedChoice(program, receiver) || isTrustedEntry(flow, site, receiver)
            ? { message: "Only privileged accounts choose the address." }
            : {}),
        })
      }
    }
  },

  examples: {
    vulnerable: [
      // What a library without source says of an address need not be that it has code.
      `pragma solidity ^0.8.0;
import {Lists} from "lists/Lists.sol";
contract Caller {
  using Lists for address;
  function run(address to, uint256 x) external {
    require(to.isListed(), "unlisted");
    (bool ok, ) = to.call(abi.encodeWithSignature("run(uint256)", x)); // FINDING
    require(ok);
  }
}`,
      // Only that an address is set is asked; only the owner sets it.
      `pragma solidity ^0.8.0;
contract Hub {
    mapping(uint256 => address) public adapters;
    function setAdapter(uint256 chain, address to) external { adapters[chain] = to; }
    function _adapterOf(uint256 chain) internal view returns (address adapter) {
        adapter = adapters[chain];
        require(adapter != address(0), "adapter");
    }
    function relay(uint256 chain, bytes calldata message) external {
        address adapter = _adapterOf(chain);
        (bool ok, ) = adapter.delegatecall(abi.encodeWithSignature("relay(bytes)", message)); // FINDING
        require(ok);
    }
}
contract Module {
    address immutable owner = msg.sender;
    address public logic;
    function setLogic(address to) external { require(msg.sender == owner); logic = to; }
    function run(uint256 amount) external {
        (bool ok, ) = logic.delegatecall(abi.encodeWithSignature("run(uint256)", amount)); // FINDING
        require(ok);
    }
}`,
      `pragma solidity ^0.8.0;
contract Bridge {
    mapping(address => uint256) public credit;

    function deposit(address token, uint256 amount) external {
        (bool ok, ) = token.call( // FINDING
            abi.encodeWithSignature("transferFrom(address,address,uint256)", msg.sender, address(this), amount)
        );
        require(ok, "failed");
        credit[msg.sender] += amount;
    }
}`,
      `pragma solidity ^0.6.0;
contract Payer {
    address token;

    function setToken(address t) external {
        token = t;
    }

    function pay(address to, uint256 amount) external {
        bytes memory data = abi.encodeWithSelector(0xa9059cbb, to, amount);
        (bool ok, bytes memory answer) = token.call(data); // FINDING
        if (!ok) revert();
    }
}`,
      `pragma solidity ^0.8.0;
contract Payer {
    function pay(address token, address to, uint256 amount) external {
        (bool ok, bytes memory data) = token.call(abi.encodeWithSignature("transfer(address,uint256)", to, amount)); // FINDING
        require(ok && (data.length == 0 || abi.decode(data, (bool))));
    }
}`,
      `pragma solidity ^0.8.20;
contract Runner {
  address logic;
  function set(address l) external { logic = l; }
  function run(uint256 amount) external {
    (bool ok, ) = logic.delegatecall(abi.encodeWithSignature("run(uint256)", amount)); // FINDING
    require(ok);
  }
}`,
      // The caller selects among addresses that the owner has set, or that may not be set, or that anyone may set.
      `pragma solidity ^0.8.20;
contract Selected {
  address immutable owner = msg.sender;
  mapping(uint256 => address) adapters;
  mapping(uint256 => address) hooks;
  function setAdapter(uint256 id, address to) external { require(msg.sender == owner); adapters[id] = to; }
  function setHook(uint256 id, address to) external { hooks[id] = to; }
  function unset(uint256 id) external {
    (bool ok, ) = adapters[id].delegatecall(abi.encodeWithSignature("go()")); // FINDING
    require(ok);
  }
  function set(uint256 id) external {
    address to = adapters[id];
    require(to != address(0));
    (bool ok, ) = to.delegatecall(abi.encodeWithSignature("go()")); // FINDING
    require(ok);
  }
  function open(uint256 id) external {
    address to = hooks[id];
    require(to != address(0));
    (bool ok, ) = to.delegatecall(abi.encodeWithSignature("go()")); // FINDING
    require(ok);
  }
}`,
    ],
    safe: [
      // Whichever side of the comparison the code is on.
      `pragma solidity ^0.8.0;
contract Caller {
  function run(address to, uint256 x, uint256 least) external {
    require(least < to.code.length, "no code");
    (bool ok, ) = to.call(abi.encodeWithSignature("run(uint256)", x));
    require(ok);
  }
}`,
      // Whether there is code is asked in a function that is called first.
      `pragma solidity ^0.8.0;
import "@openzeppelin/contracts/utils/Address.sol";
contract Hub {
    using Address for address;
    mapping(uint256 => address) public adapters;
    function setAdapter(uint256 chain, address to) external { adapters[chain] = to; }
    function _adapterOf(uint256 chain) internal view returns (address adapter) {
        adapter = adapters[chain];
        require(adapter.isContract(), "adapter");
    }
    function relay(uint256 chain, bytes calldata message) external {
        address adapter = _adapterOf(chain);
        (bool ok, ) = adapter.delegatecall(abi.encodeWithSignature("relay(bytes)", message));
        require(ok);
    }
}`,
      `pragma solidity ^0.8.0;
contract Bridge {
    mapping(address => uint256) public credit;

    function hasCode(address a) internal view returns (bool) {
        return a.code.length > 0;
    }

    function deposit(address token, uint256 amount) external {
        require(hasCode(token));
        (bool ok, ) = token.call(abi.encodeWithSignature("transferFrom(address,address,uint256)", msg.sender, address(this), amount));
        require(ok, "failed");
        credit[msg.sender] += amount;
    }

    function pay(address payable to, uint256 amount) external {
        (bool ok, ) = to.call{value: amount}("");
        require(ok);
    }
}`,
      `pragma solidity ^0.8.0;
contract Payer {
    address immutable token;
    uint256 failures;

    constructor(address t) {
        token = t;
    }

    function pay(address to, uint256 amount) external {
        (bool ok, ) = token.call(abi.encodeWithSelector(0xa9059cbb, to, amount));
        require(ok);
    }

    function payAny(address coin, address to, uint256 amount) external {
        (bool ok, bytes memory answer) = coin.call(abi.encodeWithSelector(0xa9059cbb, to, amount));
        require(ok && abi.decode(answer, (bool)));
    }

    function ping(address to) external {
        (bool ok, ) = to.call(abi.encodeWithSignature("ping()"));
        if (!ok) failures++;
    }
}`,
      `pragma solidity ^0.8.20;
contract Runner {
  function read(address to) external view {
    (bool ok, ) = to.staticcall(abi.encodeWithSignature("read()"));
    require(ok);
  }
  function pack(address to, bytes calldata a) external { (bool ok, ) = to.call(abi.encodePacked(a, a)); require(ok); }
  function encode(address to, uint256 a) external {
    bytes memory data = abi.encode(a);
    (bool ok, ) = to.call(data);
    require(ok);
  }
  function unused(address to) private {
    (bool ok, ) = to.call(abi.encodeWithSignature("read()"));
    require(ok);
  }
}`,
      `pragma solidity ^0.8.20;
contract Runner {
  function back(address to) external returns (bytes memory data) {
    bool ok;
    (ok, data) = to.call(abi.encodeWithSignature("run()"));
    require(ok);
  }
  function word(address to, bool any) external {
    (bool ok, bytes memory data) = to.call(abi.encodeWithSignature("run()"));
    require(ok && (data.length == 32 || any));
  }
  function long(address to, bool any) external {
    (bool ok, bytes memory data) = to.call(abi.encodeWithSignature("run()"));
    require(ok && (data.length > 0 || any));
  }
  function counted(address to, uint256 n) external {
    (bool ok, bytes memory data) = to.call(abi.encodeWithSignature("run()"));
    require(ok && (n == 0 || abi.decode(data, (bool))));
  }
  function other(address to, bytes calldata n) external {
    (bool ok, bytes memory data) = to.call(abi.encodeWithSignature("run()"));
    require(ok && (n.length == 0 || abi.decode(data, (bool))));
  }
  function both(address to, bool any) external {
    (bool ok, bytes memory data) = to.call(abi.encodeWithSignature("run()"));
    if (data.length == 0 && !any) revert();
    require(ok);
  }
}`,
    ],
  },
}

/** Whether the caller only selects an entry that trusted accounts have set, and one that is not set fails. */
const isTrustedEntry = (flow: Flow, { at }: CallSite, receiver: Origins): boolean =>
  requiresTrusted(flow, at, ({ state }) => state.every((v) => receiver.state.includes(v)))

/** Whether the calldata is that of a function: `abi.encodeWithSelector(…)` and the like, so code is expected there. */
const callsFunction = (flow: Flow, site: CallSite): boolean => {
  const [data] = site.args
  if (data === undefined) return false
  let found = false
  walk(data, (e) => {
    const call = e.kind === "FunctionCall" ? flow.program.callOf(e) : undefined
    found ||= call?.kind === "builtin" && /encode(?:WithSelector|WithSignature|Call)$/.test(call.name)
    return !found
  })
  if (data.kind !== "Identifier") return found
  const variable = flow.program.referenceOf(data)
  if (variable?.kind !== "LocalVariable") return false
  return flow.values.reaching(variable, site.at).definitions.some(({ value }) => {
    const call = value?.kind === "FunctionCall" ? flow.program.callOf(value) : undefined
    return call?.kind === "builtin" && /encode(?:WithSelector|WithSignature|Call)$/.test(call.name)
  })
}

/** Whether the code of an address is checked, in the function or by one that it calls first. */
const looksAtCode = (flow: Flow, site: CallSite): boolean => flow.facts(site.at).some(asksForCode)

const asksForCode = (fact: Fact): boolean => {
  if (fact.kind === "any") return fact.options.every((option) => option.some(asksForCode))
  const { left, right, expression } = fact
  if (has(left, Source.code) || (right !== undefined && has(right, Source.code))) return true
  // a library without source
  return (
    expression.kind === "FunctionCall" &&
    expression.callee.kind === "MemberAccess" &&
    expression.callee.member === "isContract"
  )
}

/** Whether returned data is checked: an address without code returns none. */
const usesData = (flow: Flow, site: CallSite): boolean =>
  site.at.definitions.some(
    ({ value, index, variable }) =>
      value === site.node &&
      index === 1 &&
      variable.kind === "LocalVariable" &&
      (variable.role === "return" || flow.isUsed(variable)) &&
      !mayBeEmpty(flow, variable),
  )

/** `data.length == 0 || abi.decode(data, (bool))`: empty data counts as success. */
const mayBeEmpty = (flow: Flow, variable: LocalVariable): boolean => {
  const isLength = (e: S.Node): boolean => e.kind === "MemberAccess" && flow.program.referenceOf(e.object) === variable
  return flow.conditionNodes().some(({ expression }) => {
    let found = false
    walk(expression!, (e) => {
      if (e.kind === "BinaryOperation" && e.operator === "||")
        found ||= [e.left, e.right].some(
          (side) =>
            side.kind === "BinaryOperation" && side.operator === "==" && isLength(side.left) && isZero(side.right),
        )
      return !found
    })
    return found
  })
}
