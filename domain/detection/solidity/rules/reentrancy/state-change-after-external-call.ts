import type { Rule } from "../../../Rule.ts"
import type { CallSite, StorageAccess } from "../../flow/graph/events.ts"
import { canReenter } from "../../flow/events/outgoingCalls.ts"
import type { Reached } from "../../flow/functionSummary.ts"
import type { Expr } from "../../flow/graph/graph.ts"
import { has, Source } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { callSteps, ownCall, placeOf } from "../../questions/authority/attackerControl.ts"
import { callsStranger } from "../../access/checks/trustedCallee.ts"
import { handsOutEther, isGuarded, mayReenter, originsThrough, staleWrite } from "../../questions/authority/callOut.ts"

export const stateChangeAfterExternalCall: Rule<Program> = {
  meta: {
    id: "evm/reentrancy/state-change-after-external-call",
    class: "reentrancy-no-eth",
    title: "State change after an external call",
    // the ether is not directly at stake, and who can call back depends on the token
    severity: "medium",
    confidence: "medium",
    cwe: [841],
    swc: 107,
    description:
      "The function calls a contract that an attacker chooses, or a token whose standard calls the receiver " +
      "back (ERC-777 `tokensReceived`, ERC-721 and ERC-1155 `on…Received`), and only afterwards updates the " +
      "state on which the call was based. During the call the attacker reenters the contract and is served a " +
      "second time based on the old state: more tokens than owed, more mints than allowed.",
    remediation:
      "Update the state before the call (checks-effects-interactions), or put a reentrancy lock on every " +
      "function that touches the same state.",
    references: [
      "https://swcregistry.io/docs/SWC-107",
      "https://eips.ethereum.org/EIPS/eip-777#receiving-tokens",
      "https://blog.openzeppelin.com/exploiting-uniswap-from-reentrancy-to-actual-profit",
    ],
  },
  check: (program, report) => {
    for (const flow of program.allFlows()) {
      if (!mayReenter(flow)) continue
      for (const call of flow.externalCalls) {
        if (!mayCallBack(call.event) || handsOutEther(program, call) || call.event.callKind === "delegatecall") continue
        const write = staleWrite(flow, call)
        if (write === undefined || isGuarded(flow, call)) continue
        const stranger = runsStranger(flow, call)
        if (!stranger && !paysOut(flow, call, write)) continue
        const variable = write.place?.variables[0]?.name ?? "storage"
        report({
          ...placeOf(ownCall(call)),
          scope: flow.fn.scope,
          message: `\`${variable}\` is written after this call.`,
          // A token that calls back would have to be one that trusted accounts chose.
          ...(stranger ? {} : { confidence: "low" as const, severity: "low" as const }),
          trace: [
            ...callSteps(call.via),
            { ...placeOf(call.event), note: "another contract runs" },
            ...callSteps(write.via),
            { ...placeOf(write.event), note: `\`${variable}\` is written afterwards` },
          ],
        })
      }
    }
  },
  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
import {Market, MarketLib} from "./Market.sol";
contract Caps {
  using MarketLib for Market;
  mapping(bytes32 => uint256) pending;
  mapping(bytes32 => uint256) caps;
  mapping(bytes32 => uint256) sums;
  function accept(Market market, uint256 cap) external {
    require(pending[bytes32(cap)] >= cap);
    bytes32 id = market.id(); // FINDING
    caps[id] += cap;
    pending[bytes32(cap)] -= cap;
  }
}`,
      `pragma solidity ^0.8.20;
interface IToken { function transfer(address to, uint256 amount) external returns (bool); }
contract Escrow {
  struct Deal { IToken token; uint256 amount; address to; }
  mapping(uint256 => Deal) deals;
  function open(uint256 id, IToken token, uint256 amount, address to) external {
    require(deals[id].to == address(0));
    deals[id] = Deal(token, amount, to);
  }
  function close(uint256 id) external {
    Deal storage deal = deals[id];
    require(deal.amount > 0);
    require(deal.token.transfer(deal.to, deal.amount)); // FINDING
    deal.amount = 0;
  }
}`,
      `pragma solidity ^0.8.20;
interface IERC721Receiver { function onERC721Received(address, address, uint256, bytes calldata) external returns (bytes4); }
contract Drop {
  mapping(address => bool) public claimed;
  mapping(uint256 => address) public ownerOf;
  uint256 public next;
  function claim() external {
    require(!claimed[msg.sender]);
    _give(msg.sender);
    claimed[msg.sender] = true;
  }
  function _give(address to) internal {
    ownerOf[next++] = to;
    require(IERC721Receiver(to).onERC721Received(msg.sender, address(0), next, "") != bytes4(0)); // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
interface IToken { function transfer(address to, uint256 amount) external returns (bool); }
contract Stake {
  IToken token;
  mapping(address => uint256) public shares;
  constructor(IToken t) { token = t; }
  function exit() external {
    uint256 amount = shares[msg.sender];
    require(token.transfer(msg.sender, amount)); // FINDING
    shares[msg.sender] = 0;
  }
}`,
      `pragma solidity ^0.4.24;
contract Holder { function tag() external pure returns (bytes32) { return keccak256("x"); } }
contract Airdrop {
  mapping(address => uint256) public balances;
  modifier fresh() { require(balances[msg.sender] == 0); _; }
  modifier tagged() {
    require(keccak256("x") == Holder(msg.sender).tag()); // FINDING
    _;
  }
  function take() public fresh tagged { balances[msg.sender] += 20; }
}`,
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC721/ERC721.sol";
contract Drop is ERC721 {
  mapping(address => bool) public claimed;
  uint256 public next;
  constructor() ERC721("D", "D") {}
  function claim() external {
    require(!claimed[msg.sender]);
    _safeMint(msg.sender, next++); // FINDING
    claimed[msg.sender] = true;
  }
}`,
      `pragma solidity ^0.8.20;
interface INft {
  function safeTransferFrom(address from, address to, uint256 id) external;
  function safeBatchTransferFrom(address from, address to, uint256[] calldata ids, uint256[] calldata amounts, bytes calldata data) external;
  function safeMint(address to, uint256 id) external;
}
interface IERC777 {
  function send(address to, uint256 amount, bytes calldata data) external;
  function operatorSend(address from, address to, uint256 amount, bytes calldata data, bytes calldata extra) external;
}
contract Gifts {
  INft immutable nft;
  IERC777 immutable coin;
  uint256 left = 5;
  constructor(INft n, IERC777 c) { nft = n; coin = c; }
  function one(address to) external { require(left > 0);
    nft.safeTransferFrom(address(this), to, left); // FINDING
    left -= 1; }
  function many(address to, uint256[] calldata ids) external { require(left > 0);
    nft.safeBatchTransferFrom(address(this), to, ids, ids, ""); // FINDING
    left -= 1; }
  function fresh(address to) external { require(left > 0);
    nft.safeMint(to, left); // FINDING
    left -= 1; }
  function coins(address to) external { require(left > 0);
    coin.send(to, 1, ""); // FINDING
    left -= 1; }
  function pull(address to) external { require(left > 0);
    coin.operatorSend(address(this), to, 1, "", ""); // FINDING
    left -= 1; }
}`,
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
interface ILegacy { function send(address to, uint256 amount) external; }
contract Stake {
  using SafeERC20 for IERC20;
  IERC20 immutable token;
  ILegacy immutable legacy;
  mapping(address => uint256) public shares;
  constructor(IERC20 t, ILegacy l) { token = t; legacy = l; }
  function exit(uint256 amount) external {
    require(shares[msg.sender] >= amount);
    token.safeTransfer(msg.sender, amount); // FINDING
    shares[msg.sender] -= amount;
  }
  function leave() external {
    uint256 amount = shares[msg.sender];
    legacy.send(msg.sender, amount); // FINDING
    delete shares[msg.sender];
  }
}`,
    ],
    safe: [
      // The owner has named the called contract, or admitted it; a proof is no account; SafeERC20 calls no receiver.
      `pragma solidity ^0.8.20;
import {SafeERC20, IERC20} from "./SafeERC20.sol";
import {MerkleProof} from "./MerkleProof.sol";
import {Initializable} from "./Initializable.sol";
interface IFeed { function accrue(uint256 at) external; }
contract Rewards is Initializable {
  using SafeERC20 for IERC20;
  IFeed feed;
  IFeed once;
  IERC20 immutable token;
  address immutable vendor;
  address owner = msg.sender;
  struct Listing { bool isListed; mapping(address => bool) members; }
  mapping(IFeed => bool) admitted;
  mapping(IFeed => Listing) listings;
  mapping(address => uint256) seen;
  mapping(address => bool) claimed;
  bytes32 root;
  constructor(IERC20 t, address v) { token = t; vendor = v; }
  function initialize(IFeed f) external initializer { feed = f; }
  function setOnce(IFeed f) external { require(once == IFeed(address(0)) && f != IFeed(address(0))); once = f; }
  function pokeOnce() external {
    uint256 had = seen[msg.sender];
    once.accrue(had);
    seen[msg.sender] = had + 1;
  }
  function admit(IFeed f) external { require(msg.sender == owner); admitted[f] = true; }
  function poke() external {
    uint256 had = seen[msg.sender];
    feed.accrue(had);
    seen[msg.sender] = had + 1;
  }
  function pokeOther(IFeed f) external {
    require(admitted[f]);
    uint256 had = seen[msg.sender];
    f.accrue(had);
    seen[msg.sender] = had + 1;
  }
  function list(IFeed f) external { require(msg.sender == owner); listings[f].isListed = true; }
  function join(IFeed f) external { listings[f].members[msg.sender] = true; }
  function pokeListed(IFeed f) external {
    require(listings[f].isListed);
    uint256 had = seen[msg.sender];
    f.accrue(had);
    seen[msg.sender] = had + 1;
  }
  function claim(bytes32[] calldata proof, bytes32 leaf) external {
    require(!claimed[msg.sender]);
    require(MerkleProof.verifyCalldata(proof, root, leaf));
    claimed[msg.sender] = true;
  }
  function pay(address to) external {
    uint256 had = seen[msg.sender];
    token.safeTransferFrom(vendor, to, 1);
    seen[msg.sender] = had + 1;
  }
}`,
      // Tokens are taken from the caller, who is not called back: only whoever receives an item is.
      `pragma solidity ^0.8.20;
import {SafeERC20, IERC20} from "./SafeERC20.sol";
contract Stakes {
  using SafeERC20 for IERC20;
  IERC20 immutable token;
  mapping(address => uint256) stakes;
  mapping(address => uint256) debts;
  constructor(IERC20 t) { token = t; }
  function deposit(uint256 amount) external {
    uint256 had = stakes[msg.sender];
    token.safeTransferFrom(msg.sender, address(this), amount);
    stakes[msg.sender] = had + amount;
  }
  function borrow(address by, uint256 amount) external {
    require(debts[by] < 5);
    SafeERC20.safeTransferFrom(token, msg.sender, address(this), amount);
    debts[by] = amount;
  }
}`,
      // A type without source that is declared with a data location is no contract.
      `pragma solidity ^0.8.20;
import {Market, MarketLib} from "./Market.sol";
contract Caps {
  using MarketLib for Market;
  mapping(bytes32 => uint256) pending;
  mapping(bytes32 => uint256) caps;
  mapping(bytes32 => uint256) sums;
  function accept(Market memory market, uint256 cap) external {
    require(pending[bytes32(cap)] >= cap);
    bytes32 id = market.id();
    caps[id] += cap;
    pending[bytes32(cap)] -= cap;
  }
}`,
      // The flag of an initializer: up while it runs, and down afterwards.
      `pragma solidity ^0.8.20;
interface IHook { function hello() external; }
contract Module {
  bool private running;
  bool private done;
  IHook public hook;
  modifier once() {
    require(running || !done);
    bool isOutermost = !running;
    if (isOutermost) {
      running = true;
      done = true;
    }
    _;
    if (isOutermost) running = false;
  }
  function start(IHook h) external once {
    hook = h;
    h.hello();
  }
}`,
      `pragma solidity ^0.8.20;
interface IToken { function transfer(address to, uint256 amount) external returns (bool); function transferFrom(address, address, uint256) external returns (bool); }
contract Stake {
  IToken immutable token;
  mapping(address => uint256) public shares;
  uint256 public total;
  constructor(IToken t) { token = t; }
  function enter(uint256 amount) external {
    require(total + amount < 1e30);
    require(token.transferFrom(msg.sender, address(this), amount));
    total += amount;
    shares[msg.sender] += amount;
  }
  function exit() external {
    uint256 amount = shares[msg.sender];
    shares[msg.sender] = 0;
    require(token.transfer(msg.sender, amount));
  }
}`,
      `pragma solidity ^0.8.20;
interface IHook { function ping(uint256 nonce) external; }
interface IOracle { function price(address asset) external view returns (uint256); }
contract Caller {
  IOracle oracle;
  uint256 nonce;
  uint256 private busy = 1;
  address boss = msg.sender;
  modifier lock() { require(busy == 1); busy = 2; _; busy = 1; }
  function ask(IHook hook) external lock { hook.ping(nonce); nonce = nonce + 1; }
  function askAsBoss(IHook hook) external { require(msg.sender == boss); hook.ping(nonce); nonce++; }
  function read(IOracle other, address asset) external { uint256 p = other.price(asset); nonce = nonce + p; }
}`,
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC721/ERC721.sol";
contract Drop is ERC721 {
  uint256 public next;
  constructor() ERC721("D", "D") {}
  function claim(address to, uint256 count) external {
    for (uint256 i = 0; i < count; i++) _safeMint(to, next++);
  }
  function claimNumbered(address to, uint256 count) external {
    for (uint256 i = 0; i < count; i++) _safeMint(to, number());
  }
  function number() private returns (uint256) { return next++; }
}`,
      `pragma solidity ^0.8.20;
interface IHook { function ping(uint256 nonce) external; function pay() external payable; }
interface IOracle { function price() external view returns (uint256); }
contract Caller {
  uint256 nonce;
  constructor(IHook hook) { uint256 n = nonce; hook.ping(n); nonce = n + 1; }
  function read(IOracle oracle) external { uint256 n = nonce; uint256 p = oracle.price(); nonce = n + p; }
  function pay(IHook hook) external { uint256 n = nonce; hook.pay{value: 1}(); nonce = n + 1; }
  function run(address code) external {
    uint256 n = nonce;
    (bool ok, ) = code.delegatecall("");
    require(ok);
    nonce = n + 1;
  }
}`,
      `pragma solidity ^0.8.20;
interface IToken {
  function transfer(address to, uint256 amount) external returns (bool);
  function burn(address from, uint256 amount) external;
  function send(address to) external;
  function send(address to, uint256 amount) external;
}
interface INft { function safeTransferFrom(address from, address to, uint256 id) external; }
contract Stake {
  IToken immutable token;
  INft immutable nft;
  address immutable treasury;
  mapping(address => uint256) public shares;
  mapping(address => uint256[]) history;
  uint256 public total;
  constructor(IToken t, INft n, address a) { token = t; nft = n; treasury = a; }
  function burn() external { uint256 a = shares[msg.sender]; token.burn(msg.sender, a); shares[msg.sender] = 0; }
  function ticket() external { require(shares[msg.sender] > 0); token.send(msg.sender); shares[msg.sender] = 0; }
  function gift(address to) external { require(total > 0); token.send(to, 1); total -= 1; }
  function sweep() external { uint256 a = shares[msg.sender]; token.transfer(treasury, a); shares[msg.sender] = 0; }
  function drip() external { require(total > 0); token.transfer(msg.sender, 1); total -= 1; }
  function note() external {
    require(history[msg.sender].length < 5);
    token.transfer(msg.sender, 1);
    history[msg.sender].push(block.number);
  }
  function earn() external { require(shares[msg.sender] < 5); token.transfer(msg.sender, 1); shares[msg.sender] += 1; }
  function retire() external { require(total > 0); nft.safeTransferFrom(address(this), treasury, 1); total -= 1; }
}`,
    ],
  },
}

