import type { Rule } from "../../../Rule.ts"
import type { ContractModel } from "../../model.ts"
import type { Program } from "../../program.ts"
import { placeOf } from "../../questions/authority/attackerControl.ts"
import { recoveriesIn } from "../../questions/authority/recoveredSigner.ts"
import { type Reuse, reuse } from "../../questions/authority/signatureReuse.ts"
import { signedEffect } from "../../questions/authority/signedEffect.ts"

export const signatureReplay: Rule<Program> = {
  meta: {
    id: "evm/signature/replay",
    class: "sig-replay",
    title: "Signature replay",
    severity: "high",
    confidence: "medium",
    cwe: [294],
    swc: 121,
    description:
      "The function acts on a signature, but the signed message is not limited to a single use: it has no nonce " +
      "that is consumed, used signatures are not recorded, or it does not include this contract and chain. " +
      "Signatures are public once sent; anyone who has seen one can send it again, to this contract or to " +
      "another that checks the same message, and move the signer's funds a second time.",
    remediation:
      "Sign an EIP-712 message with the contract's address and the chain id in its domain, and a nonce that is " +
      "read from storage and incremented in the same call (OpenZeppelin's EIP712 and Nonces do both). Add a " +
      "deadline. If messages must be usable in any order, record the digest, not the bytes of the signature, as " +
      "used.",
    references: [
      "https://swcregistry.io/docs/SWC-121",
      "https://eips.ethereum.org/EIPS/eip-712",
      "https://docs.openzeppelin.com/contracts/5.x/api/utils#Nonces",
    ],
  },

  check: (program, report) => {
    // Either all or none of a contract's messages are bound: one finding is enough.
    const unbound = new Set<ContractModel | undefined>()
    for (const flow of program.allFlows()) {
      const { fn } = flow
      if (!program.graph.isEntryPoint(fn)) continue
      const recoveries = recoveriesIn(program, flow)
      if (recoveries.length === 0) continue
      const effect = signedEffect(flow, recoveries)
      if (effect === undefined || flow.onceAt(effect.at) !== undefined) continue
      const reuses = recoveries.map((recovery) => reuse(flow, recovery, effect))
      // If one of several signatures can be used only once, it protects the call.
      if (reuses.includes(undefined)) continue
      const { site } = recoveries[0]!
      const where = reuses[0]!
      if (where === "elsewhere") {
        if (unbound.has(fn.contract)) continue
        unbound.add(fn.contract)
      }
      report({
        ...placeOf(site),
        scope: fn.scope,
        message: messages[where],
        // It requires several deployments or chains.
        ...(where === "elsewhere" ? { confidence: "low" as const, severity: "medium" as const } : {}),
        trace: [
          { ...placeOf(site), note: "the signer is recovered" },
          { ...placeOf(effect.event), note: "authorized by the signature" },
        ],
      })
    }
  },

  examples: {
    vulnerable: [
      // What is approved is up to a base without source, or to an account that may be a contract.
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol";
contract Coin is ERC20 {
  bytes32 constant T = keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
  bytes32 public DOMAIN_SEPARATOR; mapping(address => uint256) public nonces;
  constructor() ERC20("a", "b") { DOMAIN_SEPARATOR = keccak256(abi.encode(block.chainid, address(this))); }
  function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
    require(deadline >= block.timestamp);
    bytes32 digest = keccak256(abi.encodePacked("\\x19\\x01", DOMAIN_SEPARATOR, keccak256(abi.encode(T, owner, spender, value, 0, deadline))));
    address who = ecrecover(digest, v, r, s); // FINDING
    require(who != address(0) && who == owner);
    _approve(owner, spender, value);
  }
}`,
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
library PermitLib {
  function requireSignature(address owner, bytes32 hash, uint8 v, bytes32 r, bytes32 s) internal view {
    if (owner.code.length > 0) { require(IERC1271(owner).isValidSignature(hash, abi.encodePacked(r, s, v)) == 0x1626ba7e); }
    else { require(SignatureChecker.isValidSignatureNow(owner, hash, abi.encodePacked(r, s, v))); }
  }
}
interface IERC1271 { function isValidSignature(bytes32, bytes memory) external view returns (bytes4); }
contract Staked is EIP712 {
  bytes32 constant T = keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
  mapping(address => mapping(address => uint256)) public allowances; mapping(address => uint256) public nonces;
  function _useNonce(address o) internal returns (uint256 c) { c = nonces[o]; nonces[o] = c + 1; }
  function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) public {
    if (block.timestamp > deadline) revert();
    bytes32 structHash = keccak256(abi.encode(T, owner, spender, value, 0, deadline));
    PermitLib.requireSignature(owner, _hashTypedDataV4(structHash), v, r, s); // FINDING
    _approve(owner, spender, value);
  }
  function _approve(address o, address s, uint256 n) internal { require(o != address(0)); allowances[o][s] = n; }
}`,
      // The nonce is not signed, counts the submitter, or is none.
      `pragma solidity ^0.8.20;
contract Coin {
  bytes32 immutable domain = keccak256(abi.encode(block.chainid, address(this)));
  mapping(address => uint256) public nonces;
  mapping(address => mapping(address => bool)) allowed;
  mapping(address => address) delegates;
  function allow(address by, address spender, uint256 nonce, uint8 v, bytes32 r, bytes32 s) external {
    require(by != address(0) && by == ecrecover(keccak256(abi.encode(domain, by, spender)), v, r, s)); // FINDING
    require(nonce == nonces[by]++);
    allowed[by][spender] = true;
  }
  function allowNext(address by, address spender, uint256 nonce, uint8 v, bytes32 r, bytes32 s) external {
    require(by != address(0) && by == ecrecover(keccak256(abi.encode(domain, by, spender, nonce)), v, r, s)); // FINDING
    require(nonce == nonces[msg.sender]++);
    allowed[by][spender] = true;
  }
  function delegate(address by, address to, uint8 v, bytes32 r, bytes32 s) external {
    require(by != address(0) && by == ecrecover(keccak256(abi.encode(domain, by, to)), v, r, s)); // FINDING
    require(delegates[by] != to);
    delegates[by] = to;
  }
  function delegateOnce(address by, address to, uint8 v, bytes32 r, bytes32 s) external {
    require(by != address(0) && by == ecrecover(keccak256(abi.encode(domain, by, to)), v, r, s)); // FINDING
    if (delegates[by] == to) return;
    delegates[by] = to;
  }
}`,
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
contract Orders {
    mapping(address => uint256) public nonces;
    mapping(address => uint256) public filled;
    function fill(address maker, uint256 amount, bytes calldata signature) external {
        bytes32 hash = keccak256(abi.encode(maker, amount, nonces[maker]++));
        require(SignatureChecker.isValidSignatureNow(maker, hash, signature), "signature"); // FINDING
        filled[maker] += amount;
    }
}`,
      `pragma solidity ^0.8.19;
contract Ballots {
    mapping(uint256 => uint256) public yes;
    mapping(address => uint256) public power;

    function cast(uint256 id, uint8 v, bytes32 r, bytes32 s) external {
        address voter = ecrecover(keccak256(abi.encode(address(this), block.chainid, id)), v, r, s); // FINDING
        require(voter != address(0), "invalid");
        yes[id] += power[voter];
    }
}`,
      `pragma solidity ^0.8.18;
contract Coin {
    mapping(address => uint256) public balanceOf;
    mapping(address => uint256) nonces;

    function send(address from, address to, uint256 value, uint8 v, bytes32 r, bytes32 s) public {
        bytes32 h = keccak256(abi.encode(address(this), block.chainid, from, to, value, nonces[from]));
        if (from != ecrecover(h, v, r, s)) revert(); // FINDING
        require(balanceOf[from] >= value);
        balanceOf[from] -= value;
        balanceOf[to] += value;
    }
}`,
      `pragma solidity ^0.4.24;
contract Meta {
    mapping(address => uint256) public nonces;
    mapping(address => uint256) balances;

    function signer(bytes32 h, uint8 v, bytes32 r, bytes32 s) internal pure returns (address) {
        return ecrecover(h, v, r, s);
    }

    function pay(address from, address to, uint256 amount, uint8 v, bytes32 r, bytes32 s) public {
        uint256 nonce = nonces[from];
        bytes32 h = keccak256(from, to, amount, nonce);
        require(signer(h, v, r, s) == from); // FINDING
        nonces[from] = nonce + 1;
        balances[from] -= amount;
        balances[to] += amount;
    }
}`,
      `pragma solidity ^0.8.0;
import "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
contract Wallet {
    using ECDSA for bytes32;
    address[2] owners;

    function pay(address payable to, uint256 amount, bytes memory signature) external {
        bytes32 digest = keccak256(abi.encodePacked(to, amount));
        require(digest.recover(signature) == owners[0], "not signed"); // FINDING
        (bool sent, ) = to.call{value: amount}("");
        require(sent);
    }
}`,
      `pragma solidity ^0.8.0;
import "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
contract Multisig {
    using ECDSA for bytes32;
    address[2] owners;

    function checked(bytes[2] memory sigs, bytes32 h) private view returns (bool) {
        bytes32 signed = h.toEthSignedMessageHash();
        for (uint256 i = 0; i < sigs.length; i++) {
            if (signed.recover(sigs[i]) != owners[i]) return false;
        }
        return true;
    }

    function pay(address payable to, uint256 amount, bytes[2] memory sigs) external {
        bytes32 h = keccak256(abi.encodePacked(to, amount));
        require(checked(sigs, h), "invalid"); // FINDING
        (bool sent, ) = to.call{value: amount}("");
        require(sent);
    }
}`,
      `pragma solidity ^0.8.19;
contract Badges {
    mapping(address => uint256) public points;
    mapping(address => bool) trusted;
    uint256 public total;

    function earn(uint256 id, uint8 v, bytes32 r, bytes32 s) external {
        address by = ecrecover(keccak256(abi.encode(address(this), id)), v, r, s); // FINDING
        points[by] = points[by] + id;
    }

    function count(uint256 id, uint8 v, bytes32 r, bytes32 s) external {
        require(trusted[ecrecover(keccak256(abi.encode(address(this), id)), v, r, s)]); // FINDING
        total += id;
    }
}`,
      `pragma solidity ^0.8.19;
contract Sales {
    address immutable seller = msg.sender;
    mapping(bytes32 => bool) used;
    uint256 public price;
    uint256 public stock;

    function setPrice(uint256 to, uint256 salt, uint8 v, bytes32 r, bytes32 s) external {
        bytes32 h = keccak256(abi.encode(to, salt));
        require(!used[h] && ecrecover(h, v, r, s) == seller); // FINDING
        used[h] = true;
        price = to;
    }

    function setStock(uint256 to, uint256 salt, uint8 v, bytes32 r, bytes32 s) external {
        bytes32 h = keccak256(abi.encode(salt, to));
        require(!used[h] && ecrecover(h, v, r, s) == seller);
        used[h] = true;
        stock = to;
    }
}`,
      `pragma solidity ^0.7.6;
contract Ledger {
    mapping(address => uint256) public balanceOf;
    mapping(address => address) public last;
    mapping(address => uint256) public paid;
    address immutable signer = msg.sender;
    uint256 constant LIMIT = 1000;

    function send(address from, address to, uint256 value, uint8 v, bytes32 r, bytes32 s) external {
        bytes32 h = keccak256(abi.encode(address(this), from, to, value));
        require(from == ecrecover(h, v, r, s) && balanceOf[from] >= value); // FINDING
        balanceOf[from] = balanceOf[from] - value;
        balanceOf[to] += value;
        last[from] = to;
    }

    function claim(uint256 amount, uint8 v, bytes32 r, bytes32 s) external {
        bytes32 h = keccak256(abi.encode(address(this), msg.sender, amount));
        require(ecrecover(h, v, r, s) == signer); // FINDING
        uint256 left = LIMIT - paid[msg.sender];
        paid[msg.sender] += amount;
        msg.sender.transfer(amount < left ? amount : left);
    }
}`,
      `pragma solidity ^0.8.19;
contract Treasury {
    address[3] keepers;

    function pay(address payable to, uint256 amount, uint8[3] calldata v, bytes32[3] calldata r, bytes32[3] calldata s) external {
        bytes32 h = keccak256(abi.encode(address(this), block.chainid, to, amount));
        for (uint256 i = 0; i < 3; i++) {
            address by = ecrecover(h, v[i], r[i], s[i]); // FINDING
            if (by != keepers[i]) revert();
        }
        to.transfer(amount);
    }
}`,
      // What is compared by an amount, added to a record or counted elsewhere does not use the signature up.
      `pragma solidity ^0.8.20;
contract Pay {
  mapping(address => uint256) held;
  mapping(address => bool) member;
  bytes32 constant DOMAIN = "acme";
  function pay(address who, uint256 amount, uint8 v, bytes32 r, bytes32 s) external {
    address signer = ecrecover(keccak256(abi.encode(address(this), who, amount)), v, r, s); // FINDING
    require(member[signer]);
    held[who] += amount;
  }
  function move(address who, uint256 amount, uint8 v, bytes32 r, bytes32 s) external {
    require(ecrecover(keccak256(abi.encode(address(this), who, amount)), v, r, s) == who); // FINDING
    require(held[who] >= amount);
    held[who] -= amount;
    useNonce(who);
  }
  function useNonce(address) internal pure {}
}`,
      `pragma solidity ^0.8.20;
interface IToken { function transfer(address to, uint256 amount) external returns (bool); }
interface IBoard { function set(uint256 value) external; }
contract Typed {
  bytes32 private constant TYPEHASH = keccak256("Claim(address to,uint256 amount,uint256 nonce)");
  address public signer;
  IToken public token;
  mapping(address => uint256) public nonces;
  function claim(uint256 amount, uint8 v, bytes32 r, bytes32 s) external {
    bytes32 digest = keccak256(abi.encode(TYPEHASH, msg.sender, amount, nonces[msg.sender]++));
    require(ecrecover(digest, v, r, s) == signer); // FINDING
    token.transfer(msg.sender, amount);
  }
}
contract Added {
  address public signer;
  IToken public token;
  IBoard public board;
  mapping(address => uint256) public totals;
  function claim(uint256 total, uint8 v, bytes32 r, bytes32 s) external {
    bytes32 digest = keccak256(abi.encode(address(this), block.chainid, msg.sender, total));
    require(ecrecover(digest, v, r, s) == signer); // FINDING
    uint256 due = total + totals[msg.sender];
    totals[msg.sender] = total;
    IBoard shown = board;
    shown.set(total);
    token.transfer(msg.sender, due);
  }
}`,
      // To add with a function that has no source is not to keep count.
      `pragma solidity ^0.8.20;
import "./DSMath.sol";
contract Claims is DSMath {
  address immutable signer;
  mapping(address => uint256) public claimed;
  constructor(address by) { signer = by; }
  function claim(uint256 id, uint8 v, bytes32 r, bytes32 s) external {
    bytes32 hash = keccak256(abi.encode(address(this), block.chainid, id, msg.sender));
    require(signer != address(0) && ecrecover(hash, v, r, s) == signer, "signature"); // FINDING
    claimed[msg.sender] = add(claimed[msg.sender], 1);
  }
}`,
      // That a delegate stays the same when they are named again does not use up the signature.
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/extensions/draft-ERC20Permit.sol";
interface ITyped { function hashTypedDataV4(address by, bytes32 hash) external view returns (bytes32); }
contract Ticket is ERC20Permit {
  mapping(address => address) delegates;
  function delegateFor(address user, address to, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
    require(block.timestamp <= deadline);
    bytes32 hash = _hashTypedDataV4(keccak256(abi.encode("delegate", user, to, deadline)));
    require(ECDSA.recover(hash, v, r, s) == user); // FINDING
    _delegate(user, to);
  }
  function _delegate(address user, address to) private {
    if (delegates[user] == to) return;
    delegates[user] = to;
  }
}
library Signed {
  function isValidSignature(address by, bytes32 hash, uint8 v, bytes32 r, bytes32 s) internal pure returns (bool) {
    return ecrecover(hash, v, r, s) == by && by != address(0);
  }
}
contract Allowances {
  ITyped immutable typed;
  mapping(address => mapping(address => uint256)) allowance;
  constructor(ITyped to) { typed = to; }
  function permit(address from, address to, uint256 n, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
    require(block.timestamp <= deadline);
    bytes32 hash = typed.hashTypedDataV4(address(this), keccak256(abi.encode("permit", from, to, n, deadline)));
    require(Signed.isValidSignature(from, hash, v, r, s)); // FINDING
    allowance[from][to] = n;
  }
}`,
    ],
    safe: [
      // With the nonce.
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/token/ERC20/ERC20.sol";
contract Coin is ERC20 {
  bytes32 constant T = keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
  bytes32 public DOMAIN_SEPARATOR; mapping(address => uint256) public nonces;
  constructor() ERC20("a", "b") { DOMAIN_SEPARATOR = keccak256(abi.encode(block.chainid, address(this))); }
  function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
    require(deadline >= block.timestamp);
    bytes32 digest = keccak256(abi.encodePacked("\\x19\\x01", DOMAIN_SEPARATOR, keccak256(abi.encode(T, owner, spender, value, nonces[owner]++, deadline))));
    address who = ecrecover(digest, v, r, s);
    require(who != address(0) && who == owner);
    _approve(owner, spender, value);
  }
}`,
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
library PermitLib {
  function requireSignature(address owner, bytes32 hash, uint8 v, bytes32 r, bytes32 s) internal view {
    if (owner.code.length > 0) { require(IERC1271(owner).isValidSignature(hash, abi.encodePacked(r, s, v)) == 0x1626ba7e); }
    else { require(SignatureChecker.isValidSignatureNow(owner, hash, abi.encodePacked(r, s, v))); }
  }
}
interface IERC1271 { function isValidSignature(bytes32, bytes memory) external view returns (bytes4); }
contract Staked is EIP712 {
  bytes32 constant T = keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
  mapping(address => mapping(address => uint256)) public allowances; mapping(address => uint256) public nonces;
  function _useNonce(address o) internal returns (uint256 c) { c = nonces[o]; nonces[o] = c + 1; }
  function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) public {
    if (block.timestamp > deadline) revert();
    bytes32 structHash = keccak256(abi.encode(T, owner, spender, value, _useNonce(owner), deadline));
    PermitLib.requireSignature(owner, _hashTypedDataV4(structHash), v, r, s);
    _approve(owner, spender, value);
  }
  function _approve(address o, address s, uint256 n) internal { require(o != address(0)); allowances[o][s] = n; }
}`,
      `pragma solidity ^0.8.20;
contract Coin {
  bytes32 immutable domain = keccak256(abi.encode(block.chainid, address(this)));
  address immutable signer = msg.sender;
  mapping(address => uint256) public nonces;
  mapping(address => mapping(address => bool)) allowed;
  mapping(address => uint256) points;
  function allow(address by, address spender, uint256 nonce, uint8 v, bytes32 r, bytes32 s) external {
    require(by != address(0) && by == ecrecover(keccak256(abi.encode(domain, by, spender, nonce)), v, r, s));
    require(nonce == nonces[by]++);
    allowed[by][spender] = true;
  }
  function earn(uint256 n, uint8 v, bytes32 r, bytes32 s) external {
    require(signer == ecrecover(keccak256(abi.encode(domain, msg.sender, n, nonces[msg.sender]++)), v, r, s));
    points[msg.sender] += n;
  }
  function spend(uint256 n, uint256 nonce, uint8 v, bytes32 r, bytes32 s) external {
    require(msg.sender == ecrecover(keccak256(abi.encode(domain, n, nonce)), v, r, s) && nonce == nonces[msg.sender]++);
    points[msg.sender] -= n;
  }
}`,
      // The library that compares the signer is given the account first, and the wrapped hash after it.
      `pragma solidity ^0.8.20;
import "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
contract Orders is EIP712 {
    mapping(address => uint256) public nonces;
    mapping(address => uint256) public filled;
    constructor() EIP712("Orders", "1") {}
    function fill(address maker, uint256 amount, bytes calldata signature) external {
        bytes32 hash = keccak256(abi.encode(maker, amount, nonces[maker]++));
        require(SignatureChecker.isValidSignatureNow(maker, _hashTypedDataV4(hash), signature), "signature");
        filled[maker] += amount;
    }
}`,
      `pragma solidity ^0.8.19;
contract Vouchers {
    mapping(address => uint256) public paid;
    address immutable signer = msg.sender;

    function claim(uint256 total, uint8 v, bytes32 r, bytes32 s) external {
        bytes32 h = keccak256(abi.encode(address(this), block.chainid, msg.sender, total));
        require(ecrecover(h, v, r, s) == signer);
        uint256 due = total - paid[msg.sender];
        paid[msg.sender] = total;
        payable(msg.sender).transfer(due);
    }
}`,
      `pragma solidity ^0.8.0;
import "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
contract Multisig {
    using ECDSA for bytes32;
    address[2] owners;
    mapping(bytes32 => bool) executed;

    function checked(bytes[2] memory sigs, bytes32 h) private view returns (bool) {
        bytes32 signed = h.toEthSignedMessageHash();
        for (uint256 i = 0; i < sigs.length; i++) {
            if (signed.recover(sigs[i]) != owners[i]) return false;
        }
        return true;
    }

    function pay(address payable to, uint256 amount, uint256 nonce, bytes[2] memory sigs) external {
        bytes32 h = keccak256(abi.encodePacked(address(this), block.chainid, to, amount, nonce));
        require(!executed[h], "executed");
        require(checked(sigs, h), "invalid");
        executed[h] = true;
        (bool sent, ) = to.call{value: amount}("");
        require(sent);
    }
}`,
      `pragma solidity ^0.8.18;
contract Coin {
    bytes32 immutable domain;
    mapping(address => uint256) public balanceOf;
    mapping(address => uint256) nonces;
    mapping(bytes32 => bool) used;

    constructor() {
        domain = keccak256(abi.encode(block.chainid, address(this)));
    }

    function _next(address of) private returns (uint256) {
        return nonces[of]++;
    }

    function _digest(bytes32 h) private view returns (bytes32) {
        return keccak256(abi.encodePacked("\\x19\\x01", domain, h));
    }

    function send(address from, address to, uint256 value, uint8 v, bytes32 r, bytes32 s) public {
        bytes32 h = _digest(keccak256(abi.encode(from, to, value, _next(from))));
        require(from != address(0) && from == ecrecover(h, v, r, s));
        balanceOf[from] -= value;
        balanceOf[to] += value;
    }

    function unordered(address from, address to, uint256 value, uint256 salt, uint8 v, bytes32 r, bytes32 s) public {
        bytes32 h = _digest(keccak256(abi.encode(from, to, value, salt)));
        require(!used[h], "used");
        used[h] = true;
        require(from != address(0) && from == ecrecover(h, v, r, s));
        balanceOf[from] -= value;
        balanceOf[to] += value;
    }

    function isSigned(bytes32 h, uint8 v, bytes32 r, bytes32 s, address by) external pure returns (bool) {
        return ecrecover(h, v, r, s) == by;
    }
}`,
      `pragma solidity ^0.8.0;
import "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import "@openzeppelin/contracts/utils/Nonces.sol";
contract Votes is EIP712, Nonces {
    mapping(address => address) public delegateOf;

    constructor() EIP712("Votes", "1") {}

    function delegateBySig(address to, uint256 nonce, uint256 expiry, bytes memory signature) external {
        require(block.timestamp <= expiry);
        address from = ECDSA.recover(_hashTypedDataV4(keccak256(abi.encode(to, nonce, expiry))), signature);
        _useCheckedNonce(from, nonce);
        require(from != address(0));
        delegateOf[from] = to;
    }
}`,
      `pragma solidity ^0.8.0;
contract Drop {
    address immutable signer = msg.sender;
    mapping(address => bool) claimed;
    mapping(address => uint256) public points;

    function claim(uint256 amount, uint8 v, bytes32 r, bytes32 s) external {
        require(!claimed[msg.sender]);
        bytes32 h = keccak256(abi.encode(address(this), block.chainid, msg.sender, amount));
        require(ecrecover(h, v, r, s) == signer);
        claimed[msg.sender] = true;
        points[msg.sender] = amount;
    }
}`,
      `pragma solidity ^0.8.19;
interface IRegistry {
    function isOperator(address who) external view returns (bool);
}
contract Relay {
    address immutable owner = msg.sender;
    address signer = msg.sender;
    mapping(address => bool) operators;
    IRegistry registry;
    uint256 public price;

    function _check(uint256 to, uint8 v, bytes32 r, bytes32 s) private view {
        require(ecrecover(keccak256(abi.encode(address(this), to)), v, r, s) == signer);
    }

    function byOwner(uint256 to, uint8 v, bytes32 r, bytes32 s) external {
        require(msg.sender == owner);
        _check(to, v, r, s);
        price = to;
    }

    function byOperator(uint256 to, uint8 v, bytes32 r, bytes32 s) external {
        require(operators[msg.sender]);
        _check(to, v, r, s);
        price = to;
    }

    function byMember(uint256 to, uint8 v, bytes32 r, bytes32 s) external {
        require(registry.isOperator(msg.sender));
        _check(to, v, r, s);
        price = to;
    }

    function priceFor(address who, uint8 v, bytes32 r, bytes32 s) external returns (uint256) {
        _check(1, v, r, s);
        return registry.isOperator(who) ? 0 : price;
    }
}`,
      `pragma solidity ^0.8.19;
contract Journal {
    event Seen(address by);
    uint256 public seen;
    uint256[] public entries;
    bool open;

    function note(bytes32 h, uint8 v, bytes32 r, bytes32 s) external {
        emit Seen(ecrecover(h, v, r, s));
        seen += 1;
        for (uint256 i = 0; i < 3; i++) entries.push(i);
    }

    function noteAll(bytes32 h, uint8[] calldata v, bytes32[] calldata r, bytes32[] calldata s) external {
        for (uint256 i = 0; i < v.length; i++) {
            emit Seen(ecrecover(h, v[i], r[i], s[i]));
            entries.push(i);
        }
    }

    function noteMine(bytes32 h, uint8 v, bytes32 r, bytes32 s) external {
        if (open) {
            if (ecrecover(h, v, r, s) == msg.sender) emit Seen(msg.sender);
        }
        seen += 1;
    }
}`,
      `pragma solidity ^0.8.19;
contract Exchange {
    mapping(address => uint256) public nonces;
    mapping(address => uint256) public held;

    function _take(address by, address from, uint256 amount, uint256 nonce, uint8 v, bytes32 r, bytes32 s) internal {
        bytes32 h = keccak256(abi.encode(address(this), block.chainid, by, from, amount, nonce));
        require(from != address(0) && ecrecover(h, v, r, s) == from);
        held[from] -= amount;
        held[by] += amount;
    }

    function take(address from, uint256 amount, uint256 nonce, uint8 v, bytes32 r, bytes32 s) external {
        require(nonce == nonces[from]);
        nonces[from] += 1;
        _take(msg.sender, from, amount, nonce, v, r, s);
    }

    function buy(address by, address from, uint256 amount, uint256 nonce, uint8[2] calldata v, bytes32[2] calldata r, bytes32[2] calldata s) external {
        bytes32 offer = keccak256(abi.encode(address(this), block.chainid, from, amount));
        require(ecrecover(offer, v[0], r[0], s[0]) == from);
        bytes32 h = keccak256(abi.encode(address(this), block.chainid, by, offer, nonces[by]++));
        require(ecrecover(h, v[1], r[1], s[1]) == by);
        held[from] -= amount;
        held[by] += amount;
    }
}`,
      `pragma solidity ^0.8.19;
contract Vault {
    address immutable first = msg.sender;
    address public owner;
    bool ready;

    function start(address to, uint8 v, bytes32 r, bytes32 s) external {
        require(!ready);
        ready = true;
        require(ecrecover(keccak256(abi.encode(to)), v, r, s) == first);
        owner = to;
    }
}`,
      // Counted out of sight, or only the difference is paid.
      `pragma solidity ^0.8.20;
interface IBitmap { function set(uint256 index) external; }
interface INonces { function useNonce(address who) external returns (uint256); }
contract Pay {
  INonces immutable nonces;
  mapping(address => uint256) paid;
  mapping(address => uint256) total;
  constructor(INonces n) { nonces = n; }
  function pay(address who, uint256 amount, uint8 v, bytes32 r, bytes32 s) external {
    require(ecrecover(keccak256(abi.encode(this, who, amount, nonces.useNonce(who))), v, r, s) == who);
    paid[who] += amount;
  }
  function payCounted(address who, uint256 amount, uint8 v, bytes32 r, bytes32 s) external {
    require(ecrecover(keccak256(abi.encode(this, who, amount)), v, r, s) == who);
    nonces.useNonce(who);
    paid[who] += amount;
  }
  function paySub(address who, uint256 sum, uint8 v, bytes32 r, bytes32 s) external {
    require(ecrecover(keccak256(abi.encode(this, who, sum)), v, r, s) == who);
    uint256 due = sum - total[who];
    total[who] = sum;
    payable(who).transfer(due);
  }
}`,
      `pragma solidity ^0.8.20;
interface IToken { function transfer(address to, uint256 amount) external returns (bool); }
import "@openzeppelin/contracts/utils/structs/BitMaps.sol";
import "@openzeppelin/contracts/utils/math/SafeMath.sol";
contract Rest {
  using SafeMath for uint256;
  address public signer;
  IToken public token;
  mapping(address => uint256) public totals;
  function claim(uint256 total, uint8 v, bytes32 r, bytes32 s) external {
    bytes32 digest = keccak256(abi.encode(address(this), block.chainid, msg.sender, total));
    require(ecrecover(digest, v, r, s) == signer);
    uint256 due = total.sub(totals[msg.sender]);
    totals[msg.sender] = total;
    token.transfer(msg.sender, due);
  }
}
contract Marked {
  using BitMaps for BitMaps.BitMap;
  BitMaps.BitMap private used;
  address public signer;
  IToken public token;
  function claim(uint256 index, uint256 amount, uint8 v, bytes32 r, bytes32 s) external {
    bytes32 digest = keccak256(abi.encode(address(this), block.chainid, msg.sender, index, amount));
    require(ecrecover(digest, v, r, s) == signer);
    used.set(index);
    token.transfer(msg.sender, amount);
  }
}
contract Once {
  address public signer;
  IToken public token;
  mapping(bytes32 => bool) public done;
  function claim(uint256 amount, uint8 v, bytes32 r, bytes32 s) external {
    bytes32 digest = keccak256(abi.encode(address(this), block.chainid, msg.sender, amount));
    require(ecrecover(digest, v, r, s) == signer);
    if (!done[digest]) {
      done[digest] = true;
      token.transfer(msg.sender, amount);
    }
  }
}`,
      // A loop with a nonce for each item.
      `pragma solidity ^0.8.20;
contract Orders {
  mapping(address => uint256) public nonces;
  mapping(address => uint256) public filled;
  function fillAll(address[] calldata makers, uint8[] calldata v, bytes32[] calldata r, bytes32[] calldata s) external {
    for (uint256 i = 0; i < makers.length; i++) {
      bytes32 hash = keccak256(abi.encode(address(this), block.chainid, makers[i]));
      address signer = ecrecover(hash, v[i], r[i], s[i]);
      require(signer != address(0) && signer == makers[i], "signature");
      require(nonces[makers[i]] == i, "nonce");
      nonces[makers[i]]++;
      filled[makers[i]] += 1;
    }
  }
}`,
    ],
  },
}

const messages: Record<Reuse, string> = {
  here: "Accepting the signature changes nothing that it covers, so it can be replayed.",
  elsewhere:
    "The signed message includes neither this contract nor the chain: the signature is valid for every other deployment.",
}
