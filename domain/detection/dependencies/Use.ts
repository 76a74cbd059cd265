import type { Confidence } from "../../finding/Severity.ts"
import type { Place } from "../Rule.ts"
import type { Registry } from "./Advisory.ts"
import type { Dialect } from "./Requirement.ts"

/** A package that reaches a contract, and the line that decides on its version. */
export interface Use {
  readonly registry: Registry
  readonly name: string
  /** The version that is pinned. */
  readonly version?: string
  /** The commit that is pinned. */
  readonly commit?: string
  /** Where nothing is pinned, the versions that may be taken. */
  readonly requirement?: { readonly text: string; readonly dialect: Dialect }
  readonly place: Place
  /** Packages through which it is reached, the project's own first. */
  readonly route: ReadonlyArray<string>
  /** Modules that the analyzed sources import, where these tell what of a package is used. */
  readonly modules?: ReadonlySet<string>
  /** How sure it is that the deployed code contains the package. */
  readonly confidence: Confidence
}
