import type { Rule } from "../../../Rule.ts"
import type { FunctionModel } from "../../model.ts"
import type { Program } from "../../program.ts"
import { forwarders } from "../../questions/authority/forwarding.ts"
import { selectorOf } from "../../questions/call/selector.ts"

export const selectorClash: Rule<Program> = {
  meta: {
    id: "evm/upgradeability/selector-clash",
    class: "selector-clash",
    title: "Function selector clash between proxy and implementation",
    severity: "high",
    // that the two contracts belong together is inferred from being in one project
    confidence: "medium",
    cwe: [694],
    description:
      "Functions are identified by the first four bytes of the hash of their signature, and these two different " +
      "signatures share them. A user who calls the function of the implementation reaches the proxy's function " +
      "instead. Such pairs can be found by brute force, so a malicious project can hide a function behind a " +
      "harmless name.",
    remediation:
      "Rename one of the functions, or use a proxy whose own functions are reachable only by its administrator " +
      "(transparent proxy) or that has none (UUPS).",
    references: [
      "https://forum.openzeppelin.com/t/beware-of-the-proxy-learn-how-to-exploit-function-clashing/1070",
      "https://docs.openzeppelin.com/upgrades-plugins/proxies#transparent-proxies-and-function-clashes",
    ],
  },
  check: (program, report) => {
    const proxies = forwarders(program)
    if (proxies.length === 0) return
    const selectors = new Map<string, number>()
    const selectorOfFunction = ({ signature }: FunctionModel): number => {
      const selector = selectors.get(signature) ?? selectorOf(signature)
      selectors.set(signature, selector)
      return selector
    }
    const bySelector = new Map<number, Array<FunctionModel>>()
    for (const fn of program.everything.functions) {
      if (!isCallable(program, fn)) continue
      const selector = selectorOfFunction(fn)
      const known = bySelector.get(selector)
      if (known === undefined) bySelector.set(selector, [fn])
      else known.push(fn)
    }
    for (const { contract } of proxies) {
      for (const fn of program.functionsOf(contract)) {
        if (!isCallable(program, fn)) continue
        const other = bySelector.get(selectorOfFunction(fn))?.find((candidate) => candidate.signature !== fn.signature)
        if (other === undefined) continue
        report({
          file: fn.source.file,
          span: fn.node.nameSpan,
          scope: fn.scope,
          message: `\`${fn.signature}\` and \`${other.scope}\` have the same selector.`,
          trace: [
            { file: other.source.file, span: other.node.nameSpan, note: "calls to this function never arrive" },
            { file: fn.source.file, span: fn.node.nameSpan, note: "this one intercepts them" },
          ],
        })
      }
    }
  },
  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
contract Proxy {
  address immutable code;
  constructor(address to) { code = to; }
  function collate_propagate_storage(bytes16) external { // FINDING
    payable(msg.sender).transfer(0);
  }
  fallback() external payable {
    (bool ok, ) = code.delegatecall(msg.data);
    require(ok);
  }
}
contract Token {
  mapping(address => uint256) public balanceOf;
  function burn(uint256 amount) external { balanceOf[msg.sender] -= amount; }
}`,
      `pragma solidity ^0.8.20;
contract Proxy {
  address immutable code;
  address admin;
  constructor(address to) { code = to; admin = msg.sender; }
  function proxyOwner() external view returns (address) { return admin; } // FINDING
  fallback() external payable {
    address to = code;
    assembly {
      calldatacopy(0, 0, calldatasize())
      let ok := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
      if iszero(ok) { revert(0, 0) }
    }
  }
}
contract Logic {
  uint256 total;
  function clash550254402() external { total += 1; }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.20;
contract Proxy {
  address immutable code;
  constructor(address to) { code = to; }
  function implementation() external view returns (address) { return code; }
  fallback() external payable {
    (bool ok, ) = code.delegatecall(msg.data);
    require(ok);
  }
}
contract Token {
  mapping(address => uint256) public balanceOf;
  function burn(uint256 amount) external { balanceOf[msg.sender] -= amount; }
}`,
      `pragma solidity ^0.8.20;
contract Plain {
  function collate_propagate_storage(bytes16) external {}
}
contract Token {
  mapping(address => uint256) public balanceOf;
  function burn(uint256 amount) external { balanceOf[msg.sender] -= amount; }
}`,
      // The proxy answers for the code behind it by the same name.
      `pragma solidity ^0.8.20;
contract Logic {
  address public owner;
  function limit() external pure returns (uint256) { return 1; }
  function set(address to) external { require(msg.sender == owner); owner = to; }
}
contract Proxy {
  bytes32 private constant SLOT = keccak256("acme.proxy.code");
  constructor(address to) { bytes32 slot = SLOT; assembly { sstore(slot, to) } }
  function limit() external pure returns (uint256) { return 2; }
  fallback() external payable {
    bytes32 slot = SLOT;
    assembly {
      calldatacopy(0, 0, calldatasize())
      let ok := delegatecall(gas(), sload(slot), 0, calldatasize(), 0, 0)
      returndatacopy(0, 0, returndatasize())
      switch ok case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) }
    }
  }
}`,
    ],
  },
}

const isCallable = (program: Program, fn: FunctionModel): boolean => program.graph.isEntryPoint(fn)
