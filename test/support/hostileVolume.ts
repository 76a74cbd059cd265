/**
 * Repositories that cause as much output as they can: names of 100 kB wherever a message may contain one, and findings,
 * traces, notes and unreadable files by the ten thousand.
 */
const long = (character = "a", length = 100_000): string => character.repeat(length)

const times = (count: number, text: (index: number) => string, separator = "\n"): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(separator)

const solidity = (body: string): string => `pragma solidity ^0.7.0;\n${body}`

const careless = (name: string, index: number | string = ""): string =>
  `function ${name}${index}(address payable to, address[] memory all) public {
     tx.origin.call(""); to.send(1); to.delegatecall(msg.data); selfdestruct(to);
     for (uint i = 0; i < all.length; i++) { payable(all[i]).transfer(block.timestamp % 7); }
   }`

const anchor = (name: string, index: number | string = ""): string => `
#[program]
pub mod ${name}${index} {
  use super::*;
  pub fn ${name}(ctx: Context<Accounts${name}${index}>, amount: u64) -> Result<()> {
    ctx.accounts.${name}.amount = ctx.accounts.${name}.amount - amount;
    let other = Account${name}${index}::try_from_slice(&ctx.accounts.${name}_info.data.borrow())?;
    invoke(&transfer(ctx.accounts.${name}_info.key, ctx.accounts.${name}_info.key, amount), &[ctx.accounts.${name}_info.clone()])?;
    Ok(())
  }
}
#[derive(Accounts)]
pub struct Accounts${name}${index}<'info> {
  #[account(mut)] pub ${name}: Account<'info, Account${name}${index}>,
  /// CHECK: nothing
  #[account(mut)] pub ${name}_info: AccountInfo<'info>,
}
#[account] pub struct Account${name}${index} { pub amount: u64, pub ${name}: Pubkey }
`

const wasm = (name: string, index: number | string = ""): string => `
pub const ${name.toUpperCase()}${index}: Item<Addr> = Item::new("owner");
#[entry_point]
pub fn execute${index}(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, ContractError> {
  match msg { ExecuteMsg::${name} { ${name}, to } => ${name}${index}(deps, ${name}, to) }
}
pub fn ${name}${index}(deps: DepsMut, ${name}: String, to: String) -> Result<Response, ContractError> {
  ${name.toUpperCase()}${index}.save(deps.storage, &Addr::unchecked(${name}))?;
  Ok(Response::new().add_message(BankMsg::Send { to_address: to, amount: vec![] }))
}
`

const cargo = (dependency: string, name = "hostile"): string =>
  `[package]\nname = "${name}"\nversion = "0.1.0"\n[dependencies]\n${dependency} = "0.30.0"\n`

export type HostileFiles = Readonly<Record<string, string>>

