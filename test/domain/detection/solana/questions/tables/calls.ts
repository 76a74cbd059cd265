import { show } from "../../../../../../domain/detection/rust/terms/show.ts"
import type { CallEvent } from "../../../../../../domain/detection/rust/terms/events.ts"
import { movesValue } from "../../../../../../domain/detection/solana/questions/cpi.ts"
import type { Cpi, Instruction } from "../../../../../../domain/detection/solana/program/model.ts"
import { cpisOf } from "../../../../../../domain/detection/solana/questions/questions.ts"
import { isSignedFor, roleOf } from "../../../../../../domain/detection/solana/questions/signedCpi.ts"
import { solanaTable } from "../../../../../support/solanaTable.ts"

/** The last call to another program before an event. */
const lastOf = (instruction: Instruction, { order }: CallEvent): Cpi | undefined =>
  cpisOf(instruction).findLast(({ event }) => event.order < order)

const shown = ({ program, instruction, accounts, args, signerSeeds }: Cpi): string =>
  [
    `${program === undefined ? "fixed" : show(program)} ${instruction}`,
    accounts.map(({ name, term }) => `${name}=${show(term)}`).join(" "),
    args.map((one) => show(one)).join(" "),
    ...(signerSeeds === undefined ? [] : [show(signerSeeds)]),
  ].join("; ")

