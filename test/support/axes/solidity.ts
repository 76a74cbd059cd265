import { type Axis, each, eachFile } from "./axis.ts"

const file = (text: string) => ({ "src/A.sol": `pragma solidity ^0.8.20;\n${text}` })

/** A contract with an owner, balances and a token, these members, and whatever comes before it. */
const contract = (members: string, before = "") =>
  file(`interface IERC20 {
  function transfer(address a, uint256 b) external returns (bool);
  function transferFrom(address a, address b, uint256 c) external returns (bool);
  function balanceOf(address a) external view returns (uint256);
}
${before}
contract C {
  address owner; mapping(address => uint256) bal; mapping(address => bool) listed; uint256[] all; uint256 total; IERC20 token;
  modifier onlyOwner() { require(msg.sender == owner); _; }
  ${members}
}`)

/** A function of that contract. */
const body = (statements: string, before = "") =>
  contract(`function f(uint256 x, address to) external { ${statements} }`, before)

const statements: Readonly<Record<string, Axis>> = {
  "ifs in a row": (n) => body(each(n, (i) => `if (x > ${i}) total += ${i}; else owner = msg.sender;`)),
  "ifs that ask for the caller": (n) =>
    body(each(n, () => "if (listed[msg.sender]) { listed[to] = true; owner = to; }")),
  "ifs, nested": (n) => body(each(n, (i) => `if (x > ${i}) { total += ${i};`) + "}".repeat(n)),
  "else ifs": (n) => body(`${each(n, (i) => `if (x > ${i}) { total += ${i}; } else`)} { owner = to; }`),
  "loops in a row": (n) =>
    body(each(n, (i) => `for (uint256 i = 0; i < all.length; i++) { token.transfer(to, x / 3 * ${i}); all[i] = x; }`)),
  "loops that pay": (n) =>
    body(
      each(n, (i) => `for (uint256 i${i} = 0; i${i} < all.length; i${i}++) { payable(to).transfer(x); total -= x; }`),
    ),
  "loops, nested": (n) =>
    body(each(n, (i) => `for (uint256 i${i} = 0; i${i} < x; i${i}++) { total += all[i${i}];`) + "}".repeat(n)),
  "statements of one loop": (n) =>
    contract(
      `function f(uint256[] calldata a, uint256[] calldata b) external { for (uint256 i; i < a.length; i++) { ${each(n, () => "total += a[i] * b[i];")} } }`,
    ),
  "unchecked blocks": (n) => body(each(n, (i) => `unchecked { total -= x + ${i}; }`)),
  "blocks, nested": (n) => body("{".repeat(n) + "total = x;" + "}".repeat(n)),
  "try and catch, both of which write": (n) =>
    body(each(n, (i) => `try token.transfer(to, ${i}) returns (bool) { total = x; } catch { total = ${i}; }`)),
  "calls, each before a write": (n) => body(each(n, (i) => `token.transfer(to, ${i}); total = total + ${i};`)),
  "calls between checks and writes of as many variables": (n) =>
    file(
      `contract C { ${each(n, (i) => `uint256 v${i};`)} function f(address a) external { ${each(n, (i) => `require(v${i} > 0);`)} ${each(n, (i) => `a.call(""); v${i} = ${i};`)} } }`,
    ),
  "try and catch": (n) => body(each(n, (i) => `try token.transfer(to, ${i}) returns (bool r) { total = x; } catch {}`)),
  returns: (n) =>
    contract(
      `function f(uint256 x) external returns (uint256) { ${each(n, (i) => `if (x == ${i}) return total / ${i + 1};`)} }`,
    ),
  "locals, each from the last": (n) =>
    body(`uint256 v0 = x; ${each(n, (i) => `uint256 v${i + 1} = v${i} / 3 * total;`)} total = v${n};`),
  "locals, independent": (n) => body(each(n, (i) => `uint256 v${i} = x + ${i}; bal[to] = v${i};`)),
  "local pointers": (n) =>
    contract(
      `struct S { uint256 a; address b; } mapping(uint256 => S) s; function f(uint256 x, address to) external { ${each(n, (i) => `S storage p${i} = s[x + ${i}]; p${i}.a = x; p${i}.b = to;`)} }`,
    ),
  "assignments of one variable": (n) => body(each(n, () => "bal[to] = total; total = x;")),
  "assignments of one local": (n) => body(`uint256 y = x; ${each(n, () => "y = y * x + total;")} total = y;`),
  "tuples assigned": (n) => body(`uint256 a; uint256 b; ${each(n, () => "(a, b) = (b + x, a);")} total = a;`),
  "amounts, added and taken": (n) => body(each(n, (i) => `total += x; bal[msg.sender] += x; total -= ${i};`)),
  requires: (n) => body(`${each(n, (i) => `require(bal[to] > x + ${i}, "e${i}");`)} total = x;`),
  "requires before writes": (n) => body(each(n, (i) => `require(bal[msg.sender] >= x + ${i}); bal[to] += x;`)),
  "flags of a mapping": (n) =>
    contract(
      `mapping(uint256 => bool) m; function f(uint256 x) external { ${each(n, (i) => `require(m[${i}]); m[${i}] = true;`)} total = x; }`,
    ),
  "lists of the caller": (n) =>
    contract(`mapping(uint256 => mapping(address => bool)) m; function f(uint256 x, uint256 r) external { ${each(n, (i) => `require(m[r + ${i}][msg.sender]); bal[msg.sender] = x;`)} }
      function g(uint256 a) external onlyOwner { total = a; }`),
  "sums that are compared": (n) =>
    body(
      `unchecked { ${each(n / 32, (i) => `if (!(${each(32, (k) => `x + ${32 * i + k} < total`, " && ")})) revert();`)} }`,
    ),
  "casts under conditions": (n) => body(each(n, (i) => `if (x > ${i}) total = uint8(x + ${i});`)),
  emits: (n) =>
    contract(
      `event E(uint256 a, address b); function f(uint256 x, address to) external { ${each(n, (i) => `total = x + ${i}; emit E(x, to);`)} }`,
    ),
  "deletes and pushes": (n) => body(each(n, (i) => `all.push(x); delete all[${i}]; delete bal[to];`)),
  "calls of a token": (n) => body(each(n, (i) => `token.transferFrom(msg.sender, to, x + ${i});`)),
  "calls with ether": (n) =>
    body(
      each(
        n,
        (i) => `require(bal[msg.sender] >= x + ${i}); (bool ok${i}, ) = to.call{value: x}(""); total -= x / 3 * ${i};`,
      ),
    ),
  "delegate calls": (n) => body(each(n, (i) => `{ (bool ok, ) = to.delegatecall(abi.encode(x, ${i})); require(ok); }`)),
  signatures: (n) =>
    body(each(n, (i) => `require(ecrecover(keccak256(abi.encode(to, ${i})), 27, bytes32(x), bytes32(x)) == owner);`)),
  hashes: (n) =>
    body(each(n, (i) => `total += uint256(keccak256(abi.encodePacked(x, to, block.timestamp, uint256(${i}))));`)),
  "contracts created": (n) =>
    body(
      each(n, (i) => `total = uint160(address(new D{salt: bytes32(x)}(${i})));`),
      "contract D { uint256 a; constructor(uint256 b) { a = b; } }",
    ),
}

