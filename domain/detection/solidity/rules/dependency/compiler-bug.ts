import type { Rule } from "../../../Rule.ts"
import { oncePer } from "../../../oncePer.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import type { SourceModel, StateVariable } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import type { Type } from "../../types.ts"
import { locationOf } from "../../types.ts"
import { isSomewhere } from "../../flow/graph/storagePlace.ts"

export const compilerBug: Rule<Program> = {
  meta: {
    id: "evm/dependency/compiler-bug",
    class: "compiler-bug-abi",
    title: "Code affected by a known compiler bug",
    severity: "high",
    // Only a compiler at the fixed end of the pragma's range makes it harmless.
    confidence: "medium",
    cwe: [1103],
    swc: 102,
    description:
      "The pragma permits compilers that miscompile this construct. Before 0.5.10, ABIEncoderV2 encodes storage " +
      "arrays with multi-slot elements incorrectly, and signed integers in a memory array lose their sign when " +
      "copied to storage. Before 0.5.8, uninitialized internal function pointers in a constructor run arbitrary " +
      "code. Before 0.8.15, bytes copied to storage keep dirty trailing bytes that `push()` exposes. Before " +
      "0.5, getters of nested structs are wrong. The contract then stores, emits or passes on different data " +
      "than its source says.",
    remediation: "Compile with 0.5.10 or later, ideally a current 0.8 release, and require it in the pragma.",
    references: [
      "https://docs.soliditylang.org/en/latest/bugs.html",
      "https://soliditylang.org/blog/2019/06/25/solidity-storage-array-bugs/",
    ],
  },

  check: (program, report) => {
    for (const source of program.sources) {
      for (const { node, contract } of nestedGetters(source)) {
        if (node === undefined) continue
        const message = "The getter omits or mixes up the members of the inner struct."
        report({ file: source.file, span: node, scope: contract?.name ?? "", message })
      }
    }
    for (const flow of program.allFlows()) {
      const { source } = flow.fn
      const dirty = dirtyBytes(program, flow)
      if (dirty !== undefined) {
        const { at } = dirty
        const message = "The appended byte can contain what followed the copied data in memory."
        report({ file: at.callable.source.file, span: dirty.node, scope: at.callable.scope, message })
      }
      if (!hasArrayBugs(source)) continue
      const encoder = usesEncoderV2(source)
      for (const site of flow.calls()) {
        const place = { file: site.at.callable.source.file, span: site.node, scope: site.at.callable.scope }
        if (encoder && encodedArray(program, flow, site) !== undefined)
          report({ ...place, message: "A storage array is encoded by ABIEncoderV2." })
        const callee = site.call?.node.callee
        if (flow.fn.role === "constructor" && callee?.kind === "Identifier") {
          const variable = program.referenceOf(callee)
          if (variable?.kind !== "LocalVariable") continue
          const { definitions } = flow.values.reaching(variable, site.at)
          if (definitions.some((d) => d.value === undefined))
            report({ ...place, message: "The function pointer called here was never set." })
        }
      }
      for (const { event } of flow.writes) {
        if (event.operation !== "assign" || event.value === undefined) continue
        const to = asExpression(event.expression)
        const value = asExpression(event.value)
        if (to === undefined || value === undefined || !isSignedArray(program.typeOf(to))) continue
        if (locationOf(program.typeOf(value)) !== "memory") continue
        report({
          file: event.at.callable.source.file,
          span: event.expression,
          scope: event.at.callable.scope,
          message: "Signed integers lose their sign when copied from memory to storage.",
        })
      }
    }
  },

  examples: {
    vulnerable: [
      `pragma solidity ^0.5.0;
pragma experimental ABIEncoderV2;
interface Archive { function take(uint256[2][] calldata pairs) external; }
contract Pairs {
    uint256[2][] pairs;
    function send(Archive archive) external {
        archive.take(pairs); // FINDING
    }
}`,
      `pragma solidity 0.4.7;
contract Grid {
    int8[2][2] grid;
    function put(int8[2][2] memory given) public {
        grid = given; // FINDING
    }
}`,
      `pragma solidity 0.8.14;
contract Log {
    bytes public data;
    function start(bytes calldata given) external {
        data = given;
    }
    function grow() external {
        data.push(); // FINDING
    }
}`,
      `pragma solidity ^0.5.0;
pragma experimental ABIEncoderV2;
contract Trades {
    struct Trade { uint256 a; uint256 b; }
    Trade[] trades;
    event All(Trade[] trades);
    function show() external {
        emit All(trades); // FINDING
    }
    function encode() external view returns (bytes memory) {
        return abi.encode(trades); // FINDING
    }
}`,
      `pragma solidity 0.5.9;
contract Temperatures {
    int8[3] values;
    function set(int8 low) external {
        values = [low, -1, -2]; // FINDING
    }
    function put(int8[3] memory given) public {
        values = given; // FINDING
    }
}`,
      `pragma solidity ^0.4.24;
contract Pointers {
    uint256 x;
    constructor() public {
        function (uint256) internal returns (uint256) f;
        x = f(3); // FINDING
    }
}`,
      `pragma solidity 0.8.13;
contract Log {
    bytes public data;
    function start(bytes memory given) external {
        data = given;
    }
    function grow() external {
        data.push(); // FINDING
    }
}`,
      `pragma solidity ^0.4.24;
contract Nested {
    struct Inner { uint256 a; }
    struct Outer { Inner inner; uint256 b; }
    mapping(uint256 => Outer) public outers; // FINDING
    mapping(uint256 => Inner) public inners;
    function set(uint256 i, uint256 x) public { outers[i].b = x; inners[i].a = x; }
}`,
    ],
    safe: [
      // Whether compilers after the bugs are allowed, or come first.
      `pragma solidity >=0.5.0 <0.9.0;
contract Temperatures {
    int8[3] values;
    function put(int8[3] memory given) public { values = given; }
}`,
      `pragma solidity >=0.5.0 <=0.6.0;
contract Temperatures {
    int8[3] values;
    function put(int8[3] memory given) public { values = given; }
}`,
      `contract Temperatures {
    int8[3] values;
    function put(int8[3] memory given) public { values = given; }
}`,
      `contract Nested {
    struct Inner { uint256 a; }
    struct Outer { Inner inner; uint256 b; }
    mapping(uint256 => Outer) public outers;
    function set(uint256 i, uint256 x) public { outers[i].b = x; }
}`,
      `pragma solidity ^0.5.0;
pragma experimental ABIEncoderV2;
contract Lists {
    uint256[][] lists;
    uint256[2][] pairs;
    function encode() external view returns (bytes memory) {
        return abi.encode(lists);
    }
    function count() external view returns (uint256) {
        return countOf(pairs);
    }
    function countOf(uint256[2][] storage some) internal view returns (uint256) {
        return some.length;
    }
}`,
      `pragma solidity ^0.5.0;
pragma experimental SMTChecker;
contract Pairs {
    uint256[2][] pairs;
    int8[3] values;
    int8[3] backup;
    function encode() external view returns (bytes memory) {
        return abi.encode(pairs);
    }
    function restore() external {
        values = backup;
    }
}`,
      `pragma solidity ^0.4.24;
contract Pointers {
    uint256 x;
    constructor() public {
        function (uint256) internal returns (uint256) f = double;
        x = f(3);
    }
    function double(uint256 a) internal returns (uint256) { return a * 2; }
}`,
      `pragma solidity 0.8.13;
contract Log {
    bytes public data;
    function start(bytes memory given) external {
        data = given;
        data.push(0x01);
        data.pop();
    }
}`,
      `pragma solidity ^0.8.15;
contract Log {
    bytes public data;
    function start(bytes memory given) external {
        data = given;
        data.push();
    }
}`,
      `pragma solidity ^0.8.0;
contract Trades {
    struct Trade { uint256 a; uint256 b; }
    Trade[] trades;
    int8[3] values;
    event All(Trade[] trades);
    function show() external {
        emit All(trades);
        values = [int8(1), -1, -2];
    }
}`,
      `pragma solidity ^0.5.0;
pragma experimental ABIEncoderV2;
contract Trades {
    struct Trade { uint256 a; uint256 b; }
    Trade[] trades;
    uint8[3] values;
    event All(Trade[] trades);
    function show() external {
        Trade[] memory copy = trades;
        emit All(copy);
        values = [1, 2, 3];
    }
}`,
    ],
  },
}

