import type { SourceParser } from "../../application/ports/SourceParser.ts"
import { parseSolidity } from "../../domain/detection/solidity/parse/parse.ts"

/** Solidity has a parser of its own in the domain (its doc comment says why). */
export const makeSourceParser = async (): Promise<SourceParser> => ({
  solidity: parseSolidity,
})
