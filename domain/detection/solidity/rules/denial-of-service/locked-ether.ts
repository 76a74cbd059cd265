import type { Rule } from "../../../Rule.ts"
import { oncePer } from "../../../oncePer.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import { leavesContract, sendsEther } from "../../flow/events/outgoingCalls.ts"
import type { ContractModel, FunctionModel } from "../../model.ts"
import { has, Source } from "../../flow/graph/origins.ts"
import type { Program } from "../../program.ts"
import { walk } from "../../visit.ts"

export const lockedEther: Rule<Program> = {
  meta: {
    id: "evm/denial-of-service/locked-ether",
    class: "locked-ether",
    title: "Locked ether",
    severity: "medium",
    confidence: "high",
    cwe: [772],
    swc: 132,
    description:
      "The contract accepts ether in a payable function, but none of its functions, including inherited ones, " +
      "sends ether, destroys the contract or delegates to other code. Any ether paid in is lost forever.",
    remediation:
      "Remove `payable` if the contract should not receive ether (a plain payment then reverts), or add a " +
      "function that lets those entitled withdraw it.",
    references: ["https://github.com/crytic/slither/wiki/Detector-Documentation#contracts-that-lock-ether"],
  },

  check: (program, report) => {
    const memo = new Map<FunctionModel, boolean>()
    for (const contract of program.contracts) {
      if (!contract.deployable || contract.linearization.some((c) => c.missingBases.length > 0)) continue
      const entry = program.functionsOf(contract).find((fn) => accepts(program, fn))
      if (entry === undefined || canPayOut(program, contract, memo)) continue
      // another contract runs the function on its own balance
      if (delegatedTo(program).has(entry.signature)) continue
      report({
        file: entry.source.file,
        span: { start: entry.node.start, end: headEnd(entry) },
        scope: entry.scope,
        // Nobody is told to pay: only who sends ether by mistake loses it.
        ...(/^(fallback|receive)$/.test(entry.role) && !notesValue(program, entry) ? { severity: "low" as const } : {}),
      })
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.0;
contract Donations {
    mapping(address => uint256) public given;

    function donate() external payable { // FINDING
        given[msg.sender] += msg.value;
    }
}`,
      `pragma solidity ^0.4.24;
contract Base {
    uint total;
}
contract Piggy is Base {
    function () public payable { // FINDING
        total += msg.value;
    }

    function reset() public {
        total = 0;
    }
}`,
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/utils/math/SafeMath.sol";
contract Jar {
  uint256 total;
  constructor() payable { payable(msg.sender).transfer(msg.value); }
  function put() external payable { // FINDING
    total = SafeMath.add(total, msg.value);
  }
}
contract Caller {
  function call(address jar) external { (bool ok, ) = jar.call(abi.encodeWithSignature("put()")); require(ok); }
}`,
      // Who sends ether by mistake, and who is credited for it.
      `pragma solidity ^0.8.20;
contract Log {
  uint256 calls;
  fallback() external payable { calls += 1; } // FINDING
}
contract Gifts {
  mapping(address => uint256) given;
  receive() external payable { // FINDING
    given[msg.sender] += msg.value;
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
library Pay {
    function out(address to, uint256 amount) internal {
        (bool ok, ) = to.call{value: amount}("");
        require(ok);
    }
}
abstract contract Withdrawals {
    address owner = msg.sender;
    function withdraw() external {
        require(msg.sender == owner);
        Pay.out(owner, address(this).balance);
    }
}
contract Donations is Withdrawals {
    function donate() external payable {}
}
contract Proxy {
    address immutable implementation;
    constructor(address i) payable { implementation = i; }
    fallback() external payable {
        address to = implementation;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}`,
      `pragma solidity ^0.6.0;
interface IWrapped { function deposit() external payable; }
contract Wrap {
    IWrapped weth;
    function enter() external payable {
        weth.deposit{value: msg.value}();
    }
}
contract Refuses {
    receive() external payable {
        revert("no ether");
    }
}
interface Open {
    function pay() external payable;
}`,
      `pragma solidity ^0.8.20;
import "./Missing.sol";
import "@openzeppelin/contracts/utils/Address.sol";
abstract contract Part { uint256 total; function take() external virtual; function put() external payable { total += msg.value; } }
contract Heir is Missing { uint256 total; function put() external payable { total += msg.value; } }
contract Unpaid { uint256 total; constructor() payable { total = msg.value; } function count() external { total += 1; } }
contract Mortal {
  uint256 total;
  function put() external payable { total += msg.value; }
  function end() external { selfdestruct(payable(msg.sender)); }
}
contract Helped {
  uint256 total;
  function put() external payable { total += msg.value; }
  function take() external { Address.sendValue(payable(msg.sender), total); }
}
contract Pointed {
  uint256 total;
  function() internal handler;
  function put() external payable { total += msg.value; handler(); }
}
contract Logic { uint256 total; function fund() external payable { total += msg.value; } }
contract Host {
  address logic;
  function run() external payable { (bool ok, ) = logic.delegatecall(abi.encodeWithSignature("fund()")); require(ok); }
}`,
      `pragma solidity ^0.4.24;
contract Mortal {
  uint256 total;
  function put() public payable { total += msg.value; }
  function end() public { suicide(msg.sender); }
}
contract Runner {
  uint256 total;
  function put() public payable { total += msg.value; }
  function run(address to) public { require(to.callcode(msg.data)); }
}`,
    ],
  },
}

