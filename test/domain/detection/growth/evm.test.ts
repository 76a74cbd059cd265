import { testGrowth } from "../../../support/axes/growthTests.ts"

testGrowth("evm")