/** Last compiler with the bugs in encoding and copying storage arrays. */
const lastArrayBug = 5009

/** First compiler with them. */
const firstArrayBug = 4007

const hasArrayBugs = ({ version }: SourceModel): boolean =>
  version.min <= lastArrayBug && version.max >= firstArrayBug && version.max < 6000

const usesEncoderV2 = ({ unit }: SourceModel): boolean => unit.pragmas.some(({ value }) => /ABIEncoderV2/.test(value))

/** Arrays with elements of several slots: of structs, or of fixed-length arrays. */
const isWideArray = (type: Type): boolean =>
  type.kind === "array" && (type.base.kind === "struct" || (type.base.kind === "array" && type.base.fixed))

/** Last compiler that copies bytes to storage with dirty ends. */
const lastDirtyBytes = 8014

/** Storage `bytes` that are copied from memory or calldata and then extended without a value. */
const dirtyBytes = (program: Program, flow: Flow): CallSite | undefined => {
  const { version } = flow.fn.source
  if (!version.fromPragma || version.min > lastDirtyBytes) return undefined
  for (const site of flow.calls()) {
    const { call } = site
    if (site.name !== "push" || call?.receiver === undefined || call.args.length > 0) continue
    const [variable] = flow.place(call.receiver, site.at).variables
    if (variable !== undefined && copiedTo(program).has(variable)) return site
  }
  return undefined
}

