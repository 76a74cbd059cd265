import type { Example } from "./table.ts"

const pool = `#[account] pub struct Pool { pub authority: Pubkey, pub fee: u64 }`

/** Frameworks in which a struct declares the accounts of an instruction. */
export const setExamples: ReadonlyArray<Example> = [
  {
    framework: "Anchor",
    shows: "0.24, composites and access_control",
    dependencies: 'anchor-lang = "0.24"',
    safe: `use anchor_lang::prelude::*;
declare_id!("Fg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS");
#[program] pub mod demo { use super::*;
  #[access_control(is_owner(&ctx.accounts.common))]
  pub fn set_fee(ctx: Context<SetFee>, fee: u64) -> Result<()> { ctx.accounts.common.pool.fee = fee; Ok(()) }
}
fn is_owner(common: &Common) -> Result<()> { require_keys_eq!(common.pool.authority, common.authority.key()); Ok(()) }
#[derive(Accounts)] pub struct Common<'info> { pub authority: Signer<'info>, #[account(mut)] pub pool: Account<'info, Pool> }
#[derive(Accounts)] pub struct SetFee<'info> { pub common: Common<'info>, #[account(mut)] pub payer: Signer<'info> }
${pool}`,
    without: ["pub authority: Signer<'info>", "/// CHECK: compared\n pub authority: AccountInfo<'info>"],
    handlers: { set_fee: ["common.authority", "common.pool", "payer"] },
  },
  {
    framework: "Anchor",
    shows: "1.0, an interface, remaining accounts, an event by CPI",
    dependencies: 'anchor-lang = { version = "1.0", features = ["event-cpi", "init-if-needed"] }',
    safe: `use anchor_lang::prelude::*;
declare_id!("Fg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS");
#[program] pub mod demo { use super::*;
  #[instruction(discriminator = [1])]
  pub fn set_fee<'info>(ctx: Context<'info, SetFee<'info>>, fee: u64) -> Result<()> {
    ctx.accounts.pool.fee = fee;
    emit_cpi!(FeeSet { fee, observers: ctx.remaining_accounts.len() as u64 });
    Ok(())
  }
  #[interface(spl_transfer_hook_interface::execute)]
  pub fn transfer_hook(ctx: Context<Hook>, amount: u64) -> Result<()> { require!(amount > ctx.accounts.pool.fee, Bad::Low); Ok(()) }
}
#[event] pub struct FeeSet { pub fee: u64, pub observers: u64 }
#[event_cpi] #[derive(Accounts)] pub struct SetFee<'info> { pub authority: Signer<'info>, #[account(mut, has_one = authority)] pub pool: Account<'info, Pool> }
#[derive(Accounts)] pub struct Hook<'info> { pub pool: Account<'info, Pool> }
#[error_code] pub enum Bad { Low }
#[derive(InitSpace)] ${pool}`,
    without: ["pub authority: Signer<'info>", "/// CHECK: compared\n pub authority: UncheckedAccount<'info>"],
    handlers: { set_fee: ["authority", "pool"], transfer_hook: ["pool"] },
  },
  {
    framework: "Bolt",
    dependencies: 'bolt-lang = "0.2"\nanchor-lang = "0.31"',
    safe: `use bolt_lang::*;
declare_id!("Fg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS");
#[component] #[derive(Default)] pub struct Position { pub owner: Pubkey, pub x: i64, pub y: i64 }
#[system] pub mod movement {
  pub fn execute(ctx: Context<Components>, args: Vec<u8>) -> Result<Components> {
    let position = &mut ctx.accounts.position;
    require_keys_eq!(position.owner, ctx.accounts.authority.key());
    position.x = args[0] as i64;
    Ok(ctx.accounts)
  }
  #[system_input] pub struct Components { pub position: Position }
}`,
    without: ["require_keys_eq!(position.owner, ctx.accounts.authority.key());", ""],
    handlers: { execute: ["position", "authority"] },
  },
  {
    framework: "Star Frame",
    shows: "the trait, with a type that validates itself",
    dependencies: 'star_frame = "0.25"',
    safe: `use star_frame::prelude::*;
#[derive(StarFrameProgram)] #[program(instruction_set = Ix, id = "Fg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS")] pub struct Demo;
#[derive(InstructionSet)] pub enum Ix { SetFee(SetFee) }
#[zero_copy(pod)] #[derive(Default, ProgramAccount)] pub struct Pool { pub authority: Pubkey, pub fee: u64 }
impl AccountValidate<&Pubkey> for Pool {
  fn validate(self_ref: &Self::Ref<'_>, arg: &Pubkey) -> Result<()> { ensure!(arg == &self_ref.authority, "Incorrect authority"); Ok(()) }
}
#[derive(BorshSerialize, BorshDeserialize, InstructionArgs)] pub struct SetFee { #[ix_args(run)] pub fee: u64 }
#[derive(AccountSet)] pub struct SetFeeAccounts {
  pub authority: Signer<SystemAccount>,
  #[validate(arg = self.authority.pubkey())] pub pool: Mut<ValidatedAccount<Pool>>,
}
impl StarFrameInstruction for SetFee {
  type ReturnType = ();
  type Accounts<'b, 'c> = SetFeeAccounts;
  fn process(accounts: &mut Self::Accounts<'_, '_>, fee: u64, _ctx: &mut Context) -> Result<()> {
    accounts.pool.data_mut()?.fee = fee;
    Ok(())
  }
}`,
    without: ["pub authority: Signer<SystemAccount>", "pub authority: SystemAccount"],
    handlers: { SetFee: ["authority", "pool"] },
  },
  {
    framework: "Star Frame",
    shows: "a marked function",
    dependencies: 'star_frame = "0.28"',
    safe: `use star_frame::prelude::*;
#[derive(StarFrameProgram)] #[program(instruction_set = Ix, id = "Fg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS")] pub struct Demo;
#[derive(InstructionSet)] pub enum Ix { SetFee(SetFee) }
#[zero_copy(pod)] #[derive(Default, ProgramAccount)] pub struct Pool { pub authority: Pubkey, pub fee: u64 }
#[derive(BorshSerialize, BorshDeserialize, InstructionArgs)] pub struct SetFee { #[ix_args(run)] pub fee: u64 }
#[derive(AccountSet)] pub struct SetFeeAccounts { pub authority: Signer, pub pool: Mut<Account<Pool>> }
#[star_frame_instruction]
fn SetFee(accounts: &mut SetFeeAccounts, fee: u64) -> Result<()> {
  let mut pool = accounts.pool.data_mut()?;
  ensure_eq!(pool.authority, *accounts.authority.pubkey(), ProgramError::IllegalOwner);
  pool.fee = fee;
  Ok(())
}`,
    without: ["pub authority: Signer", "pub authority: AccountInfo"],
    handlers: { SetFee: ["authority", "pool"] },
  },
  {
    framework: "Quasar",
    dependencies: 'quasar-lang = "0.1"',
    safe: `#![no_std]
use quasar_lang::prelude::*;
declare_id!("Fg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS");
#[account(discriminator = 1)] pub struct Pool { pub authority: Address, pub fee: u64 }
#[derive(Accounts)] pub struct SetFee<'info> {
  pub authority: &'info Signer,
  #[account(mut, has_one = authority)] pub pool: &'info mut Account<Pool>,
}
impl<'info> SetFee<'info> {
  #[inline(always)] pub fn set_fee(&mut self, fee: u64) -> Result<(), ProgramError> { self.pool.fee = fee; Ok(()) }
}
#[program] mod demo { use super::*;
  #[instruction(discriminator = 0)]
  pub fn set_fee(ctx: Ctx<SetFee>, fee: u64) -> Result<(), ProgramError> { ctx.accounts.set_fee(fee) }
}`,
    without: ["pub authority: &'info Signer", "pub authority: &'info UncheckedAccount"],
    handlers: { set_fee: ["authority", "pool"] },
  },
  {
    framework: "Solitaire",
    dependencies: 'solitaire = { path = "../solitaire" }\nsolana-program = "1.10"',
    safe: `use solitaire::*;
use solana_program::pubkey::Pubkey;
solitaire! { SetFee => set_fee, }
#[derive(BorshSerialize, BorshDeserialize, Default)] pub struct PoolData { pub authority: Pubkey, pub fee: u64 }
pub type Pool<'b, const STATE: AccountState> = Derive<Data<'b, PoolData, { STATE }>, "pool">;
#[derive(FromAccounts)] pub struct SetFee<'b> {
  pub authority: Signer<Info<'b>>,
  pub pool: Mut<Pool<'b, { AccountState::Initialized }>>,
}
#[derive(BorshDeserialize, BorshSerialize, Default)] pub struct SetFeeData { pub fee: u64 }
pub fn set_fee(ctx: &ExecutionContext, accs: &mut SetFee, data: SetFeeData) -> Result<()> {
  if accs.pool.authority != *accs.authority.key { return Err(Error::Stranger.into()); }
  accs.pool.fee = data.fee;
  Ok(())
}`,
    without: ["pub authority: Signer<Info<'b>>", "pub authority: Info<'b>"],
    handlers: { set_fee: ["authority", "pool"] },
  },
]
