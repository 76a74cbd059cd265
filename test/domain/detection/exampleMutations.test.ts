import { describe, expect, it } from "vitest"
import { parseSolidity } from "../../../domain/detection/solidity/parse/parse.ts"
import { sourceFile } from "../../../domain/detection/SourceFile.ts"
import { markedLines, mutations, rename } from "../../support/exampleMutations.ts"
import { moveRust } from "../../support/moveRust.ts"
import { renameRust } from "../../support/renameRust.ts"

const example = `pragma solidity ^0.8.0;
interface IPool { function owner() external view returns (address); }
contract Vault {
    address public owner; // the owner of the Vault
    mapping(address => uint256) balances;
    event Paid(address to, uint256 amount);
    modifier onlyOwner() { require(msg.sender == admin(), "not owner"); _; }
    constructor(address to) { balances[to] = address(this).balance; }
    function admin() internal view returns (address who) { who = owner; }
    function pay(address payable to, uint256 amount) external onlyOwner {
        (bool ok, ) = to.call{value: amount}(""); // FINDING
        require(ok);
        emit Paid(to, amount);
        Vault other = Vault(to);
        other.pay(to, 1);
    }
}`

describe("mutations of examples", () => {
  it("replace an example's own names and keep those that others know", () => {
    expect(rename(example)).toBe(`pragma solidity ^0.8.0;
interface IPool { function owner() external view returns (address); }
contract q1x {
    address public owner; // the owner of the Vault
    mapping(address => uint256) q2x;
    event Paid(address q3x, uint256 q4x);
    modifier q5x() { require(msg.sender == q6x(), "not owner"); _; }
    constructor(address q3x) { q2x[q3x] = address(this).balance; }
    function q6x() internal view returns (address q7x) { q7x = owner; }
    function pay(address payable q3x, uint256 q4x) external q5x {
        (bool q8x, ) = q3x.call{value: q4x}(""); // FINDING
        require(q8x);
        emit Paid(q3x, q4x);
        q1x q9x = q1x(q3x);
        q9x.pay(q3x, 1);
    }
}`)
  })

  it("replace the locals and private functions of a Rust example, unless others know them", () => {
    const rust = `fn share(total: u64, of: u64) -> u64 { total / of } // share
pub fn pay(ctx: Context<Pay>, amount: u64) -> Result<()> {
    let vault_info = next_account_info(iter)?;
    let part = share(amount, 2); // part
    let bump = 1;
    msg!("{bump} part");
    record(State { part: part + 1, bump });
    let left = amount - part; // FINDING
    vault_info.pay(left)
}`
    expect(renameRust(rust)).toBe(`fn q1x(total: u64, of: u64) -> u64 { total / of } // share
pub fn pay(ctx: Context<Pay>, amount: u64) -> Result<()> {
    let vault_info = next_account_info(iter)?;
    let part = q1x(amount, 2); // part
    let bump = 1;
    msg!("{bump} part");
    record(State { part: part + 1, bump });
    let q2x = amount - part; // FINDING
    vault_info.pay(q2x)
}`)
  })

  it("move the functions of a Rust example into another file and its methods into a trait", () => {
    const rust = `pub struct Vault { held: u64 }
impl Vault {
    pub fn take(&mut self, amount: u64) -> Result<()> {
        self.held = less(self.held, amount);
        Ok(())
    }
    fn left(&self) -> u64 { self.held }
}
fn less(of: u64, by: u64) -> u64 { of - by } // FINDING
#[entry_point]
fn execute(amount: u64) -> u64 { less(9, amount) }
impl Default for Vault {
    fn default() -> Self { Vault { held: less(2, 1) } }
}
`
    expect(moveRust(rust)).toBe(`mod moved;
use moved::*;
pub struct Vault { held: u64 }
impl Moved1 for Vault {
    fn take(&mut self, amount: u64) -> Result<()> {
        self.held = less(self.held, amount);
        Ok(())
    }
    fn left(&self) -> u64 { self.held }
}

#[entry_point]
fn execute(amount: u64) -> u64 { less(9, amount) }
impl Default for Vault {
    fn default() -> Self { Vault { held: less(2, 1) } }
}
// FILE moved.rs
use super::*;

pub trait Moved1 {
    fn take(&mut self, amount: u64) -> Result<()>;
    fn left(&self) -> u64;
}
pub(super) fn less(of: u64, by: u64) -> u64 { of - by } // FINDING
`)
  })

  it.each(mutations.filter(({ of }) => of !== "rust"))(
    "keep the text parseable and the number of marks, $name",
    ({ apply }) => {
      const text = apply(example)
      expect(text).not.toBe(example)
      expect(parseSolidity(sourceFile("A.sol", text))).toMatchObject({ errors: [], problems: [] })
      expect(markedLines(text)).toHaveLength(1)
    },
  )

  it("give every contract a derived contract", () => {
    const inherited = mutations.find(({ name }) => name.startsWith("inherited"))?.apply(example)
    expect(inherited).toMatch(/\ncontract Heir1 is Vault \{\}\n$/)
    expect(inherited).not.toMatch(/is IPool/)
  })
})
