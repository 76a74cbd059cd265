import { describe, expect, it } from "vitest"
import { selectorOf } from "../../../../../domain/detection/solidity/questions/call/selector.ts"

describe("selectorOf", () => {
  // as listed in the ERC-20, ERC-721 and ERC-1155 specifications
  it.each([
    ["transfer(address,uint256)", 0xa9059cbb],
    ["balanceOf(address)", 0x70a08231],
    ["approve(address,uint256)", 0x095ea7b3],
    ["onERC721Received(address,address,uint256,bytes)", 0x150b7a02],
    ["onERC1155BatchReceived(address,address,uint256[],uint256[],bytes)", 0xbc197c81],
  ])("is what the standards say for %s", (signature, selector) => {
    expect(selectorOf(signature)).toBe(selector)
  })

  it("returns the same selector for two signatures that are known to clash", () => {
    expect(selectorOf("collate_propagate_storage(bytes16)")).toBe(selectorOf("burn(uint256)"))
  })

  it("handles signatures that are longer than a block of the hash", () => {
    const long = (last: string): string => `f(${"uint256,".repeat(40)}${last})`
    expect(selectorOf(long("uint256"))).not.toBe(selectorOf(long("address")))
  })
})
