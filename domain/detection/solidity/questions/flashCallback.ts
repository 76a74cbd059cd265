import type { FunctionModel } from "../model.ts"

/** Functions by which lending and trading protocols call back whoever called them: the names are the interface. */
const byName =
  /^(\w+(Swap|Flash|Mint)Callback|onFlashLoan|onMorpho\w+|executeOperation|receiveFlashLoan|callFunction|unlockCallback|lockAcquired|locked|lzReceive|ccipReceive|\w*FlashLoanCall)$/
/** Uniswap V2 and its copies differ in the name only: `uniswapV2Call(address,uint256,uint256,bytes)`. */
const pairCall = /^\w+Call\(address,uint256,uint256,bytes\)$/

export const isFlashCallback = (fn: FunctionModel): boolean =>
  (byName.test(fn.name) && fn.parameters.length > 0) || pairCall.test(fn.signature)