const expressions: Readonly<Record<string, Axis>> = {
  "a sum": (n) => body(`total = ${each(n, (i) => `x * ${i}`, " + ")};`),
  parentheses: (n) => body(`total = ${"(x + ".repeat(n)}1${")".repeat(n)};`),
  "a conjunction": (n) => body(`require(${each(n, (i) => `bal[to] > x + ${i}`, " && ")}); total = x;`),
  "a disjunction": (n) => body(`require(${each(n, (i) => `msg.sender == address(${i})`, " || ")}); total = x;`),
  "conditionals, nested": (n) => body(`total = ${each(n, (i) => `x == ${i} ? ${i} :`, " ")} 0;`),
  "arguments, nested": (n) =>
    contract(
      `function g(uint256 a) internal view returns (uint256) { return a + total; } function f(uint256 x) external { total = ${"g(".repeat(n)}x${")".repeat(n)}; }`,
    ),
  "arguments of one call": (n) => body(`total = uint256(keccak256(abi.encode(${each(n, (i) => `x + ${i}`, ", ")})));`),
  "payments of one amount": (n) => body(each(n, () => `payable(to).transfer(x);`)),
  "removals in a loop": (n) =>
    body(`for (uint256 i = 0; i < x; i++) { ${each(n, () => `if (all[i] > x) { all[i] = all[0]; all.pop(); }`)} }`),
  "delegate calls in loops": (n) =>
    contract(
      `function f(uint256 x, address to) external payable { ${each(n, () => `for (uint256 i = 0; i < x; i++) to.delegatecall("");`)} }`,
    ),
  "casts, nested": (n) => body(each(n / 20, () => `all[${"uint8(".repeat(20)}x >> 9${")".repeat(20)}] = x & 0xff;`)),
  "elements of an array": (n) => contract(`uint256[] list = [${each(n, (i) => `uint256(${i})`, ", ")}];`),
  "assignments, nested": (n) => body(`${"total = ".repeat(n)}x;`),
  "calls of calls": (n) => body(`total = uint256(bytes32(abi.encode(to)${each(n, () => ".concat(x)", "")}));`),
  strings: (n) => body(each(n, (i) => `require(x > ${i}, string(abi.encodePacked("a${i}", "b", to)));`)),
}

