/** Methods that return the same place or value: references, clones, iteration, unwrapping of results. */
export const transparentMethods = new Set([
  "clone",
  "cloned",
  "copied",
  "to_owned",
  "as_ref",
  "as_mut",
  "as_deref",
  "as_deref_mut",
  "borrow",
  "borrow_mut",
  "try_borrow",
  "try_borrow_mut",
  "deref",
  "deref_mut",
  "into",
  "to_vec",
  "into_vec",
  "as_slice",
  "as_mut_slice",
  "iter",
  "iter_mut",
  "into_iter",
  "by_ref",
  "as_bytes",
  "to_bytes",
  "to_aligned_bytes",
  "as_array",
  "into_inner",
  "to_string",
  "into_string",
  "as_str",
  "as_deref",
  "unwrap",
  "expect",
  "ok_or",
  "ok_or_else",
  "map_err",
  "ok",
  "unwrap_or_else",
  "unwrap_unchecked",
  "peekable",
  "copied",
  "as_bytes_mut",
  "into_boxed_slice",
  "lock",
  "unwrap_or_default",
  "inspect_err",
  "context",
  "with_context",
  "into_owned",
  "get_mut",
  "take",
])

/** Those that continue only if there was no error. */
export const unwrappingMethods = new Set(["unwrap", "expect", "unwrap_unchecked"])

/** Those whose result may still be the error. */
export const keepsOutcome = new Set([
  "ok_or",
  "ok_or_else",
  "map_err",
  "ok",
  "clone",
  "as_ref",
  "as_mut",
  "as_deref",
  "inspect_err",
  "cloned",
  "copied",
  "context",
  "with_context",
  "borrow",
  "into",
  "transpose",
  "take",
])

/** Closures passed to these run on the receiver's contents, or on each of its elements. */
export const elementClosures = new Set([
  "map",
  "for_each",
  "try_for_each",
  "filter",
  "filter_map",
  "all",
  "any",
  "find",
  "find_map",
  "position",
  "flat_map",
  "inspect",
  "take_while",
  "skip_while",
  "map_while",
  "partition",
  "max_by_key",
  "min_by_key",
  "sort_by_key",
  "retain",
])
export const outcomeClosures = new Set([
  "map",
  "and_then",
  "is_some_and",
  "is_ok_and",
  "map_or",
  "map_or_else",
  "filter",
])

/** Macros that end the path. */
export const divergingMacros = new Set([
  "panic",
  "unreachable",
  "todo",
  "unimplemented",
  "bail",
  "throw",
  "throw_err",
  "abort",
  "exit",
])

/** Macros whose value is an error. */
export const errorMacros = new Set(["err", "error", "anyhow", "std_err"])

/** Macros that continue only if their first argument holds. */
export const requireMacros = new Set([
  "require",
  "assert",
  "ensure",
  "debug_assert",
  "invariant",
  "check",
  "check_condition",
  "assert_with_msg",
  "require_that",
  "assert_that",
])

/** Macros that continue only if the comparison of the first two arguments holds. */
export const comparingMacros: Record<string, "==" | "!=" | ">" | ">=" | "<" | "<="> = {
  require_eq: "==",
  require_neq: "!=",
  require_keys_eq: "==",
  require_keys_neq: "!=",
  require_gt: ">",
  require_gte: ">=",
  require_lt: "<",
  require_lte: "<=",
  assert_eq: "==",
  assert_ne: "!=",
  assert_keys_eq: "==",
  assert_keys_neq: "!=",
  ensure_eq: "==",
  ensure_ne: "!=",
  check_eq: "==",
  debug_assert_eq: "==",
  debug_assert_ne: "!=",
}

/** Functions that compare bytes or keys: true or zero means equal. */
export const equalityFunctions: Record<string, "true" | "zero"> = {
  sol_memcmp: "zero",
  memcmp: "zero",
  cmp_pubkeys: "true",
  pubkey_eq: "true",
  keys_eq: "true",
  address_eq: "true",
  ct_eq: "true",
  eq: "true",
}

export const arithmetic = new Set(["+", "-", "*", "/", "%", "&", "<<", ">>"])
export const comparisons = new Set(["==", "!=", "<", "<=", ">", ">="])

const methodResults: Record<string, string> = {
  to_string: "String",
  len: "usize",
  is_empty: "bool",
  count: "usize",
  is_some: "bool",
  is_none: "bool",
  is_ok: "bool",
  is_err: "bool",
  contains: "bool",
  starts_with: "bool",
  any: "bool",
  all: "bool",
  to_le_bytes: "bytes",
  to_be_bytes: "bytes",
}

/** The type of a method's result, if the name alone determines it. */
export const resultOfMethod = (name: string): string | undefined => methodResults[name]

/** Arithmetic methods whose result has the receiver's type. */
export const numericMethod =
  /^(checked|saturating|wrapping|overflowing)_(add|sub|mul|div|rem|pow|neg|shl|shr|abs|div_euclid|rem_euclid|div_ceil|add_signed|sub_unsigned)$|^(pow|abs|min|max|clamp|isqrt|sqrt|abs_diff|div_ceil|rem_euclid|div_euclid|next_power_of_two|abs_diff|strict_add|strict_sub)$/
