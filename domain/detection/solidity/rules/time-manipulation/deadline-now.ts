import type { Rule } from "../../../Rule.ts"
import type { Expr, FlowNode } from "../../flow/graph/graph.ts"
import type { LocalVariable } from "../../model.ts"
import { has, only, type Origins, Source } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import { namedArguments } from "../../questions/call/declaredParameter.ts"
import { Shape } from "../../flow/graph/shape.ts"
import { locationOf } from "../../types.ts"

interface MemberDeadline {
  readonly node: FlowNode
  readonly value: Expr
  readonly local: LocalVariable
}

export const deadlineNow: Rule<Program> = {
  meta: {
    id: "evm/time-manipulation/deadline-now",
    class: "deadline-now",
    title: "Deadline set to the current block timestamp",
    severity: "low",
    confidence: "high",
    cwe: [672],
    description:
      "A swap or other order uses `block.timestamp` (plus an offset) as its deadline. It is evaluated when the " +
      "transaction is mined, so the deadline is always in the future. A transaction that waits in the mempool " +
      "for days still executes, at a price that has moved; a proposer can hold it back until that is " +
      "profitable.",
    remediation: "Accept the deadline as a parameter, computed by the user's wallet when it signs, and pass it on.",
    references: [
      "https://docs.uniswap.org/contracts/v2/reference/smart-contracts/router-02",
      "https://web3.hashnode.com/amm-swap-deadline",
    ],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      for (const site of flow.calls()) {
        if (site.callKind !== "external" && site.callKind !== "unknown") continue
        const deadline = namedArguments(program, site).find(({ name }) => deadlineName.test(name))
        if (deadline === undefined) continue
        // a permit may be valid forever: what it allows does not change with the market
        const isFixed = /permit/i.test(site.name) ? isNow : neverPasses
        if (!isFixed(flow.origins(deadline.value, site.at))) continue
        report({ file: site.at.callable.source.file, span: deadline.value, scope: site.at.callable.scope })
      }
      for (const { node, value, local } of memberDeadlines(flow)) {
        const isPassed = [...flow.calls()].some(
          (site) =>
            site.callKind === "external" &&
            site.args.some((arg) => arg.kind === "Identifier" && program.referenceOf(arg) === local),
        )
        if (!isPassed || !neverPasses(flow.origins(value, node))) continue
        report({ file: node.callable.source.file, span: value, scope: node.callable.scope })
      }
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.0;
interface ISwapRouter {
    struct Params { address tokenIn; address tokenOut; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; }
    function exactInput(Params calldata params) external returns (uint256);
}
contract Trader {
    ISwapRouter router;
    constructor(ISwapRouter r) { router = r; }

    function trade(address a, address b, uint256 amount, uint256 min) external returns (uint256) {
        ISwapRouter.Params memory params;
        params.tokenIn = a;
        params.tokenOut = b;
        params.amountIn = amount;
        params.amountOutMinimum = min;
        params.deadline = type(uint256).max; // FINDING
        return router.exactInput(params);
    }
}`,
      `pragma solidity ^0.8.0;
interface IRouter {
    function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] calldata path, address to, uint256 deadline) external returns (uint256[] memory);
}
contract Zap {
    IRouter router;

    function zap(uint256 amount, uint256 min, address[] calldata path) external {
        router.swapExactTokensForTokens(amount, min, path, msg.sender, block.timestamp); // FINDING
    }
}`,
      `pragma solidity ^0.8.0;
interface ISwapRouter {
    struct ExactInputSingleParams { address tokenIn; address tokenOut; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; }
    function exactInputSingle(ExactInputSingleParams calldata params) external payable returns (uint256);
}
contract Trader {
    ISwapRouter router;

    function trade(address a, address b, uint256 amount, uint256 min) external {
        router.exactInputSingle(
            ISwapRouter.ExactInputSingleParams({
                tokenIn: a,
                tokenOut: b,
                recipient: msg.sender,
                deadline: block.timestamp + 300, // FINDING
                amountIn: amount,
                amountOutMinimum: min
            })
        );
    }
}`,
      `pragma solidity ^0.8.20;