const functions: Readonly<Record<string, Axis>> = {
  "functions that mark an order": (n) =>
    contract(
      `struct Order { address taker; uint256 amount; bool done; } mapping(uint256 => Order) orders; ${each(n, (i) => `function f${i}(uint256 id) external { require(!orders[id].done); orders[id].amount = ${i}; } function g${i}(uint256 id) external { orders[id].done = true; payable(orders[id].taker).transfer(orders[id].amount); }`)}`,
    ),
  "functions, open and guarded": (n) =>
    contract(
      each(
        n,
        (i) =>
          `uint256 v${i}; function s${i}(uint256 x) external ${i % 3 ? "onlyOwner" : ""} { v${i} = x; total += x; }`,
      ),
    ),
  "functions of one state": (n) =>
    contract(
      each(
        n,
        (i) =>
          `function s${i}(uint256 x, address to) external { require(bal[msg.sender] >= x); bal[msg.sender] -= x; bal[to] += x; token.transfer(to, x); }`,
      ),
    ),
  "public functions in a chain of calls": (n) => contract(each(n, (i) => `function f${i}() public { f${i + 1}(); }`)),
  "public functions in a chain that read": (n) =>
    contract(
      each(n, (i) => `function f${i}(uint256 x) public view returns (uint256) { return f${i + 1}(x) + total; }`),
    ),
  "functions in a chain of calls": (n) =>
    contract(
      `function f(uint256 x) external { g0(x); } ${each(n, (i) => `function g${i}(uint256 x) internal { total += x; ${i + 1 < n ? `g${i + 1}(x + 1);` : ""} }`)}`,
    ),
  "functions in a chain that return": (n) =>
    contract(
      `function f(uint256 x) external { total = g0(x); } ${each(n, (i) => `function g${i}(uint256 x) internal returns (uint256) { return ${i + 1 < n ? `g${i + 1}(x + 1)` : "x"} / 2; }`)}`,
    ),
  "functions in a chain of calls that check": (n) =>
    contract(
      each(
        n,
        (i) =>
          `function f${i}(uint256 x) external { g${i}(x); bal[msg.sender] = x; } function g${i}(uint256 x) internal view { require(x > ${i}); ${i + 1 < n ? `g${i + 1}(x);` : "require(msg.sender == owner);"} }`,
      ),
    ),
  "functions that call the next two": (n) =>
    contract(
      `function f(uint256 x) external { g0(x); } ${each(n, (i) => `function g${i}(uint256 x) internal returns (uint256) { total += x; return ${i + 2 < n ? `g${i + 1}(x + 1) + g${i + 2}(x)` : "x"}; }`)}`,
    ),
  "functions in a circle of calls": (n) =>
    contract(
      each(
        n,
        (i) =>
          `function f${i}(uint256 x) public returns (uint256) { total += x; return x > ${i} ? f${(i + 1) % n}(x - 1) : f${(7 * i) % n}(x); }`,
      ),
    ),
  "functions that call one": (n) =>
    contract(
      `function g(uint256 x) internal returns (uint256) { require(x > 1); total += x; return x / 3; } ${each(n, (i) => `function f${i}(uint256 x) external { bal[msg.sender] = g(x + ${i}); }`)}`,
    ),
  "functions called by one": (n) =>
    contract(
      `function f(uint256 x) external { ${each(n, (i) => `g${i}(x);`)} } ${each(n, (i) => `function g${i}(uint256 x) internal { require(x > ${i}); total += x; }`)}`,
    ),
  "functions in a chain that each write a variable": (n) =>
    contract(
      each(
        n,
        (i) => `uint256 v${i}; function f${i}(uint256 x) public { v${i} = x; ${i + 1 < n ? `f${i + 1}(x);` : ""} }`,
      ),
    ),
  "functions that send in a chain": (n) =>
    contract(
      each(
        n,
        (i) =>
          `function f${i}(address to, uint256 x) public { bal[to] -= x; ${i + 1 < n ? `f${i + 1}(to, x);` : ""} token.transfer(to, x); }`,
      ),
    ),
  overloads: (n) =>
    contract(
      each(
        n,
        (i) =>
          `function f(${each((i % 12) + 1, (k) => `uint${8 * (((i + k) % 32) + 1)} a${k}`, ", ")}) external { total = a0; }`,
      ),
    ),
  "overloads by a struct": (n) =>
    contract(
      `${each(n, (i) => `struct S${i} { uint256 a; } function g(S${i} memory s) internal { total = s.a; } function f${i}(uint256 x) external { g(S${i}(x)); }`)}`,
    ),
  parameters: (n) =>
    contract(`function f(${each(n, (i) => `uint256 a${i}`, ", ")}) external { ${each(n, (i) => `total += a${i};`)} }`),
  "words as parameters": (n) => contract(`function f(${each(n, (i) => `bytes32 a${i}`, ", ")}) external { total++; }`),
  "addresses as parameters": (n) =>
    contract(
      `function f(${each(n, (i) => `address a${i}`, ", ")}) external { ${each(n, (i) => `bal[a${i}] = ${i};`)} }`,
    ),
  "return values": (n) =>
    contract(
      `function g() internal view returns (${each(n, (i) => `uint256 r${i}`, ", ")}) { ${each(n, (i) => `r${i} = total / ${i + 1};`)} } function f() external { (${each(n, (i) => `uint256 v${i}`, ", ")}) = g(); total = v0; }`,
    ),
  "pairs returned": (n) =>
    contract(
      each(
        n,
        (i) =>
          `function r${i}() internal view returns (uint256, address) { return (total, owner); } function f${i}() external { (uint256 a, address b) = r${i}(); bal[b] = a; }`,
      ),
    ),
  "modifiers of one function": (n) =>
    contract(
      `${each(n, (i) => `modifier m${i}() { require(total > ${i}); _; }`)} function f(uint256 x) external ${each(n, (i) => `m${i}`, " ")} { total = x; }`,
    ),
  "modifiers, each of a function": (n) =>
    contract(
      each(
        n,
        (i) =>
          `modifier m${i}() { require(msg.sender == owner); _; } function f${i}(uint256 x) external m${i} { total = x; }`,
      ),
    ),
  "a long modifier of many functions": (n) =>
    contract(
      `modifier m() { ${each(n, (i) => `total += ${i};`)} _; } ${each(n, (i) => `function f${i}(uint256 x) external m { bal[msg.sender] = x; }`)}`,
    ),
  "modifiers after the body": (n) =>
    contract(
      each(
        n,
        (i) =>
          `modifier m${i}() { _; require(msg.sender == owner); } function f${i}() external m${i} { total = ${i}; }`,
      ),
    ),
  "modifiers that call in a chain": (n) =>
    contract(
      each(
        n,
        (i) =>
          `function g${i}() internal view { ${i + 1 < n ? `g${i + 1}();` : "require(msg.sender == owner);"} } modifier m${i}() { g${i}(); _; } function f${i}(uint256 x) external m${i} { total = x; }`,
      ),
    ),
  locks: (n) =>
    contract(
      `bool locked; modifier lock() { require(!locked); locked = true; _; locked = false; } ${each(n, (i) => `function f${i}(address to) external lock { (bool ok, ) = to.call{value: 1}(""); require(ok); bal[to] = ${i}; }`)}`,
    ),
  "free functions": (n) =>
    contract(
      each(n, (i) => `function f${i}(uint256 x) external { total = g${i}(x); }`),
      each(n, (i) => `function g${i}(uint256 x) pure returns (uint256) { return x / 3 * 2; }`),
    ),
  "function pointers": (n) =>
    contract(
      each(
        n,
        (i) =>
          `function f${i}(function(uint256) internal g) internal { g(${i}); f${(i + 1) % n}(g); h${i} = g; } function(uint256) internal h${i};`,
      ),
    ),
}

