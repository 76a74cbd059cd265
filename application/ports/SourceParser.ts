import type { SourceFile } from "../../domain/detection/Source.ts"
import type { SourceUnit } from "../../domain/detection/solidity/syntax.ts"

/**
 * Text to typed syntax, synchronous because it runs inside the engine's own thread. Never throws for any text: what
 * cannot be understood becomes an error node, counted in the unit.
 */
export interface SourceParser {
  readonly solidity: (file: SourceFile) => SourceUnit
}
