import { accessOf, type Entry } from "../../../../../../domain/detection/solidity/access/entries/entries.ts"
import type { Deed } from "../../../../../../domain/detection/solidity/access/entries/deeds.ts"
import { openTally, repeatedTally } from "../../../../../../domain/detection/solidity/access/entries/tallies.ts"
import type { Flow } from "../../../../../../domain/detection/solidity/program.ts"
import { questionTable } from "../../../../../support/questionTable.ts"

const entryOf = ({ program, fn }: Flow): Entry => accessOf(program).entryOf.get(fn)!

const nameOf = (deed: Deed | undefined): string => deed?.variable?.name ?? (deed === undefined ? "" : "elsewhere")

/** Which count of approving accounts somebody can raise as much as they like. */
export const tallies = questionTable(
  "tallies",
  {
    open: (flow) => nameOf(openTally(accessOf(flow.program), entryOf(flow))),
    repeated: (flow) => nameOf(repeatedTally(accessOf(flow.program), entryOf(flow))),
  },
  [
    `pragma solidity ^0.8.20;
interface IList { function has(address who) external view returns (bool); }
contract Ballots {
  address owner = msg.sender;
  IList list;
  mapping(uint256 => mapping(address => bool)) voted;
  mapping(uint256 => mapping(address => uint256)) weight;
  mapping(address => bool) members;
  mapping(address => uint256) counted;
  mapping(uint256 => uint256) count;
  mapping(uint256 => uint256) turned;
  mapping(uint256 => uint256) idle;
  mapping(uint256 => uint256) sum;
  mapping(uint256 => uint256) done;
  mapping(uint256 => uint256) positive;
  mapping(uint256 => uint256) above;
  mapping(uint256 => uint256) below;
  mapping(uint256 => uint256) exact;
  mapping(uint256 => address) last;
  uint256 total;
  uint256 need;
  uint256 result;
  function open(string memory) internal pure {}
  function repeated(string memory) internal pure {}
  function run(uint256 id) external {
    require(count[id] >= need);
    require(need <= turned[id]);
    require(above[id] > need);
    require(need < below[id]);
    require(sum[id] >= need);
    require(total >= need);
    require(counted[msg.sender] >= need);
    require(positive[id] > 0);
    require(exact[id] == need);
    result = id;
  }

  function vote(uint256 id) external { require(!voted[id][msg.sender]); voted[id][msg.sender] = true; count[id]++; open("count"); repeated(""); }
  function voteTurned(uint256 id) external { require(!voted[id][msg.sender]); voted[id][msg.sender] = true; turned[id]++; open("turned"); }
  function voteAbove(uint256 id) external { require(!voted[id][msg.sender]); voted[id][msg.sender] = true; above[id]++; open("above"); }
  function voteBelow(uint256 id) external { require(!voted[id][msg.sender]); voted[id][msg.sender] = true; below[id]++; open("below"); }
  function voteAll() external { require(!voted[0][msg.sender]); voted[0][msg.sender] = true; total++; open("total"); }
  function voteByNumber(uint256 id) external { require(weight[id][msg.sender] == 0); weight[id][msg.sender] = 1; count[id] += 1; open("count"); }
  function voteWritten(uint256 id) external { require(!voted[id][msg.sender]); voted[id][msg.sender] = true; count[id] = count[id] + 1; open("count"); }
  // Nothing depends on the count.
  function voteIdly(uint256 id) external { require(!voted[id][msg.sender]); voted[id][msg.sender] = true; idle[id]++; open(""); }
  function votePositive(uint256 id) external { require(!voted[id][msg.sender]); voted[id][msg.sender] = true; positive[id]++; open(""); }
  function voteExactly(uint256 id) external { require(!voted[id][msg.sender]); voted[id][msg.sender] = true; exact[id]++; open(""); }
  // Who may vote is decided elsewhere.
  function voteAsMember(uint256 id) external { require(members[msg.sender]); require(!voted[id][msg.sender]); voted[id][msg.sender] = true; count[id]++; open(""); }
  function voteAsOwner(uint256 id) external { require(msg.sender == owner); require(!voted[id][msg.sender]); voted[id][msg.sender] = true; count[id]++; open(""); }
  function votePaid(uint256 id) external payable { require(!voted[id][msg.sender]); voted[id][msg.sender] = true; count[id]++; open(""); }
  function voteOften(uint256 id) external { voted[id][msg.sender] = true; count[id]++; open(""); }
  function voteAgain(uint256 id) external { require(voted[id][msg.sender]); voted[id][msg.sender] = true; count[id]++; open(""); }
  function voteFor(uint256 id, address who) external { require(!voted[id][who]); voted[id][who] = true; count[id]++; open(""); }
  function voteUnmarked(uint256 id) external { require(!voted[id][msg.sender]); count[id]++; open(""); }
  function voteMarkedAsTold(uint256 id, bool yes) external { require(!voted[id][msg.sender]); voted[id][msg.sender] = yes; count[id]++; open(""); }
  function voteMarkedElsewhere(uint256 id) external { require(weight[id][msg.sender] == 0); voted[id][msg.sender] = true; count[id]++; open(""); }
  function voteByLevel(uint256 id) external { require(weight[id][msg.sender] == 3); weight[id][msg.sender] = 1; count[id]++; open(""); }
  function voteBelowLevel(uint256 id) external { require(weight[id][msg.sender] <= 0); weight[id][msg.sender] = 1; count[id]++; open(""); }
  // What is counted is the account's own.
  function voteWeighed(uint256 id) external { require(!voted[id][msg.sender]); voted[id][msg.sender] = true; sum[id] += counted[msg.sender]; open(""); }
  function voteOwn() external { require(!voted[0][msg.sender]); voted[0][msg.sender] = true; counted[msg.sender]++; open(""); }
  function voteReset(uint256 id) external { require(!voted[id][msg.sender]); voted[id][msg.sender] = true; count[id] = 1; open(""); }
  function voteCopied(uint256 id) external { require(!voted[id][msg.sender]); voted[id][msg.sender] = true; count[id] = idle[id] + 1; open(""); }
  function voteMany(uint256 id, uint256 n) external { require(!voted[id][msg.sender]); voted[id][msg.sender] = true; count[id] += n; open(""); }
  function voteDeleted(uint256 id) external { require(!voted[id][msg.sender]); voted[id][msg.sender] = true; delete count[id]; open(""); }

  function confirm(uint256 id) external { require(members[msg.sender]); count[id]++; repeated("count"); open(""); }
  function confirmListed(uint256 id) external { require(list.has(msg.sender)); count[id]++; repeated("count"); }
  function confirmAndRun(uint256 id) external { require(members[msg.sender]); count[id]++; if (count[id] >= need) result = id; repeated("count"); }
  function confirmAndSet(uint256 id) external { require(members[msg.sender]); count[id]++; result = id; repeated(""); }
  function confirmNamed(uint256 id) external { require(members[msg.sender]); count[id]++; if (count[id] >= need) last[id] = msg.sender; repeated(""); }
  function confirmOwn(uint256 id) external { require(members[msg.sender]); count[id]++; if (count[id] >= need) counted[msg.sender] = id; repeated(""); }
  function confirmIdly(uint256 id) external { require(members[msg.sender]); idle[id]++; repeated(""); }
  function confirmFirst() external { require(members[msg.sender]); count[0]++; repeated(""); }
  function confirmPaid(uint256 id) external payable { require(members[msg.sender]); count[id]++; repeated(""); }
  function confirmAnyone(uint256 id) external { count[id]++; repeated(""); }
  function confirmMany(uint256 id, uint256 n) external { require(members[msg.sender]); count[id] = n; repeated(""); }
}`,
    // A record whose status is changed as a whole counts nobody.
    `pragma solidity ^0.8.20;
interface IBoard { function isMember(address who) external view returns (bool); }
contract Governor {
  struct Proposal { uint8 status; uint32 proposedAt; uint32 voteBefore; }
  IBoard immutable board;
  mapping(uint256 => Proposal) proposals;
  mapping(uint256 => uint256) votes;
  uint256 done;
  constructor(IBoard b) { board = b; }
  function repeated(string memory) internal pure {}
  function open(string memory) internal pure {}
  function propose(uint256 id) external { proposals[id] = Proposal(1, uint32(block.timestamp), uint32(block.timestamp + 3 days)); open(""); }
  function cancel(uint256 id) external {
    require(board.isMember(msg.sender));
    Proposal memory proposal = proposals[id];
    require(proposal.status != 4 && proposal.proposedAt > 0);
    proposal.status = 4;
    proposals[id] = proposal;
    repeated("");
  }
  function count(uint256 id) external { require(board.isMember(msg.sender)); votes[id] = votes[id] + 1; repeated("votes"); }
  function execute(uint256 id) external { require(block.timestamp < proposals[id].voteBefore && votes[id] >= 3); done = id; }
}`,
  ],
)