const state: Readonly<Record<string, Axis>> = {
  "state variables of one function": (n) =>
    contract(`${each(n, (i) => `uint256 v${i};`)} function f(uint256 x) external { ${each(n, (i) => `v${i} = x;`)} }`),
  "state variables, each of two functions": (n) =>
    contract(
      each(
        n,
        (i) =>
          `uint256 v${i}; function set${i}(uint256 x) external onlyOwner { v${i} = x; } function use${i}() external { bal[msg.sender] += v${i}; }`,
      ),
    ),
  "flags of functions": (n) =>
    contract(
      `${each(n, (i) => `bool b${i};`)} function f(uint256 x) external { ${each(n, (i) => `require(b${i}); b${i} = true;`)} total = x; }`,
    ),
  "constants, each from the last": (n) =>
    contract(
      `uint256 constant K0 = 3; ${each(n, (i) => `uint256 constant K${i + 1} = K${i} * 2 + K${i};`)} function f() external { total = K${n}; }`,
    ),
  immutables: (n) =>
    contract(
      `${each(n, (i) => `uint256 immutable i${i};`)} constructor(uint256 x) { ${each(n, (i) => `i${i} = x;`)} } function f() external { ${each(n, (i) => `total += i${i};`)} }`,
    ),
  "fields of a struct": (n) =>
    contract(
      `struct S { ${each(n, (i) => `uint256 a${i};`)} } S s; function f(uint256 x) external { ${each(n, (i) => `s.a${i} = x;`)} }`,
    ),
  "fields of a struct in a mapping": (n) =>
    contract(
      `struct S { ${each(n, (i) => `uint256 a${i};`)} } mapping(address => S) s; ${each(n, (i) => `function f${i}(uint256 x) external { s[msg.sender].a${i} = x; }`)}`,
    ),
  "structs, nested": (n) =>
    contract(
      `struct S0 { uint256 a; } ${each(n, (i) => `struct S${i + 1} { S${i} inner; uint256 a; }`)} S${n} s; function f(uint256 x) external { s${".inner".repeat(n)}.a = x; }`,
    ),
  "structs in a row": (n) =>
    contract(
      each(
        n,
        (i) =>
          `struct S${i} { uint256 a; address b; } mapping(address => S${i}) s${i}; function f${i}(uint256 x) external { s${i}[msg.sender] = S${i}(x, msg.sender); }`,
      ),
    ),
  mappings: (n) =>
    contract(
      each(
        n,
        (i) =>
          `mapping(address => uint256) m${i}; function w${i}(address a, uint256 x) external { m${i}[a] = x; m${i}[msg.sender] += x; }`,
      ),
    ),
  "mappings, nested": (n) =>
    contract(
      `${"mapping(address => ".repeat(n)}uint256${")".repeat(n)} deep; function f(address a, uint256 x) external { deep${"[a]".repeat(n)} = x; }`,
    ),
  arrays: (n) =>
    contract(
      each(
        n,
        (i) =>
          `uint256[] a${i}; function p${i}(uint256 x) external { a${i}.push(x); for (uint256 i; i < a${i}.length; i++) total += a${i}[i]; }`,
      ),
    ),
  enums: (n) =>
    contract(
      each(
        n,
        (i) =>
          `enum E${i} { A, B } E${i} e${i}; function f${i}() external { require(e${i} == E${i}.A); e${i} = E${i}.B; }`,
      ),
    ),
  "values of an enum": (n) =>
    contract(
      `enum E { ${each(n, (i) => `V${i}`, ", ")} } E e; function f() external { ${each(n, (i) => `if (e == E.V${i}) e = E.V${(i + 1) % n};`)} }`,
    ),
  events: (n) =>
    contract(
      each(
        n,
        (i) => `event E${i}(uint256 x); function f${i}(uint256 x) external onlyOwner { total = x; emit E${i}(x); }`,
      ),
    ),
  errors: (n) =>
    contract(
      each(
        n,
        (i) =>
          `error R${i}(uint256 x); function f${i}(uint256 x) external { if (x > ${i}) revert R${i}(x); total = x; }`,
      ),
    ),
  times: (n) =>
    contract(
      each(
        n,
        (i) =>
          `uint256 t${i}; function f${i}(uint256 d) external { require(block.timestamp > t${i}); t${i} = block.timestamp + d; }`,
      ),
    ),
  roles: (n) =>
    contract(
      `mapping(bytes32 => mapping(address => bool)) has; modifier onlyRole(bytes32 r) { require(has[r][msg.sender]); _; } ${each(n, (i) => `bytes32 constant R${i} = keccak256("R${i}"); function f${i}(uint256 x) external onlyRole(R${i}) { total = x; } function g${i}(address a) external onlyRole(R${(i + 1) % n}) { has[R${i}][a] = true; }`)}`,
    ),
  owners: (n) =>
    contract(
      each(
        n,
        (i) =>
          `address o${i}; function set${i}(address a) external { require(msg.sender == o${i}); o${i} = a; } function do${i}(uint256 x) external { require(msg.sender == o${i}); total = x; }`,
      ),
    ),
}

