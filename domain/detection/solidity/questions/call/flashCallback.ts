import type { FunctionModel } from "../../model.ts"

/** Functions through which lending and trading protocols call their caller back: the names are the interface. */
const byName =
  /^(\w+(Swap|Flash|Mint)Callback|onFlashLoan|onMorpho\w+|executeOperation|receiveFlashLoan|callFunction|unlockCallback|lockAcquired|locked|lzReceive|ccipReceive|\w*FlashLoanCall)$/
/** Uniswap V2 and its forks differ only in the name: `uniswapV2Call(address,uint256,uint256,bytes)`. */
const pairCall = /^\w+Call\(address,uint256,uint256,bytes\)$/

export const isFlashCallback = (fn: FunctionModel): boolean =>
  (byName.test(fn.name) && fn.parameters.length > 0 && !isOwnCall(fn)) || pairCall.test(fn.signature)

/**
 * dYdX's `callFunction` receives the initiator, the account and the data; a function that receives a target and data
 * makes a call.
 */
const isOwnCall = ({ name, parameters }: FunctionModel): boolean => name === "callFunction" && parameters.length !== 3
