import { oncePer } from "../../../oncePer.ts"
import type { Rule } from "../../../Rule.ts"
import { type Numbered, reachabilityOf } from "../../flow/graph/reachability.ts"
import type { Expr, FlowNode, Loop } from "../../flow/graph/graph.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import type { FunctionModel, LocalVariable, StateVariable } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import { walk } from "../../visit.ts"

interface Removal {
  readonly collection: StateVariable
  readonly how: "pop" | "remove"
}

export const removalWhileIterating: Rule<Program> = {
  meta: {
    id: "evm/logic/removal-while-iterating",
    class: "enumerable-removal",
    title: "Elements removed from a set during iteration",
    severity: "medium",
    confidence: "medium",
    cwe: [662],
    description:
      "The loop iterates over a set (or array) by index while removing elements from it. Removal moves the last " +
      "element into the gap, so the element that has just moved to this index is never visited, and an index " +
      "near the end no longer exists: entries survive a cleanup, or the call always reverts.",
    remediation:
      "Iterate backwards (`for (uint256 i = set.length(); i > 0; i--)` with index `i - 1`), or copy the " +
      "elements first (`set.values()`) and remove from the set while iterating over the copy, or collect what " +
      "to remove and remove it afterwards.",
    references: [
      "https://docs.openzeppelin.com/contracts/5.x/api/utils#EnumerableSet",
      "https://github.com/Cyfrin/aderyn",
    ],
  },

  check: (program, report) => {
    const known = new Map<FunctionModel, ReadonlyArray<Removal>>()
    /** What a helper function of the contract removes. */
    const removalsIn = (fn: FunctionModel): ReadonlyArray<Removal> => {
      let found = known.get(fn)
      if (found === undefined) {
        const flow = program.flow(fn)
        known.set(fn, (found = [...flow.calls()].flatMap((site) => removalAt(flow, site) ?? [])))
      }
      return found
    }
    for (const flow of program.allFlows()) {
      if (flow.loops.length === 0) continue
      const sites = [...flow.calls()].filter((site) => site.at.loop !== undefined)
      for (const site of sites) {
        const loop = site.at.loop!
        const direct = removalAt(flow, site)
        const helper = site.target?.implemented === true ? removalsIn(site.target) : []
        const removals = direct === undefined ? helper : [direct]
        if (isDownwards(loop)) continue
        const isWalked = (at: FlowNode): boolean => isInside(at.loop, loop) && flow.reaches(site.at, at)
        const isSkipped = ({ collection, how }: Removal): boolean => {
          const reads = readsIn(flow)[how].get(collection) ?? []
          return reads.some(({ isSeen, at }) => !isSeen(site.at) && at.some(isWalked))
        }
        if (!removals.some(isSkipped)) continue
        report({ file: site.at.callable.source.file, span: site.node, scope: site.at.callable.scope })
      }
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.8.0;
contract Members {
    address[] members;
    mapping(address => bool) banned;
    function join() external { members.push(msg.sender); }
    function _drop(uint256 at) private {
        members[at] = members[members.length - 1];
        members.pop();
    }
    function sweep() external {
        uint256 i;
        while (i < members.length) {
            if (banned[members[i]]) _drop(i); // FINDING
            i++;
        }
    }
}`,
      `pragma solidity ^0.8.0;
import "@openzeppelin/contracts/utils/structs/EnumerableSet.sol";
contract Keepers {
    using EnumerableSet for EnumerableSet.AddressSet;
    EnumerableSet.AddressSet private keepers;
    mapping(address => uint256) until;

    function prune() external {
        for (uint256 i = 0; i < keepers.length(); i++) {
            address keeper = keepers.at(i);
            if (until[keeper] < block.timestamp) {
                keepers.remove(keeper); // FINDING
            }
        }
    }
}`,
      `pragma solidity ^0.8.0;
contract Orders {
    uint256[] orders;

    function sweep(uint256 below) external {
        for (uint256 i = 0; i < orders.length; i++) {
            if (orders[i] < below) {
                orders[i] = orders[orders.length - 1];
                orders.pop(); // FINDING
            }
        }
    }
}`,
      `pragma solidity ^0.8.0;
contract Orders {
    uint256[] orders;
    uint256 public total;

    function drop(uint256 below) external {
        for (uint256 i = 0; i < orders.length; i++) {
            if (orders[i] < below) {
                orders[i] = orders[orders.length - 1];
                orders.pop(); // FINDING
                for (uint256 j = 0; j < 3; j++) total += j;
            }
        }
    }
}`,
      `pragma solidity ^0.8.20;
contract Holders {
  address[] public holders;
  mapping(address => bool) public gone;
  function clean() external {
    uint256 i = 0;
    while (i < holders.length) {
      if (gone[holders[i]]) {
        holders[i] = holders[holders.length - 1];
        holders.pop(); // FINDING
      }
      i += 1;
    }
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
import "@openzeppelin/contracts/utils/structs/EnumerableSet.sol";
contract Keepers {
    using EnumerableSet for EnumerableSet.AddressSet;
    EnumerableSet.AddressSet private keepers;
    mapping(address => uint256) until;

    function prune() external {
        for (uint256 i = keepers.length(); i > 0; i--) {
            address keeper = keepers.at(i - 1);
            if (until[keeper] < block.timestamp) keepers.remove(keeper);
        }
    }

    function pruneCopy() external {
        address[] memory all = keepers.values();
        for (uint256 i = 0; i < all.length; i++) {
            if (until[all[i]] < block.timestamp) keepers.remove(all[i]);
        }
    }

    function removeFirst(address who) external {
        for (uint256 i = 0; i < keepers.length(); i++) {
            if (keepers.at(i) == who) {
                keepers.remove(who);
                break;
            }
        }
    }
}`,
      `pragma solidity ^0.8.0;
contract Orders {
    uint256[] orders;

    function sweep(uint256 below) external {
        uint256 i = 0;
        while (i < orders.length) {
            if (orders[i] < below) {
                orders[i] = orders[orders.length - 1];
                orders.pop();
            } else {
                i++;
            }
        }
    }

    function remove(uint256 order) external {
        for (uint256 i = 0; i < orders.length; i++) {
            if (orders[i] == order) {
                orders[i] = orders[orders.length - 1];
                orders.pop();
                return;
            }
        }
    }

    function clear() external {
        for (uint256 i = 0; i < 10; i++) orders.pop();
    }
}`,
      `pragma solidity ^0.8.0;
import "@openzeppelin/contracts/utils/structs/EnumerableSet.sol";
contract Members {
    using EnumerableSet for EnumerableSet.AddressSet;
    EnumerableSet.AddressSet members;
    EnumerableSet.AddressSet guests;
    address[] list;
    uint256[] marks;
    uint256 public removed;

    function inPlace(address[] calldata gone) external {
        uint256 i = 0;
        while (i < members.length()) {
            address each = members.at(i);
            if (gone[0] == each) {
                members.remove(each);
                removed++;
            } else {
                i++;
            }
        }
    }

    function fromGuests() external {
        for (uint256 i = 0; i < guests.length(); i++) members.remove(guests.at(i));
    }

    function one(address who) external {
        for (uint256 i = 0; i < list.length; i++) {
            if (list[i] == who) {
                list[i] = list[list.length - 1];
                list.pop();
                break;
            }
        }
        list.pop();
    }

    function last(uint256 n) external {
        for (uint256 i = 0; i < n; i++) list.pop();
        for (uint256 i = 0; i < n; i++) marks.push(i);
        for (uint256 i = 0; i < n; i++) marks[i] += list[i].balance;
        for (uint256 i = 0; i < n; i++) {
            marks[i] += 1;
            list.pop();
        }
    }

    function backwards(address who) external {
        for (uint256 i = list.length; i > 0; i--) {
            if (list[i - 1] == who) {
                list[i - 1] = list[list.length - 1];
                list.pop();
            }
        }
    }
}`,
    ],
  },
}

/** The set or array a member function works on: the receiver, or the first argument of a library call. */
const collectionOf = (flow: Flow, site: CallSite): StateVariable | undefined => {
  const { call } = site
  if (call === undefined) return undefined
  const { callee } = call.node
  for (const e of [callee.kind === "MemberAccess" ? callee.object : undefined, call.args[0]]) {
    const found = e === undefined ? undefined : flow.place(e, site.at).variables[0]
    if (found !== undefined) return found
  }
  return undefined
}

const isInside = (loop: Loop | undefined, outer: Loop): boolean => {
  for (let l = loop; l !== undefined; l = l.outer) if (l === outer) return true
  return false
}

/** Whether it iterates from the last element to the first. */
const isDownwards = oncePer(({ node }: Loop): boolean => {
  let found = false
  walk(node, (e) => {
    if (e.kind === "UnaryOperation" && e.operator === "--") found = true
    if (e.kind === "Assignment" && e.operator === "-=") found = true
    return !found
  })
  return found
})

/** Numbers that select the element in `list[i]`, `set.at(i)`. */
const indicesIn = (program: Program, read: Expr): ReadonlySet<LocalVariable> => {
  const found = new Set<LocalVariable>()
  walk(read, (e) => {
    const variable = e.kind === "Identifier" ? program.referenceOf(e) : undefined
    if (variable?.kind === "LocalVariable") found.add(variable)
  })
  return found
}

/** Reads of one list by the same numbers. */
interface Reads {
  readonly at: Array<FlowNode>
  /** Whether an iteration that removes an element in a step need not raise one of the numbers. */
  readonly isSeen: (removal: FlowNode) => boolean
}

/** What is read of each list, by the call that removes from such a list. */
const readsIn = oncePer((flow: Flow): Record<Removal["how"], ReadonlyMap<StateVariable, ReadonlyArray<Reads>>> => {
  const bySet = new Map<string, (removal: FlowNode) => boolean>()
  const found = { pop: new Map<StateVariable, Array<Reads>>(), remove: new Map<StateVariable, Array<Reads>>() }
  const add = (how: Removal["how"], collection: StateVariable, read: Expr, at: FlowNode): void => {
    const indices = indicesIn(flow.program, read)
    const key = [...indices].map(({ node }) => node.start).join()
    const isSeen = bySet.get(key) ?? returning(flow, indices)
    bySet.set(key, isSeen)
    const reads = found[how].get(collection) ?? []
    found[how].set(collection, reads)
    const same = reads.find((one) => one.isSeen === isSeen)
    if (same === undefined) reads.push({ isSeen, at: [at] })
    else same.at.push(at)
  }
  for (const { event, at, via } of flow.reads)
    if (via.length === 0 && at.loop !== undefined)
      for (const collection of event.place.variables) add("pop", collection, event.expression, at)
  for (const site of flow.calls()) {
    const collection = site.name === "at" && site.at.loop !== undefined ? collectionOf(flow, site) : undefined
    if (collection !== undefined) add("remove", collection, site.node, site.at)
  }
  return found
})

const raises = (program: Program, node: FlowNode, indices: ReadonlySet<LocalVariable>): boolean => {
  let found = false
  if (node.expression === undefined) return false
  walk(node.expression, (e) => {
    const changed = e.kind === "UnaryOperation" ? e.operand : e.kind === "Assignment" ? e.left : undefined
    const variable = changed?.kind === "Identifier" ? program.referenceOf(changed) : undefined
    if (variable?.kind === "LocalVariable" && indices.has(variable)) found = true
    return !found
  })
  return found
}

/**
 * Whether an iteration can come back to a step without raising an index. If each that removes an element there raises
 * it, the element that moved into its place is skipped.
 */
const returning = (flow: Flow, indices: ReadonlySet<LocalVariable>): ((removal: FlowNode) => boolean) => {
  let reaches: ((from: number, to: number) => boolean) | undefined
  return (removal) => {
    reaches ??= reachabilityOf(withoutRaises(flow, indices))
    return removal.succs.some((next) => next === removal || reaches!(next.id, removal.id))
  }
}

/** The graph of a function, in which nothing follows a step that raises an index. */
const withoutRaises = (flow: Flow, indices: ReadonlySet<LocalVariable>) => {
  const nodes = flow.nodes.map(({ id }) => ({ id, succs: new Array<Numbered>() }))
  for (const node of flow.nodes)
    if (!raises(flow.program, node, indices)) for (const { id } of node.succs) nodes[node.id]!.succs.push(nodes[id]!)
  return nodes
}

const removalAt = (flow: Flow, site: CallSite): Removal | undefined => {
  const how = site.name === "remove" || site.name === "pop" ? site.name : undefined
  const collection = collectionOf(flow, site)
  return how === undefined || collection === undefined ? undefined : { collection, how }
}
