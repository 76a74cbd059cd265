import type { Rule } from "../../../Rule.ts"
import { isTrustedChoice, requiresTrusted } from "../../access/checks/trustedChoice.ts"
import type { CallSite, StorageAccess } from "../../flow/graph/events.ts"
import { holdsIn } from "../../flow/facts/facts.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import type { Expr } from "../../flow/graph/graph.ts"
import type { LocalVariable } from "../../model.ts"
import { has, only, type Origins, Source } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import { reachedValue } from "../../questions/value/reachedValue.ts"
import type { StoragePlace } from "../../flow/graph/storagePlace.ts"

interface Deposit {
  /** Where the function receives tokens, itself or through a helper. */
  readonly site: CallSite
  /** If the function receives them itself. */
  readonly token: Expr | undefined
  /** Parameters that the amount is derived from. */
  readonly amount: ReadonlyArray<LocalVariable>
  /** Whether no stranger chooses the token, so that whoever does can know whether it charges a fee. */
  readonly isKnown: boolean
}

export const feeOnTransfer: Rule<Program> = {
  meta: {
    id: "evm/token-handling/fee-on-transfer",
    class: "fee-on-transfer",
    title: "Fee-on-transfer tokens are credited in full",
    severity: "medium",
    // Only tokens that charge a fee or change balances by themselves do harm; the source rarely says which one is used.
    confidence: "low",
    cwe: [682],
    description:
      "The function takes tokens from the sender and credits the requested amount. Tokens that charge a " +
      "transfer fee, burn a part or rebase deliver less: the recorded balances exceed what the contract holds, " +
      "the last users to withdraw get nothing, and an attacker who repeatedly deposits and withdraws drains the " +
      "share of others.",
    remediation:
      "Credit the amount received: read `balanceOf(address(this))` before and after the transfer and use the " +
      "difference. Alternatively, accept only tokens from a list of those known to deliver in full, and " +
      "document it.",
    references: [
      "https://github.com/d-xo/weird-erc20#fee-on-transfer",
      "https://medium.com/1inch-network/balancer-hack-2020-a8f7131c980e",
    ],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      let measured: boolean | undefined
      for (const site of flow.calls()) {
        const deposit = directDeposit(flow, site) ?? helperDeposit(flow, site)
        if (deposit === undefined || (measured ??= measures(flow))) continue
        const parameters = deposit.amount
        const credit = flow.writes.find((write) => {
          const { event, place } = write
          if (place === undefined) return false
          // in a helper of the same contract; a base's `_mint` wraps on purpose
          if (event.at.callable.contract !== flow.fn.contract) return false
          const value = reachedValue(flow, write)
          // an amount, rather than the id that selects the entry
          return (
            value.parameters.some((p) => parameters.includes(p)) &&
            !place.keys.parameters.some((p) => parameters.includes(p)) &&
            isCredit(flow, event, place)
          )
        })
        if (credit === undefined) continue
        const span = credit.via[0]?.node ?? credit.event.expression
        const { file } = credit.at.callable.source
        report({
          file,
          span,
          scope: flow.fn.scope,
          ...(deposit.isKnown
            ? { severity: "low" as const, message: "Only privileged accounts choose the token." }
            : {}),
          trace: [
            { file: site.at.callable.source.file, span: site.node, note: "receives the tokens" },
            { file, span, note: "credits the requested amount" },
          ],
        })
        break
      }
    }
  },

  examples: {
    vulnerable: [
      // The token must be the one that the deployer chose.
      `pragma solidity ^0.8.20;
interface IToken { function transferFrom(address from, address to, uint256 amount) external returns (bool); }
contract Briber {
  IToken immutable coin;
  mapping(address => uint256) available;
  constructor(IToken c) { coin = c; }
  function give(IToken token, uint256 amount) external {
    require(token == coin);
    require(token.transferFrom(msg.sender, address(this), amount));
    available[msg.sender] += amount; // FINDING
  }
}`,
      // Who chooses the token: the deployer, the owner who calls, or anybody.
      `pragma solidity ^0.8.0;
interface IERC20 { function transferFrom(address from, address to, uint256 amount) external returns (bool); }
contract Safe {
    IERC20 immutable own;
    address immutable owner = msg.sender;
    mapping(address => uint256) public held;
    mapping(address => mapping(IERC20 => uint256)) public heldOf;
    constructor(IERC20 t) { own = t; }
    function put(uint256 amount) external {
        require(own.transferFrom(msg.sender, address(this), amount));
        held[msg.sender] += amount; // FINDING
    }
    function putAny(IERC20 token, uint256 amount) external {
        require(token.transferFrom(msg.sender, address(this), amount));
        heldOf[msg.sender][token] += amount; // FINDING
    }
    function putOwn(IERC20 token, uint256 amount) external {
        require(msg.sender == owner);
        _pull(token, amount);
        heldOf[msg.sender][token] += amount; // FINDING
    }
    function _pull(IERC20 token, uint256 amount) private { require(token.transferFrom(msg.sender, address(this), amount)); }
}`,
      `pragma solidity ^0.8.0;
interface IERC20 { function transferFrom(address from, address to, uint256 amount) external returns (bool); }
contract Pool {
    struct Stake { uint256 amount; uint256 since; }
    IERC20 token;
    mapping(address => Stake) stakes;
    constructor(IERC20 t) { token = t; }

    function _pull(address from, uint256 amount) private { require(token.transferFrom(from, address(this), amount)); }

    function stake(uint256 amount) external {
        _pull(msg.sender, amount);
        stakes[msg.sender].amount += amount; // FINDING
    }
    function first(uint256 amount) external {
        stakes[msg.sender].amount = amount; // FINDING
        require(token.transferFrom(msg.sender, address(this), amount));
    }
}`,
      `pragma solidity ^0.8.0;
interface IERC20 {
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
contract Vault {
    IERC20 token;
    mapping(address => uint256) shares;
    constructor(IERC20 t) { token = t; }

    function deposit(uint256 amount) external {
        require(token.transferFrom(msg.sender, address(this), amount));
        shares[msg.sender] += amount; // FINDING
    }
}`,
      `pragma solidity ^0.8.0;
import "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
contract Locker {
    using SafeERC20 for IERC20;
    struct Lock { address token; uint256 amount; }
    Lock[] locks;
    mapping(address => mapping(address => uint256)) held;

    function lock(address token, uint256 amount) external {
        held[token][msg.sender] = held[token][msg.sender] + amount; // FINDING
        IERC20(token).safeTransferFrom(msg.sender, address(this), amount);
    }

    function lockAway(address token, uint256 amount) external {
        IERC20(token).safeTransferFrom(msg.sender, address(this), amount);
        locks.push(Lock({token: token, amount: amount})); // FINDING
    }
}`,
      `pragma solidity ^0.8.20;
interface IToken {
  function balanceOf(address who) external view returns (uint256);
  function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
contract Vault {
  struct Deposit { address by; uint256 amount; }
  IToken token;
  mapping(address => uint256) shares;
  mapping(uint256 => Deposit) deposits;
  uint256 next;
  constructor(IToken t) { token = t; }
  function checked(uint256 amount) external {
    require(token.balanceOf(msg.sender) >= amount);
    require(token.transferFrom(msg.sender, address(this), amount));
    shares[msg.sender] += amount; // FINDING
  }
  function helped(uint256 amount) external {
    require(token.transferFrom(msg.sender, address(this), amount));
    _credit(amount); // FINDING
  }
  function recorded(uint256 amount) external {
    require(token.transferFrom(msg.sender, address(this), amount));
    deposits[next] = Deposit(msg.sender, amount); // FINDING
  }
  function _credit(uint256 amount) private { shares[msg.sender] += amount; }
}`,
      // Whichever helpers take the tokens and make the record.
      `pragma solidity ^0.8.20;
interface IERC20 { function transferFrom(address from, address to, uint256 amount) external returns (bool); }
contract Vault {
  struct Deposit { address from; uint256 amount; }
  IERC20 immutable token;
  mapping(uint256 => Deposit) deposits;
  mapping(address => uint256) held;
  constructor(IERC20 t) { token = t; }
  function deposit(uint256 id, uint256 amount) external {
    require(_pull(amount));
    _record(id, amount); // FINDING
  }
  function add(uint256 amount) external {
    token.transferFrom(msg.sender, address(this), amount);
    _add(amount); // FINDING
  }
  function _pull(uint256 amount) private returns (bool) { return token.transferFrom(msg.sender, address(this), amount); }
  function _record(uint256 id, uint256 amount) private { deposits[id].amount = amount; }
  function _add(uint256 amount) private { _addTo(msg.sender, amount); }
  function _addTo(address who, uint256 amount) private { held[who] += amount; }
}`,
      `pragma solidity ^0.8.20;
interface IERC20 { function transferFrom(address from, address to, uint256 amount) external returns (bool); }
library Tokens {
  function transferFrom(IERC20 token, address from, address to, uint256 amount) internal {
    require(token.transferFrom(from, to, amount), "transfer");
  }
}
contract Bank {
  IERC20 public token;
  mapping(address => uint256) public balances;
  function deposit(uint256 amount) external {
    Tokens.transferFrom(token, msg.sender, address(this), amount);
    balances[msg.sender] += amount; // FINDING
  }
}`,
      // One helper takes the contract's own token and any that the caller names.
      `pragma solidity ^0.8.0;
interface IERC20 { function transferFrom(address from, address to, uint256 amount) external returns (bool); }
contract Vault {
    IERC20 immutable own;
    uint256 public total;
    mapping(IERC20 => uint256) public held;
    constructor(IERC20 t) { own = t; }
    function put(uint256 amount) external {
        pull(own, amount);
        total += amount; // FINDING
    }
    function putAny(IERC20 token, uint256 amount) external {
        pull(token, amount);
        held[token] += amount; // FINDING
    }
    function pull(IERC20 token, uint256 amount) private { require(token.transferFrom(msg.sender, address(this), amount)); }
}`,
      // A token that the owner, or anyone, has admitted; another one; one that is not admitted.
      `pragma solidity ^0.8.20;
interface IToken { function transferFrom(address from, address to, uint256 n) external returns (bool); }
contract Admitted {
  address immutable owner = msg.sender;
  mapping(IToken => bool) admitted;
  mapping(IToken => uint256) rates;
  mapping(IToken => bool) known;
  mapping(address => mapping(IToken => uint256)) held;
  function admit(IToken token) external { require(msg.sender == owner); admitted[token] = true; }
  function rate(IToken token, uint256 to) external { require(msg.sender == owner); rates[token] = to; }
  function register(IToken token) external { known[token] = true; }
  function a(IToken token, uint256 n) external {
    require(admitted[token] && token.transferFrom(msg.sender, address(this), n));
    held[msg.sender][token] += n; // FINDING
  }
  function b(IToken token, uint256 n) external {
    require(rates[token] != 0 && token.transferFrom(msg.sender, address(this), n));
    held[msg.sender][token] += n; // FINDING
  }
  function c(IToken token, uint256 n) external {
    require(known[token] && token.transferFrom(msg.sender, address(this), n));
    held[msg.sender][token] += n; // FINDING
  }
  function d(IToken token, IToken other, uint256 n) external {
    require(admitted[other] && token.transferFrom(msg.sender, address(this), n));
    held[msg.sender][token] += n; // FINDING
  }
  function e(IToken token, uint256 n) external {
    require(!admitted[token] && token.transferFrom(msg.sender, address(this), n));
    held[msg.sender][token] += n; // FINDING
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
interface IERC20 {
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}
contract Vault {
    IERC20 token;
    mapping(address => uint256) shares;
    constructor(IERC20 t) { token = t; }

    function deposit(uint256 amount) external {
        uint256 before = token.balanceOf(address(this));
        require(token.transferFrom(msg.sender, address(this), amount));
        shares[msg.sender] += token.balanceOf(address(this)) - before;
    }

    function pull(uint256 amount) internal returns (uint256 got) {
        got = token.balanceOf(address(this));
        require(token.transferFrom(msg.sender, address(this), amount));
        got = token.balanceOf(address(this)) - got;
    }

    function depositToo(uint256 amount) external {
        shares[msg.sender] += pull(amount);
    }
}`,
      `pragma solidity ^0.8.0;
interface IERC721 { function transferFrom(address from, address to, uint256 id) external; }
interface IERC20 { function transferFrom(address from, address to, uint256 amount) external returns (bool); }
contract Coin {
    mapping(address => uint256) balances;
    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        balances[from] -= amount;
        balances[to] += amount;
        return true;
    }
}
contract Shop {
    Coin coin = new Coin();
    IERC721 items;
    IERC20 money;
    mapping(uint256 => address) seller;
    mapping(address => uint256) paid;
    constructor(IERC721 i, IERC20 m) { items = i; money = m; }

    function offer(uint256 id) external {
        items.transferFrom(msg.sender, address(this), id);
        seller[id] = msg.sender;
    }

    function buy(address to, uint256 amount) external {
        require(money.transferFrom(msg.sender, to, amount));
        paid[to] += amount;
    }

    function pay(uint256 amount) external {
        coin.transferFrom(msg.sender, address(this), amount);
        paid[msg.sender] += amount;
    }
}`,
      `pragma solidity ^0.8.20;
interface IToken {
  function balanceOf(address who) external view returns (uint256);
  function lock(address from, address to, uint256 amount) external returns (bool);
  function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
contract Shares {
  mapping(address => uint256) shares;
  function _mint(uint256 amount) internal { shares[msg.sender] += amount; }
}
contract Vault is Shares {
  struct Item { uint256 id; address by; }
  IToken token;
  mapping(address => uint256) debt;
  mapping(address => uint256) points;
  mapping(uint256 => Item) items;
  uint256[] amounts;
  uint256 last;
  uint256 price;
  constructor(IToken t) { token = t; }
  function take(uint256 amount) private { require(token.transferFrom(msg.sender, address(this), amount)); }
  function held() private view returns (uint256) { return token.balanceOf(address(this)); }
  function measured(uint256 amount) external {
    uint256 had = token.balanceOf(address(this));
    take(amount);
    require(token.balanceOf(address(this)) == had + amount);
    points[msg.sender] += amount;
  }
  function within(uint256 amount) external {
    uint256 had = held();
    take(amount);
    require(held() == had + amount);
    points[msg.sender] += amount;
  }
  function minted(uint256 amount) external { take(amount); _mint(amount); }
  function bonus(uint256 amount, uint256 extra) external { take(amount); points[msg.sender] += extra; }
  function item(uint256 id) external { take(id); items[id] = Item(id, msg.sender); }
  function noted(uint256 amount) external { take(amount); last = amount; }
  function listed(uint256 amount) external { take(amount); amounts.push(uint128(amount)); }
  function repaid(uint256 amount) external { take(amount); debt[msg.sender] -= amount; }
  function priced(uint256 amount) external { take(amount); points[msg.sender] = amount * price; }
  function locked(uint256 amount) external { token.lock(msg.sender, address(this), amount); points[msg.sender] += amount; }
  function own(uint256 amount) external {
    transferFrom(msg.sender, address(this), amount);
    points[msg.sender] += amount;
  }
  function transferFrom(address from, address to, uint256 amount) internal { debt[from] -= amount; debt[to] += amount; }
}`,
      `pragma solidity ^0.8.20;
interface IERC20 {
  function transferFrom(address from, address to, uint256 amount) external returns (bool);
  function balanceOf(address who) external view returns (uint256);
}
contract Vault {
  IERC20 public token;
  function pull(address from, uint256 amount) external { require(token.transferFrom(from, address(this), amount)); }
}
contract Points {
  Vault public vault;
  IERC20 public token;
  uint256[] public history;
  mapping(address => uint256) public points;
  // The tokens go to the vault, and the points are not redeemed for them.
  function earn(uint256 amount) external {
    vault.pull(msg.sender, amount);
    points[msg.sender] += amount;
  }
  // What was asked for is noted, and credited to nobody.
  function give(uint256 amount) external {
    require(token.transferFrom(msg.sender, address(this), amount));
    history.push(amount);
  }
}`,
    ],
  },
}

