import type { Rule } from "../../../Rule.ts"
import type { StorageAccess } from "../../flow/graph/events.ts"
import type { Reached } from "../../flow/functionSummary.ts"
import type { StateVariable } from "../../model.ts"
import { has, type Origins, Source } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import { callSteps, strangersPath } from "../../questions/authority/attackerControl.ts"
import type * as S from "../../syntax.ts"

export const arbitraryStorageWrite: Rule<Program> = {
  meta: {
    id: "evm/storage/arbitrary-storage-write",
    class: "arbitrary-storage-write",
    title: "Arbitrary storage write",
    severity: "high",
    confidence: "medium",
    cwe: [123],
    swc: 124,
    description:
      "A caller can make the contract write to a storage slot of their choice: through `sstore` with a slot " +
      "from the input, or through an array whose length the caller can set or underflow, so that its index " +
      "reaches every slot of the contract. Overwriting the owner, an implementation address or a balance takes " +
      "over the contract.",
    remediation:
      "Never let input determine a raw slot: use mappings and declared variables, or a fixed slot constant. " +
      "Before 0.6, never assign `array.length` from input, and check `array.length > 0` before decreasing it; " +
      "use push and pop, and compiler version 0.6 or later, where the length cannot be assigned.",
    references: [
      "https://swcregistry.io/docs/SWC-124",
      "https://docs.soliditylang.org/en/latest/internals/layout_in_storage.html",
      "https://github.com/Arachnid/uscc/tree/master/submissions-2017/doughoyte",
    ],
  },

  check: (program, report) => {
    const lengths = openLengths(program)
    const arrays = new Set(lengths.keys())
    for (const flow of program.allFlows()) {
      for (const { event, place } of indexWrites(flow, arrays)) {
        const variable = place!.variables.find((v) => arrays.has(v))!
        const { write, flow: by, underflow } = lengths.get(variable)!
        const entry = { file: event.at.callable.source.file, span: event.expression }
        const length = { file: write.at.callable.source.file, span: write.expression }
        if (!underflow) {
          report({
            ...placeOfWrite(flow, event),
            message: "Both the length of the array and the index come from the caller.",
            trace: [
              { ...length, note: "length set from input" },
              { ...entry, note: "entry written at an index from input" },
            ],
          })
        } else {
          report({
            ...placeOfWrite(by, write),
            message: "The length can underflow, after which the array covers all of storage.",
            trace: [
              { ...length, note: "decreased without checking that the array is not empty" },
              { ...entry, note: "entry written at an index from input" },
            ],
          })
        }
      }
      for (const { event, via } of flow.writes) {
        if (via.length > 0) continue
        const slot = slotExpression(event)
        if (slot === undefined) {
          const pointed = pointerSlot(event)
          if (pointed === undefined || strangersPath(flow, event.at, pointed, fromOutside) === undefined) continue
          report({
            ...placeOfWrite(flow, event),
            message: "The slot of the storage pointer comes from the caller's input.",
          })
          continue
        }
        const origins = flow.origins(slot, event.at)
        if (has(origins, Source.hash)) continue
        const path = strangersPath(flow, event.at, origins, fromOutside)
        if (path === undefined) continue
        report({
          ...placeOfWrite(flow, event),
          message: "The slot comes from the caller's input.",
          trace: callSteps(path),
        })
      }
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.4.24;
contract Notes {
    address owner = msg.sender;
    uint256[] entries;

    function put(uint256 at, uint256 what) public {
        if (entries.length <= at) {
            entries.length = at + 1;
        }
        entries[at] = what; // FINDING
    }

    function close() public {
        require(msg.sender == owner);
        selfdestruct(owner);
    }
}`,
      `pragma solidity ^0.5.0;
contract Codes {
    address owner = msg.sender;
    uint256[] private codes;

    function drop() public {
        require(0 <= codes.length);
        codes.length--; // FINDING
    }

    function change(uint256 at, uint256 code) public {
        require(at < codes.length);
        codes[at] = code;
    }
}`,
      `pragma solidity ^0.8.0;
contract Box {
    address public owner = msg.sender;

    function set(uint256 slot, bytes32 value) external {
        assembly {
            sstore(slot, value) // FINDING
        }
    }
}`,
      `pragma solidity ^0.8.0;
contract Pointed {
    struct Value { address who; }
    function pointer(bytes32 slot) internal pure returns (Value storage v) {
        assembly { v.slot := slot }
    }
    function set(bytes32 slot, address who) external {
        pointer(slot).who = who; // FINDING
    }
}`,
      `pragma solidity ^0.5.0;
contract Queue {
    uint256[] items;
    bytes data;
    uint256[] rest;
    bool open = true;
    uint256 limit = 9;

    function drop() external {
        require(open && items.length != limit);
        items.length -= 1; // FINDING
    }

    function resize(uint256 to) external {
        items.length = to;
    }

    function cut() external {
        data.length = data.length - 1; // FINDING
    }

    function grow(uint256 by) external {
        rest.length += by;
    }

    function set(uint256 at, uint256 to, byte letter) external {
        items[at] = to;
        data[at] = letter;
        rest[at] = to; // FINDING
    }
}`,
    ],
    safe: [
      `pragma solidity ^0.5.0;
contract Codes {
    address owner = msg.sender;
    uint256[] private codes;

    function drop() public {
        require(codes.length > 0);
        codes.length--;
    }

    function remove(uint256 at) public {
        require(at < codes.length);
        codes[at] = codes[codes.length - 1];
        codes.length -= 1;
    }

    function add(uint256 code) public {
        codes.length++;
        codes[codes.length - 1] = code;
    }

    function resize(uint256 to) public {
        require(msg.sender == owner);
        codes.length = to;
    }

    function clear() public {
        codes.length = 0;
    }
}
contract Queue {
    uint256[] private waiting;

    function join(uint256 ticket) public {
        waiting.push(ticket);
    }

    function serve() public {
        waiting.length--;
    }
}`,
      `pragma solidity ^0.8.0;
library Slots {
    function write(bytes32 slot, address value) internal {
        assembly {
            sstore(slot, value)
        }
    }
}
contract Kept {
    struct Value { address who; mapping(address => uint256) of; }
    function pointer(bytes32 slot) internal pure returns (Value storage v) {
        assembly { v.slot := slot }
    }
    function set(address who) external {
        pointer(keccak256("kept")).who = who;
        pointer(keccak256("kept")).of[who] = 1;
    }
}
contract Proxy {
    bytes32 constant ADMIN = keccak256("proxy.admin");
    constructor() { Slots.write(ADMIN, msg.sender); }

    function setAdmin(address next) external {
        require(msg.sender == admin());
        Slots.write(ADMIN, next);
    }

    function admin() public view returns (address a) {
        bytes32 slot = ADMIN;
        assembly { a := sload(slot) }
    }

    function setBalance(address of, uint256 amount) external {
        require(of == msg.sender);
        assembly {
            mstore(0, of)
            mstore(32, 7)
            sstore(keccak256(0, 64), amount)
        }
    }
}`,
      `pragma solidity ^0.5.0;
contract Queue {
    address owner = msg.sender;
    uint256[] items;
    uint256[] kept;
    uint256[] added;
    uint256[] first;
    Box[] boxes;

    struct Box {
        uint256 count;
    }

    function drop() external {
        require(items.length != 0);
        items.length--;
    }

    function pop() external {
        if (0 < items.length) items.length--;
    }

    function trim() external {
        require(msg.sender == owner);
        kept.length--;
    }

    function add() external {
        added.length += 1;
    }

    function shorten() external {
        first.length--;
    }

    function set(uint256 at, uint256 to) external {
        items[at] = to;
        kept[at] = to;
        boxes[0].count--;
        boxes[at].count = to;
        added[at] = to;
        first[0] = to;
    }
}`,
      `pragma solidity ^0.8.0;
library Slots {
    function set(bytes32 key, uint256 to) internal {
        bytes32 slot = keccak256(abi.encode("slots", key));
        assembly {
            sstore(slot, to)
        }
    }
}
contract Diamond {
    struct Main {
        uint256 value;
        mapping(uint256 => uint256) entries;
    }

    function main() internal pure returns (Main storage s) {
        bytes32 at = bytes32(uint256(7));
        assembly {
            s.slot := at
        }
    }

    function other(bytes32 key) internal pure returns (Main storage s) {
        bytes32 at = keccak256(abi.encode(key));
        assembly {
            s.slot := at
        }
    }

    function set(uint256 id, uint256 to, bytes32 key) external {
        other(key).value = to;
        main().value = to;
        main().entries[id] = to;
        Slots.set(key, to);
    }
}`,
      `pragma solidity ^0.8.24;
library Transient {
    function put(bytes32 slot, uint256 to) external {
        assembly {
            tstore(slot, to)
        }
    }
}`,
    ],
  },
}

const fromOutside = Source.parameter | Source.calldata | Source.value

/** `array.length` of a dynamic array in storage, on the left of an assignment (possible before 0.6). */
const lengthTarget = (program: Program, e: StorageAccess["expression"]): S.Expression | undefined => {
  if (e.kind !== "MemberAccess") return undefined
  const type = program.typeOf(e.object)
  return type.kind === "array" || type.kind === "bytes" ? e.object : undefined
}

const mentionsLength = (o: Origins | undefined, variable: StateVariable): boolean =>
  o?.state.includes(variable) === true

/** Whether it checks that the array is not empty, or that the given index or length is inside it. */
const isBounded = (flow: Flow, write: StorageAccess, variable: StateVariable): boolean =>
  flow.facts(write.at).some(function bounds(fact): boolean {
    if (fact.kind === "any") return fact.options.every((option) => option.some(bounds))
    const { operator, left, right, withZero } = fact
    const inLeft = mentionsLength(left, variable)
    if (!inLeft && !mentionsLength(right, variable)) return false
    // `0 <= length` says nothing
    if (withZero) return operator === "!=" || (inLeft ? operator === ">" : operator === "<")
    return operator !== "!="
  })

/** Writes of `array.length` by which a stranger makes the array cover all of storage. */
const openLengths = (
  program: Program,
): ReadonlyMap<StateVariable, { readonly flow: Flow; readonly write: StorageAccess; readonly underflow: boolean }> => {
  const found = new Map<StateVariable, { flow: Flow; write: StorageAccess; underflow: boolean }>()
  for (const flow of program.allFlows()) {
    for (const node of flow.nodes) {
      for (const write of node.events) {
        if (write.kind !== "write") continue
        const array = lengthTarget(program, write.expression)
        const variable = write.place.variables[0]
        if (array === undefined || variable === undefined || flow.isRestricted(node)) continue
        const e = node.expression
        const decrements =
          (e?.kind === "UnaryOperation" && e.operator === "--") ||
          (e?.kind === "Assignment" &&
            (e.operator === "-=" || (e.right.kind === "BinaryOperation" && e.right.operator === "-")))
        if (decrements) {
          if (!isBounded(flow, write, variable)) found.set(variable, { flow, write, underflow: true })
          continue
        }
        if (write.value === undefined || found.has(variable)) continue
        const value = flow.origins(write.value, node)
        if (strangersPath(flow, node, value, fromOutside) !== undefined)
          found.set(variable, { flow, write, underflow: false })
      }
    }
  }
  return found
}

const placeOfWrite = (flow: Flow, write: StorageAccess) => ({
  file: write.at.callable.source.file,
  span: write.expression,
  scope: flow.fn.scope,
})

/** Entries of these arrays that a stranger sets at an index of their choice. */
const indexWrites = (flow: Flow, arrays: ReadonlySet<StateVariable>): ReadonlyArray<Reached<StorageAccess>> =>
  flow.writes.filter(
    ({ via, event, place }) =>
      via.length === 0 &&
      place?.path.startsWith("[]") === true &&
      place.variables.some((v) => arrays.has(v)) &&
      strangersPath(flow, event.at, place.keys, fromOutside) !== undefined,
  )

const slotExpression = (write: StorageAccess): S.YulExpression | undefined =>
  write.expression.kind === "YulFunctionCall" && write.expression.name === "sstore"
    ? write.expression.args[0]
    : undefined

/** The origins of the slot of a storage pointer set by assembly; mapping keys would be in the path. */
const pointerSlot = ({ place }: StorageAccess): Origins | undefined => {
  if (place.path.includes("[]") || has(place.keys, Source.hash)) return undefined
  return place.keys
}
