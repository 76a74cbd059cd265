import { describe, expect, it } from "vitest"
import type { AccessRow } from "../../../domain/access/AccessTable.ts"
import { cosmwasmAccess } from "../../../domain/detection/cosmwasm/access.ts"
import { solanaAccess } from "../../../domain/detection/solana/access.ts"
import { cosmwasmProgram, solanaProgram } from "../../support/rustProject.ts"

const told = (rows: ReadonlyArray<AccessRow>): ReadonlyArray<string> =>
  rows.flatMap((row) =>
    row.effects.map(({ kind, what, standing, who }) => `${row.function} ${standing}: ${kind} ${what} by ${who}`),
  )

describe("the access table of a Solana program", () => {
  const rows = solanaAccess(
    solanaProgram(`use anchor_spl::token::{self, Token, TokenAccount, Transfer};
      #[program] mod p { use super::*;
        pub fn open(ctx: Context<Open>) -> Result<()> { ctx.accounts.vault.owner = ctx.accounts.owner.key(); Ok(()) }
        pub fn hand_over(ctx: Context<Use>, next: Pubkey) -> Result<()> { ctx.accounts.vault.owner = next; Ok(()) }
        pub fn poke(ctx: Context<Poke>, count: u64) -> Result<()> { ctx.accounts.vault.count = count; Ok(()) }
        pub fn join(ctx: Context<Poke>) -> Result<()> {
          require!(ctx.accounts.vault.members.contains(&ctx.accounts.caller.key()), Oops::No); ctx.accounts.vault.count += 1; Ok(()) }
        pub fn draw(ctx: Context<Use>, amount: u64) -> Result<()> {
          let cpi = Transfer { from: ctx.accounts.tokens.to_account_info(), to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.vault.to_account_info() };
          token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), cpi, &[&[b"v", &[1]]]), amount) }
        pub fn look(_ctx: Context<Poke>) -> Result<()> { Ok(()) } }
      #[derive(Accounts)] pub struct Open<'info> {
        #[account(init, payer = owner, space = 80)] pub vault: Account<'info, Vault>,
        #[account(mut)] pub owner: Signer<'info>, pub system_program: Program<'info, System> }
      #[derive(Accounts)] pub struct Use<'info> {
        #[account(mut, has_one = owner)] pub vault: Account<'info, Vault>, pub owner: Signer<'info>,
        #[account(mut)] pub tokens: Account<'info, TokenAccount>, #[account(mut)] pub to: Account<'info, TokenAccount>,
        pub token_program: Program<'info, Token> }
      #[derive(Accounts)] pub struct Poke<'info> { #[account(mut)] pub vault: Account<'info, Vault>, pub caller: Signer<'info> }
      #[account] pub struct Vault { pub owner: Pubkey, pub members: Vec<Pubkey>, pub count: u64 }
      #[error_code] pub enum Oops { No }`),
    () => true,
  )

  it("says what each instruction changes or moves, and who must sign, omitting those that change nothing", () => {
    expect(told(rows)).toEqual([
      "open once: state opens `vault` by the first caller",
      "hand_over tied: authority writes `vault.owner` by `owner` as `Vault.owner`",
      "poke open: state writes `vault.count` by anyone",
      "join tied: state writes `vault.count` by `caller` as known to `vault`",
      "draw tied: assets `transfer` from `tokens` in the program's name by `owner` as `Vault.owner`",
    ])
  })

  it("covers the project's own files", () => {
    expect(solanaAccess(solanaProgram("#[program] mod p {}"), () => false)).toEqual([])
  })
})

describe("the access table of a CosmWasm contract", () => {
  it("says what each message changes or sends, and who can do that", () => {
    const rows = cosmwasmAccess(
      cosmwasmProgram(`pub const OWNER: Item<Addr> = Item::new("owner"); pub const FEE: Item<u64> = Item::new("fee");
        pub const NOTES: Map<&Addr, String> = Map::new("notes");
        pub enum ExecuteMsg { Give { to: String }, Fee { fee: u64 }, Note { text: String }, Sweep {} }
        #[entry_point] pub fn instantiate(deps: DepsMut, _env: Env, info: MessageInfo, _msg: Empty) -> StdResult<Response> {
          OWNER.save(deps.storage, &info.sender)?; Ok(Response::new()) }
        #[entry_point] pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
          match msg {
            ExecuteMsg::Give { to } => { if OWNER.load(deps.storage)? != info.sender { return Err(StdError::generic_err("no")); }
              OWNER.save(deps.storage, &deps.api.addr_validate(&to)?)?; Ok(Response::new()) }
            ExecuteMsg::Fee { fee } => { FEE.save(deps.storage, &fee)?; Ok(Response::new()) }
            ExecuteMsg::Note { text } => { NOTES.save(deps.storage, &info.sender, &text)?; Ok(Response::new()) }
            ExecuteMsg::Sweep {} => Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: vec![] })),
          } }
        #[entry_point] pub fn query(deps: Deps, _env: Env, _msg: Empty) -> StdResult<Binary> { to_json_binary(&FEE.load(deps.storage)?) }`),
      () => true,
    )
    expect(told(rows).map((one) => one.replaceAll("crate::", ""))).toEqual([
      "instantiate once: authority writes `OWNER` by whoever instantiates the contract",
      "ExecuteMsg::Give guarded: authority writes `OWNER` by `info.sender == OWNER`",
      "ExecuteMsg::Fee open: state writes `FEE` by anyone",
      "ExecuteMsg::Note tied: state writes `NOTES` by the sender's own entry",
      "ExecuteMsg::Sweep open: assets sends `BankMsg::Send` by anyone",
    ])
  })

  it("words conditions as someone familiar with the contract would, and lists what arms have in common once", () => {
    const rows = cosmwasmAccess(
      cosmwasmProgram(`pub struct Admins { pub admins: Vec<Addr> }
        pub const ADMINS: Item<Admins> = Item::new("admins"); pub const VOTERS: Map<&Addr, u64> = Map::new("voters");
        pub const FEE: Item<u64> = Item::new("fee"); pub const LOGO: Item<Logo> = Item::new("logo");
        pub enum Logo { Png(Binary), Svg(Binary) }
        pub enum ExecuteMsg { Fee { fee: u64 }, Vote { fee: u64 }, Paint(Logo) }
        #[entry_point] pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
          match msg {
            ExecuteMsg::Fee { fee } => { if !ADMINS.load(deps.storage)?.admins.iter().any(|a| a == &info.sender) { return Err(StdError::generic_err("no")); }
              FEE.save(deps.storage, &fee)?; Ok(Response::new()) }
            ExecuteMsg::Vote { fee } => { VOTERS.load(deps.storage, &info.sender)?; FEE.save(deps.storage, &fee)?; Ok(Response::new()) }
            ExecuteMsg::Paint(logo) => { ensure!(info.sender == env.contract.address, StdError::generic_err("no"));
              LOGO.save(deps.storage, &logo)?; Ok(Response::new()) }
          } }`),
      () => true,
    )
    expect(told(rows)).toEqual([
      "ExecuteMsg::Fee guarded: state writes `FEE` by `ADMINS.admins contains info.sender`",
      "ExecuteMsg::Vote guarded: state writes `FEE` by `VOTERS[info.sender] exists`",
      "ExecuteMsg::Paint guarded: state writes `LOGO` by `info.sender == env.contract.address`",
    ])
  })
})
