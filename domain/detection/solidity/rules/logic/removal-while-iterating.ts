import type { Rule } from "../../../Rule.ts"
import type { Loop } from "../../cfg.ts"
import type { CallSite, StorageAccess } from "../../effects.ts"
import type { Flow } from "../../flow.ts"
import type { StateVariable } from "../../model.ts"
import type { Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"

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

const inside = (loop: Loop | undefined, outer: Loop): boolean => {
  for (let l = loop; l !== undefined; l = l.outer) if (l === outer) return true
  return false
}

/** Goes from the last element to the first, or counts only where nothing was removed. */
const isSafeOrder = (loop: Loop): boolean => {
  let downwards = false
  const { node } = loop
  const look = (root: S.Node | undefined): void => {
    if (root === undefined) return
    walk(root, (e) => {
      if (e.kind === "UnaryOperation" && e.operator === "--") downwards = true
      if (e.kind === "Assignment" && e.operator === "-=") downwards = true
    })
  }
  if (node.kind === "ForStatement") {
    look(node.update)
    // an index raised in the body is raised on purpose, or not, after a removal
    if (node.update === undefined) return true
    if (!downwards) look(node.condition)
    if (!downwards) look(node.body)
    return downwards
  }
  look(node)
  return downwards || node.kind !== "YulFor"
}

export const removalWhileIterating: Rule<Program> = {
  meta: {
    id: "evm/logic/removal-while-iterating",
    class: "enumerable-removal",
    title: "Elements are removed from the set that the loop walks",
    severity: "medium",
    confidence: "medium",
    cwe: [662],
    description:
      "The loop walks a set (or array) by index and removes elements of it on the way. Removal moves the last element into " +
      "the gap, so the element that has just taken this index is never looked at, and an index near the end no longer exists: " +
      "entries survive a clean-up, or the call reverts for good.",
    remediation:
      "Walk backwards (`for (uint256 i = set.length(); i > 0; i--)` with index `i - 1`), or copy the elements first " +
      "(`set.values()`) and remove from the set while walking the copy, or collect what to remove and remove it afterwards.",
    references: [
      "https://docs.openzeppelin.com/contracts/5.x/api/utils#EnumerableSet",
      "https://github.com/Cyfrin/aderyn",
    ],
  },

  examples: {
    vulnerable: [
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
    ],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      if (flow.loops.length === 0) continue
      const sites = [...flow.calls()].filter((site) => site.at.loop !== undefined)
      for (const site of sites) {
        const loop = site.at.loop!
        const removes =
          (site.name === "remove" && site.callKind !== "internal") ||
          (site.name === "pop" && site.callKind === "builtin")
        if (!removes || isSafeOrder(loop) || !flow.reaches(site.at, site.at)) continue
        const collection = collectionOf(flow, site)
        if (collection === undefined) continue
        const isWalked = (at: CallSite["at"]): boolean => inside(at.loop, loop) && flow.reaches(site.at, at)
        const walked =
          site.name === "pop"
            ? flow.reads.some(
                (r: { readonly event: StorageAccess; readonly at: CallSite["at"] }) =>
                  r.event.place.variables.includes(collection) && r.event.place.path.startsWith("[]") && isWalked(r.at),
              )
            : sites.some(
                (other) => other.name === "at" && isWalked(other.at) && collectionOf(flow, other) === collection,
              )
        if (!walked) continue
        report({ file: site.at.callable.source.file, span: site.node, scope: site.at.callable.scope })
      }
    }
  },
}
