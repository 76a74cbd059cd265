import type { RustType } from "./types.ts"

/** Says nothing, or leaves the rest to inference: `_`, `Vec<_>`. */
export const isVague = (type: RustType): boolean =>
  type.kind === "unknown" ||
  (type.kind === "named" &&
    (type.name === "_" || (type.args.length > 0 && type.args.every((one) => one.kind === "unknown"))))

export const isWrapper = (type: RustType): boolean => type.kind === "named" && type.args.length > 0

/** What replaces a type of which only a generic parameter is declared. */
export const betterType = (declared: RustType, found: RustType): RustType =>
  declared.kind === "named" &&
  declared.definition === undefined &&
  /^[A-Z]\w?$/.test(declared.name) &&
  found.kind !== "unknown"
    ? found
    : declared