/** Variables of type bytes that are assigned as a whole from memory or calldata. */
const copiedTo = oncePer((program: Program): ReadonlySet<StateVariable> => {
  const found = new Set<StateVariable>()
  for (const flow of program.allFlows()) {
    for (const { event } of flow.writes) {
      const value = event.operation === "assign" && event.value !== undefined ? asExpression(event.value) : undefined
      const type = value === undefined ? undefined : program.typeOf(value)
      if (type?.kind === "bytes" && (type.location === "memory" || type.location === "calldata"))
        for (const v of event.place.variables) found.add(v)
    }
  }
  return found
})

/** Getters of public mappings whose struct holds another struct return wrong data before 0.5. */
const nestedGetters = (source: SourceModel): ReadonlyArray<StateVariable> =>
  source.version.before05
    ? source.contracts
        .flatMap((c) => c.stateVariables)
        .filter(({ type, visibility }) => {
          if (visibility !== "public" || type.kind !== "mapping" || type.value.kind !== "struct") return false
          return type.value.struct.members.some((m) => m.type.kind === "struct")
        })
    : []

const isSignedArray = (type: Type): boolean =>
  type.kind === "array" &&
  (type.base.kind === "array" ? isSignedArray(type.base) : type.base.kind === "integer" && type.base.signed)

const encodes = (site: CallSite): boolean =>
  site.callKind === "event" || site.callKind === "external" || site.name.startsWith("abi.encode")

const asExpression = (e: CallSite["args"][number]): S.Expression | undefined =>
  // It is not Yul but a Solidity expression.
  e.kind.startsWith("Yul") ? undefined : (e as S.Expression)

/** Storage arrays passed to the first version of the second ABI encoder. */
const encodedArray = (program: Program, flow: Flow, site: CallSite): S.Expression | undefined =>
  encodes(site)
    ? site.args
        .map(asExpression)
        .find((e) => e !== undefined && isWideArray(program.typeOf(e)) && isSomewhere(flow.place(e, site.at)))
    : undefined