const notesValue = (program: Program, entry: FunctionModel): boolean => {
  const flow = program.flow(entry)
  return flow.writes.some(
    ({ event, at }) => event.value !== undefined && has(flow.origins(event.value, at), Source.value),
  )
}

const destroying = new Set(["selfdestruct", "suicide"])

/** Whether ether can leave by this call, or by the code that it runs. */
const letsOut = (site: CallSite): boolean =>
  sendsEther(site) ||
  site.callKind === "delegatecall" ||
  site.callKind === "callcode" ||
  site.callKind === "pointer" ||
  destroying.has(site.name) ||
  // code without source that runs in this contract's place
  (site.callKind === "library" && leavesContract(site))

/** Inherited functions, and the functions and modifiers they run, as far as their source is available. */
const canPayOut = (program: Program, contract: ContractModel, memo: Map<FunctionModel, boolean>): boolean =>
  program.functionsOf(contract).some((fn) => fn.role !== "constructor" && reachesExit(program, fn, memo))

const reachesExit = (program: Program, fn: FunctionModel, memo: Map<FunctionModel, boolean>): boolean => {
  const known = memo.get(fn)
  if (known !== undefined) return known
  memo.set(fn, false)
  const flow = program.flow(fn)
  const found =
    [...flow.calls()].some(letsOut) || program.graph.callees(fn).some(({ to }) => reachesExit(program, to, memo))
  memo.set(fn, found)
  return found
}

/** Whether the function accepts ether and keeps it: it neither always reverts nor rejects payments. */
const accepts = (program: Program, fn: FunctionModel): boolean =>
  fn.role !== "constructor" && fn.mutability === "payable" && program.flow(fn).summary.returns

const headEnd = (fn: FunctionModel): number => fn.node.body?.start ?? fn.node.end

/** Signatures in the calldata of a `delegatecall`, as text or by a function's selector. */
const delegatedTo = oncePer((program: Program): ReadonlySet<string> => {
  const signatures = new Set<string>()
  for (const flow of program.allFlows()) {
    for (const { callKind, args } of flow.calls()) {
      if (callKind !== "delegatecall") continue
      for (const arg of args) {
        walk(arg, (e) => {
          if (e.kind === "Literal") signatures.add(e.value)
          const target = e.kind === "MemberAccess" ? program.referenceOf(e) : undefined
          if (target?.kind === "Function") signatures.add(target.signature)
        })
      }
    }
  }
  return signatures
})