/** Receives tokens: `transferFrom(…, address(this), amount)`, in any of its wrappers. */
const directDeposit = (flow: Flow, site: CallSite): Deposit | undefined => {
  if (!/^(safe)?transferFrom$/i.test(site.name) || site.callKind === "internal") return undefined
  // the called token has source code: it takes no fee unless its own rule says so
  if (site.callKind === "external" && site.target?.implemented === true) return undefined
  // a library's function receives the token first, as an argument or as the receiver
  const [to, amount] = site.args.slice(-2)
  if (site.args.length < 3 || to === undefined || amount === undefined) return undefined
  if (!has(flow.origins(to, site.at), Source.self)) return undefined
  const token = site.args.length > 3 ? site.args[0] : site.receiver
  return {
    site,
    token,
    amount: flow.origins(amount, site.at).parameters,
    isKnown: token !== undefined && isKnownToken(flow, site, token),
  }
}

const isKnownToken = (flow: Flow, { at }: CallSite, token: Expr): boolean => {
  const named = flow.origins(token, at).parameters
  return (
    isTrustedChoice(flow.program, flow.deepOrigins(token, at)) ||
    flow.isRestricted(at) ||
    isComparedWithTrusted(flow, at, named) ||
    requiresTrusted(flow, at, ({ keyParameters }) => keyParameters.some((p) => named.includes(p)))
  )
}

