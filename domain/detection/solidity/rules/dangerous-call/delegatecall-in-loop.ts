import { oncePerPair } from "../../../oncePer.ts"
import type { Rule } from "../../../Rule.ts"
import type { Fact } from "../../flow/facts/facts.ts"
import type { ContractModel, FunctionModel } from "../../model.ts"
import { has, Source } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import { callSteps, placeOf } from "../../questions/authority/attackerControl.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"

export const delegatecallInLoop: Rule<Program> = {
  meta: {
    id: "evm/dangerous-call/delegatecall-in-loop",
    class: "delegatecall-loop",
    title: "msg.value reused by delegatecall in a loop",
    severity: "high",
    confidence: "medium",
    cwe: [837],
    description:
      "`delegatecall` preserves `msg.value`. In a loop, every iteration sees the value of the whole " +
      "transaction, so a function that credits `msg.value` credits it once per iteration although the ether was " +
      "sent only once. An attacker can batch a hundred deposits and pay for one.",
    remediation:
      "Do not make the batching function payable, or reject ether in it (`require(msg.value == 0)`). Where batches must carry " +
      "ether, keep count of what has been spent and let no function called in the loop read `msg.value`.",
    references: [
      "https://github.com/crytic/slither/wiki/Detector-Documentation#payable-functions-using-delegatecall-inside-a-loop",
      "https://www.paradigm.xyz/2021/08/two-rights-might-make-a-wrong",
    ],
  },
  check: (program, report) => {
    for (const flow of program.allFlows()) {
      if (flow.fn.mutability !== "payable" || !program.graph.isEntryPoint(flow.fn)) continue
      for (const { event, via, at } of flow.externalCalls) {
        if (event.callKind !== "delegatecall" && event.callKind !== "callcode") continue
        if (![event, ...via].some((site) => site.at.loop !== undefined)) continue
        if (flow.facts(at).some(rejectsEther) || !creditsEther(flow)) continue
        report({
          ...placeOf(event),
          scope: flow.fn.scope,
          trace: [...callSteps(via), { ...placeOf(event), note: "runs in a loop with the same msg.value" }],
        })
      }
    }
  },
  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
contract Batch {
  mapping(address => uint256) public balances;
  function deposit() external payable { balances[msg.sender] += msg.value; }
  function batch(bytes[] calldata calls) external payable {
    for (uint256 i = 0; i < calls.length; i++) {
      (bool ok, ) = address(this).delegatecall(calls[i]); // FINDING
      require(ok);
    }
  }
}`,
      `pragma solidity ^0.8.0;
contract Batch {
  mapping(address => uint256) public balances;
  function deposit() external payable { balances[msg.sender] += msg.value; }
  function run(bytes memory data) internal {
    (bool ok, ) = address(this).delegatecall(data); // FINDING
    require(ok);
  }
  function batch(bytes[] memory calls) public payable {
    uint256 i = 0;
    while (i < calls.length) { run(calls[i]); i++; }
  }
}`,
      `pragma solidity ^0.4.24;
contract Batch {
  mapping(address => uint256) paid;
  function pay() public payable { paid[msg.sender] += msg.value; }
  function all(address to, uint256 count) public payable {
    for (uint256 i = 0; i < count; i++) require(to.callcode(msg.data)); // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
import "./Missing.sol";
contract Heir is Missing {
  function all(bytes[] calldata data) external payable {
    for (uint256 i = 0; i < data.length; i++) {
      (bool ok, ) = address(this).delegatecall(data[i]); // FINDING
      require(ok);
    }
  }
}
contract Priced {
  uint256 price = 1;
  bool paused;
  mapping(address => uint256) paid;
  function pay() external payable { paid[msg.sender] += msg.value; }
  function exact(bytes[] calldata data) external payable {
    require(msg.value == price);
    for (uint256 i = 0; i < data.length; i++) {
      (bool ok, ) = address(this).delegatecall(data[i]); // FINDING
      require(ok);
    }
  }
  function some(bytes[] calldata data) external payable {
    require(msg.value != 0);
    for (uint256 i = 0; i < data.length; i++) {
      (bool ok, ) = address(this).delegatecall(data[i]); // FINDING
      require(ok);
    }
  }
  function free(bytes[] calldata data) external payable {
    require(price == 0);
    for (uint256 i = 0; i < data.length; i++) {
      (bool ok, ) = address(this).delegatecall(data[i]); // FINDING
      require(ok);
    }
  }
  function live(bytes[] calldata data) external payable {
    require(!paused);
    for (uint256 i = 0; i < data.length; i++) {
      (bool ok, ) = address(this).delegatecall(data[i]); // FINDING
      require(ok);
    }
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
contract Batch {
  mapping(address => uint256) notes;
  function note(uint256 n) external payable { notes[msg.sender] = n; }
  function run(bytes[] calldata data) external payable {
    for (uint256 i = 0; i < data.length; i++) {
      (bool ok, ) = address(this).delegatecall(data[i]);
      require(ok);
    }
  }
}`,
      `pragma solidity ^0.8.20;
contract Batch {
  mapping(address => uint256) public balances;
  function deposit() external payable { balances[msg.sender] += msg.value; }
  function batch(bytes[] calldata calls) external {
    for (uint256 i = 0; i < calls.length; i++) {
      (bool ok, ) = address(this).delegatecall(calls[i]);
      require(ok);
    }
  }
}`,
      `pragma solidity ^0.8.20;
contract Batch {
  address immutable code;
  constructor(address to) { code = to; }
  modifier free() { if (msg.value != 0) revert("no ether"); _; }
  function batch(bytes[] calldata calls) external payable free {
    for (uint256 i = 0; i < calls.length; i++) {
      (bool ok, ) = address(this).delegatecall(calls[i]);
      require(ok);
    }
  }
  fallback() external payable {
    (bool ok, ) = code.delegatecall(msg.data);
    require(ok);
  }
}`,
      `pragma solidity ^0.8.20;
contract Batch {
  mapping(address => uint256) paid;
  constructor(address to, bytes[] memory data) payable {
    for (uint256 i = 0; i < data.length; i++) { (bool ok, ) = to.delegatecall(data[i]); require(ok); }
  }
  function pay() external payable { paid[msg.sender] += msg.value; }
  function calls(address to, bytes[] calldata data) external payable {
    for (uint256 i = 0; i < data.length; i++) { (bool ok, ) = to.call(data[i]); require(ok); }
  }
  function none(bytes[] calldata data) external payable {
    require(0 == msg.value);
    for (uint256 i = 0; i < data.length; i++) { (bool ok, ) = address(this).delegatecall(data[i]); require(ok); }
  }
}
contract Unpaid {
  uint256 left;
  function all(bytes[] calldata data) external payable {
    for (uint256 i = 0; i < data.length; i++) { (bool ok, ) = address(this).delegatecall(data[i]); require(ok); }
    uint256 g;
    assembly { g := gas() }
    left = g;
  }
}`,
    ],
  },
}

/** Whether something in the contract reads the payment: only there can it be counted more than once. */
const creditsEther = (flow: Flow): boolean => {
  const { program, context } = flow
  return context === undefined || context.missingBases.length > 0 || readsPayment(program, context)
}

const readsPayment = oncePerPair((program: Program, contract: ContractModel): boolean =>
  program.functionsOf(contract).some((fn) => mentionsPayment(program, fn)),
)

const mentionsPayment = oncePerPair((program: Program, fn: FunctionModel): boolean => {
  let found = false
  const look = (e: S.Node): boolean => {
    found ||= e.kind === "MemberAccess" && program.isBuiltin(e, "msg.value")
    found ||= e.kind === "YulFunctionCall" && e.name === "callvalue"
    return !found
  }
  for (const { node } of [fn, ...fn.modifiers.flatMap(({ modifier }) => modifier ?? [])]) {
    if (node.body !== undefined) walk(node.body, look)
  }
  return found
})

const rejectsEther = (fact: Fact): boolean =>
  fact.kind === "relation" &&
  fact.operator === "==" &&
  fact.withZero &&
  (has(fact.left, Source.value) || (fact.right !== undefined && has(fact.right, Source.value)))
