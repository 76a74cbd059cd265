import type { FunctionModel } from "../../model.ts"

/** Functions by which lending and trading protocols call back whoever called them: the names are the interface. */
const byName =
  /^(\w+(Swap|Flash|Mint)Callback|onFlashLoan|onMorpho\w+|executeOperation|receiveFlashLoan|callFunction|unlockCallback|lockAcquired|locked|lzReceive|ccipReceive|\w*FlashLoanCall)$/
/** Uniswap V2 and its copies differ in the name only: `uniswapV2Call(address,uint256,uint256,bytes)`. */
const pairCall = /^\w+Call\(address,uint256,uint256,bytes\)$/

export const isFlashCallback = (fn: FunctionModel): boolean =>
  (byName.test(fn.name) && fn.parameters.length > 0 && !isOwnCall(fn)) || pairCall.test(fn.signature)

/** dYdX's `callFunction` is given who asked, the account and the data; one that is given a target and data makes a call. */
const isOwnCall = ({ name, parameters }: FunctionModel): boolean => name === "callFunction" && parameters.length !== 3