/** `require(token == coin)`, where trusted accounts chose the coin. */
const isComparedWithTrusted = (flow: Flow, at: FlowNode, named: Origins["parameters"]): boolean =>
  holdsIn(
    flow.facts(at),
    ({ operator, left, right }) =>
      operator === "==" &&
      right !== undefined &&
      [[left, right] as const, [right, left] as const].some(
        ([token, coin]) => token.parameters.some((p) => named.includes(p)) && isTrustedChoice(flow.program, coin),
      ),
  )

/** A helper of the contract that only receives tokens: `_pull(from, amount)`. */
const helperDeposit = (flow: Flow, site: CallSite): Deposit | undefined => {
  const { target } = site
  if (site.callKind !== "internal" || target?.implemented !== true) return undefined
  const inner = flow.program.flow(target)
  // one that keeps a record is judged by itself
  if (inner.writes.length > 0) return undefined
  for (const call of inner.calls()) {
    const deposit = directDeposit(inner, call)
    if (deposit === undefined) continue
    const args = deposit.amount.flatMap((p) => site.args[target.parameters.indexOf(p)] ?? [])
    // which token this call of the helper is about
    const named = deposit.token === undefined ? [] : inner.origins(deposit.token, call.at).parameters
    const tokens = named.flatMap((p) => site.args[target.parameters.indexOf(p)] ?? [])
    return {
      site,
      token: undefined,
      amount: args.flatMap((arg) => flow.origins(arg, site.at).parameters),
      isKnown:
        deposit.isKnown ||
        flow.isRestricted(site.at) ||
        (tokens.length > 0 && tokens.every((token) => isKnownToken(flow, site, token))),
    }
  }
  return undefined
}

/** Whether the function reads its holdings: it measures what has arrived. */
const measures = (flow: Flow): boolean => {
  const own = [...flow.calls()].some(
    (site) => site.name === "balanceOf" && site.args.some((arg) => has(flow.origins(arg, site.at), Source.self)),
  )
  return own || flow.externalCalls.some(({ event, via }) => via.length > 0 && event.name === "balanceOf")
}

/** Whether it adds to the existing value (`+=`, or an assignment of a sum with the old value), or creates a record. */
const isCredit = (flow: Flow, event: StorageAccess, { variables, path }: StoragePlace): boolean => {
  const { operation, value, at } = event
  if (value === undefined) return false
  if (operation === "compound") return at.expression?.kind === "Assignment" && at.expression.operator === "+="
  const isRecord = value.kind === "FunctionCall" && flow.program.callOf(value)?.kind === "struct"

  const { callable } = at
  const by = callable.kind === "Function" ? flow.program.flowIfBuilt(callable) : flow
  const origins = (by ?? flow).origins(value, at)
  // `deposits[id].amount = amount`
  const isEntry = path.includes("[]") && only(origins, Source.parameter)
  return isRecord || isEntry || origins.state.some((v) => variables.includes(v))
}
