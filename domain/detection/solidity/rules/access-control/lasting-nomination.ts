import { oncePer, oncePerPair } from "../../../oncePer.ts"
import type { Rule } from "../../../Rule.ts"
import type { Deed } from "../../access/entries/deeds.ts"
import { type Access, accessOf, type Entry, isNamed } from "../../access/entries/entries.ts"
import { callerCheck } from "../../flow/facts/callerCheck.ts"
import { type Fact, sidesOf } from "../../flow/facts/facts.ts"
import { only, Source } from "../../flow/graph/origins.ts"
import type { StateVariable } from "../../model.ts"
import type { Program } from "../../program.ts"
import { placeOf } from "../../questions/authority/attackerControl.ts"

export const lastingNomination: Rule<Program> = {
  meta: {
    id: "evm/access-control/lasting-nomination",
    class: "missing-access-control",
    title: "Pending owner is not cleared",
    severity: "low",
    confidence: "medium",
    cwe: [672, 284],
    description:
      "A role is transferred in two steps, but accepting it does not clear the nominated account. That account " +
      "can take the role again at any later time, even after the role has been passed on because the account is " +
      "no longer trusted.",
    remediation:
      "Set the pending account to `address(0)` in the function that accepts the role, as OpenZeppelin's " +
      "Ownable2Step does.",
    references: [
      "https://docs.openzeppelin.com/contracts/5.x/api/access#Ownable2Step",
      "https://cwe.mitre.org/data/definitions/672.html",
    ],
  },
  check: (program, report) => {
    const access = accessOf(program)
    for (const entry of access.entries) {
      const found = lasting(access, entry)
      if (found === undefined) continue
      const { taken, nominates, nominee } = found
      report({
        ...placeOf(taken.reached.event),
        scope: entry.fn.scope,
        message: `\`${nominee.name}\` is not cleared.`,
        trace: [{ ...placeOf(nominates.reached.event), note: "the nomination is set here" }],
      })
    }
  },
  examples: {
    vulnerable: [
      `pragma solidity ^0.8.20;
contract Fees {
  address public owner = msg.sender;
  address public next;
  uint256 public fee;
  modifier onlyOwner() { require(msg.sender == owner, "owner"); _; }
  function setFee(uint256 to) external onlyOwner { fee = to; }
  function nominate(address to) external onlyOwner { next = to; }
  function accept() external {
    require(msg.sender == next, "next");
    owner = msg.sender; // FINDING
  }
}`,
      `pragma solidity ^0.8.20;
contract Fees {
  error Denied();
  struct Roles { address chief; address pending; }
  Roles roles;
  uint256 public fee;
  constructor() { roles.chief = msg.sender; }
  function setFee(uint256 to) external { if (msg.sender != roles.chief) revert Denied(); fee = to; }
  function offer(address to) external { if (msg.sender != roles.chief) revert Denied(); roles.pending = to; }
  function take() external { _take(); }
  function _take() private {
    if (msg.sender != roles.pending) revert Denied();
    roles.chief = roles.pending; // FINDING
  }
}`,
    ],
    safe: [
      // It is cleared; a guardian is not a nominee, since nobody names one; nobody is asked to be the payee.
      `pragma solidity ^0.8.20;
contract Fees {
  address public owner = msg.sender;
  address public next;
  address public payee;
  address public best;
  address immutable guardian = msg.sender;
  uint256 public fee;
  mapping(address => address) heirs;
  modifier onlyOwner() { require(msg.sender == owner, "owner"); _; }
  function setFee(uint256 to) external onlyOwner { fee = to; }
  function nominate(address to) external onlyOwner { next = to; }
  function accept() external { require(msg.sender == next); owner = next; _clear(); }
  function _clear() private { delete next; }
  function recover() external { require(msg.sender == guardian); owner = msg.sender; }
  function bePaid() external { require(msg.sender == owner); payee = msg.sender; }
  function setHeir(address to) external { heirs[msg.sender] = to; }
  function keep() external { require(msg.sender == owner && msg.sender != next); owner = msg.sender; }
  function note() external { require(msg.sender == next); owner = best; }
  function suggest(address to) external { best = to; }
  function join() external { require(msg.sender == best); payee = msg.sender; }
}`,
      // A council that the owner only dissolves, and one that names the owner.
      `pragma solidity ^0.8.20;
contract Fees {
  address public owner = msg.sender;
  address public council = msg.sender;
  address public heads;
  address public heir;
  uint256 public fee;
  function setFee(uint256 to) external { require(msg.sender == owner); fee = to; }
  function dissolve() external { require(msg.sender == owner); council = address(0); }
  function depose() external { require(msg.sender == council); owner = msg.sender; }
  function setHeads(address to) external { require(msg.sender == heads); heads = to; }
  function setHeir(address to) external { require(msg.sender == heads); heir = to; }
  function inherit() external { require(msg.sender == heir); owner = msg.sender; }
}`,
      `pragma solidity ^0.8.20;
contract Fees {
  address public owner = msg.sender;
  address public next;
  uint256 public fee;
  modifier onlyOwner() { require(msg.sender == owner, "owner"); _; }
  function setFee(uint256 to) external onlyOwner { fee = to; }
  function nominate(address to) external onlyOwner { next = to; }
  function accept() external {
    require(msg.sender == next);
    next = owner;
    owner = msg.sender;
  }
  function resign() external { require(msg.sender == owner); owner = address(0); }
}`,
    ],
  },
}

interface Lasting {
  readonly nominee: StateVariable
  readonly taken: Deed
  readonly nominates: Deed
}

/** The sender must be the account that one variable names, and takes another one over, while the former stays. */
const lasting = (access: Access, entry: Entry): Lasting | undefined => {
  for (const taken of entry.deeds) {
    const { variable, value, demands } = taken
    if (variable === undefined) continue
    for (const fact of demands.facts) {
      if (fact.kind === "any" || callerCheck(fact)?.kind !== "owner") continue
      const nominee = sidesOf(fact).find((side) => only(side, Source.state))?.state[0]
      const isTaken = only(value, Source.sender) || value.state[0] === nominee
      if (nominee === undefined || !isTaken || entry.deeds.some((deed) => deed.variable === nominee)) continue
      const nominates = nominationBy(access)(variable, nominee)
      if (nominates !== undefined) return { nominee, taken, nominates }
    }
  }
  return undefined
}

/** The first nomination that only the account in office makes. */
const nominationBy = oncePer((access: Access) =>
  oncePerPair(
    (office: StateVariable, nominee: StateVariable): Deed | undefined =>
      access.bySubject
        .get(nominee)
        ?.find(({ deed }) => isNamed(deed.value) && deed.demands.facts.some((fact) => isAbout(fact, office)))?.deed,
  ),
)

const isAbout = (fact: Fact, office: StateVariable): boolean =>
  fact.kind === "relation" && sidesOf(fact).some(({ state }) => state.includes(office))
