import {
  chargesOtherAccount,
  takesOverRecord,
} from "../../../../../../domain/detection/solidity/access/entries/charges.ts"
import { accessOf, type Entry } from "../../../../../../domain/detection/solidity/access/entries/entries.ts"
import type { Deed } from "../../../../../../domain/detection/solidity/access/entries/deeds.ts"
import type { Flow } from "../../../../../../domain/detection/solidity/program.ts"
import { questionTable } from "../../../../../support/questionTable.ts"

const about = (question: (entry: Entry) => Deed | undefined) => (flow: Flow) => {
  const entry = accessOf(flow.program).entryOf.get(flow.fn)
  return (entry === undefined ? undefined : question(entry))?.variable?.name ?? "none"
}

/** Whose record is charged for what is paid, or becomes the caller's. */
export const charges = questionTable(
  "charges",
  { charged: about(chargesOtherAccount), taken: about(takesOverRecord) },
  [
    `pragma solidity ^0.8.20;
interface ICoin { function mint(address to, uint256 n) external; function transfer(address to, uint256 n) external returns (bool); }
interface IBank {
  function pay(address to, uint256 n) external;
  function settle(uint256 n) external;
  function note(address to) external;
  function tell(address to, uint256 n) external;
  function transfer(uint256 n) external;
  function limit(address who) external view returns (uint256);
}
contract Bank {
  address owner = msg.sender;
  ICoin coin;
  IBank bank;
  mapping(address => uint256) balances;
  mapping(address => uint256) shares;
  mapping(address => uint256) sizes;
  mapping(address => uint256) flags;
  mapping(address => bool) friends;
  mapping(address => address) heirs;
  mapping(address => mapping(address => uint256)) allowed;
  function charged(string memory) internal {}
  function taken(string memory) internal {}
  constructor(ICoin c, IBank b) { coin = c; bank = b; friends[msg.sender] = true; }
  function join(uint256 n) external { balances[msg.sender] = n; shares[msg.sender] = n; sizes[msg.sender] = n; flags[msg.sender] = n; }
  function allow(address to, uint256 n, address heir) external { allowed[msg.sender][to] = n; heirs[msg.sender] = heir; }

  function take(address who, uint256 n) external { charged("balances"); balances[who] -= n; coin.transfer(msg.sender, n); }
  function takeByOwner(address who, uint256 n) external { require(msg.sender == owner); charged("none"); balances[who] -= n; coin.transfer(msg.sender, n); }
  function takeByFriend(address who, uint256 n) external { charged("none"); if (friends[msg.sender]) balances[who] -= n; coin.transfer(msg.sender, n); }
  function takeMinted(address who, uint256 n, uint256 m) external { charged("balances"); balances[who] -= n; bank.tell(msg.sender, m); coin.mint(msg.sender, n); }
  function settleAll(address who) external { charged("none"); IBank(who).settle(balances[who]); coin.transfer(msg.sender, balances[who]); }
  function settleWith(address who, uint256 n) external { charged("none"); IBank(who).settle(n); coin.transfer(msg.sender, n); }
  function takeEther(address who, uint256 n) external { charged("balances"); balances[who] -= n; payable(msg.sender).transfer(n); }
  function takeSized(address who, address to) external { charged("none"); balances[who] -= sizes[to]; coin.transfer(to, 5); }
  function takeFive(address who, uint256 n) external { charged("none"); balances[who] -= n; coin.transfer(msg.sender, 5); }
  function takeTo(address who, uint256 n) external { charged("none"); balances[who] -= n; coin.transfer(who, n); }

  // What is owed to an account.
  function collect(address who) external { charged("balances"); uint256 n = balances[who]; balances[who] = 0; coin.transfer(msg.sender, n); }
  function collectOther(address who, address other) external { charged("none"); uint256 n = balances[other]; balances[who] = 0; coin.transfer(msg.sender, n); }
  function collectSize(address who) external { charged("none"); uint256 n = sizes[who]; balances[who] = 0; coin.transfer(msg.sender, n); }

  // What other contracts are told to pay.
  function order(address who, uint256 n) external { charged("balances"); balances[who] -= n; bank.pay(msg.sender, n); }
  function orderTo(address who, address to, uint256 n) external { charged("balances"); balances[who] -= n; bank.pay(to, n); }
  function orderNoted(address who, address to, uint256 n) external { charged("balances"); balances[who] -= n; bank.note(to); bank.pay(to, n); }
  function orderNone(address who, uint256 n) external { charged("none"); balances[who] -= n; bank.settle(n); }
  function orderOwner(address who, uint256 n) external { charged("none"); balances[who] -= n; bank.tell(owner, n); }
  function orderNumber(address who, uint256 n) external { charged("none"); balances[who] -= n; bank.transfer(n); }
  function orderRaw(address who, address to, uint256 n) external { charged("none"); balances[who] -= n; (bool ok, ) = address(bank).call(abi.encodeCall(IBank.pay, (to, n))); require(ok); }

  // Of two accounts, and of the caller's own, nobody says which is charged.
  function takeBetween(address who, address by, uint256 n) external { charged("none"); allowed[who][by] -= n; coin.transfer(msg.sender, n); }
  function takeAllowed(address who, uint256 n) external { charged("none"); allowed[who][msg.sender] -= n; coin.transfer(msg.sender, n); }

  // Conditions that permit it, and others.
  function takeSigned(address who, uint256 n, bytes32 r, bytes32 s) external { require(ecrecover(keccak256(abi.encode(n)), 27, r, s) == who); charged("none"); balances[who] -= n; coin.transfer(msg.sender, n); }
  function takeHash(address who, uint256 n, bytes32 code) external { require(keccak256(abi.encode(who, n)) == code); charged("none"); balances[who] -= n; coin.transfer(msg.sender, n); }
  function takeSomeone(address who, uint256 n) external { require(who != address(0)); charged("balances"); balances[who] -= n; coin.transfer(msg.sender, n); }
  function takeFlagged(address who, uint256 n) external { require(flags[who] == 0); charged("none"); balances[who] -= n; coin.transfer(msg.sender, n); }
  function takeEnough(address who, uint256 n) external { require(balances[who] >= n); charged("balances"); balances[who] -= n; coin.transfer(msg.sender, n); }
  function takeAgreed(address who, uint256 n) external { require(n <= allowed[who][msg.sender]); charged("none"); balances[who] -= n; coin.transfer(msg.sender, n); }
  function collectLimited(address who) external { require(bank.limit(who) >= balances[who]); charged("none"); uint256 n = balances[who]; balances[who] = 0; coin.transfer(msg.sender, n); }
  function collectSome(address who) external { require(balances[who] > 0); charged("balances"); uint256 n = balances[who]; balances[who] = 0; coin.transfer(msg.sender, n); }

  // What becomes the caller's.
  function inherit(address who) external { taken("shares"); shares[msg.sender] += shares[who]; delete shares[who]; }
  function inheritPart(address who) external { taken("shares"); uint256 n = shares[who] / 2; shares[msg.sender] += n; shares[who] -= n; }
  function inheritByOwner(address who) external { require(msg.sender == owner); taken("none"); shares[msg.sender] += shares[who]; delete shares[who]; }
  function inheritAsHeir(address who) external { if (heirs[who] == msg.sender) { taken("none"); shares[msg.sender] += shares[who]; delete shares[who]; } sizes[msg.sender] = 1; }
  function inheritElsewhere(address who) external { taken("none"); sizes[msg.sender] = shares[who]; delete shares[who]; }
  function inheritOther(address who, address other) external { taken("none"); shares[msg.sender] += shares[other]; delete shares[who]; }
  function inheritSize(address who) external { taken("none"); shares[msg.sender] = sizes[who]; delete shares[who]; }
  function inheritRaised(address who) external { taken("none"); shares[msg.sender] += shares[who]; shares[who] += 1; }
}`,
  ],
)