/** Functions of token standards that call the receiver back: ERC-721, ERC-1155, ERC-777. */
const callsReceiver = new Set(["safeTransferFrom", "safeBatchTransferFrom", "safeMint", "operatorSend"])

/** Functions that transfer tokens out; with ERC-777 and the like, the receiver runs. */
const paysTokens = new Set(["transfer", "safeTransfer", "send"])

/** Before 0.5, nothing enforced that a function of another contract declared `view` or `pure` changes no state. */
const mayCallBack = (site: CallSite): boolean => canReenter(site) || site.at.callable.source.version.before05

/** Whether the caller chooses the called contract, or a receiver that it calls back. */
const runsStranger = (flow: Flow, call: Reached<CallSite>): boolean => {
  const { name, args, callKind, receiver } = call.event
  // A function of a library without source that is not about an account, such as the check of a proof.
  const isAboutAccount = receiver !== undefined || args[0] === undefined || isAccount(flow.program, args[0])
  if (isAboutAccount && callsStranger(flow, call)) return true
  // ERC-777: send(address,uint256,bytes); SafeERC20's function of the same name as that of ERC-721 calls no receiver.
  const hooks = (callsReceiver.has(name) && callKind !== "library") || (name === "send" && args.length === 3)
  // whoever is named before the contract itself pays it, and is not called back
  const isPayer = (i: number): boolean =>
    args[i + 1] !== undefined && originsThrough(flow, call, args[i + 1]!).sources === Source.self
  return (
    hooks &&
    args.some(
      (arg, i) =>
        isAccount(flow.program, arg) &&
        has(originsThrough(flow, call, arg), Source.sender | Source.parameter) &&
        !isPayer(i),
    )
  )
}

const isAccount = (program: Program, e: Expr): boolean =>
  e.kind.startsWith("Yul") || !["integer", "bytes", "array"].includes(program.typeOf(e as S.Expression).kind)

/** Whether tokens of any kind go to the caller, whose own entry is reduced only afterwards. */
const paysOut = (flow: Flow, call: Reached<CallSite>, write: Reached<StorageAccess>): boolean => {
  const { event } = call
  if (!paysTokens.has(event.name) || event.args.length < 2) return false
  const toCaller = event.args.some((arg) => originsThrough(flow, call, arg).sources === Source.sender)
  const keys = write.place?.keys.sources ?? 0
  const lowers = write.event.operation !== "push" && !isIncrease(write.event)
  return toCaller && lowers && (keys & Source.sender) !== 0
}

const isIncrease = (event: StorageAccess): boolean => {
  const statement = event.at.node
  return (
    statement?.kind === "ExpressionStatement" &&
    statement.expression.kind === "Assignment" &&
    statement.expression.operator === "+="
  )
}
