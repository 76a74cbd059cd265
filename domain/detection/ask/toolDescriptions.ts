/** How the tools that query a program are described, to coding agents and to reviewing models alike. */
export const toolDescriptions = {
  list_entry_points:
    "Who can do what: each callable function that changes something, its effects, and the conditions on the caller.",
  callers_of: "The callers of a function, and the entry points that reach it.",
  writers_of: "The functions that write a state variable, and the entry points that reach them.",
  checks_before: "The checks on the caller before each effect of an entry point.",
  external_calls_of: "The calls and messages that leave the contract, in a function and in its callees.",
  state_of: "The state variables of a contract, inherited ones first; the state and account types of a program.",
  search: "Source lines that contain a text, ignoring case.",
} as const

/** How the arguments of these tools are described. */
export const argumentDescriptions = {
  function: "Vault.withdraw, Vault.withdraw(uint256), withdraw, or a message: ExecuteMsg::Withdraw",
  variable: "Vault.owner, CONFIG.owner or owner",
} as const