export const hostileVolume: Readonly<Record<string, () => HostileFiles>> = {
  // The most expensive one comes first, in a process that nothing has filled yet.
  "50,000 ordinary findings": () =>
    Object.fromEntries(
      Array.from({ length: 60 }, (_, file) => [
        `src/F${file}.sol`,
        solidity(`contract C${file} { ${times(100, (i) => careless("f", i))} }`),
      ]),
    ),
  "a contract's name": () => ({
    "src/A.sol": solidity(`contract ${long("C")} { uint x; ${times(1_000, (i) => careless("f", i))} }`),
  }),
  "a function's name": () => ({ "src/A.sol": solidity(`contract A { ${careless(long("f", 700_000))} }`) }),
  "parameters' names": () => ({
    "src/A.sol": solidity(
      `contract A { ${times(300, (i) => `function f${i}(address ${long("p", 2_000)}) public { address x = ${long("p", 2_000)}; x.call(""); }`)} }`,
    ),
  }),
  "1,000 messages with one long name": () => ({
    "src/A.sol": solidity(
      `contract ${long("B")} { ${times(1_000, (i) => `uint internal v${i};`)} }
       contract D is ${long("B")} { ${times(1_000, (i) => `uint v${i}; function f${i}() public { v${i} = 1; }`)} }`,
    ),
  }),
  "a long name in traces": () => ({
    "src/A.sol": solidity(
      `contract B { mapping(address => uint) ${long("m", 20_000)}; ${times(40, (i) => `function g${i}() public { msg.sender.call{value: ${long("m", 20_000)}[msg.sender]}(""); ${long("m", 20_000)}[msg.sender] = 0; }`)} }`,
    ),
  }),
  "structs, enums, events and errors": () => ({
    "src/A.sol": solidity(
      `contract A { struct ${long("S")} { uint ${long("m")}; } enum ${long("E")} { ${long("V")} } event ${long("V")}(uint ${long("a")}); ${long("S")} internal s; function f() public { ${long("S")} memory x = s; x.${long("m")} = 1; } }`,
    ),
  }),
  "modifiers and inheritance": () => ({
    "src/A.sol": solidity(
      `contract ${long("A")} { modifier ${long("m")}() { _; } } ${times(100, (i) => `contract X${i} is ${long("A", 5_000)}, Missing${i} { function f() public ${long("m", 5_000)} { selfdestruct(msg.sender); } }`)}`,
    ),
  }),
  "a pragma and imports": () => ({
    "src/A.sol": `pragma solidity ^${times(50_000, () => "0.4.0", " || ")};\nimport "${long("i")}"; ${times(2_000, (i) => `import {${long("s", 300)}} from "./${long("q", 200)}${i}.sol";`)} contract A { ${careless("f")} }`,
  }),
  "suppression comments": () => ({
    "src/A.sol": solidity(
      `contract A { ${times(3_000, (i) => `// assay-ignore *: ${long("r", 400)}\nfunction f${i}(address payable to) public { to.delegatecall(msg.data); to.send(1); }`)} }`,
    ),
  }),
  "signatures of thousands of parameters": () => ({
    "src/A.sol": solidity(
      `contract A { function f(${times(20_000, (i) => `uint a${i}`, ", ")}) public { ${times(1_000, () => "msg.sender.send(1); tx.origin.call('');")} } }`,
    ),
  }),
  "string literals and long expressions": () => ({
    "src/A.sol": solidity(
      `contract A { function f(address a) public { ${times(500, () => `a.call(abi.encodeWithSignature("${long("s", 1_000)}"));`)} require(tx.origin == a, "${long("s")}"); } }`,
    ),
  }),
  "long paths": () =>
    Object.fromEntries(
      Array.from({ length: 60 }, (_, file) => [
        `src/${times(4, () => long("\u{1f4a9}", 50), "/")}/F${file}.sol`,
        solidity(`contract C${file} { ${times(20, (i) => careless("f", i))} }`),
      ]),
    ),
  "unreadable files": () =>
    Object.fromEntries([
      ...Array.from({ length: 5_000 }, (_, file) => [
        `src/${times(2, () => long("p", 200), "/")}/F${file}.sol`,
        `contract { ${long("(", 20)}`,
      ]),
      ["src/A.sol", solidity(`contract A { ${careless("f")} }`)],
    ]),
  "traces of many steps": () => ({
    "src/A.sol": solidity(
      `contract A { mapping(address => uint) b; ${times(600, (i) => `function f${i}(uint a) internal { f${i + 1}(a); }`)} function f600(uint a) internal { msg.sender.call{value: a}(""); b[msg.sender] = 0; } ${times(300, (i) => `function g${i}() public { f0(b[msg.sender]); b[msg.sender] = 0; }`)} }`,
    ),
  }),
  "names in an Anchor program": () => ({
    "Cargo.toml": cargo("anchor-lang"),
    "src/lib.rs": `use anchor_lang::prelude::*;\n${anchor(long("n", 20_000))}`,
  }),
  "thousands of Anchor programs": () => ({
    "Cargo.toml": cargo("anchor-lang"),
    "src/lib.rs": `use anchor_lang::prelude::*;\n${times(500, (i) => anchor("vault", i))}`,
  }),
  "names in a CosmWasm contract": () => ({
    "Cargo.toml": cargo("cosmwasm-std"),
    "src/lib.rs": `use cosmwasm_std::*;\n${wasm(long("n", 20_000))}`,
  }),
  "thousands of CosmWasm messages": () => ({
    "Cargo.toml": cargo("cosmwasm-std"),
    "src/lib.rs": `use cosmwasm_std::*;\n${times(1_000, (i) => wasm("pay", i))}`,
  }),
  "names of crates and modules": () => ({
    "Cargo.toml": cargo("anchor-lang", long("c")) + `${long("d")} = "1"\n`,
    "src/lib.rs": `use anchor_lang::prelude::*; mod ${long("m")}; use crate::${long("u")}::*;\n${anchor("vault")}`,
  }),
  "a lock file of vulnerable packages": () => ({
    "package.json": `{"name":"${long("n")}","dependencies":{"@openzeppelin/contracts":"4.3.0"}}`,
    "package-lock.json": JSON.stringify({
      lockfileVersion: 3,
      packages: Object.fromEntries([
        ["", { dependencies: { "@openzeppelin/contracts": "4.3.0" } }],
        ...Array.from({ length: 20_000 }, (_, i) => [
          `node_modules/${long("x", 40)}${i}/node_modules/@openzeppelin/contracts`,
          { version: "4.3.0" },
        ]),
      ]),
    }),
    "src/A.sol": solidity(`import "@openzeppelin/contracts/access/Ownable.sol"; contract A { ${careless("f")} }`),
  }),
}
