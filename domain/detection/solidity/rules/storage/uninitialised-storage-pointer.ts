import type { Rule } from "../../../Rule.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import type { LocalVariable } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { locationOf } from "../../types.ts"

interface Use {
  readonly at: FlowNode
  readonly expression: S.Expression
  readonly writes: boolean
}

export const uninitializedStoragePointer: Rule<Program> = {
  meta: {
    id: "evm/storage/uninitialised-storage-pointer",
    class: "uninit-storage-pointer",
    title: "Uninitialized storage pointer",
    severity: "high",
    confidence: "high",
    cwe: [824],
    swc: 109,
    description:
      "Before Solidity 0.5, a local variable of struct, array or mapping type without a data location is a " +
      "storage pointer, and if it is not initialized, it points to slot 0. Writing to its members overwrites " +
      "the contract's first state variables: an owner, a balance, a secret number. The caller chooses the " +
      "values; honeypots use this to change the rules of a game behind the player's back.",
    remediation:
      "Specify the data location: `Game memory game;` for a temporary value that is pushed or assigned " +
      "afterwards, or `Game storage game = games[id];` for an existing entry. Compile with 0.5 or later, which " +
      "rejects such pointers.",
    references: [
      "https://docs.soliditylang.org/en/v0.5.0/050-breaking-changes.html",
      "https://github.com/crytic/slither/wiki/Detector-Documentation#uninitialized-storage-variables",
    ],
  },

  check: (program, report) => {
    for (const flow of program.allFlows()) {
      if (!flow.fn.source.version.before05) continue
      for (const found of [uninitialized(program, flow), resultsUnset(program, flow)]) {
        for (const [variable, use] of found) {
          const { file } = use.at.callable.source
          report({
            file,
            span: variable.node,
            scope: use.at.callable.scope,
            message: `\`${variable.name}\` points to slot 0 when it is ${use.writes ? "written" : "used"}.`,
            trace: [
              { file, span: variable.node, note: "declared without a value" },
              {
                file,
                span: use.expression,
                note: use.writes ? "writes to storage starting at slot 0" : "used while uninitialized",
              },
            ],
          })
        }
      }
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.4.19;
contract Raffle {
    uint256 private target;
    address public owner;
    struct Entry {
        address player;
        uint256 guess;
    }
    Entry[] public entries;

    function enter(uint256 guess) public payable {
        Entry entry; // FINDING
        entry.player = msg.sender;
        entry.guess = guess;
        entries.push(entry);
    }
}`,
      `pragma solidity ^0.4.24;
contract Registrar {
    bool public unlocked = false;
    struct NameRecord {
        bytes32 name;
        address mapped;
    }
    mapping(bytes32 => address) public resolve;

    function register(bytes32 name, address mapped) public {
        NameRecord storage record; // FINDING
        record.name = name;
        record.mapped = mapped;
        resolve[name] = mapped;
        require(unlocked);
    }
}`,
      `pragma solidity ^0.4.0;
contract Samples {
    uint256[] known;
    uint256 total;

    function add(uint256 amount, bool fresh) public {
        uint256[] list; // FINDING
        if (!fresh) list = known;
        list[0] = amount;
    }
}`,
      // One is read first and changed later, the other is only read.
      `pragma solidity ^0.4.24;
contract Records {
  struct Record { uint256 amount; address holder; }
  uint256 public last;
  function raise(uint256 by) public {
    Record record; // FINDING
    if (record.amount < by) record.amount = by;
  }
  function show() public {
    Record record; // FINDING
    last = record.amount;
  }
}`,
    ],
    safe: [
      `pragma solidity ^0.4.24;
contract Raffle {
    address owner;
    struct Entry {
        address player;
        uint256 guess;
    }
    Entry[] entries;
    mapping(uint256 => Entry) byId;

    function enter(uint256 guess) public {
        Entry memory entry;
        entry.player = msg.sender;
        entry.guess = guess;
        entries.push(entry);
    }

    function change(uint256 id, uint256 guess) public {
        Entry storage entry = byId[id];
        entry.guess = guess;
    }

    function later(uint256 id, bool first) public {
        Entry storage entry;
        if (first) {
            entry = entries[0];
        } else {
            entry = byId[id];
        }
        entry.player = msg.sender;
    }
}`,
      `pragma solidity ^0.8.0;
library Slots {
    struct Data {
        address owner;
    }

    function data(bytes32 slot) internal pure returns (Data storage d) {
        assembly {
            d.slot := slot
        }
    }
}
contract Proxy {
    function setOwner(address next) internal {
        Slots.Data storage d = Slots.data(keccak256("owner"));
        d.owner = next;
    }
}`,
      `pragma solidity ^0.4.24;
contract Points {
  struct Point { uint256 x; uint256 y; }
  Point kept;
  uint256 last;
  function a() public { Point storage p; p = kept; p.x = 5; }
  function get() internal returns (Point storage p) { p = kept; p.x = 5; }
  function mem() internal returns (Point memory p) { p.x = 5; }
  function b() public { Point storage p = get(); last = p.x + mem().x; }
}`,
      `pragma solidity ^0.4.24;
contract Rows {
    struct Row {
        uint256 a;
    }
    Row[] rows;

    function raise(Row storage from) internal returns (Row storage to) {
        from.a = 1;
        to = from;
        to.a = 2;
    }
}`,
      `pragma solidity ^0.8.0;
contract Main {
    struct Data {
        uint256 a;
    }

    function set(uint256 to) external {
        Data storage data;
        assembly {
            data.slot := 7
        }
        data.a = to;
    }
}`,
    ],
  },
}

/** The local at the root of `p.member[i].x`. */
const rootLocal = (program: Program, e: S.Expression): LocalVariable | undefined => {
  let at: S.Expression = e
  for (;;) {
    if (at.kind === "MemberAccess") at = at.object
    else if (at.kind === "IndexAccess") at = at.base
    else {
      const found = program.referenceOf(at)
      return found?.kind === "LocalVariable" ? found : undefined
    }
  }
}

/**
 * Storage pointers of a function that are used before anything is assigned to them, each with its first use (a write if
 * any).
 */
const uninitialized = (program: Program, flow: Flow): ReadonlyMap<LocalVariable, Use> => {
  const found = new Map<LocalVariable, Use>()
  const add = (variable: LocalVariable, use: Use): void => {
    if (use.writes || !found.has(variable)) found.set(variable, use)
  }
  for (const node of flow.nodes) {
    for (const event of node.events) {
      if (event.kind === "call") {
        // passed on as a pointer: `list.push(p)` before 0.5 reads the struct, `f(p)` passes the slot
        for (const arg of event.call?.args ?? []) {
          const variable = rootLocal(program, arg)
          if (variable !== undefined && flow.place(arg, node).uninitialized)
            add(variable, { at: node, expression: arg, writes: false })
        }
      } else if (event.place.uninitialized && !event.expression.kind.startsWith("Yul")) {
        // It is not Yul but a Solidity expression.
        const expression = event.expression as S.Expression
        const variable = rootLocal(program, expression)
        if (variable !== undefined) add(variable, { at: node, expression, writes: event.kind === "write" })
      }
    }
  }
  return found
}

/** Before 0.5, a result of storage type that is used without being assigned also points to slot 0. */
const resultsUnset = (program: Program, flow: Flow): ReadonlyMap<LocalVariable, Use> => {
  const found = new Map<LocalVariable, Use>()
  const results = flow.fn.returns.filter((v) => locationOf(v.type) === "storage")
  if (results.length === 0) return found
  for (const node of flow.nodes) {
    if (node.expression?.kind !== "Assignment") continue
    const { left } = node.expression
    if (left.kind === "Identifier") continue
    const variable = rootLocal(program, left)
    if (variable === undefined || !results.includes(variable)) continue
    const { definitions } = flow.values.reaching(variable, node)
    if (definitions.length === 0) found.set(variable, { at: node, expression: left, writes: true })
  }
  return found
}
