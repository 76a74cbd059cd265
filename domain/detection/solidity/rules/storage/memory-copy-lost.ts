import type { Rule } from "../../../Rule.ts"
import type { Definition, FlowNode } from "../../flow/graph/graph.ts"
import type { FunctionModel, LocalVariable } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import { Shape } from "../../flow/graph/shape.ts"
import type * as S from "../../syntax.ts"
import { locationOf } from "../../types.ts"
import { isSomewhere } from "../../flow/graph/storagePlace.ts"
import { walk } from "../../visit.ts"

/** A change to a local's member, or to an element in it. */
interface Change {
  readonly variable: LocalVariable
  /** The member of the local, if it is a struct. */
  readonly member: string | undefined
}

interface Changes extends Change {
  readonly nodes: ReadonlyArray<FlowNode>
}

export const memoryCopyLost: Rule<Program> = {
  meta: {
    id: "evm/storage/memory-copy-lost",
    class: "storage-memory-copy",
    title: "Storage change made to a memory copy is lost",
    severity: "high",
    confidence: "high",
    cwe: [664],
    description:
      "A struct or array in storage is copied to memory, the copy is changed, and then nothing is done with it: " +
      "the contract's state remains the same. The function appears to record a payment, a reward or a lock, but " +
      "the next call sees the old values, so the same amount can be claimed again or is never credited.",
    remediation:
      "Declare the local variable (or the parameter of the internal function) as `storage` if the state is " +
      "meant to change, or write the copy back: `users[id] = user;`.",
    references: [
      "https://docs.soliditylang.org/en/latest/types.html#data-location-and-assignment-behavior",
      "https://github.com/crytic/slither/wiki/Detector-Documentation#modifying-storage-array-by-value",
    ],
  },

  check: (program, report) => {
    const lost = new Map<FunctionModel, ReadonlyMap<LocalVariable, FlowNode>>()
    for (const flow of program.allFlows()) {
      const told = new Set<LocalVariable>()
      const isView = flow.fn.mutability === "view"
      for (const changes of changesIn(program, flow)) {
        const { variable, nodes } = changes
        const [first] = nodes
        // a read-only function may compute with one member and leave another alone
        const whole = isView ? { ...changes, member: undefined } : changes
        if (first === undefined || told.has(variable) || !isLost(program, flow, whole)) continue
        const { definitions } = flow.values.reaching(variable, first)
        const copy = definitions.find(({ keepsOld }) => !keepsOld)
        if (!fromStorage(flow, copy)) continue
        told.add(variable)
        const { file } = first.callable.source
        report({
          file,
          span: first.expression!,
          scope: first.callable.scope,
          trace: [
            { file, span: copy.value, note: "copied from storage into memory" },
            { file, span: first.expression!, note: "changes the copy, which is never used again" },
          ],
        })
      }
      for (const site of flow.calls()) {
        if (site.target === undefined) continue
        let parameters = lost.get(site.target)
        if (parameters === undefined) lost.set(site.target, (parameters = lostParameters(program, site.target)))
        for (const [parameter, node] of parameters) {
          const arg = site.args[site.target.parameters.indexOf(parameter)]
          // not Yul, but arguments of a call in Solidity
          if (arg === undefined || !isSomewhere(flow.place(arg as S.Expression, site.at))) continue
          report({
            file: site.at.callable.source.file,
            span: site.node,
            scope: site.at.callable.scope,
            message: `\`${site.name}\` changes a copy of its argument.`,
            trace: [
              { file: site.at.callable.source.file, span: arg, note: "copied from storage into memory" },
              { file: node.callable.source.file, span: node.expression!, note: "changes the copy" },
            ],
          })
        }
      }
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.4.24;
contract Values {
    uint256[1] values;
    function change(uint256[1] copy) internal { copy[0] = 1; }
    function run() public { change(values); } // FINDING
}`,
      `pragma solidity ^0.8.0;
contract Shop {
    struct Item { uint256 price; bool sold; }
    Item[] items;
    function get(uint256 id) internal view returns (Item memory) { return items[id]; }
    function sell(uint256 id) external {
        Item memory item = get(id);
        require(!item.sold);
        item.sold = true; // FINDING
        payable(msg.sender).transfer(item.price);
    }
    function close() external {
        Item[] memory all = items;
        for (uint256 i; i < all.length; i++) all[i].sold = true; // FINDING
    }
}`,
      `pragma solidity ^0.8.0;
contract Staking {
    struct User {
        uint256 amount;
        uint256 debt;
    }
    mapping(address => User) public users;

    function settle(uint256 debt) external {
        User memory user = users[msg.sender];
        user.debt = debt; // FINDING
    }
}`,
      `pragma solidity ^0.5.0;
contract Marks {
    uint256[3] public marks;

    function set(uint256[3] memory all) internal pure {
        all[0] = 1;
    }

    function reset() external {
        set(marks); // FINDING
    }

    function clear() external {
        uint256[3] memory all = marks;
        for (uint256 i = 0; i < 3; i++) {
            all[i] = 0; // FINDING
        }
    }
}`,
      `pragma solidity ^0.8.20;
contract Points {
  struct Point { uint256 x; uint256 y; }
  Point kept;
  uint256[] list;
  uint256 last;
  function a() external {
    Point memory p = kept;
    p.x++; // FINDING
  }
  function b() external {
    Point memory p = kept;
    p.x--; // FINDING
    p.y = 5;
  }
  function c() external {
    Point memory p = kept;
    delete p.x; // FINDING
  }
  function d() external {
    Point memory p = kept;
    p.x = 5; // FINDING
    last = p.y;
  }
  function e() external {
    uint256[] memory l = list;
    l[0] = 5; // FINDING
    last = l.length;
  }
}`,
      `pragma solidity ^0.8.0;
contract Rows {
    struct Row {
        uint256 a;
        uint256 b;
    }
    Row[] rows;

    function twice(uint256 i) external {
        Row memory row = rows[i];
        row.a = 1; // FINDING
        row.a = 2;
    }

    function replace(uint256 i) external returns (uint256) {
        Row memory row = rows[i];
        row.a = 1; // FINDING
        row = rows[i + 1];
        return row.a;
    }
}`,
    ],
    safe: [
      `pragma solidity ^0.8.0;
contract Staking {
    struct User {
        uint256 amount;
        uint256 debt;
    }
    mapping(address => User) public users;
    event Settled(User user);

    function settle(uint256 debt) external {
        User storage user = users[msg.sender];
        user.debt = debt;
    }

    function back(uint256 debt) external {
        User memory user = users[msg.sender];
        user.debt = debt;
        users[msg.sender] = user;
    }

    function preview(uint256 debt) external view returns (User memory) {
        User memory user = users[msg.sender];
        user.debt = debt;
        return user;
    }

    function log(uint256 debt) external {
        User memory user = users[msg.sender];
        user.debt += debt;
        if (user.debt > user.amount) emit Settled(user);
    }
}`,
      `pragma solidity ^0.8.0;
contract Sorted {
    uint256[] values;

    function median() external view returns (uint256) {
        uint256[] memory all = values;
        sort(all);
        return all[all.length / 2];
    }

    function sort(uint256[] memory all) internal pure {
        for (uint256 i = 1; i < all.length; i++) {
            uint256 x = all[i];
            all[i] = all[i - 1];
            all[i - 1] = x;
        }
    }

    function set(uint256[] storage all) internal {
        all[0] = 1;
    }

    function reset() external {
        set(values);
    }
}`,
      `pragma solidity ^0.8.20;
contract Points {
  struct Point { uint256 x; uint256 y; }
  Point kept;
  uint256 last;
  function a() external view returns (Point memory p) { p = kept; p.x = 5; }
  function b() external { Point memory p = kept; Point memory q = p; p.x = 5; last = q.x; }
  function c() external { Point memory p = kept; p.x = 5; uint256 got; assembly { got := mload(p) } last = got; }
  function d() external view returns (uint256) { Point memory p = kept; p.x = 5; return p.x + p.y; }
  function e() external { use(kept); }
  function use(Point memory p) private { p.x = 5; last = p.x; }
  function f() external { Point memory p = kept; while (last > 0) { last = p.x; p.x = 5; } }
}`,
      `pragma solidity ^0.8.0;
contract Rows {
    struct Row {
        uint256 a;
        uint256 b;
        bool open;
    }
    Row[] rows;
    mapping(uint256 => uint256[]) lists;
    mapping(uint256 => Row) byId;
    mapping(uint256 => bool) seen;

    function blank() internal pure returns (Row memory row) {
        row.a = 1;
    }

    function fresh() internal pure returns (Row memory) {
        return Row(1, 2, false);
    }

    function raise(Row memory row) internal pure {
        row.a += 1;
    }

    function preview(uint256 i) external view returns (uint256) {
        Row memory row = rows[i];
        row.a = 3;
        return row.b;
    }

    function copies(uint256 i) external {
        Row memory row = rows[i];
        row = rows[i + 1];
        Row memory made = blank();
        made.a = 2;
        Row memory other = fresh();
        other.a = 3;
        raise(other);
    }

    function check(uint256 i) external {
        Row memory row = rows[i];
        row.open = seen[i];
        if (!row.open) revert();
    }

    function mark(uint256 i) external {
        Row memory row = rows[i];
        row.a += 5;
        seen[row.a] = true;
    }

    function count(uint256 i) external returns (uint256) {
        Row memory row = rows[i];
        row.a += 5;
        return lists[row.a].length;
    }

    function look(uint256 i) external returns (uint256) {
        Row memory row = rows[i];
        row.a += 5;
        return byId[row.a].b;
    }

    function store(uint256 i) external {
        Row memory row = rows[i];
        row.a = 1;
        row.b = 2;
        rows[0] = row;
    }
}`,
    ],
  },
}

const isCopy = (variable: LocalVariable): boolean => locationOf(variable.type) === "memory"

/** The local whose member or element an expression designates; not the local itself. */
const changedLocal = (program: Program, e: S.Expression): LocalVariable | undefined => {
  let at = e
  while (at.kind === "MemberAccess" || at.kind === "IndexAccess") at = at.kind === "MemberAccess" ? at.object : at.base
  if (at === e) return undefined
  const found = program.referenceOf(at)
  return found?.kind === "LocalVariable" ? found : undefined
}

/** The left side, if a statement only changes a single place. */
const target = (e: FlowNode["expression"]): S.Expression | undefined => {
  if (e?.kind === "Assignment") return e.left
  if (e?.kind === "UnaryOperation" && (e.operator === "++" || e.operator === "--" || e.operator === "delete"))
    return e.operand
  return undefined
}

const changeAt = (program: Program, e: S.Expression): Change | undefined => {
  let at = e
  let member: string | undefined
  while (at.kind === "MemberAccess" || at.kind === "IndexAccess") {
    member = at.kind === "MemberAccess" ? at.member : undefined
    at = at.kind === "MemberAccess" ? at.object : at.base
  }
  const variable = changedLocal(program, e)
  return variable === undefined ? undefined : { variable, member }
}

/** Whether this step uses the changed value, other than to change the same local. */
const usesAt = (program: Program, node: FlowNode, { variable, member }: Change): boolean => {
  if (node.expression === undefined) return false
  const changed = target(node.expression)
  const own = changed !== undefined && changedLocal(program, changed) === variable ? changed : undefined
  let used = false
  walk(node.expression, (e) => {
    if (e === own) {
      // the indices of the changed place may use the local
      return false
    }
    // its length does not depend on the elements
    if (e.kind === "MemberAccess" && e.member === "length" && program.referenceOf(e.object) === variable) return false
    // another member of the same struct
    if (
      member !== undefined &&
      e.kind === "MemberAccess" &&
      e.member !== member &&
      program.referenceOf(e.object) === variable
    )
      return false
    if ((e.kind === "Identifier" || e.kind === "YulIdentifier") && program.referenceOf(e) === variable) {
      // `x = …` reassigns the local
      const replaced = node.expression?.kind === "Assignment" && node.expression.left === e
      if (!replaced) used = true
    }
    return !used
  })
  return used
}

/** Changes to members or elements of memory locals, by local and member. */
const changesIn = (program: Program, flow: Flow): ReadonlyArray<Changes> => {
  const found: Array<Change & { readonly nodes: Array<FlowNode> }> = []
  const known = new Map<LocalVariable, Map<string | undefined, Array<FlowNode>>>()
  for (const node of flow.stepsWith(Shape.assignment | Shape.change)) {
    const changed = target(node.expression)
    const change = changed === undefined ? undefined : changeAt(program, changed)
    if (change === undefined || !isCopy(change.variable)) continue
    let members = known.get(change.variable)
    if (members === undefined) known.set(change.variable, (members = new Map()))
    const nodes = members.get(change.member)
    if (nodes !== undefined) nodes.push(node)
    else {
      const first = [node]
      members.set(change.member, first)
      found.push({ ...change, nodes: first })
    }
  }
  return found
}

/** Limit: changes of one local that are followed; code with more of them computes in memory. */
const changeLimit = 32

/** Whether some step after the change uses it before the local is reassigned. */
const isUsedAfter = (program: Program, change: Change, from: FlowNode): boolean => {
  if (change.variable.role === "return") return true
  const seen = new Set<FlowNode>([from])
  const stack = [...from.succs]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (seen.has(node)) continue
    seen.add(node)
    if (usesAt(program, node, change)) return true
    if (!node.definitions.some(({ variable, keepsOld }) => variable === change.variable && !keepsOld))
      stack.push(...node.succs)
  }
  return false
}

/** Whether another local refers to the same memory. */
const hasAlias = (program: Program, flow: Flow, variable: LocalVariable): boolean =>
  flow.nodes.some(({ definitions }) =>
    definitions.some(({ value }) => value?.kind === "Identifier" && program.referenceOf(value) === variable),
  )

const isLost = (program: Program, flow: Flow, changes: Changes): boolean =>
  changes.nodes.length <= changeLimit &&
  !hasAlias(program, flow, changes.variable) &&
  changes.nodes.every((node) => !isUsedAfter(program, changes, node))

const fromStorage = (flow: Flow, d: Definition | undefined): d is Definition & { readonly value: S.Expression } => {
  if (d?.value === undefined || d.value.kind.startsWith("Yul")) return false
  // It is not Yul but a Solidity expression.
  const value = d.value as S.Expression
  if (isSomewhere(flow.place(value, d.at))) return true
  // a helper that reads the entry: `get(id)`
  const target = value.kind === "FunctionCall" ? flow.siteOf(value)?.target : undefined
  if (target?.implemented !== true) return false
  const inner = flow.program.flow(target)
  return (
    inner.returns.length > 0 &&
    inner.returns.every(
      ({ expression, id }) =>
        expression !== undefined &&
        !expression.kind.startsWith("Yul") &&
        isSomewhere(inner.place(expression as S.Expression, inner.nodes[id]!)),
    )
  )
}

/** Parameters of a function that it changes and then drops, so that only the caller's copy could matter. */
const lostParameters = (program: Program, fn: FunctionModel): ReadonlyMap<LocalVariable, FlowNode> => {
  const lost = new Map<LocalVariable, FlowNode>()
  const flow = program.flow(fn)
  for (const changes of changesIn(program, flow)) {
    const { variable, nodes } = changes
    if (isLost(program, flow, changes)) lost.set(variable, nodes[0]!)
  }
  return lost
}