const assembly: Readonly<Record<string, Axis>> = {
  "statements of assembly": (n) =>
    body(`assembly { ${each(n, (i) => `let v${i} := add(x, sload(${i})) sstore(${i}, v${i})`)} }`),
  "calls in assembly": (n) =>
    body(
      `assembly { ${each(n, (i) => `let r${i} := call(gas(), to, ${i}, 0, 0, 0, 0) if iszero(r${i}) { revert(0, 0) }`)} }`,
    ),
  "cases of a switch": (n) => body(`assembly { switch x ${each(n, (i) => `case ${i} { sstore(${i}, x) }`)} }`),
  "blocks of assembly": (n) => body(each(n, (i) => `assembly { sstore(${i}, x) }`)),
  "loops of assembly": (n) =>
    body(
      `assembly { ${each(n, (i) => `for { let i${i} := 0 } lt(i${i}, x) { i${i} := add(i${i}, 1) } { sstore(i${i}, to) }`)} }`,
    ),
  "functions of assembly that call three others": (n) =>
    body(
      `assembly { ${each(n, (i) => `function g${i}(v) -> r { sstore(${i}, v) r := add(g${(i + 1) % n}(v), g${(i + 2) % n}(g${(7 * i) % n}(v))) }`)} sstore(0, g0(x)) }`,
    ),
  "functions of assembly in a chain": (n) =>
    body(
      `assembly { ${each(n + 1, (i) => `function g${i}(v) -> r { r := ${i < n ? `g${i + 1}(add(v, 1))` : "sload(v)"} }`)} sstore(0, g0(x)) }`,
    ),
  "expressions of assembly, nested": (n) => body(`assembly { sstore(0, ${"add(1, ".repeat(n)}x${")".repeat(n)}) }`),
}

