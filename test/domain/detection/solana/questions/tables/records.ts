import type { Untied } from "../../../../../../domain/detection/solana/records/openRecords.ts"
import { openRecords } from "../../../../../../domain/detection/solana/records/openRecords.ts"
import { solanaTable } from "../../../../../support/solanaTable.ts"

const named = ({ holder, field, other }: Untied): string => `${holder.name}.${field} ${other.name}`

/** Records that are paid out to others than those they name: the stored key, and the account that should be its. */
export const records = solanaTable(
  "records",
  { open: (instruction, _args, _at, crate) => openRecords(crate, instruction).map(named).join("; ") },
  [
    `use anchor_lang::prelude::*;
use anchor_lang::system_program;
use anchor_spl::token::{self, Mint, Token, TokenAccount, Transfer};

pub const TREASURY: Pubkey = pubkey!("9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin");

fn draw(from: &AccountInfo, to: &AccountInfo, amount: u64) -> Result<()> {
    **from.try_borrow_mut_lamports()? -= amount;
    **to.try_borrow_mut_lamports()? += amount;
    Ok(())
}

fn send<'info>(from: AccountInfo<'info>, to: AccountInfo<'info>, authority: AccountInfo<'info>, program: AccountInfo<'info>, amount: u64) -> Result<()> {
    let seeds: &[&[u8]] = &[b"authority", &[1]];
    let accounts = Transfer { from, to, authority };
    token::transfer(CpiContext::new_with_signer(program, accounts, &[seeds]), amount)
}

#[program]
pub mod records {
    use super::*;

    // The signer is paid from a record that names an owner.
    pub fn create(ctx: Context<All>) -> Result<()> {
        ctx.accounts.record.owner = ctx.accounts.user.key();
        ctx.accounts.pair.user = ctx.accounts.user.key();
        ask::open("");
        Ok(())
    }

    pub fn take(ctx: Context<All>, amount: u64) -> Result<()> {
        draw(&ctx.accounts.record.to_account_info(), &ctx.accounts.user.to_account_info(), amount)?;
        ask::open("record.owner user");
        Ok(())
    }

    pub fn take_for_another(ctx: Context<All>, amount: u64) -> Result<()> {
        draw(&ctx.accounts.record.to_account_info(), &ctx.accounts.keeper.to_account_info(), amount)?;
        ask::open("record.owner user");
        Ok(())
    }

    pub fn take_tokens(ctx: Context<All>, amount: u64) -> Result<()> {
        let all = ctx.accounts;
        all.record.amount -= amount;
        send(all.vault.to_account_info(), all.wallet.to_account_info(), all.authority.to_account_info(), all.token_program.to_account_info(), amount)?;
        ask::open("record.owner user");
        Ok(())
    }

    pub fn take_nothing_off(ctx: Context<All>, amount: u64) -> Result<()> {
        let all = ctx.accounts;
        send(all.vault.to_account_info(), all.wallet.to_account_info(), all.authority.to_account_info(), all.token_program.to_account_info(), amount)?;
        ask::open("");
        Ok(())
    }

    pub fn pay_nothing(ctx: Context<All>, amount: u64) -> Result<()> {
        ctx.accounts.record.amount -= amount;
        ask::open("");
        Ok(())
    }

    pub fn approve(ctx: Context<All>, amount: u64) -> Result<()> {
        let all = ctx.accounts;
        all.record.amount -= amount;
        let seeds: &[&[u8]] = &[b"authority", &[1]];
        let accounts = token::Approve { to: all.vault.to_account_info(), delegate: all.keeper.to_account_info(), authority: all.authority.to_account_info() };
        token::approve(CpiContext::new_with_signer(all.token_program.to_account_info(), accounts, &[seeds]), amount)?;
        ask::open("");
        Ok(())
    }

    pub fn exchange(ctx: Context<All>, amount: u64) -> Result<()> {
        let all = ctx.accounts;
        let accounts = Transfer { from: all.badge.to_account_info(), to: all.vault.to_account_info(), authority: all.keeper.to_account_info() };
        token::transfer(CpiContext::new(all.token_program.to_account_info(), accounts), amount)?;
        draw(&all.record.to_account_info(), &all.user.to_account_info(), amount)?;
        ask::open("");
        Ok(())
    }

    // A delegate takes what the signer approved of: the signer pays for it.
    pub fn delegated(ctx: Context<All>, amount: u64) -> Result<()> {
        let all = ctx.accounts;
        require_keys_eq!(all.badge.owner, all.user.key());
        send(all.badge.to_account_info(), all.vault.to_account_info(), all.authority.to_account_info(), all.token_program.to_account_info(), amount)?;
        draw(&all.record.to_account_info(), &all.user.to_account_info(), amount)?;
        ask::open("");
        Ok(())
    }

    pub fn approved(ctx: Context<All>, amount: u64) -> Result<()> {
        let all = ctx.accounts;
        let accounts = token::Approve { to: all.badge.to_account_info(), delegate: all.keeper.to_account_info(), authority: all.keeper.to_account_info() };
        token::approve(CpiContext::new(all.token_program.to_account_info(), accounts), amount)?;
        draw(&all.record.to_account_info(), &all.user.to_account_info(), amount)?;
        ask::open("record.owner user");
        Ok(())
    }

    // Compared with the signer, set to the signer, or at least asked for on some path.
    pub fn owned(ctx: Context<All>, amount: u64) -> Result<()> {
        require_keys_eq!(ctx.accounts.record.owner, ctx.accounts.user.key());
        draw(&ctx.accounts.record.to_account_info(), &ctx.accounts.user.to_account_info(), amount)?;
        ask::open("");
        Ok(())
    }

    pub fn not_owned(ctx: Context<All>, amount: u64) -> Result<()> {
        require_keys_neq!(ctx.accounts.record.owner, ctx.accounts.user.key());
        draw(&ctx.accounts.record.to_account_info(), &ctx.accounts.user.to_account_info(), amount)?;
        ask::open("");
        Ok(())
    }

    pub fn not_other(ctx: Context<All>, amount: u64) -> Result<()> {
        require_keys_neq!(ctx.accounts.pair.other, ctx.accounts.user.key());
        draw(&ctx.accounts.pair.to_account_info(), &ctx.accounts.user.to_account_info(), amount)?;
        ask::open("");
        Ok(())
    }

    pub fn noted(ctx: Context<All>, amount: u64) -> Result<()> {
        registry::note(&ctx.accounts.record, &ctx.accounts.user)?;
        draw(&ctx.accounts.record.to_account_info(), &ctx.accounts.user.to_account_info(), amount)?;
        ask::open("record.owner user");
        Ok(())
    }

    pub fn owned_by_other(ctx: Context<HasOne>, amount: u64) -> Result<()> {
        draw(&ctx.accounts.record.to_account_info(), &ctx.accounts.user.to_account_info(), amount)?;
        ask::open("");
        Ok(())
    }

    pub fn set(ctx: Context<All>, amount: u64) -> Result<()> {
        ctx.accounts.record.owner = ctx.accounts.user.key();
        draw(&ctx.accounts.record.to_account_info(), &ctx.accounts.user.to_account_info(), amount)?;
        ask::open("");
        Ok(())
    }

    pub fn replaced(ctx: Context<All>, amount: u64) -> Result<()> {
        ctx.accounts.record.set_inner(Record { owner: ctx.accounts.keeper.key(), amount: 0 });
        draw(&ctx.accounts.record.to_account_info(), &ctx.accounts.user.to_account_info(), amount)?;
        ask::open("");
        Ok(())
    }

    pub fn owned_if_much(ctx: Context<All>, amount: u64) -> Result<()> {
        if amount > 5 {
            require!(ctx.accounts.record.owner == TREASURY, Wrong::Owner);
        }
        draw(&ctx.accounts.record.to_account_info(), &ctx.accounts.user.to_account_info(), amount)?;
        ask::open("");
        Ok(())
    }

    pub fn through_second(ctx: Context<All>, amount: u64) -> Result<()> {
        require_keys_eq!(ctx.accounts.second.owner, ctx.accounts.user.key());
        draw(&ctx.accounts.record.to_account_info(), &ctx.accounts.user.to_account_info(), amount)?;
        ask::open("");
        Ok(())
    }

    pub fn through_step(ctx: Context<All>, amount: u64) -> Result<()> {
        let all = &ctx.accounts;
        require_keys_eq!(all.purse.payee, all.step.key());
        require_keys_eq!(all.step.next, all.user.key());
        draw(&all.purse.to_account_info(), &all.user.to_account_info(), amount)?;
        ask::open("");
        Ok(())
    }

    pub fn by_admin(ctx: Context<All>, amount: u64) -> Result<()> {
        require_keys_eq!(ctx.accounts.global.admin, ctx.accounts.user.key());
        draw(&ctx.accounts.record.to_account_info(), &ctx.accounts.user.to_account_info(), amount)?;
        ask::open("");
        Ok(())
    }

    pub fn only_one(ctx: Context<All>, amount: u64) -> Result<()> {
        draw(&ctx.accounts.global.to_account_info(), &ctx.accounts.user.to_account_info(), amount)?;
        ask::open("");
        Ok(())
    }

    pub fn listed(ctx: Context<All>, amount: u64) -> Result<()> {
        registry::verify_signer(&ctx.accounts.user)?;
        draw(&ctx.accounts.record.to_account_info(), &ctx.accounts.user.to_account_info(), amount)?;
        ask::open("");
        Ok(())
    }

    pub fn liquidate(ctx: Context<Liquidate>, amount: u64) -> Result<()> {
        draw(&ctx.accounts.record.to_account_info(), &ctx.accounts.liquidator.to_account_info(), amount)?;
        ask::open("");
        Ok(())
    }

    // The receiver is named by the record, or by what it leads to; tokens lead on if what they hold counts.
    pub fn to_payee(ctx: Context<All>, amount: u64) -> Result<()> {
        let all = &ctx.accounts;
        require_keys_eq!(all.purse.payee, all.keeper.key());
        draw(&all.purse.to_account_info(), &all.keeper.to_account_info(), amount)?;
        ask::open("");
        Ok(())
    }

    pub fn not_to_payee(ctx: Context<All>, amount: u64) -> Result<()> {
        let all = &ctx.accounts;
        require_keys_eq!(all.purse.payee, all.authority.key());
        draw(&all.purse.to_account_info(), &all.keeper.to_account_info(), amount)?;
        ask::open("purse.user user");
        Ok(())
    }

    pub fn to_seed_of(ctx: Context<All>, amount: u64) -> Result<()> {
        let all = &ctx.accounts;
        let (address, _) = Pubkey::find_program_address(&[all.purse.key().as_ref()], ctx.program_id);
        require_keys_eq!(all.keeper.key(), address);
        draw(&all.purse.to_account_info(), &all.keeper.to_account_info(), amount)?;
        ask::open("");
        Ok(())
    }

    pub fn to_payee_of_step(ctx: Context<All>, amount: u64) -> Result<()> {
        let all = &ctx.accounts;
        require_keys_eq!(all.purse.payee, all.step.key());
        require_keys_eq!(all.step.next, all.keeper.key());
        draw(&all.purse.to_account_info(), &all.keeper.to_account_info(), amount)?;
        ask::open("");
        Ok(())
    }

    pub fn to_owner_of_tokens(ctx: Context<All>, amount: u64) -> Result<()> {
        let all = &ctx.accounts;
        require_keys_eq!(all.purse.payee, all.badge.key());
        require_keys_eq!(all.badge.owner, all.keeper.key());
        draw(&all.purse.to_account_info(), &all.keeper.to_account_info(), amount)?;
        ask::open("purse.user user");
        Ok(())
    }

    pub fn to_owner_of_badge(ctx: Context<All>, amount: u64) -> Result<()> {
        let all = &ctx.accounts;
        require_keys_eq!(all.purse.payee, all.badge.key());
        require_keys_eq!(all.badge.owner, all.keeper.key());
        require!(all.badge.amount == 1, Wrong::Owner);
        draw(&all.purse.to_account_info(), &all.keeper.to_account_info(), amount)?;
        ask::open("");
        Ok(())
    }

    pub fn to_authority_of_mint(ctx: Context<All>, amount: u64) -> Result<()> {
        let all = &ctx.accounts;
        require_keys_eq!(all.purse.payee, all.mint.key());
        require_keys_eq!(all.mint.mint_authority.unwrap(), all.keeper.key());
        draw(&all.purse.to_account_info(), &all.keeper.to_account_info(), amount)?;
        ask::open("purse.user user");
        Ok(())
    }

    pub fn to_tokens(ctx: Context<All>, amount: u64) -> Result<()> {
        let all = ctx.accounts;
        require_keys_eq!(all.purse.payee, all.wallet.key());
        all.purse.count -= 1;
        send(all.vault.to_account_info(), all.wallet.to_account_info(), all.authority.to_account_info(), all.token_program.to_account_info(), amount)?;
        ask::open("");
        Ok(())
    }

    pub fn to_argument(ctx: Context<All>, amount: u64, payee: Pubkey) -> Result<()> {
        let all = &ctx.accounts;
        require_keys_eq!(all.purse.payee, payee);
        require_keys_eq!(all.keeper.key(), payee);
        draw(&all.purse.to_account_info(), &all.keeper.to_account_info(), amount)?;
        ask::open("");
        Ok(())
    }

    // A token of the kind that the record names, in the signer's hands, stands for the signer.
    pub fn with_badge(ctx: Context<All>, amount: u64) -> Result<()> {
        let all = &ctx.accounts;
        require_keys_eq!(all.badge.mint, all.purse.kind);
        require_keys_eq!(all.badge.owner, all.user.key());
        draw(&all.purse.to_account_info(), &all.user.to_account_info(), amount)?;
        ask::open("");
        Ok(())
    }

    pub fn with_anyones_badge(ctx: Context<All>, amount: u64) -> Result<()> {
        let all = &ctx.accounts;
        require_keys_eq!(all.badge.mint, all.purse.kind);
        draw(&all.purse.to_account_info(), &all.user.to_account_info(), amount)?;
        ask::open("purse.user user");
        Ok(())
    }

    pub fn with_any_badge(ctx: Context<All>, amount: u64) -> Result<()> {
        let all = &ctx.accounts;
        require_keys_eq!(all.vault.mint, all.purse.kind);
        require_keys_eq!(all.badge.owner, all.user.key());
        draw(&all.purse.to_account_info(), &all.user.to_account_info(), amount)?;
        ask::open("purse.user user");
        Ok(())
    }

    // Of several stored keys, the one of the signer's name; not one that is another account's.
    pub fn of_pair(ctx: Context<All>, amount: u64) -> Result<()> {
        draw(&ctx.accounts.pair.to_account_info(), &ctx.accounts.user.to_account_info(), amount)?;
        ask::open("pair.user user");
        Ok(())
    }

    pub fn of_twin(ctx: Context<All>, amount: u64) -> Result<()> {
        draw(&ctx.accounts.twin.to_account_info(), &ctx.accounts.user.to_account_info(), amount)?;
        ask::open("");
        Ok(())
    }

    pub fn of_tip(ctx: Context<All>, amount: u64) -> Result<()> {
        draw(&ctx.accounts.tip.to_account_info(), &ctx.accounts.user.to_account_info(), amount)?;
        ask::open("");
        Ok(())
    }

    pub fn of_slot(ctx: Context<All>, amount: u64) -> Result<()> {
        draw(&ctx.accounts.slot.to_account_info(), &ctx.accounts.user.to_account_info(), amount)?;
        ask::open("");
        Ok(())
    }

    pub fn of_lone(ctx: Context<All>, amount: u64) -> Result<()> {
        draw(&ctx.accounts.lone.to_account_info(), &ctx.accounts.user.to_account_info(), amount)?;
        ask::open("lone.holder user");
        Ok(())
    }

    pub fn of_chest(ctx: Context<All>, amount: u64) -> Result<()> {
        draw(&ctx.accounts.chest.to_account_info(), &ctx.accounts.user.to_account_info(), amount)?;
        ask::open("");
        Ok(())
    }

    pub fn store(ctx: Context<All>, amount: u64) -> Result<()> {
        let all = ctx.accounts;
        all.chest.store = all.vault.key();
        send(all.vault.to_account_info(), all.wallet.to_account_info(), all.authority.to_account_info(), all.token_program.to_account_info(), amount)?;
        Ok(())
    }

    // Rent for an account that the signer pays for is no gain; a new record is nobody's yet.
    pub fn rent(ctx: Context<Open>) -> Result<()> {
        let rent = Rent::get()?.minimum_balance(48);
        draw(&ctx.accounts.record.to_account_info(), &ctx.accounts.user.to_account_info(), rent)?;
        ask::open("");
        Ok(())
    }

    pub fn more_than_rent(ctx: Context<Open>, amount: u64) -> Result<()> {
        draw(&ctx.accounts.record.to_account_info(), &ctx.accounts.user.to_account_info(), amount)?;
        ask::open("record.owner user");
        Ok(())
    }

    pub fn rent_of_others(ctx: Context<All>) -> Result<()> {
        let rent = Rent::get()?.minimum_balance(48);
        draw(&ctx.accounts.record.to_account_info(), &ctx.accounts.user.to_account_info(), rent)?;
        ask::open("record.owner user");
        Ok(())
    }

    pub fn rent_for_another(ctx: Context<Open>) -> Result<()> {
        let rent = Rent::get()?.minimum_balance(48);
        draw(&ctx.accounts.record.to_account_info(), &ctx.accounts.keeper.to_account_info(), rent)?;
        ask::open("record.owner user");
        Ok(())
    }

    pub fn new_lone(ctx: Context<Open>, amount: u64) -> Result<()> {
        draw(&ctx.accounts.lone.to_account_info(), &ctx.accounts.user.to_account_info(), amount)?;
        ask::open("");
        Ok(())
    }

    pub fn zeroed(ctx: Context<Zeroed>, amount: u64) -> Result<()> {
        draw(&ctx.accounts.record.to_account_info(), &ctx.accounts.user.to_account_info(), amount)?;
        ask::open("");
        Ok(())
    }

    pub fn needed(ctx: Context<Needed>, amount: u64) -> Result<()> {
        draw(&ctx.accounts.record.to_account_info(), &ctx.accounts.user.to_account_info(), amount)?;
        ask::open("");
        Ok(())
    }

    pub fn close(ctx: Context<Close>) -> Result<()> {
        ask::open("record.owner user");
        Ok(())
    }

    pub fn close_for_another(ctx: Context<CloseFor>) -> Result<()> {
        ask::open("");
        Ok(())
    }

    // What it stores the address of is part of it.
    pub fn stored(ctx: Context<All>, amount: u64) -> Result<()> {
        require_keys_eq!(ctx.accounts.purse.payee, ctx.accounts.authority.key());
        draw(&ctx.accounts.authority.to_account_info(), &ctx.accounts.user.to_account_info(), amount)?;
        ask::open("purse.user user");
        Ok(())
    }

    pub fn not_stored(ctx: Context<All>, amount: u64) -> Result<()> {
        draw(&ctx.accounts.authority.to_account_info(), &ctx.accounts.user.to_account_info(), amount)?;
        ask::open("");
        Ok(())
    }

    pub fn written(ctx: Context<All>, amount: u64) -> Result<()> {
        ctx.accounts.slot.amount -= amount;
        require_keys_eq!(ctx.accounts.purse.payee, ctx.accounts.slot.key());
        draw(&ctx.accounts.authority.to_account_info(), &ctx.accounts.user.to_account_info(), amount)?;
        ask::open("");
        Ok(())
    }

    // Without any signature: a record that is closed, or whose amount is paid, to whom nothing names.
    pub fn free(ctx: Context<Free>) -> Result<()> {
        ask::open("record.owner keeper");
        Ok(())
    }

    pub fn free_to_owner(ctx: Context<Free>) -> Result<()> {
        require_keys_eq!(ctx.accounts.record.owner, ctx.accounts.keeper.key());
        ask::open("");
        Ok(())
    }

    pub fn free_of_owner(ctx: Context<Free>) -> Result<()> {
        require_keys_eq!(ctx.accounts.record.owner, ctx.accounts.other.key());
        ask::open("");
        Ok(())
    }

    pub fn free_to_treasury(ctx: Context<Free>) -> Result<()> {
        require_keys_eq!(ctx.accounts.keeper.key(), TREASURY);
        ask::open("");
        Ok(())
    }

    pub fn free_to_listed(ctx: Context<Free>) -> Result<()> {
        registry::verify_keeper(&ctx.accounts.keeper)?;
        ask::open("");
        Ok(())
    }

    pub fn free_tip(ctx: Context<FreeTip>) -> Result<()> {
        ask::open("");
        Ok(())
    }

    pub fn free_chest(ctx: Context<FreeChest>) -> Result<()> {
        ask::open("");
        Ok(())
    }

    pub fn free_to_next(ctx: Context<FreeStep>) -> Result<()> {
        require_keys_eq!(ctx.accounts.step.next, ctx.accounts.keeper.key());
        ask::open("");
        Ok(())
    }

    pub fn free_beside(ctx: Context<FreeRecord>) -> Result<()> {
        ctx.accounts.slot.amount += 1;
        ask::open("");
        Ok(())
    }

    pub fn free_from(ctx: Context<FreeRecord>, amount: u64) -> Result<()> {
        draw(&ctx.accounts.keeper.to_account_info(), &ctx.accounts.slot.to_account_info(), amount)?;
        ask::open("");
        Ok(())
    }

    pub fn free_global(ctx: Context<FreeGlobal>) -> Result<()> {
        ask::open("");
        Ok(())
    }

    pub fn free_record(ctx: Context<FreeRecord>) -> Result<()> {
        ask::open("");
        Ok(())
    }

    pub fn free_tokens(ctx: Context<FreeTokens>) -> Result<()> {
        ask::open("");
        Ok(())
    }

    pub fn paid(ctx: Context<Paid>) -> Result<()> {
        let seeds: &[&[u8]] = &[b"authority", &[1]];
        let accounts = system_program::Transfer { from: ctx.accounts.authority.to_account_info(), to: ctx.accounts.keeper.to_account_info() };
        system_program::transfer(CpiContext::new_with_signer(ctx.accounts.system_program.to_account_info(), accounts, &[seeds]), ctx.accounts.record.amount)?;
        ask::open("record.owner keeper");
        Ok(())
    }

    pub fn paid_amount(ctx: Context<Paid>, amount: u64) -> Result<()> {
        let seeds: &[&[u8]] = &[b"authority", &[1]];
        let accounts = system_program::Transfer { from: ctx.accounts.authority.to_account_info(), to: ctx.accounts.keeper.to_account_info() };
        system_program::transfer(CpiContext::new_with_signer(ctx.accounts.system_program.to_account_info(), accounts, &[seeds]), amount)?;
        ask::open("");
        Ok(())
    }

    pub fn paid_by_caller(ctx: Context<Paid>) -> Result<()> {
        let accounts = system_program::Transfer { from: ctx.accounts.authority.to_account_info(), to: ctx.accounts.keeper.to_account_info() };
        system_program::transfer(CpiContext::new(ctx.accounts.system_program.to_account_info(), accounts), ctx.accounts.record.amount)?;
        ask::open("");
        Ok(())
    }

    pub fn paid_lamports(ctx: Context<Paid>, amount: u64) -> Result<()> {
        draw(&ctx.accounts.record.to_account_info(), &ctx.accounts.keeper.to_account_info(), amount)?;
        ask::open("");
        Ok(())
    }
}

#[derive(Accounts)]
pub struct All<'info> {
    #[account(mut)]
    pub record: Account<'info, Record>,
    pub second: Account<'info, Record>,
    #[account(mut)]
    pub purse: Account<'info, Purse>,
    #[account(mut)]
    pub pair: Account<'info, Pair>,
    #[account(mut)]
    pub twin: Account<'info, Twin>,
    #[account(mut)]
    pub tip: Account<'info, Tip>,
    #[account(mut)]
    pub slot: Account<'info, Slot>,
    #[account(mut)]
    pub lone: Account<'info, Lone>,
    #[account(mut)]
    pub chest: Account<'info, Chest>,
    pub step: Account<'info, Step>,
    #[account(mut, seeds = [b"global"], bump)]
    pub global: Account<'info, Global>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub wallet: Account<'info, TokenAccount>,
    pub badge: Account<'info, TokenAccount>,
    pub mint: Account<'info, Mint>,
    /// CHECK: paid
    #[account(mut)]
    pub keeper: UncheckedAccount<'info>,
    /// CHECK: signs
    pub authority: UncheckedAccount<'info>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct HasOne<'info> {
    #[account(mut, has_one = owner)]
    pub record: Account<'info, Record>,
    /// CHECK: stored
    pub owner: UncheckedAccount<'info>,
    #[account(mut)]
    pub user: Signer<'info>,
}

#[derive(Accounts)]
pub struct Liquidate<'info> {
    #[account(mut)]
    pub record: Account<'info, Record>,
    #[account(mut)]
    pub liquidator: Signer<'info>,
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(init, payer = user, space = 48, seeds = [keeper.key().as_ref()], bump)]
    pub lone: Account<'info, Lone>,
    #[account(mut)]
    pub record: Account<'info, Record>,
    /// CHECK: paid
    #[account(mut)]
    pub keeper: UncheckedAccount<'info>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Zeroed<'info> {
    #[account(zero)]
    pub record: Account<'info, Record>,
    #[account(mut)]
    pub user: Signer<'info>,
}

#[derive(Accounts)]
pub struct Needed<'info> {
    #[account(init_if_needed, payer = user, space = 48)]
    pub record: Account<'info, Record>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Close<'info> {
    #[account(mut, close = user)]
    pub record: Account<'info, Record>,
    #[account(mut)]
    pub user: Signer<'info>,
}

#[derive(Accounts)]
pub struct CloseFor<'info> {
    #[account(mut, close = keeper)]
    pub record: Account<'info, Record>,
    /// CHECK: paid
    #[account(mut)]
    pub keeper: UncheckedAccount<'info>,
    pub user: Signer<'info>,
}

#[derive(Accounts)]
pub struct Free<'info> {
    #[account(mut, close = keeper)]
    pub record: Account<'info, Record>,
    /// CHECK: compared
    pub other: UncheckedAccount<'info>,
    /// CHECK: paid
    #[account(mut)]
    pub keeper: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct FreeTip<'info> {
    #[account(mut, close = keeper)]
    pub tip: Account<'info, Tip>,
    /// CHECK: paid
    #[account(mut)]
    pub keeper: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct FreeChest<'info> {
    #[account(mut, close = keeper)]
    pub chest: Account<'info, Chest>,
    /// CHECK: paid
    #[account(mut)]
    pub keeper: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct FreeStep<'info> {
    #[account(mut, close = keeper)]
    pub record: Account<'info, Record>,
    pub step: Account<'info, Step>,
    /// CHECK: paid
    #[account(mut)]
    pub keeper: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct FreeGlobal<'info> {
    #[account(mut, seeds = [b"global"], bump, close = keeper)]
    pub global: Account<'info, Global>,
    /// CHECK: paid
    #[account(mut)]
    pub keeper: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct FreeRecord<'info> {
    #[account(mut, close = slot)]
    pub record: Account<'info, Record>,
    #[account(mut)]
    pub slot: Account<'info, Slot>,
    /// CHECK: unpaid
    pub keeper: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct FreeTokens<'info> {
    #[account(mut, close = wallet)]
    pub record: Account<'info, Record>,
    #[account(mut)]
    pub wallet: Account<'info, TokenAccount>,
}

#[derive(Accounts)]
pub struct Paid<'info> {
    #[account(mut)]
    pub record: Account<'info, Record>,
    /// CHECK: signs
    #[account(mut)]
    pub authority: UncheckedAccount<'info>,
    /// CHECK: paid
    #[account(mut)]
    pub keeper: UncheckedAccount<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Record { pub owner: Pubkey, pub amount: u64 }
#[account]
pub struct Purse { pub payee: Pubkey, pub kind: Pubkey, pub user: Pubkey, pub count: u64 }
#[account]
pub struct Pair { pub user: Pubkey, pub other: Pubkey }
#[account]
pub struct Twin { pub first: Pubkey, pub last: Pubkey }
#[account]
pub struct Step { pub next: Pubkey }
#[account]
pub struct Tip { pub keeper: Pubkey }
#[account]
pub struct Slot { pub amount: u64 }
#[account]
pub struct Lone { pub holder: Pubkey }
#[account]
pub struct Chest { pub store: Pubkey }
#[account]
pub struct Global { pub admin: Pubkey }

#[error_code]
pub enum Wrong { Owner }
`,
  ],
)
