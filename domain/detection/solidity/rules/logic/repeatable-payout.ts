import type { Rule } from "../../../Rule.ts"
import type { Program } from "../../program.ts"
import { callSteps, placeOf } from "../../questions/authority/attackerControl.ts"
import { unsettledRecord } from "../../access/lacking/settlement.ts"
import { payoutsOf } from "../../questions/call/payments.ts"

/** Limit: payments of one function that are compared with everything it writes. */
const payoutLimit = 16

export const repeatablePayout: Rule<Program> = {
  meta: {
    id: "evm/logic/repeatable-payout",
    class: "arbitrary-send-eth",
    title: "Balance paid out without being reduced",
    severity: "high",
    confidence: "high",
    cwe: [841, 840],
    description:
      "The function sends the caller the amount recorded for them without changing that record or any other " +
      "state. The same balance can be paid out repeatedly: an attacker deposits a little and calls the function " +
      "until everyone's ether is gone.",
    remediation:
      "Set the balance to zero, or reduce it by what is paid, before the payment: " +
      "`uint amount = balances[msg.sender]; balances[msg.sender] = 0; payable(msg.sender).transfer(amount);`",
    references: ["https://swcregistry.io/docs/SWC-105", "https://cwe.mitre.org/data/definitions/840.html"],
  },
  check: (program, report) => {
    for (const flow of program.allFlows()) {
      if (!program.graph.isEntryPoint(flow.fn)) continue
      for (const payout of payoutsOf(flow).slice(0, payoutLimit)) {
        const record = unsettledRecord(flow, payout)
        if (record === undefined) continue
        const { event, via } = payout.call
        report({
          ...placeOf(event),
          scope: flow.fn.scope,
          message: `\`${record.name}\` is not reduced.`,
          trace: [...callSteps(via), { ...placeOf(event), note: "paid without reducing the balance" }],
        })
      }
    }
  },
  examples: {
    vulnerable: [
      `pragma solidity ^0.4.24;
contract Wallet {
  mapping(address => uint256) balances;
  function deposit() public payable { balances[msg.sender] += msg.value; }
  function refund() public {
    msg.sender.transfer(balances[msg.sender]); // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
contract Wallet {
  struct Account { uint256 amount; uint256 since; }
  mapping(address => Account) accounts;
  event Paid(address to, uint256 amount);
  function deposit() public payable { accounts[msg.sender].amount += msg.value; }
  function withdraw(address payable to) public {
    Account storage account = accounts[msg.sender];
    require(account.amount > 0 && account.since < block.timestamp);
    _pay(to, account.amount);
    emit Paid(to, account.amount);
  }
  function _pay(address payable to, uint256 amount) private {
    (bool ok, ) = to.call{value: amount}(""); // FINDING
    require(ok);
  }
}`,
      `pragma solidity ^0.8.20;
contract Wallet {
  mapping(address => uint256) balances;
  function deposit() public payable { balances[msg.sender] += msg.value; }
  function withdraw(uint256 amount) public {
    require(balances[msg.sender] >= amount);
    payable(msg.sender).transfer(amount); // FINDING
  }
}`,
      `pragma solidity ^0.8.0;
interface IGate {
    function isOpen() external view returns (bool);
    function told(address who) external;
}
contract Rewards {
    mapping(address => uint256) public rewards;
    IGate gate;

    function grant(address who, uint256 amount) external {
        rewards[who] = amount;
    }

    function claim() external {
        require(gate.isOpen());
        payable(msg.sender).transfer(rewards[msg.sender]); // FINDING
        gate.told(msg.sender);
    }
}`,
      // Totals that are brought up to date, and other entries of the caller, do not settle it.
      `pragma solidity ^0.8.20;
interface IERC20 {
  function transfer(address to, uint256 amount) external returns (bool);
  function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
contract Depot {
  struct Account { uint128 held; uint64 since; }
  mapping(address => mapping(IERC20 => Account)) accounts;
  mapping(IERC20 => uint256) totals;
  mapping(address => uint256) seen;
  function put(IERC20 token, uint128 amount) external {
    require(token.transferFrom(msg.sender, address(this), amount));
    accounts[msg.sender][token].held += amount;
    totals[token] += amount;
  }
  function take(IERC20 token, uint128 amount) external {
    Account storage account = accounts[msg.sender][token];
    require(account.held >= amount, "short");
    totals[token] -= amount;
    seen[msg.sender] = block.number;
    require(token.transfer(msg.sender, amount)); // FINDING
  }
}`,
      // Whoever owns an entry owns it once.
      `pragma solidity ^0.8.20;
interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); }
contract Bounties {
  IERC20 immutable token;
  mapping(uint256 => uint256) bounty;
  mapping(uint256 => address) winner;
  mapping(address => uint256) credit;
  uint256 paid;
  address immutable judge = msg.sender;
  constructor(IERC20 t) { token = t; }
  function award(uint256 id, address to, uint256 amount) external {
    require(msg.sender == judge);
    winner[id] = to;
    bounty[id] = amount;
  }
  function fund(address who) external payable { credit[who] += msg.value; }
  function claim(uint256 id) external {
    require(winner[id] == msg.sender);
    paid += bounty[id];
    require(token.transfer(msg.sender, bounty[id])); // FINDING
  }
  function release(address payable who) external {
    uint256 amount = credit[who];
    require(amount > 0);
    paid += amount;
    who.transfer(amount); // FINDING
  }
}`,
    ],
    safe: [
      // The order is marked as settled through a pointer of which it is not known where it points.
      `pragma solidity ^0.8.20;
interface IToken { function transfer(address to, uint256 amount) external returns (bool); }
library Orders {
  struct Order { uint256 settledAt; }
  function load(uint256 id) internal pure returns (Order storage order, uint256 same) {
    bytes32 slot = keccak256(abi.encode("orders", id));
    assembly { order.slot := slot }
    same = id;
  }
}
contract Settlements {
  mapping(uint256 => uint256) rewards;
  IToken immutable token;
  address owner = msg.sender;
  constructor(IToken t) { token = t; }
  function setReward(uint256 kind, uint256 to) external { require(msg.sender == owner); rewards[kind] = to; }
  function settle(uint256 id, uint256 kind) external {
    (Orders.Order storage order, ) = Orders.load(id);
    require(order.settledAt == 0);
    _settle(order, kind);
  }
  function _settle(Orders.Order storage order, uint256 kind) private {
    order.settledAt = block.timestamp;
    token.transfer(msg.sender, rewards[kind]);
  }
}`,
      `pragma solidity ^0.8.20;
contract Wallet {
  mapping(address => uint256) balances;
  mapping(address => bool) paid;
  address owner = msg.sender;
  function deposit() public payable { balances[msg.sender] += msg.value; }
  function withdraw() public {
    uint256 amount = balances[msg.sender];
    delete balances[msg.sender];
    payable(msg.sender).transfer(amount);
  }
  function once() public {
    require(!paid[msg.sender]);
    paid[msg.sender] = true;
    payable(msg.sender).transfer(balances[msg.sender]);
  }
  function sweep() public { require(msg.sender == owner); payable(msg.sender).transfer(balances[msg.sender]); }
}`,
      `pragma solidity ^0.8.20;
interface IShares { function burn(address who, uint256 amount) external; }
contract Redeem {
  IShares immutable shares;
  mapping(address => uint256) rate;
  constructor(IShares s) { shares = s; }
  function redeem(uint256 amount) external {
    shares.burn(msg.sender, amount);
    payable(msg.sender).transfer(amount * rate[msg.sender]);
  }
}`,
      `pragma solidity ^0.8.0;
interface IShares {
    function burnFrom(address who, uint256 amount) external;
}
contract Fund {
    mapping(address => uint256) public held;
    mapping(address => uint256) public limit;
    address payable immutable owner = payable(msg.sender);
    uint256 drip = 1;
    IShares shares;

    function put() external payable {
        held[msg.sender] += msg.value;
    }

    function setLimit(address who, uint256 to) external {
        require(msg.sender == owner);
        limit[who] = to;
    }

    function _pay() internal {
        payable(msg.sender).transfer(held[msg.sender]);
    }

    function withdraw() external {
        _pay();
        held[msg.sender] = 0;
    }

    function sample() external {
        payable(msg.sender).transfer(drip);
    }

    function borrow(uint256 amount) external {
        require(limit[msg.sender] >= amount);
        payable(msg.sender).transfer(amount);
    }

    function forward() external {
        owner.transfer(held[msg.sender]);
    }

    function redeem() external {
        shares.burnFrom(msg.sender, held[msg.sender]);
        payable(msg.sender).transfer(held[msg.sender]);
    }
}`,
      `pragma solidity ^0.8.20;
import "./Ledger.sol";
interface IERC20 {
  function transfer(address to, uint256 amount) external returns (bool);
  function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
contract Depot is Ledger {
  IERC20 immutable token;
  mapping(address => uint256) held;
  mapping(address => uint256) share;
  mapping(address => uint256) released;
  mapping(uint256 => address) winner;
  mapping(uint256 => uint256) bounty;
  mapping(address => uint256) fee;
  mapping(address => uint256) last;
  uint256 total;
  address immutable judge = msg.sender;
  constructor(IERC20 t) { token = t; }
  function put(uint256 amount) external {
    require(token.transferFrom(msg.sender, address(this), amount));
    held[msg.sender] += amount;
  }
  function take(uint256 amount) external {
    require(held[msg.sender] >= amount);
    _lower(msg.sender, amount);
    require(token.transfer(msg.sender, amount));
  }
  function _lower(address who, uint256 amount) private { held[who] -= amount; total -= amount; }
  function release(address who) external {
    uint256 amount = total * share[who] - released[who];
    released[who] += amount;
    require(token.transfer(who, amount));
  }
  function set(uint256 id, address to, uint256 amount) external { require(msg.sender == judge); winner[id] = to; bounty[id] = amount; share[to] = 1; }
  function claim(uint256 id) external {
    require(winner[id] == msg.sender);
    winner[id] = address(0);
    require(token.transfer(msg.sender, bounty[id]));
  }
  // once a day, and by the judge whenever they like
  function daily() external {
    require(block.timestamp > last[msg.sender] + 1 days);
    last[msg.sender] = block.timestamp;
    require(token.transfer(msg.sender, share[msg.sender]));
  }
  function pay(address to) external { require(msg.sender == judge); require(token.transfer(to, share[to])); }
  function buy(address who) external payable { require(token.transfer(msg.sender, share[who])); }
  function leave() external { _burn(msg.sender, 1); require(token.transfer(msg.sender, share[msg.sender])); }
  function run(address module, bytes calldata data) external {
    require(token.transfer(msg.sender, share[msg.sender]));
    (bool done, ) = module.delegatecall(data);
    require(done);
  }
}`,
    ],
  },
}