const contracts: Readonly<Record<string, Axis>> = {
  contracts: (n) =>
    file(
      each(
        n,
        (
          i,
        ) => `contract D${i} { address owner; mapping(address => uint256) b; function dep() external payable { b[msg.sender] += msg.value; }
      function wd(uint256 x) external { require(b[msg.sender] >= x); (bool ok, ) = msg.sender.call{value: x}(""); require(ok); b[msg.sender] -= x; } function setOwner(address o) external { require(msg.sender == owner); owner = o; } }`,
      ),
    ),
  "contracts that call the last": (n) =>
    file(
      each(
        n,
        (i) =>
          `contract D${i} { ${i ? `D${i - 1} prev;` : ""} uint256 v; function f(uint256 x) external { v = x; ${i ? "prev.f(x);" : ""} } }`,
      ),
    ),
  "contracts that create the last": (n) =>
    file(
      each(n, (i) => `contract D${i} { uint256 v; constructor(uint256 x) { v = x; ${i ? `new D${i - 1}(x);` : ""} } }`),
    ),
  "files, each imports the last": (n) =>
    eachFile(n, (i) => [
      `src/F${i}.sol`,
      `pragma solidity ^0.8.0; ${i ? `import "./F${i - 1}.sol";` : ""} contract F${i} { ${i ? `F${i - 1} p;` : ""} uint256 v; address o; function set(uint256 x) external { require(msg.sender == o); v = x; } }`,
    ]),
  "files, each imports two": (n) =>
    eachFile(n, (i) => [
      `src/F${i}.sol`,
      `pragma solidity ^0.8.0; ${i > 1 ? `import "./F${i - 1}.sol"; import "./F${i >> 1}.sol";` : ""} contract F${i} ${i > 1 ? `is F${i >> 1} ` : ""}{ uint256 v${i}; function set${i}(uint256 x) external { v${i} = x; } }`,
    ]),
  interfaces: (n) =>
    contract(
      each(n, (i) => `function f${i}(address a) external { I${i}(a).call${i}(total); }`),
      each(n, (i) => `interface I${i} { function call${i}(uint256 x) external returns (uint256); }`),
    ),
  "functions of an interface, implemented": (n) =>
    file(
      `interface I { ${each(n, (i) => `function f${i}(uint256 x) external;`)} } contract D is I { uint256 v; ${each(n, (i) => `function f${i}(uint256 x) external { v = x; }`)} } contract U { I i; ${each(n, (i) => `function g${i}(uint256 x) external { i.f${i}(x); }`)} }`,
    ),
  "implementations of an interface": (n) =>
    file(
      `interface I { function f(uint256 x) external; } ${each(n, (i) => `contract D${i} is I { uint256 v; function f(uint256 x) external { v = x; } }`)} contract U { I i; function g(uint256 x) external { i.f(x); } }`,
    ),
  libraries: (n) =>
    contract(
      each(n, (i) => `function f${i}(uint256 x) external { total = L${i}.g(x); }`),
      each(n, (i) => `library L${i} { function g(uint256 x) internal pure returns (uint256) { return x / 3 * 2; } }`),
    ),
  "libraries in a chain": (n) =>
    contract(
      "function f(uint256 x) external { total = L0.g(x); }",
      each(
        n,
        (i) =>
          `library L${i} { function g(uint256 x) internal returns (uint256) { return ${i + 1 < n ? `L${i + 1}.g(x)` : "x"} * 2; } }`,
      ),
    ),
  "libraries used for a type": (n) =>
    contract(
      each(n, (i) => `using L${i} for uint256; function f${i}(uint256 x) external { total = x.g${i}(); }`),
      each(
        n,
        (i) => `library L${i} { function g${i}(uint256 x) internal pure returns (uint256) { return x / 3 * 2; } }`,
      ),
    ),
  "functions of a library that call the next twice, the last of which pays": (n) =>
    contract(
      `IT t; function go(address a, uint256 x) external { L.g${n - 1}(t, a, x); }`,
      `interface IT { function transfer(address to, uint256 n) external returns (bool); } library L { ${each(n, (i) => {
        const next = i === 0 ? "t.transfer(a, x);" : `g${i - 1}(t, a, x);`
        return `function g${i}(IT t, address a, uint256 x) internal { ${next} ${next} }`
      })} }`,
    ),
  "functions of a library used for a type": (n) =>
    contract(
      `using L for uint256; ${each(n, (i) => `function f${i}(uint256 x) external { total = x.g${i}(); }`)}`,
      `library L { ${each(n, (i) => `function g${i}(uint256 x) internal pure returns (uint256) { return x / 3 * 2; }`)} }`,
    ),
  "libraries with slots": (n) =>
    body(
      each(n, (i) => `L${i}.s().a = x;`),
      each(
        n,
        (i) =>
          `library L${i} { struct S { uint256 a; address b; } function s() internal pure returns (S storage r) { assembly { r.slot := ${i} } } }`,
      ),
    ),
  receivers: (n) =>
    file(
      each(
        n,
        (i) =>
          `contract D${i} { uint256 v; receive() external payable { v += msg.value; } fallback() external payable { v = ${i}; } }`,
      ),
    ),
}

