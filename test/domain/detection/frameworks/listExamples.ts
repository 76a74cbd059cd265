import type { Example } from "./table.ts"

const setFee = ["authority", "pool"]

/** Like native programs: a list of accounts, distinguished by hand. */
export const listExamples: ReadonlyArray<Example> = [
  {
    framework: "native",
    shows: "Borsh and next_account_info",
    dependencies: 'solana-program = "2"\nborsh = "1"',
    safe: `use borsh::{BorshDeserialize, BorshSerialize};
use solana_program::{account_info::{next_account_info, AccountInfo}, entrypoint, entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
entrypoint!(process_instruction);
#[derive(BorshSerialize, BorshDeserialize)] pub enum Ix { SetFee(u64), Nothing }
#[derive(BorshSerialize, BorshDeserialize)] pub struct Pool { pub authority: Pubkey, pub fee: u64 }
pub fn process_instruction(program_id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
  match Ix::try_from_slice(data)? { Ix::SetFee(fee) => set_fee(program_id, accounts, fee), Ix::Nothing => Ok(()) }
}
fn set_fee(program_id: &Pubkey, accounts: &[AccountInfo], fee: u64) -> ProgramResult {
  let iter = &mut accounts.iter();
  let authority = next_account_info(iter)?;
  let pool = next_account_info(iter)?;
  if pool.owner != program_id { return Err(ProgramError::IncorrectProgramId); }
  if !authority.is_signer { return Err(ProgramError::MissingRequiredSignature); }
  let mut state = Pool::try_from_slice(&pool.data.borrow())?;
  if state.authority != *authority.key { return Err(ProgramError::InvalidArgument); }
  state.fee = fee;
  state.serialize(&mut *pool.data.borrow_mut())?;
  Ok(())
}`,
    without: ["if !authority.is_signer { return Err(ProgramError::MissingRequiredSignature); }", ""],
    handlers: { set_fee: setFee },
  },
  {
    framework: "native with shank",
    shows: "contexts of ShankContext",
    dependencies: 'solana-program = "2"\nshank = "0.4"\nborsh = "1"',
    safe: `use borsh::{BorshDeserialize, BorshSerialize};
use shank::{ShankContext, ShankInstruction, ShankAccount};
use solana_program::{account_info::AccountInfo, entrypoint, entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
entrypoint!(process_instruction);
#[derive(ShankContext, ShankInstruction, BorshDeserialize)]
pub enum Ix {
  #[account(0, signer, name = "authority", desc = "Who may")]
  #[account(1, writable, name = "pool", desc = "The pool")]
  SetFee(u64),
}
#[derive(BorshSerialize, BorshDeserialize, ShankAccount)] pub struct Pool { pub authority: Pubkey, pub fee: u64 }
pub fn process_instruction<'a>(program_id: &Pubkey, accounts: &'a [AccountInfo<'a>], data: &[u8]) -> ProgramResult {
  match Ix::try_from_slice(data)? { Ix::SetFee(fee) => set_fee(accounts, fee) }
}
fn set_fee<'a>(accounts: &'a [AccountInfo<'a>], fee: u64) -> ProgramResult {
  let ctx = SetFeeAccounts::context(accounts)?;
  if ctx.accounts.pool.owner != &crate::ID { return Err(ProgramError::IncorrectProgramId); }
  if !ctx.accounts.authority.is_signer { return Err(ProgramError::MissingRequiredSignature); }
  let mut state = Pool::try_from_slice(&ctx.accounts.pool.data.borrow())?;
  if state.authority != *ctx.accounts.authority.key { return Err(ProgramError::InvalidArgument); }
  state.fee = fee;
  state.serialize(&mut *ctx.accounts.pool.data.borrow_mut())?;
  Ok(())
}`,
    without: ["if !ctx.accounts.authority.is_signer { return Err(ProgramError::MissingRequiredSignature); }", ""],
    handlers: { set_fee: setFee },
  },
  {
    framework: "native",
    shows: "a loader of its own",
    dependencies: 'solana-program = "2"\nborsh = "1"',
    safe: `use borsh::{BorshDeserialize, BorshSerialize};
use solana_program::{account_info::{next_account_info, AccountInfo}, entrypoint, entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use std::slice::Iter; use std::iter::Enumerate;
entrypoint!(process_instruction);
#[derive(BorshSerialize, BorshDeserialize)] pub struct Pool { pub authority: Pubkey, pub fee: u64 }
pub struct Loader {}
impl Loader {
  pub fn next_signer<'a, 'b>(iter: &mut Enumerate<Iter<'a, AccountInfo<'b>>>) -> Result<&'a AccountInfo<'b>, ProgramError> {
    let (_, one) = iter.next().ok_or(ProgramError::NotEnoughAccountKeys)?;
    if !one.is_signer { return Err(ProgramError::MissingRequiredSignature); }
    Ok(one)
  }
  pub fn next_any<'a, 'b>(iter: &mut Enumerate<Iter<'a, AccountInfo<'b>>>) -> Result<&'a AccountInfo<'b>, ProgramError> {
    let (_, one) = iter.next().ok_or(ProgramError::NotEnoughAccountKeys)?;
    Ok(one)
  }
  pub fn next_owned<'a, 'b>(iter: &mut Enumerate<Iter<'a, AccountInfo<'b>>>, owner: &Pubkey) -> Result<&'a AccountInfo<'b>, ProgramError> {
    let (_, one) = iter.next().ok_or(ProgramError::NotEnoughAccountKeys)?;
    if one.owner != owner { return Err(ProgramError::IncorrectProgramId); }
    Ok(one)
  }
}
pub fn process_instruction(program_id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
  match data[0] { 0 => set_fee(program_id, accounts, data), _ => Err(ProgramError::InvalidInstructionData) }
}
fn set_fee(program_id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
  let iter = &mut accounts.iter().enumerate();
  let authority = Loader::next_signer(iter)?;
  let pool = Loader::next_owned(iter, program_id)?;
  let mut state = Pool::try_from_slice(&pool.data.borrow())?;
  if state.authority != *authority.key { return Err(ProgramError::InvalidArgument); }
  state.fee = u64::from_le_bytes(data[1..9].try_into().unwrap());
  state.serialize(&mut *pool.data.borrow_mut())?;
  Ok(())
}`,
    without: ["Loader::next_signer(iter)?", "Loader::next_any(iter)?"],
    handlers: { set_fee: setFee },
  },
  {
    framework: "native",
    shows: "arms that parse and hand on, as serum's",
    dependencies: 'solana-program = "2"\nbytemuck = "1"',
    safe: `use solana_program::{account_info::AccountInfo, entrypoint, entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
entrypoint!(process_instruction);
#[repr(C)] #[derive(Clone, Copy)] pub struct Pool { pub authority: Pubkey, pub fee: u64 }
pub enum Ix { SetFee { fee: u64 }, Close }
pub mod parser {
  use super::*;
  pub struct SetFeeArgs<'a, 'b> { pub authority: &'a AccountInfo<'b>, pub pool: &'a AccountInfo<'b>, pub fee: u64 }
  impl<'a, 'b> SetFeeArgs<'a, 'b> {
    pub fn new(program_id: &Pubkey, fee: u64, accounts: &'a [AccountInfo<'b>]) -> Result<Self, ProgramError> {
      let [authority, pool]: &'a [AccountInfo<'b>; 2] = accounts.try_into().map_err(|_| ProgramError::NotEnoughAccountKeys)?;
      if !authority.is_signer { return Err(ProgramError::MissingRequiredSignature); }
      if pool.owner != program_id { return Err(ProgramError::IncorrectProgramId); }
      Ok(SetFeeArgs { authority, pool, fee })
    }
  }
  pub struct CloseArgs<'a, 'b> { pub authority: &'a AccountInfo<'b> }
  impl<'a, 'b> CloseArgs<'a, 'b> {
    pub fn new(accounts: &'a [AccountInfo<'b>]) -> Result<Self, ProgramError> {
      let [authority]: &'a [AccountInfo<'b>; 1] = accounts.try_into().map_err(|_| ProgramError::NotEnoughAccountKeys)?;
      if !authority.is_signer { return Err(ProgramError::MissingRequiredSignature); }
      Ok(CloseArgs { authority })
    }
  }
}
pub struct State {}
impl State {
  pub fn process(program_id: &Pubkey, accounts: &[AccountInfo], ix: Ix) -> ProgramResult {
    match ix {
      Ix::SetFee { fee } => { let args = parser::SetFeeArgs::new(program_id, fee, accounts)?; Self::set_fee(args)? }
      Ix::Close => { let args = parser::CloseArgs::new(accounts)?; Self::close(args)? }
    }
    Ok(())
  }
  fn set_fee(args: parser::SetFeeArgs) -> ProgramResult {
    let mut data = args.pool.try_borrow_mut_data()?;
    let state: &mut Pool = bytemuck::from_bytes_mut(&mut data);
    if state.authority != *args.authority.key { return Err(ProgramError::InvalidArgument); }
    state.fee = args.fee;
    Ok(())
  }
  fn close(args: parser::CloseArgs) -> ProgramResult { msg!("{}", args.authority.key); Ok(()) }
}
pub fn process_instruction(program_id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
  State::process(program_id, accounts, Ix::unpack(data)?)
}
impl Ix { pub fn unpack(data: &[u8]) -> Result<Ix, ProgramError> { if data[0] == 0 { Ok(Ix::SetFee { fee: data[1] as u64 }) } else { Ok(Ix::Close) } } }`,
    without: [
      `if !authority.is_signer { return Err(ProgramError::MissingRequiredSignature); }
      if pool.owner`,
      "if pool.owner",
    ],
    handlers: { SetFeeArgs: setFee, CloseArgs: ["authority"] },
  },
  {
    framework: "Steel",
    dependencies: 'steel = "4"',
    safe: `use steel::*;
declare_id!("Fg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS");
#[repr(u8)] #[derive(Clone, Copy, TryFromPrimitive)] pub enum Ix { SetFee = 0, Ping = 1 }
#[repr(C)] #[derive(Clone, Copy, Pod, Zeroable)] pub struct SetFee { pub fee: [u8; 8] }
instruction!(Ix, SetFee);
#[repr(C)] #[derive(Clone, Copy, Pod, Zeroable)] pub struct Pool { pub authority: Pubkey, pub fee: u64 }
account!(Kind, Pool);
pub fn process_instruction(program_id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
  let (ix, data) = parse_instruction(&ID, program_id, data)?;
  match ix { Ix::SetFee => process_set_fee(accounts, data)?, Ix::Ping => {} }
  Ok(())
}
entrypoint!(process_instruction);
pub fn process_set_fee(accounts: &[AccountInfo<'_>], data: &[u8]) -> ProgramResult {
  let args = SetFee::try_from_bytes(data)?;
  let [authority_info, pool_info, system_program] = accounts else { return Err(ProgramError::NotEnoughAccountKeys); };
  authority_info.is_signer()?.is_writable()?;
  let pool = pool_info.as_account_mut::<Pool>(&ID)?.assert_mut(|p| p.authority == *authority_info.key)?;
  system_program.is_program(&system_program::ID)?;
  pool.fee = u64::from_le_bytes(args.fee);
  Ok(())
}`,
    without: ["authority_info.is_signer()?.is_writable()?", "authority_info.is_writable()?"],
    handlers: { process_set_fee: ["authority_info", "pool_info", "system_program"] },
  },
  {
    framework: "Steel",
    shows: "has_address in place of assert_mut",
    dependencies: 'steel = "4"',
    safe: `use steel::*;
declare_id!("Fg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS");
#[repr(C)] #[derive(Clone, Copy, Pod, Zeroable)] pub struct Pool { pub authority: Pubkey, pub fee: u64 }
account!(Kind, Pool);
pub fn process_instruction(program_id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
  match data[0] { 0 => set_fee(accounts, data), _ => Err(ProgramError::InvalidInstructionData) }
}
entrypoint!(process_instruction);
pub fn set_fee(accounts: &[AccountInfo<'_>], data: &[u8]) -> ProgramResult {
  let [authority, pool] = accounts else { return Err(ProgramError::NotEnoughAccountKeys); };
  let state = pool.is_writable()?.as_account_mut::<Pool>(&ID)?;
  authority.is_signer()?.has_address(&state.authority)?;
  state.fee = data[1] as u64;
  Ok(())
}`,
    without: ["authority.is_signer()?.has_address", "authority.has_address"],
    handlers: { set_fee: setFee },
  },
  {
    framework: "Pinocchio",
    shows: "TryFrom of the accounts",
    dependencies: 'pinocchio = "0.9"',
    safe: `use pinocchio::{account_info::AccountInfo, entrypoint, program_error::ProgramError, pubkey::Pubkey, ProgramResult};
entrypoint!(process_instruction);
pub const ID: Pubkey = [7; 32];
pub struct Pool { pub authority: Pubkey, pub fee: u64 }
impl Pool { pub fn load_mut(data: &mut [u8]) -> Result<&mut Pool, ProgramError> { Ok(unsafe { &mut *(data.as_mut_ptr() as *mut Pool) }) } }
pub struct SetFeeAccounts<'a> { pub authority: &'a AccountInfo, pub pool: &'a AccountInfo }
impl<'a> TryFrom<&'a [AccountInfo]> for SetFeeAccounts<'a> {
  type Error = ProgramError;
  fn try_from(accounts: &'a [AccountInfo]) -> Result<Self, Self::Error> {
    let [authority, pool] = accounts else { return Err(ProgramError::NotEnoughAccountKeys); };
    if !authority.is_signer() { return Err(ProgramError::MissingRequiredSignature); }
    if !pool.is_owned_by(&crate::ID) { return Err(ProgramError::InvalidAccountOwner); }
    Ok(Self { authority, pool })
  }
}
pub struct SetFee<'a> { pub accounts: SetFeeAccounts<'a>, pub fee: u64 }
impl<'a> TryFrom<(&'a [u8], &'a [AccountInfo])> for SetFee<'a> {
  type Error = ProgramError;
  fn try_from((data, accounts): (&'a [u8], &'a [AccountInfo])) -> Result<Self, Self::Error> {
    let accounts = SetFeeAccounts::try_from(accounts)?;
    Ok(Self { accounts, fee: data[0] as u64 })
  }
}
impl<'a> SetFee<'a> {
  pub const DISCRIMINATOR: &'a u8 = &0;
  pub fn process(&mut self) -> ProgramResult {
    let mut data = self.accounts.pool.try_borrow_mut_data()?;
    let pool = Pool::load_mut(&mut data)?;
    if pool.authority != *self.accounts.authority.key() { return Err(ProgramError::InvalidArgument); }
    pool.fee = self.fee;
    Ok(())
  }
}
fn process_instruction(_program_id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
  match data.split_first() {
    Some((SetFee::DISCRIMINATOR, data)) => SetFee::try_from((data, accounts))?.process(),
    _ => Err(ProgramError::InvalidInstructionData),
  }
}`,
    without: ["if !authority.is_signer() { return Err(ProgramError::MissingRequiredSignature); }", ""],
    handlers: { process_instruction: setFee },
  },
  {
    framework: "Pinocchio",
    shows: "a lazy entry point",
    dependencies: 'pinocchio = "0.9"',
    safe: `use pinocchio::{entrypoint::{InstructionContext, MaybeAccount}, lazy_program_entrypoint, program_error::ProgramError, pubkey::Pubkey, ProgramResult};
lazy_program_entrypoint!(process_instruction);
pub const ID: Pubkey = [7; 32];
pub struct Pool { pub authority: Pubkey, pub fee: u64 }
pub fn process_instruction(mut context: InstructionContext) -> ProgramResult {
  if context.remaining() != 2 { return Err(ProgramError::NotEnoughAccountKeys); }
  let authority = context.next_account()?.assume_account();
  let MaybeAccount::Account(pool) = context.next_account()? else { return Err(ProgramError::InvalidArgument) };
  if !authority.is_signer() { return Err(ProgramError::MissingRequiredSignature); }
  if !pool.is_owned_by(&crate::ID) { return Err(ProgramError::InvalidAccountOwner); }
  let data = context.instruction_data()?;
  let state = unsafe { &mut *(pool.borrow_mut_data_unchecked().as_mut_ptr() as *mut Pool) };
  if state.authority != *authority.key() { return Err(ProgramError::InvalidArgument); }
  state.fee = data[0] as u64;
  Ok(())
}`,
    without: ["if !authority.is_signer() { return Err(ProgramError::MissingRequiredSignature); }", ""],
    handlers: { process_instruction: setFee },
  },
]