/** What a call to another program is: its program, its accounts by their roles, its arguments, and who signs. */
export const calls = solanaTable(
  "calls",
  {
    call: (instruction, _, at) => {
      const last = lastOf(instruction, at)
      return last === undefined ? "none" : shown(last)
    },
    roles: (instruction, _, at) => {
      const last = lastOf(instruction, at)
      if (last === undefined) return "none"
      return (["from", "to", "authority"] as const).map((role) => {
        const term = roleOf(last, role)
        return term === undefined ? "-" : show(term)
      })
    },
    moves: (instruction, _, at) => movesValue(lastOf(instruction, at)!),
    signs: (instruction, _, at) => isSignedFor(instruction, lastOf(instruction, at)!),
  },
  [
    `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::instruction::Instruction;
use solana_program::program::{invoke, invoke_signed};
use solana_program::{entrypoint::ProgramResult, pubkey::Pubkey, system_instruction};
use spl_token::instruction as token;

fn own(tokens: &Pubkey, to: &AccountInfo) -> Instruction {
    foreign::built(tokens, to.key)
}

pub fn builders(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64, data: Vec<u8>) -> ProgramResult {
    let iter = &mut accounts.iter();
    let from = next_account_info(iter)?;
    let to = next_account_info(iter)?;
    let mint = next_account_info(iter)?;
    let who = next_account_info(iter)?;
    let tokens = next_account_info(iter)?;
    let id = tokens.key;

    invoke(&token::transfer(id, from.key, to.key, who.key, &[], amount)?, &[from.clone(), to.clone(), who.clone()])?;
    ask::call("accounts[4].key spl_token::instruction::transfer; from=accounts[0] to=accounts[1] authority=accounts[3]; accounts[4].key accounts[0].key accounts[1].key accounts[3].key [] amount");
    ask::roles("accounts[0],accounts[1],accounts[3]");
    ask::moves("true");
    invoke(&token::transfer_checked(id, from.key, mint.key, to.key, who.key, &[], amount, 6)?, accounts)?;
    ask::call("accounts[4].key spl_token::instruction::transfer_checked; =accounts from=accounts[0] mint=accounts[2] to=accounts[1] authority=accounts[3]; accounts[4].key accounts[0].key accounts[2].key accounts[1].key accounts[3].key [] amount 6");
    ask::roles("accounts[0],accounts[1],accounts[3]");
    ask::moves("true");
    invoke(&token::mint_to(id, mint.key, to.key, who.key, &[], amount)?, &[])?;
    ask::call("accounts[4].key spl_token::instruction::mint_to; mint=accounts[2] to=accounts[1] authority=accounts[3]; accounts[4].key accounts[2].key accounts[1].key accounts[3].key [] amount");
    ask::roles("-,accounts[1],accounts[3]");
    ask::moves("true");
    invoke(&token::burn(id, from.key, mint.key, who.key, &[], amount)?, &[])?;
    ask::call("accounts[4].key spl_token::instruction::burn; from=accounts[0] mint=accounts[2] authority=accounts[3]; accounts[4].key accounts[0].key accounts[2].key accounts[3].key [] amount");
    ask::roles("accounts[0],-,accounts[3]");
    ask::moves("true");
    invoke(&token::close_account(id, from.key, to.key, who.key, &[])?, &[])?;
    ask::call("accounts[4].key spl_token::instruction::close_account; account=accounts[0] destination=accounts[1] authority=accounts[3]; accounts[4].key accounts[0].key accounts[1].key accounts[3].key []");
    ask::moves("false");
    invoke(&token::approve(id, from.key, to.key, who.key, &[], amount)?, &[from.clone()])?;
    ask::call("accounts[4].key spl_token::instruction::approve; =accounts[0]; accounts[4].key accounts[0].key accounts[1].key accounts[3].key [] amount");
    ask::moves("false");
    invoke(&system_instruction::transfer(from.key, to.key, amount), &[from.clone(), to.clone()])?;
    ask::call("fixed solana_program::system_instruction::transfer; from=accounts[0] to=accounts[1]; accounts[0].key accounts[1].key amount");
    ask::roles("accounts[0],accounts[1],-");
    ask::moves("true");
    invoke(&token::transfer(id, from.key, from.key, &who.owner, &[], amount)?, &[from.clone()])?;
    ask::call("accounts[4].key spl_token::instruction::transfer; from=accounts[0]; accounts[4].key accounts[0].key accounts[0].key accounts[3].owner [] amount");
    invoke(&foreign::instruction::ping(id, to.key), &[to.clone()])?;
    ask::call("accounts[4].key foreign::instruction::ping; =accounts[1]; accounts[4].key accounts[1].key");
    invoke(&own(id, to), &[to.clone()])?;
    ask::call("accounts[4].key foreign::built; =accounts[1]; accounts[4].key accounts[1].key");
    invoke(&Instruction::new_with_bytes(*id, &data, vec![]), &[to.clone()])?;
    ask::call("accounts[4].key solana_program::instruction::Instruction::new_with_bytes; =accounts[1]; accounts[4].key data []");
    invoke(&Instruction { program_id: *id, accounts: vec![], data }, &[&[to.clone()], accounts].concat())?;
    ask::call("accounts[4].key solana_program::instruction::Instruction; =[accounts[1]] =accounts; ");
    let either = if amount > 5 { token::close_account(id, from.key, to.key, who.key, &[])? } else { foreign::other(id) };
    invoke(&either, &[to.clone()])?;
    ask::call("accounts[4].key spl_token::instruction::close_account; destination=accounts[1] account=accounts[0] authority=accounts[3]; ");
    let listed = foreign::instructions(id);
    invoke(&listed[0], &[to.clone()])?;
    ask::call("accounts[4].key foreign::instructions; =accounts[1]; ");
    invoke(&listed.first().unwrap(), &[to.clone()])?;
    ask::call("accounts[4].key foreign::instructions; =accounts[1]; foreign::instructions(accounts[4].key)");
    invoke_signed(&own(id, to), &[to.clone()], &[&[&[7]]])?;
    ask::call("accounts[4].key foreign::built; =accounts[1]; accounts[4].key accounts[1].key; [[[7]]]");
    ask::signs("true");
    invoke_signed(&own(id, to), &[to.clone()], &[])?;
    ask::signs("false");
    Ok(())
}
`,
    `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Burn, MintTo, Token, TokenAccount, Transfer};

#[program]
pub mod contexts {
    use super::*;

    pub fn all<'info>(ctx: Context<'_, '_, '_, 'info, All<'info>>, amount: u64) -> Result<()> {
        let all = &ctx.accounts;
        ask::call("none");
        token::transfer(all.context(), amount)?;
        ask::call("ctx.accounts.tokens anchor_spl::token::transfer; from=ctx.accounts.from to=ctx.accounts.to authority=ctx.accounts.who; amount");
        ask::signs("false");
        let signed = all.context().with_signer(&[&[&[7]]]);
        ask::signs("false");
        token::transfer(signed, amount)?;
        ask::call("ctx.accounts.tokens anchor_spl::token::transfer; from=ctx.accounts.from to=ctx.accounts.to authority=ctx.accounts.who; amount; [[[7]]]");
        ask::signs("true");
        token::transfer(all.context().with_remaining_accounts(ctx.remaining_accounts.to_vec()), amount)?;
        ask::call("ctx.accounts.tokens anchor_spl::token::transfer; from=ctx.accounts.from to=ctx.accounts.to authority=ctx.accounts.who =ctx.remaining_accounts; amount");
        pay(all.context(), 5)?;
        ask::call("ctx.accounts.tokens anchor_spl::token::transfer; from=ctx.accounts.from to=ctx.accounts.to authority=ctx.accounts.who; 5");
        let burnt = Burn { mint: all.mint.to_account_info(), from: all.from.to_account_info(), authority: all.who.to_account_info() };
        token::burn(CpiContext::new(all.tokens.to_account_info(), burnt), amount)?;
        ask::call("ctx.accounts.tokens anchor_spl::token::burn; mint=ctx.accounts.mint from=ctx.accounts.from authority=ctx.accounts.who; amount");
        ask::roles("ctx.accounts.from,-,ctx.accounts.who");
        ask::moves("true");
        let old = Burn { mint: all.mint.to_account_info(), to: all.from.to_account_info(), authority: all.who.to_account_info() };
        token::burn(CpiContext::new(all.tokens.to_account_info(), old), amount)?;
        ask::roles("ctx.accounts.from,-,ctx.accounts.who");
        let minted = MintTo { mint: all.mint.to_account_info(), to: all.to.to_account_info(), authority: all.who.to_account_info() };
        token::mint_to(CpiContext::new(all.tokens.to_account_info(), minted), amount)?;
        ask::roles("-,ctx.accounts.to,ctx.accounts.who");
        ask::moves("true");
        let context: CpiContext<Transfer> = foreign::context(&all.from);
        token::transfer(context, amount)?;
        ask::call("fixed anchor_spl::token::transfer; =foreign::context(ctx.accounts.from); amount");
        context.describe();
        ask::call("fixed anchor_spl::token::transfer; =foreign::context(ctx.accounts.from); amount");
        Ok(())
    }

    pub fn wrapped(ctx: Context<All>, amount: u64) -> Result<()> {
        let own: Wrapped = foreign::wrapped();
        foreign::give(own, amount)?;
        ask::call("none");
        token::approve(ctx.accounts.context(), amount)?;
        ask::moves("false");
        token::close_account(ctx.accounts.context())?;
        ask::moves("true");
        token_interface::transfer(ctx.accounts.context(), amount)?;
        ask::moves("true");
        system_program::transfer(ctx.accounts.context(), amount)?;
        ask::moves("true");
        market::cpi::withdraw(ctx.accounts.context(), amount)?;
        ask::moves("true");
        market::cpi::withdraw_all(ctx.accounts.context(), amount)?;
        ask::moves("false");
        market::cpi::mint_to_checked(ctx.accounts.context(), amount)?;
        ask::moves("true");
        Ok(())
    }
}

pub struct Wrapped {
    pub amount: u64,
}

fn pay<'info>(context: CpiContext<'_, '_, '_, 'info, Transfer<'info>>, fee: u64) -> Result<()> {
    token::transfer(context, fee)
}

#[derive(Accounts)]
pub struct All<'info> {
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    /// CHECK: a mint
    pub mint: UncheckedAccount<'info>,
    /// CHECK: signs
    pub who: UncheckedAccount<'info>,
    pub tokens: Program<'info, Token>,
}

impl<'info> All<'info> {
    fn context(&self) -> CpiContext<'_, '_, '_, 'info, Transfer<'info>> {
        let accounts = Transfer {
            from: self.from.to_account_info(),
            to: self.to.to_account_info(),
            authority: self.who.to_account_info(),
        };
        CpiContext::new(self.tokens.to_account_info(), accounts)
    }
}
`,
    `use pinocchio::{account_info::AccountInfo, program_error::ProgramError, ProgramResult};
use pinocchio_token::instructions::{Approve, Burn, MintTo, Transfer, TransferChecked};

pub fn structs(accounts: &[AccountInfo], amount: u64, seeds: &[u8]) -> ProgramResult {
    let [from, to, mint, who, tokens] = accounts else { return Err(ProgramError::NotEnoughAccountKeys) };
    Transfer { from, to, authority: who, amount }.invoke()?;
    ask::call("fixed pinocchio_token::instructions::Transfer; from=accounts[0] to=accounts[1] authority=accounts[3]; amount");
    ask::roles("accounts[0],accounts[1],accounts[3]");
    ask::moves("true");
    TransferChecked { from, mint, to, authority: who, amount, decimals: 6, token_program: tokens }.invoke_signed(&[seeds])?;
    ask::call("accounts[4] pinocchio_token::instructions::TransferChecked; from=accounts[0] mint=accounts[2] to=accounts[1] authority=accounts[3] token_program=accounts[4]; amount 6; [seeds]");
    ask::moves("true");
    MintTo { mint, account: to, mint_authority: who, amount }.invoke()?;
    ask::moves("true");
    Burn { account: from, mint, authority: who, amount }.invoke()?;
    ask::roles("accounts[0],-,accounts[3]");
    ask::moves("true");
    Approve { source: from, delegate: to, authority: who, amount }.invoke()?;
    ask::moves("false");
    foreign::BurnCpi { __program: tokens, from }.invoke_signed(&[])?;
    ask::call("accounts[4] foreign::BurnCpi; __program=accounts[4] from=accounts[0]; ; []");
    foreign::PingCpiBuilder::new(tokens).invoke()?;
    ask::call("fixed foreign::PingCpiBuilder::new; =foreign::PingCpiBuilder::new(accounts[4]); ");
    foreign::hook(tokens).invoke(from, to)?;
    ask::call("fixed foreign::PingCpiBuilder::new; =foreign::PingCpiBuilder::new(accounts[4]); ");
    foreign::instruction(tokens).invoke_signed(&[seeds])?;
    ask::call("fixed foreign::instruction; =foreign::instruction(accounts[4]); ; [seeds]");
    foreign::invoke(tokens)?;
    ask::call("fixed foreign::instruction; =foreign::instruction(accounts[4]); ; [seeds]");
    Ok(())
}
`,
  ],
)