const inheritance: Readonly<Record<string, Axis>> = {
  "bases in a chain": (n) => file(each(n, (i) => `contract B${i} ${i ? `is B${i - 1} ` : ""}{ }`)),
  "bases in a chain with functions": (n) =>
    file(
      each(
        n,
        (i) =>
          `contract B${i} ${i ? `is B${i - 1} ` : ""}{ uint256 v${i}; function f${i}(uint256 x) public virtual { v${i} = x; ${i ? `f${i - 1}(x);` : ""} } }`,
      ),
    ),
  "bases in a chain that call super": (n) =>
    file(
      each(
        n,
        (i) =>
          `contract B${i} ${i ? `is B${i - 1} ` : ""}{ uint256 v${i}; function g(uint256 x) public virtual ${i ? "override " : ""}{ v${i} = x; ${i ? "super.g(x);" : ""} } }`,
      ),
    ),
  "bases in a chain with modifiers": (n) =>
    file(
      each(
        n,
        (i) =>
          `contract B${i} ${i ? `is B${i - 1} ` : ""}{ modifier m() virtual ${i ? "override " : ""}{ require(msg.sender == address(${i})); _; } uint256 v${i}; function f${i}(uint256 x) external m { v${i} = x; } }`,
      ),
    ),
  "bases in a chain with constructors": (n) =>
    file(
      each(
        n,
        (i) =>
          `contract B${i} ${i ? `is B${i - 1} ` : ""}{ uint256 v${i}; constructor(uint256 x) ${i ? `B${i - 1}(x)` : ""} { v${i} = x; } }`,
      ),
    ),
  "initializers in a chain": (n) =>
    file(`abstract contract Initializable { bool done; modifier initializer() { require(!done); done = true; _; } modifier onlyInitializing() { require(done); _; } }
      ${each(n, (i) => `contract U${i} is ${i ? `U${i - 1}` : "Initializable"} { uint256 v${i}; function __U${i}_init(uint256 x) internal onlyInitializing { ${i ? `__U${i - 1}_init(x);` : ""} v${i} = x; } }`)} contract Z is U${n - 1} { function initialize(uint256 x) external initializer { __U${n - 1}_init(x); } }`),
  "diamonds in a chain": (n) =>
    file(
      `contract A0 { function g() public virtual {} } ${each(n, (i) => `contract L${i} is A${i} { uint256 l${i}; function g() public virtual override { l${i} = 1; super.g(); } } contract R${i} is A${i} { uint256 r${i}; function g() public virtual override { r${i} = 1; super.g(); } } contract A${i + 1} is L${i}, R${i} { function g() public virtual override(L${i}, R${i}) { super.g(); } }`)}`,
    ),
  "bases of one contract": (n) =>
    file(
      `${each(n, (i) => `contract B${i} { uint256 v${i}; function f${i}(uint256 x) public virtual { v${i} = x; } }`)} contract D is ${each(n, (i) => `B${i}`, ", ")} { }`,
    ),
  "heirs of one contract": (n) =>
    file(
      `contract Base { address owner; uint256 v; modifier onlyOwner() { require(msg.sender == owner); _; } function set(uint256 x) external onlyOwner { v = x; } function _in(uint256 x) internal { v += x; } } ${each(n, (i) => `contract H${i} is Base { function f(uint256 x) external { _in(x); } }`)}`,
    ),
  "heirs that override and call super": (n) =>
    file(
      `contract B { function h() public virtual {} } ${each(n, (i) => `contract C${i} is B { uint256 x; function h() public override { x = ${i}; super.h(); } }`)}`,
    ),
  initializers: (n) =>
    file(
      each(
        n,
        (i) =>
          `contract I${i} { address o; bool done; function initialize(address a) external { require(!done); done = true; o = a; } function set(address a) external { require(msg.sender == o); o = a; } }`,
      ),
    ),
  versions: (n) =>
    file(
      `import "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol"; ${each(n, (i) => `contract BoxV${i} is Initializable { uint256 a${i}; uint256[49] __gap; function initialize() external initializer { a${i} = 1; } }`)}`,
    ),
  proxies: (n) =>
    file(
      each(
        n,
        (i) =>
          `contract P${i} { address impl; address admin; function upgradeTo(address a) external { require(msg.sender == admin); impl = a; } fallback() external payable { (bool ok, ) = impl.delegatecall(msg.data); require(ok); } } contract I${i} { address a; uint256 b; function set(uint256 x) external { b = x; } }`,
      ),
    ),
  facets: (n) =>
    file(
      `interface ICut { struct FacetCut { address facet; bytes4[] selectors; } function diamondCut(FacetCut[] calldata c) external; } ${each(n, (i) => `contract F${i} { uint256 a${i}; address b${i}; function f${i}(uint256 v) external { a${i} = v; } }`)}`,
    ),
}

/** Solidity programs by what there is much of. */
export const solidityAxes: Readonly<Record<string, Axis>> = {
  ...statements,
  ...expressions,
  ...functions,
  ...state,
  ...assembly,
  ...contracts,
  ...inheritance,
}
