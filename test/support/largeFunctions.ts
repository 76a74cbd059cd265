const repeat = (count: number, text: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => text(i)).join("\n")

const contract = (members: string): string => `pragma solidity ^0.8.20;
interface Token {
    function transfer(address to, uint256 v) external returns (bool);
    function transferFrom(address from, address to, uint256 v) external returns (bool);
}
contract C {
    mapping(address => uint256) b;
    mapping(address => bool) w;
    uint256[] a;
    uint256 s;
    address o;
    Token k;
    ${members}
}`

const body = (text: string): string => contract(`function f(uint256 x, address to) external { ${text} }`)

/** Sources of `size` statements or declarations of one kind each, for which time must not grow much faster. */
export const largeFunctions: ReadonlyMap<string, (size: number) => string> = new Map([
  [
    "payments after checks, with writes after them",
    (size) =>
      body(
        repeat(
          size / 4,
          (i) =>
            `require(b[msg.sender] >= x + ${i}); b[to] += x; (bool ok${i}, ) = to.call{value: x}(""); s -= x / 3 * ${i};`,
        ),
      ),
  ],
  ["calls of a token", (size) => body(repeat(size, (i) => `k.transferFrom(msg.sender, to, x + ${i});`))],
  ["writes of one table", (size) => body(repeat(size, () => "b[to] = s; s = x;"))],
  [
    "try and catch",
    (size) => body(repeat(size, (i) => `try k.transfer(to, ${i}) returns (bool r) { s = x; } catch {}`)),
  ],
  [
    "loops that pay",
    (size) =>
      body(
        repeat(
          size / 4,
          (i) => `for (uint256 i${i} = 0; i${i} < a.length; i${i}++) { a[i${i}] = x; payable(to).transfer(x); }`,
        ),
      ),
  ],
  [
    "conditions that ask for the caller",
    (size) => body(repeat(size / 2, () => "if (w[msg.sender]) { w[to] = true; o = to; }")),
  ],
  ["casts under conditions", (size) => body(repeat(size / 2, (i) => `if (x > ${i}) s = uint8(x + ${i});`))],
  [
    "calls in assembly",
    (size) =>
      body(
        `assembly { ${repeat(size / 2, (i) => `let r${i} := call(gas(), to, ${i}, 0, 0, 0, 0) if iszero(r${i}) { revert(0, 0) }`)} }`,
      ),
  ],
  [
    "cases of a switch",
    (size) => body(`assembly { switch x ${repeat(size, (i) => `case ${i} { sstore(${i}, x) }`)} }`),
  ],
  [
    "functions",
    (size) =>
      contract(repeat(size / 2, (i) => `function f${i}(uint256 x) external { require(msg.sender == o); s = x; }`)),
  ],
  [
    "a chain of calls",
    (size) =>
      contract(
        `function f(uint256 x) external { g0(x); } ${repeat(size / 2, (i) => `function g${i}(uint256 x) internal { s += x; ${i + 1 < size / 2 ? `g${i + 1}(x);` : ""} }`)}`,
      ),
  ],
  [
    "state variables",
    (size) =>
      contract(
        `${repeat(size, (i) => `uint256 v${i};`)} function f() external { ${repeat(size, (i) => `v${i} = s;`)} }`,
      ),
  ],
  [
    "elements of an array",
    (size) => contract(`uint256[] n = [${repeat(size, (i) => `uint256(${i}),`).slice(0, -1)}];`),
  ],
  [
    "functions of assembly that call three others",
    (size) =>
      body(
        `assembly { ${repeat(size / 4, (i) => `function g${i}(v) -> r { sstore(${i}, v) r := add(g${i + 1}(v), g${i + 2}(g${(7 * i) % (size / 4)}(v))) }`)} sstore(0, g0(x)) }`,
      ),
  ],
  [
    "contracts",
    (size) =>
      `${contract("")} ${repeat(size / 4, (i) => `contract C${i} { address o; uint256 b; function f() external { require(msg.sender == o); payable(o).transfer(b); } }`)}`,
  ],
])
