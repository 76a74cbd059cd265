import type { Confidence } from "../../../finding/Severity.ts"
import type { Place } from "../../Rule.ts"
import type { Registry } from "./Advisory.ts"
import type { Dialect } from "./Requirement.ts"

/** A package that reaches a contract, and the line that determines its version. */
export interface Use {
  readonly registry: Registry
  readonly name: string
  /** The pinned version. */
  readonly version?: string
  /** The pinned commit. */
  readonly commit?: string
  /** If nothing is pinned, the versions that may be installed. */
  readonly requirement?: { readonly text: string; readonly dialect: Dialect }
  readonly place: Place
  /** The packages through which it is reached, starting with the project's own. */
  readonly route: ReadonlyArray<string>
  /** The modules that the analyzed sources import, if imports show which parts of a package are used. */
  readonly modules?: ReadonlySet<string>
  /** How certain it is that the deployed code contains the package. */
  readonly confidence: Confidence
}