interface IRouter { function swap(uint256 amount, uint256 deadline) external; }
interface IToken { function permit(address owner, uint256 amount, uint256 deadline) external; }
contract Trader {
  function far(IRouter router) external {
    router.swap({amount: 1, deadline: 99999999999}); // FINDING
  }
  function now_(IToken token) external {
    token.permit({owner: msg.sender, amount: 1, deadline: block.timestamp}); // FINDING
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
interface IRouter {
    function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] calldata path, address to, uint256 deadline) external returns (uint256[] memory);
}
contract Zap {
    IRouter router;

    function zap(uint256 amount, uint256 min, address[] calldata path, uint256 deadline) external {
        router.swapExactTokensForTokens(amount, min, path, msg.sender, deadline);
    }
}`,
      `pragma solidity ^0.8.0;
interface IClock { function record(uint256 time) external; }
contract Auction {
    IClock clock;
    uint256 public end;

    function open(uint256 duration) external {
        end = block.timestamp + duration;
        clock.record(block.timestamp);
    }
}`,
      `pragma solidity ^0.8.20;
interface IToken { function permit(address owner, uint256 amount, uint256 deadline) external; }
interface IRouter {
  struct Params { uint256 amount; uint256 deadline; }
  function swap(uint256 amount, uint256 deadline) external;
  function trade(Params memory params) external;
}
contract Trader {
  uint256 public ends;
  uint256 public total;
  IRouter.Params kept;
  function permit(IToken token) external { token.permit(msg.sender, 1, 99999999999); }
  function own() external { book(1, block.timestamp); }
  function book(uint256 amount, uint256 deadline) internal { total += amount; ends = deadline; }
  function stored(IRouter router) external { router.swap(1, ends); }
  function given(IRouter router, uint256 wait) external { router.swap(1, block.timestamp + wait); }
  function passed(IRouter router, uint256 until) external {
    IRouter.Params memory p;
    p.deadline = until;
    router.trade(p);
  }
  function amount(IRouter router, uint256 until) external {
    IRouter.Params memory p = IRouter.Params(0, until);
    p.amount = block.timestamp;
    router.trade(p);
  }
  function other(IRouter router, IRouter.Params memory q) external returns (uint256) {
    IRouter.Params memory p;
    p.deadline = block.timestamp;
    router.trade(q);
    return inner(p);
  }
  function inner(IRouter.Params memory p) internal pure returns (uint256) { return p.deadline; }
  function fromStorage(IRouter router) external {
    IRouter.Params storage p = kept;
    p.deadline = block.timestamp;
    router.trade(p);
  }
}`,
    ],
  },
}

/** The parameter of routers and permits that ends a transaction's validity. */
const deadlineName = /^_?(?:deadline|expir(?:y|es|ation))$/i

const isNow = (value: Origins): boolean =>
  has(value, Source.timestamp) &&
  only(value, Source.timestamp | Source.literal | Source.constant | Source.immutable | Source.state)

/** The block's own time, or a distant one. */
const neverPasses = (value: Origins): boolean => isNow(value) || only(value, Source.literal | Source.constant)

/** `params.deadline = …` of structs in memory. */
const memberDeadlines = (flow: Flow): ReadonlyArray<MemberDeadline> =>
  flow.stepsWith(Shape.assignment).flatMap((node) => {
    const e = node.expression
    if (e?.kind !== "Assignment" || e.left.kind !== "MemberAccess" || !deadlineName.test(e.left.member)) return []
    const local = flow.program.referenceOf(e.left.object)
    if (local?.kind !== "LocalVariable" || locationOf(local.type) !== "memory") return []
    return [{ node, value: e.right, local }]
  })
