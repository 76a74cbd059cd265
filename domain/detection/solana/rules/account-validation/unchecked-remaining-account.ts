import { guaranteed, type Event } from "../../../rust/terms/events.ts"
import { mentions, pathEnds, type Term } from "../../../rust/terms/terms.ts"
import type { Rule } from "../../../Rule.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { checksOf } from "../../questions/checks.ts"
import { cpiOf, movesValue } from "../../questions/cpi.ts"
import { roleOf } from "../../questions/signedCpi.ts"
import { weightOfRemaining } from "../../payments/weights.ts"
import type { AccountCheck, SolanaProgram } from "../../program/model.ts"
import { isRemaining, looseRecords, remainingIn } from "../../records/remainingRecords.ts"
import { accountOfState } from "../../program/semantics.ts"
import { unevenUses } from "../../siblings/siblingArms.ts"

export const uncheckedRemainingAccount: Rule<SolanaProgram> = {
  meta: {
    id: "solana/account-validation/unchecked-remaining-account",
    class: "remaining-accounts",
    title: "Unchecked remaining accounts",
    severity: "high",
    confidence: "medium",
    cwe: [20, 345],
    description:
      "The instruction reads, writes or pays accounts from `remaining_accounts`. Anchor checks neither their " +
      "owner, type and address nor that they differ. An attacker appends accounts of their own with forged " +
      "contents, records that belong to someone or something else, or the same account several times.",
    remediation:
      "Load each one with `Account::<T>::try_from(account)?`, or compare its owner and its key (or derived " +
      "address) with the program's state before using it, and reject duplicates.",
    references: [
      "https://docs.rs/anchor-lang/latest/anchor_lang/context/struct.Context.html",
      "https://www.helius.dev/blog/a-hitchhikers-guide-to-solana-program-security",
    ],
  },
  check: (program, report) => {
    for (const crate of program.crates)
      for (const instruction of crate.instructions) {
        const known = new Set<Term>()
        const reported = new Set<Term>()
        for (const event of instruction.events) {
          const account = usedBy(event)
          if (account === undefined || known.has(account)) continue
          known.add(account)
          const checks = checksOf(account, guaranteed(event))
          if (checks.some((one) => !/^(distinct|data|state)$/.test(one.kind) || isOwnersOfPaid(event, account, one)))
            continue
          reported.add(account)
          report({
            ...placeOf(event),
            ...weightOfRemaining(instruction, account),
            message: `\`${instruction.name}\` uses an account from \`remaining_accounts\` without checking whose it is.`,
          })
        }
        for (const { account, site } of unevenUses(instruction)) {
          if (reported.has(account) || !isRemaining(account)) continue
          reported.add(account)
          report({
            ...site,
            severity: "medium",
            message: `\`${instruction.name}\` does not check here which of the remaining accounts it uses, although it does on another path.`,
          })
        }
        for (const { record, event, belonging } of looseRecords(crate, instruction)) {
          if (reported.has(record)) continue
          report({
            ...placeOf(event),
            severity: "medium",
            message:
              belonging === undefined
                ? `\`${instruction.name}\` adds up values stored in the remaining accounts; one passed twice counts twice.`
                : `\`${instruction.name}\` never compares \`${belonging.field}\` of a remaining account with \`${belonging.to.name}\`.`,
          })
        }
      }
  },
  examples: {
    vulnerable: [
      // Several at a time.
      `use anchor_lang::prelude::*;
use anchor_spl::token::TokenAccount;
use art_client::accounts::Artwork;
use itertools::Itertools;

#[program]
pub mod guild {
    use super::*;
    pub fn vote<'info>(ctx: Context<'_, '_, 'info, 'info, Vote<'info>>) -> Result<()> {
        let mut pieces = 0u64;
        for (token, metadata) in ctx.remaining_accounts.iter().tuples() {
            let piece = Account::<TokenAccount>::try_from(token)?;
            require_keys_eq!(piece.owner, ctx.accounts.voter.key());
            let art = Artwork::try_from(metadata)?; // FINDING
            require_keys_eq!(art.collection, ctx.accounts.guild.collection);
            require_keys_eq!(art.mint, piece.mint);
            pieces += 1;
        }
        ctx.accounts.member.votes = pieces;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Vote<'info> {
    pub guild: Account<'info, Guild>,
    #[account(mut, has_one = voter, has_one = guild)]
    pub member: Account<'info, Member>,
    pub voter: Signer<'info>,
}

#[account]
pub struct Guild { pub collection: Pubkey }

#[account]
pub struct Member { pub voter: Pubkey, pub guild: Pubkey, pub votes: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::TokenAccount;
use art_client::accounts::Artwork;
use itertools::Itertools;

#[program]
pub mod guild {
    use super::*;
    pub fn vote<'info>(ctx: Context<'_, '_, 'info, 'info, Vote<'info>>) -> Result<()> {
        let mut pieces = 0u64;
        for [token, metadata] in ctx.remaining_accounts.array_chunks() {
            let piece = Account::<TokenAccount>::try_from(token)?;
            require_keys_eq!(piece.owner, ctx.accounts.voter.key());
            let art = Artwork::try_from(metadata)?; // FINDING
            require_keys_eq!(art.collection, ctx.accounts.guild.collection);
            require_keys_eq!(art.mint, piece.mint);
            pieces += 1;
        }
        ctx.accounts.member.votes = pieces;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Vote<'info> {
    pub guild: Account<'info, Guild>,
    #[account(mut, has_one = voter, has_one = guild)]
    pub member: Account<'info, Member>,
    pub voter: Signer<'info>,
}

#[account]
pub struct Guild { pub collection: Pubkey }

#[account]
pub struct Member { pub voter: Pubkey, pub guild: Pubkey, pub votes: u64 }
`,
      // What kind of record it is stands where it is bound.
      `use anchor_lang::prelude::*;

#[program]
pub mod gov {
    use super::*;
    pub fn cast<'info>(ctx: Context<'_, '_, 'info, 'info, Cast<'info>>) -> Result<()> {
        let mut weight: u64 = 0;
        for info in ctx.remaining_accounts {
            let deposit: Account<'info, Deposit> = Account::try_from(info)?;
            require_keys_eq!(deposit.owner, ctx.accounts.voter.key());
            weight = weight.checked_add(deposit.weight).unwrap();
        }
        ctx.accounts.proposal.yes = ctx.accounts.proposal.yes.checked_add(weight).unwrap(); // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Cast<'info> {
    #[account(mut)]
    pub proposal: Account<'info, Proposal>,
    #[account(mut)]
    pub voter: Signer<'info>,
}

#[account]
pub struct Deposit { pub owner: Pubkey, pub weight: u64 }

#[account]
pub struct Proposal { pub yes: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod depot {
    use super::*;

    pub fn appraise<'info>(ctx: Context<'_, '_, 'info, 'info, Appraise<'info>>) -> Result<()> {
        let shelf = &mut ctx.accounts.shelf;
        shelf.worth = worth(shelf, ctx.remaining_accounts)?;
        Ok(())
    }
}

fn worth(shelf: &Shelf, from: &[AccountInfo]) -> Result<u64> {
    match shelf.by {
        Method::Auction => {
            require_keys_eq!(*from[0].key, shelf.first);
            require_keys_eq!(*from[0].owner, auctions::ID);
            Ok(auctions::state::Lot::try_deserialize(&mut &from[0].data.borrow()[..])?.last_bid)
        }
        _ => {
            require_keys_eq!(*from[0].owner, shelf.second);
            let index = indices::state::Index::try_deserialize(&mut &from[0].data.borrow()[..])?; // FINDING
            require!(index.kind == indices::KIND && index.level < shelf.worth, DepotError::Unknown);
            Ok(index.level)
        }
    }
}

#[derive(Accounts)]
pub struct Appraise<'info> {
    #[account(mut)]
    pub shelf: Account<'info, Shelf>,
}

#[account]
pub struct Shelf { pub by: Method, pub first: Pubkey, pub second: Pubkey, pub worth: u64 }
#[derive(AnchorSerialize, AnchorDeserialize, Clone, Copy)]
pub enum Method { Auction, Index, Appraiser, Register }
#[error_code]
pub enum DepotError { Unknown }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod depot {
    use super::*;

    pub fn appraise<'info>(ctx: Context<'_, '_, 'info, 'info, Appraise<'info>>) -> Result<()> {
        let shelf = &mut ctx.accounts.shelf;
        let at = ctx.remaining_accounts.len() - 2;
        shelf.worth = worth(shelf, &ctx.remaining_accounts[at..])?;
        Ok(())
    }
}

fn worth(shelf: &Shelf, from: &[AccountInfo]) -> Result<u64> {
    if let Method::Auction = shelf.by {
        require_keys_eq!(*from[0].key, shelf.first);
        require_keys_eq!(*from[0].owner, auctions::ID);
        require_keys_eq!(*from[1].key, shelf.second);
        require_keys_eq!(*from[1].owner, indices::ID);
        let bid = auctions::state::Lot::try_deserialize(&mut &from[0].data.borrow()[..])?.last_bid;
        Ok(bid * indices::state::Index::try_deserialize(&mut &from[1].data.borrow()[..])?.level)
    } else {
        require_keys_eq!(*from[0].key, shelf.first);
        require_keys_eq!(*from[1].owner, indices::ID);
        Ok(indices::state::Index::try_deserialize(&mut &from[1].data.borrow()[..])?.level) // FINDING
    }
}

#[derive(Accounts)]
pub struct Appraise<'info> {
    #[account(mut)]
    pub shelf: Account<'info, Shelf>,
}

#[account]
pub struct Shelf { pub by: Method, pub first: Pubkey, pub second: Pubkey, pub worth: u64 }
#[derive(AnchorSerialize, AnchorDeserialize, Clone, Copy)]
pub enum Method { Auction, Index, Appraiser, Register }
#[error_code]
pub enum DepotError { Unknown }
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::program_pack::Pack;
use spl_token::state::Account as Tokens;

fn tokens_of(info: &AccountInfo, owner: &Pubkey) -> core::result::Result<Tokens, ProgramError> {
    let data = info.try_borrow_data()?;
    let tokens = Tokens::unpack(&data)?; // FINDING
    if tokens.owner != *owner {
        return Err(ProgramError::IllegalOwner);
    }
    Ok(tokens)
}

#[program]
pub mod presale {
    use super::*;

    pub fn enter(ctx: Context<Enter>) -> Result<()> {
        let pass = &ctx.remaining_accounts[0];
        match tokens_of(pass, &ctx.accounts.buyer.key()) {
            Ok(tokens) => {
                if tokens.amount > 0 {
                    ctx.accounts.sale.early += 1;
                }
            }
            Err(_) => ctx.accounts.sale.late += 1,
        }
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Enter<'info> {
    #[account(mut)]
    pub sale: Account<'info, Sale>,
    pub buyer: Signer<'info>,
}

#[account]
pub struct Sale {
    pub early: u64,
    pub late: u64,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod votes {
    use super::*;

    pub fn count<'info>(ctx: Context<'_, '_, '_, 'info, Count<'info>>) -> Result<()> {
        for info in ctx.remaining_accounts.iter() {
            let mut bytes: &[u8] = &info.try_borrow_data()?;
            let ballot = Ballot::try_deserialize(&mut bytes)?; // FINDING
            ctx.accounts.poll.votes += ballot.weight;
        }
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Count<'info> {
    #[account(mut)]
    pub poll: Account<'info, Poll>,
}

#[account]
pub struct Poll {
    pub votes: u64,
}

#[account]
pub struct Ballot {
    pub weight: u64,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod rewards {
    use super::*;

    pub fn pay(ctx: Context<Pay>, share: u64) -> Result<()> {
        let winner = &ctx.remaining_accounts[0];
        **ctx.accounts.pot.to_account_info().try_borrow_mut_lamports()? -= share;
        **winner.try_borrow_mut_lamports()? += share; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Pay<'info> {
    #[account(mut)]
    pub pot: Account<'info, Pot>,
}

#[account]
pub struct Pot {
    pub round: u64,
}
`,
      `use pinocchio::{account_info::AccountInfo, program_error::ProgramError, pubkey::Pubkey, ProgramResult};

pub fn count(program_id: &Pubkey, accounts: &[AccountInfo], _data: &[u8]) -> ProgramResult {
    let [tally, rest @ ..] = accounts else { return Err(ProgramError::NotEnoughAccountKeys) };
    if !tally.is_owned_by(program_id) { return Err(ProgramError::InvalidAccountOwner); }
    let mut sum = 0u64;
    for one in rest.iter() {
        let bytes = one.try_borrow_data()?;
        let word = bytes.get(64..72).and_then(|some| some.try_into().ok()).ok_or(ProgramError::InvalidAccountData)?; // FINDING
        sum = sum.checked_add(u64::from_le_bytes(word)).ok_or(ProgramError::ArithmeticOverflow)?;
    }
    tally.try_borrow_mut_data()?[..8].copy_from_slice(&sum.to_le_bytes());
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod teams {
    use super::*;

    pub fn share(ctx: Context<Share>) -> Result<()> {
        for (index, member) in ctx.remaining_accounts.iter().enumerate() {
            ctx.accounts.team.sub_lamports(ctx.accounts.team.part)?;
            **member.try_borrow_mut_lamports()? += ctx.accounts.team.part; // FINDING
        }
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Share<'info> {
    #[account(mut)]
    pub team: Account<'info, Team>,
}

#[account]
pub struct Team {
    pub members: Vec<Pubkey>,
    pub part: u64,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod halls {
    use super::*;

    pub fn enter(ctx: Context<Enter>, size: u64) -> Result<()> {
        ctx.accounts.badge.hall = ctx.accounts.hall.key();
        ctx.accounts.badge.size = size;
        Ok(())
    }

    pub fn raise<'info>(ctx: Context<'_, '_, 'info, 'info, Raise<'info>>) -> Result<()> {
        let badges: Vec<Account<Badge>> = ctx.remaining_accounts.iter().filter_map(|one| Account::<Badge>::try_from(one).ok()).collect();
        for badge in badges.iter() {
            require_keys_eq!(badge.hall, ctx.accounts.hall.key());
            require_keys_eq!(badge.proxy, ctx.accounts.proxy.key());
            ctx.accounts.hall.hands = ctx.accounts.hall.hands.checked_add(badge.size).unwrap(); // FINDING
        }
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Enter<'info> {
    #[account(has_one = warden)]
    pub hall: Account<'info, Hall>,
    #[account(init, payer = warden, space = 120)]
    pub badge: Account<'info, Badge>,
    #[account(mut)]
    pub warden: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Raise<'info> {
    #[account(mut)]
    pub hall: Account<'info, Hall>,
    pub proxy: Signer<'info>,
}

#[account]
pub struct Hall { pub warden: Pubkey, pub hands: u64 }

#[account]
pub struct Badge { pub hall: Pubkey, pub proxy: Pubkey, pub size: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod halls {
    use super::*;

    pub fn enter(ctx: Context<Enter>, size: u64) -> Result<()> {
        ctx.accounts.badge.hall = ctx.accounts.hall.key();
        ctx.accounts.badge.size = size;
        Ok(())
    }

    pub fn raise<'info>(ctx: Context<'_, '_, 'info, 'info, Raise<'info>>) -> Result<()> {
        let badges: Vec<Account<Badge>> = ctx.remaining_accounts.iter().filter_map(|one| Account::<Badge>::try_from(one).ok()).collect(); // FINDING
        for badge in badges.iter() {
            require_keys_eq!(badge.proxy, ctx.accounts.proxy.key());
            ctx.accounts.hall.hands = ctx.accounts.hall.hands.max(badge.size);
        }
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Enter<'info> {
    #[account(has_one = warden)]
    pub hall: Account<'info, Hall>,
    #[account(init, payer = warden, space = 120)]
    pub badge: Account<'info, Badge>,
    #[account(mut)]
    pub warden: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Raise<'info> {
    #[account(mut)]
    pub hall: Account<'info, Hall>,
    pub proxy: Signer<'info>,
}

#[account]
pub struct Hall { pub warden: Pubkey, pub hands: u64 }

#[account]
pub struct Badge { pub hall: Pubkey, pub proxy: Pubkey, pub size: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod halls {
    use super::*;

    pub fn enter(ctx: Context<Enter>, size: u64) -> Result<()> {
        ctx.accounts.badge.hall = ctx.accounts.hall.key();
        ctx.accounts.badge.size = size;
        Ok(())
    }

    pub fn raise<'info>(ctx: Context<'_, '_, 'info, 'info, Raise<'info>>) -> Result<()> {
        let badges: Vec<Account<Badge>> = ctx.remaining_accounts.iter().filter_map(|one| Account::<Badge>::try_from(one).ok()).collect(); // FINDING
        for badge in badges.iter() {
            require_keys_eq!(badge.hall, ctx.accounts.hall.key());
            ctx.accounts.hall.hands = ctx.accounts.hall.hands.max(badge.size);
        }
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Enter<'info> {
    #[account(has_one = warden)]
    pub hall: Account<'info, Hall>,
    #[account(init, payer = warden, space = 120)]
    pub badge: Account<'info, Badge>,
    #[account(mut)]
    pub warden: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Raise<'info> {
    #[account(mut)]
    pub hall: Account<'info, Hall>,
    pub proxy: Signer<'info>,
}

#[account]
pub struct Hall { pub warden: Pubkey, pub hands: u64 }

#[account]
pub struct Badge { pub hall: Pubkey, pub proxy: Pubkey, pub size: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, accessor, Token, Transfer};

#[program]
pub mod pools {
    use super::*;
    // Neither that it is another account nor what its bytes say tells whose it is.
    pub fn drain(ctx: Context<Act>) -> Result<()> {
        let extra = &ctx.remaining_accounts[0];
        require!(extra.key() != ctx.accounts.user.key(), ErrorCode::Same);
        require!(extra.lamports() == 5, ErrorCode::Same);
        **extra.try_borrow_mut_lamports()? += 1; // FINDING
        **extra.try_borrow_mut_lamports()? += 2;
        Ok(())
    }
    pub fn load(ctx: Context<Act>) -> Result<()> {
        let extra = &ctx.remaining_accounts[0];
        let member = Member::try_deserialize(&mut &extra.data.borrow()[..])?; // FINDING
        require!(member.weight > 0, ErrorCode::Same);
        ctx.accounts.pool.total += member.weight;
        Ok(())
    }
    pub fn load_own(ctx: Context<Act>) -> Result<()> {
        let extra = &ctx.remaining_accounts[0];
        require!(extra.owner == ctx.program_id, ErrorCode::Same);
        let member = Member::try_deserialize(&mut &extra.data.borrow()[..])?;
        ctx.accounts.pool.total = member.weight;
        Ok(())
    }
    pub fn weigh(ctx: Context<Act>) -> Result<()> {
        ctx.accounts.pool.total += accessor::amount(&ctx.remaining_accounts[0])?; // FINDING
        Ok(())
    }
    pub fn pick(ctx: Context<Act>) -> Result<()> {
        ctx.accounts.pool.total += ctx.remaining_accounts[0].data.borrow()[8] as u64; // FINDING
        Ok(())
    }
    // The user pays out of what is theirs, to whomever they like.
    pub fn send(ctx: Context<Act>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.held.to_account_info(),
            to: ctx.remaining_accounts[0].to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)
    }
    pub fn halve(ctx: Context<Act>) -> Result<()> {
        ctx.accounts.pool.total = ctx.remaining_accounts[0].lamports() / 2;
        Ok(())
    }
    pub fn tell(ctx: Context<Act>) -> Result<()> {
        let accounts = Notify { to: ctx.remaining_accounts[0].to_account_info() };
        let seeds: &[&[&[u8]]] = &[&[b"pool"]];
        bell::ring(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, seeds))
    }
    pub fn sum(ctx: Context<Act>, amounts: Vec<u64>) -> Result<()> {
        let numbers = ctx.remaining_accounts.len() + amounts.len();
        ctx.accounts.pool.total = amounts[0] + numbers as u64;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Act<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
    pub user: Signer<'info>,
    /// CHECK: the token program compares its owner
    #[account(mut)]
    pub held: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Pool { pub total: u64 }

#[account]
pub struct Member { pub weight: u64 }

#[error_code]
pub enum ErrorCode { Same }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod desk {
    use super::*;
    pub fn trade(ctx: Context<Trade>, amount: u64) -> Result<()> {
        ctx.accounts.user.volume += amount;
        if let Some(info) = ctx.remaining_accounts.first() {
            if amount > 100 {
                let mut friend: Account<User> = Account::try_from(info)?; // FINDING
                friend.rewards += amount / 100;
                friend.exit(ctx.program_id)?;
            }
        }
        Ok(())
    }
    pub fn audit(ctx: Context<Trade>) -> Result<()> {
        ctx.accounts.book.load_mut()?.audited = ctx.accounts.user.volume;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Trade<'info> {
    #[account(mut, has_one = owner, has_one = book)]
    pub user: Account<'info, User>,
    #[account(mut, has_one = user)]
    pub book: AccountLoader<'info, Book>,
    pub owner: Signer<'info>,
}

#[account]
pub struct User { pub owner: Pubkey, pub book: Pubkey, pub volume: u64, pub rewards: u64 }
#[account(zero_copy)]
pub struct Book { pub user: Pubkey, pub audited: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod votes {
    use super::*;
    pub fn count(ctx: Context<Count>) -> Result<()> {
        let info = &ctx.remaining_accounts[0];
        let mut deposit: Account<Deposit> = Account::try_from(info)?; // FINDING
        require_keys_eq!(deposit.owner, ctx.accounts.record.owner);
        deposit.used = true;
        ctx.accounts.record.weight = deposit.amount;
        deposit.exit(ctx.program_id)
    }
}

#[derive(Accounts)]
pub struct Count<'info> {
    #[account(mut)]
    pub record: Account<'info, Record>,
    pub delegate: Signer<'info>,
}

#[account]
pub struct Record { pub owner: Pubkey, pub weight: u64 }
// A delegate acts for one of them.
#[account]
pub struct Deposit { pub owner: Pubkey, pub delegate: Pubkey, pub amount: u64, pub used: bool }
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;
use anchor_spl::token::TokenAccount;
use art_client::accounts::Artwork;
use itertools::Itertools;

#[program]
pub mod guild {
    use super::*;
    pub fn vote<'info>(ctx: Context<'_, '_, 'info, 'info, Vote<'info>>) -> Result<()> {
        let mut pieces = 0u64;
        for (token, metadata) in ctx.remaining_accounts.iter().tuples() {
            let piece = Account::<TokenAccount>::try_from(token)?;
            require_keys_eq!(piece.owner, ctx.accounts.voter.key());
            require_keys_eq!(*metadata.owner, art_client::ID);
            let art = Artwork::try_from(metadata)?;
            require_keys_eq!(art.collection, ctx.accounts.guild.collection);
            require_keys_eq!(art.mint, piece.mint);
            pieces += 1;
        }
        ctx.accounts.member.votes = pieces;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Vote<'info> {
    pub guild: Account<'info, Guild>,
    #[account(mut, has_one = voter, has_one = guild)]
    pub member: Account<'info, Member>,
    pub voter: Signer<'info>,
}

#[account]
pub struct Guild { pub collection: Pubkey }

#[account]
pub struct Member { pub voter: Pubkey, pub guild: Pubkey, pub votes: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod votes {
    use super::*;
    pub fn count(ctx: Context<Count>) -> Result<()> {
        let info = &ctx.remaining_accounts[0];
        let mut deposit: Account<Deposit> = Account::try_from(info)?;
        require_keys_eq!(deposit.owner, ctx.accounts.record.owner);
        deposit.used = true;
        ctx.accounts.record.weight = deposit.amount;
        deposit.exit(ctx.program_id)
    }
}

#[derive(Accounts)]
pub struct Count<'info> {
    #[account(mut)]
    pub record: Account<'info, Record>,
    pub payer: Signer<'info>,
}

#[account]
pub struct Record { pub owner: Pubkey, pub weight: u64 }
// Who paid its rent does not matter.
#[account]
pub struct Deposit { pub owner: Pubkey, pub payer: Pubkey, pub amount: u64, pub used: bool }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod desk {
    use super::*;
    pub fn trade(ctx: Context<Trade>, amount: u64) -> Result<()> {
        ctx.accounts.user.volume += amount;
        // Whoever referred the user is somebody else, with a book of their own.
        if let Some(info) = ctx.remaining_accounts.first() {
            if !info.key.eq(&ctx.accounts.user.key()) {
                let mut friend: Account<User> = Account::try_from(info)?;
                friend.rewards += amount / 100;
                friend.exit(ctx.program_id)?;
            }
        }
        Ok(())
    }
    pub fn audit(ctx: Context<Trade>) -> Result<()> {
        ctx.accounts.book.load_mut()?.audited = ctx.accounts.user.volume;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Trade<'info> {
    #[account(mut, has_one = owner, has_one = book)]
    pub user: Account<'info, User>,
    #[account(mut, has_one = user)]
    pub book: AccountLoader<'info, Book>,
    pub owner: Signer<'info>,
}

#[account]
pub struct User { pub owner: Pubkey, pub book: Pubkey, pub volume: u64, pub rewards: u64 }
#[account(zero_copy)]
pub struct Book { pub user: Pubkey, pub audited: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod depot {
    use super::*;

    pub fn appraise<'info>(ctx: Context<'_, '_, 'info, 'info, Appraise<'info>>) -> Result<()> {
        let shelf = &mut ctx.accounts.shelf;
        shelf.worth = worth(shelf, ctx.remaining_accounts)?;
        Ok(())
    }
}

fn worth(shelf: &Shelf, from: &[AccountInfo]) -> Result<u64> {
    require_keys_eq!(*from[0].owner, appraisers::ID);
    if let Method::Index = shelf.by {
        require_keys_eq!(*from[0].key, shelf.first);
        Ok(appraisers::state::Opinion::try_deserialize(&mut &from[0].data.borrow()[..])?.value)
    } else {
        require_keys_eq!(*from[1].key, shelf.second);
        let opinion = appraisers::state::Opinion::try_deserialize(&mut &from[0].data.borrow()[..])?;
        require_keys_eq!(opinion.by, *from[1].key);
        Ok(opinion.value)
    }
}

#[derive(Accounts)]
pub struct Appraise<'info> {
    #[account(mut)]
    pub shelf: Account<'info, Shelf>,
}

#[account]
pub struct Shelf { pub by: Method, pub first: Pubkey, pub second: Pubkey, pub worth: u64 }
#[derive(AnchorSerialize, AnchorDeserialize, Clone, Copy)]
pub enum Method { Auction, Index, Appraiser, Register }
#[error_code]
pub enum DepotError { Unknown }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod depot {
    use super::*;

    pub fn appraise<'info>(ctx: Context<'_, '_, 'info, 'info, Appraise<'info>>) -> Result<()> {
        let shelf = &mut ctx.accounts.shelf;
        shelf.worth = worth(shelf, ctx.remaining_accounts)?;
        Ok(())
    }
}

fn worth(shelf: &Shelf, from: &[AccountInfo]) -> Result<u64> {
    require_keys_eq!(*from[0].owner, indices::ID);
    if let Method::Index = shelf.by {
        require_keys_eq!(*from[0].key, *from[1].key);
        Ok(indices::state::Index::try_deserialize(&mut &from[0].data.borrow()[..])?.level)
    } else {
        Ok(indices::state::Index::try_deserialize(&mut &from[0].data.borrow()[..])?.next)
    }
}

#[derive(Accounts)]
pub struct Appraise<'info> {
    #[account(mut)]
    pub shelf: Account<'info, Shelf>,
}

#[account]
pub struct Shelf { pub by: Method, pub first: Pubkey, pub second: Pubkey, pub worth: u64 }
#[derive(AnchorSerialize, AnchorDeserialize, Clone, Copy)]
pub enum Method { Auction, Index, Appraiser, Register }
#[error_code]
pub enum DepotError { Unknown }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod depot {
    use super::*;

    pub fn appraise<'info>(ctx: Context<'_, '_, 'info, 'info, Appraise<'info>>) -> Result<()> {
        let shelf = &mut ctx.accounts.shelf;
        shelf.worth = worth(shelf, ctx.remaining_accounts)?;
        Ok(())
    }
}

fn worth(shelf: &Shelf, from: &[AccountInfo]) -> Result<u64> {
    if let Method::Index = shelf.by {
        let (address, _) = Pubkey::find_program_address(&[b"index", shelf.second.as_ref()], &indices::ID);
        require_keys_eq!(*from[0].key, address);
        Ok(indices::state::Index::try_deserialize(&mut &from[0].data.borrow()[..])?.level)
    } else {
        require_keys_eq!(*from[0].owner, appraisers::ID);
        Ok(appraisers::state::Opinion::try_deserialize(&mut &from[0].data.borrow()[..])?.value)
    }
}

#[derive(Accounts)]
pub struct Appraise<'info> {
    #[account(mut)]
    pub shelf: Account<'info, Shelf>,
}

#[account]
pub struct Shelf { pub by: Method, pub first: Pubkey, pub second: Pubkey, pub worth: u64 }
#[derive(AnchorSerialize, AnchorDeserialize, Clone, Copy)]
pub enum Method { Auction, Index, Appraiser, Register }
#[error_code]
pub enum DepotError { Unknown }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod depot {
    use super::*;

    pub fn appraise<'info>(ctx: Context<'_, '_, 'info, 'info, Appraise<'info>>) -> Result<()> {
        let shelf = &mut ctx.accounts.shelf;
        shelf.worth = worth(shelf, ctx.remaining_accounts)?;
        Ok(())
    }
}

fn worth(shelf: &Shelf, from: &[AccountInfo]) -> Result<u64> {
    require_keys_eq!(*from[0].owner, indices::ID);
    let level = indices::state::Index::try_deserialize(&mut &from[0].data.borrow()[..])?.level;
    if let Method::Index = shelf.by {
        require_keys_eq!(*from[0].key, shelf.first);
        return Ok(indices::state::Index::try_deserialize(&mut &from[0].data.borrow()[..])?.next);
    }
    Ok(level)
}

#[derive(Accounts)]
pub struct Appraise<'info> {
    #[account(mut)]
    pub shelf: Account<'info, Shelf>,
}

#[account]
pub struct Shelf { pub by: Method, pub first: Pubkey, pub second: Pubkey, pub worth: u64 }
#[derive(AnchorSerialize, AnchorDeserialize, Clone, Copy)]
pub enum Method { Auction, Index, Appraiser, Register }
#[error_code]
pub enum DepotError { Unknown }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod depot {
    use super::*;

    pub fn appraise<'info>(ctx: Context<'_, '_, 'info, 'info, Appraise<'info>>) -> Result<()> {
        let shelf = &mut ctx.accounts.shelf;
        shelf.worth = worth(shelf, ctx.remaining_accounts)?;
        Ok(())
    }
}

fn worth(shelf: &Shelf, from: &[AccountInfo]) -> Result<u64> {
    match shelf.by {
        Method::Auction => {
            require_keys_eq!(*from[0].key, shelf.first);
            require_keys_eq!(*from[0].owner, auctions::ID);
            Ok(auctions::state::Lot::try_deserialize(&mut &from[0].data.borrow()[..])?.last_bid)
        }
        Method::Index => {
            let (address, _) = Pubkey::find_program_address(&[b"index", shelf.second.as_ref()], &indices::ID);
            require_keys_eq!(*from[0].key, address);
            Ok(indices::state::Index::try_deserialize(&mut &from[0].data.borrow()[..])?.level)
        }
        Method::Appraiser => {
            require_keys_eq!(*from[0].owner, appraisers::ID);
            let opinion = appraisers::state::Opinion::try_deserialize(&mut &from[0].data.borrow()[..])?;
            require_keys_eq!(opinion.about, shelf.first);
            Ok(opinion.value)
        }
        Method::Register => {
            registers::check_entry(&from[0])?;
            Ok(registers::state::Entry::try_deserialize(&mut &from[0].data.borrow()[..])?.value)
        }
        Method::Worthless => {
            msg!("{}", from[0].key());
            Ok(0)
        }
    }
}

#[derive(Accounts)]
pub struct Appraise<'info> {
    #[account(mut)]
    pub shelf: Account<'info, Shelf>,
}

#[account]
pub struct Shelf { pub by: Method, pub first: Pubkey, pub second: Pubkey, pub worth: u64 }
#[derive(AnchorSerialize, AnchorDeserialize, Clone, Copy)]
pub enum Method { Auction, Index, Appraiser, Register, Worthless }
#[error_code]
pub enum DepotError { Unknown }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod depot {
    use super::*;

    pub fn appraise<'info>(ctx: Context<'_, '_, 'info, 'info, Appraise<'info>>) -> Result<()> {
        let shelf = &mut ctx.accounts.shelf;
        shelf.worth = worth(shelf, ctx.remaining_accounts)?;
        Ok(())
    }
}

fn worth(shelf: &Shelf, from: &[AccountInfo]) -> Result<u64> {
    require_keys_eq!(*from[0].owner, indices::ID);
    if from[0].key == &shelf.first {
        Ok(indices::state::Index::try_deserialize(&mut &from[0].data.borrow()[..])?.level)
    } else {
        let level = indices::state::Index::try_deserialize(&mut &from[0].data.borrow()[..])?.level;
        Ok(level.min(shelf.worth))
    }
}

#[derive(Accounts)]
pub struct Appraise<'info> {
    #[account(mut)]
    pub shelf: Account<'info, Shelf>,
}

#[account]
pub struct Shelf { pub by: Method, pub first: Pubkey, pub second: Pubkey, pub worth: u64 }
#[derive(AnchorSerialize, AnchorDeserialize, Clone, Copy)]
pub enum Method { Auction, Index, Appraiser, Register }
#[error_code]
pub enum DepotError { Unknown }
`,
      // A helper checks it and reads it; what the caller makes of a failure is its own business.
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::program_pack::Pack;
use spl_token::state::Account as Tokens;

fn tokens_of(info: &AccountInfo, owner: &Pubkey) -> core::result::Result<Tokens, ProgramError> {
    if info.owner != &spl_token::ID {
        return Err(ProgramError::IllegalOwner);
    }
    let data = info.try_borrow_data()?;
    let tokens = Tokens::unpack(&data)?;
    if tokens.owner != *owner {
        return Err(ProgramError::IllegalOwner);
    }
    Ok(tokens)
}

#[program]
pub mod presale {
    use super::*;

    pub fn enter(ctx: Context<Enter>) -> Result<()> {
        let pass = &ctx.remaining_accounts[0];
        match tokens_of(pass, &ctx.accounts.buyer.key()) {
            Ok(tokens) => {
                if tokens.amount > 0 {
                    ctx.accounts.sale.early += 1;
                }
            }
            Err(_) => ctx.accounts.sale.late += 1,
        }
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Enter<'info> {
    #[account(mut)]
    pub sale: Account<'info, Sale>,
    pub buyer: Signer<'info>,
}

#[account]
pub struct Sale {
    pub early: u64,
    pub late: u64,
}
`,
      // A list from the caller is not the accounts.
      `use anchor_lang::prelude::*;

#[program]
pub mod pools {
    use super::*;
    pub fn sort(ctx: Context<Sort>, entries: [Entry; 4]) -> Result<()> {
        let mut sorted = entries;
        sorted.sort_by_key(|one| one.tag);
        for entry in sorted.iter_mut() {
            entry.pad = [0; 5];
        }
        ctx.accounts.pool.entries = sorted;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Sort<'info> {
    #[account(mut, has_one = admin)]
    pub pool: Account<'info, Pool>,
    pub admin: Signer<'info>,
}

#[account]
pub struct Pool { pub admin: Pubkey, pub entries: [Entry; 4] }

#[derive(AnchorSerialize, AnchorDeserialize, Clone, Copy)]
pub struct Entry { pub tag: u16, pub pad: [u8; 5] }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod votes {
    use super::*;

    pub fn count<'info>(ctx: Context<'_, '_, '_, 'info, Count<'info>>) -> Result<()> {
        for info in ctx.remaining_accounts.iter() {
            let mut ballot = Account::<Ballot>::try_from(info)?;
            require_keys_eq!(ballot.poll, ctx.accounts.poll.key());
            ctx.accounts.poll.votes += ballot.weight;
            ballot.weight = 0;
            ballot.exit(ctx.program_id)?;
        }
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Count<'info> {
    #[account(mut)]
    pub poll: Account<'info, Poll>,
}

#[account]
pub struct Poll {
    pub votes: u64,
}

#[account]
pub struct Ballot {
    pub poll: Pubkey,
    pub weight: u64,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod rewards {
    use super::*;

    pub fn pay(ctx: Context<Pay>, share: u64) -> Result<()> {
        let winner = &ctx.remaining_accounts[0];
        check_winner(&ctx.accounts.pot, winner)?;
        **ctx.accounts.pot.to_account_info().try_borrow_mut_lamports()? -= share;
        **winner.try_borrow_mut_lamports()? += share;
        Ok(())
    }
}

fn check_winner(pot: &Pot, winner: &AccountInfo) -> Result<()> {
    require_keys_eq!(pot.winner, winner.key());
    Ok(())
}

#[derive(Accounts)]
pub struct Pay<'info> {
    #[account(mut)]
    pub pot: Account<'info, Pot>,
}

#[account]
pub struct Pot {
    pub winner: Pubkey,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod teams {
    use super::*;

    pub fn share(ctx: Context<Share>) -> Result<()> {
        for (index, member) in ctx.remaining_accounts.iter().enumerate() {
            require_keys_eq!(ctx.accounts.team.members[index], *member.key);
            ctx.accounts.team.sub_lamports(ctx.accounts.team.part)?;
            **member.try_borrow_mut_lamports()? += ctx.accounts.team.part;
        }
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Share<'info> {
    #[account(mut)]
    pub team: Account<'info, Team>,
}

#[account]
pub struct Team {
    pub members: Vec<Pubkey>,
    pub part: u64,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod halls {
    use super::*;

    pub fn enter(ctx: Context<Enter>, size: u64) -> Result<()> {
        ctx.accounts.badge.hall = ctx.accounts.hall.key();
        ctx.accounts.badge.size = size;
        Ok(())
    }

    pub fn raise<'info>(ctx: Context<'_, '_, 'info, 'info, Raise<'info>>) -> Result<()> {
        let mut met = std::collections::BTreeSet::new();
        let badges: Vec<Account<Badge>> = ctx.remaining_accounts.iter().filter_map(|one| Account::<Badge>::try_from(one).ok()).collect();
        for badge in badges.iter() {
            require_keys_eq!(badge.hall, ctx.accounts.hall.key());
            require_keys_eq!(badge.proxy, ctx.accounts.proxy.key());
            met.insert(badge.key());
            ctx.accounts.hall.hands = ctx.accounts.hall.hands.checked_add(badge.size).unwrap();
        }
        require!(met.len() == badges.len(), ErrorCode::ConstraintRaw);
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Enter<'info> {
    #[account(has_one = warden)]
    pub hall: Account<'info, Hall>,
    #[account(init, payer = warden, space = 120)]
    pub badge: Account<'info, Badge>,
    #[account(mut)]
    pub warden: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Raise<'info> {
    #[account(mut)]
    pub hall: Account<'info, Hall>,
    pub proxy: Signer<'info>,
}

#[account]
pub struct Hall { pub warden: Pubkey, pub hands: u64 }

#[account]
pub struct Badge { pub hall: Pubkey, pub proxy: Pubkey, pub size: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod halls {
    use super::*;

    pub fn enter(ctx: Context<Enter>, size: u64) -> Result<()> {
        ctx.accounts.badge.hall = ctx.accounts.hall.key();
        ctx.accounts.badge.size = size;
        Ok(())
    }

    pub fn raise<'info>(ctx: Context<'_, '_, 'info, 'info, Raise<'info>>) -> Result<()> {
        let mut last = Pubkey::default();
        let badges: Vec<Account<Badge>> = ctx.remaining_accounts.iter().filter_map(|one| Account::<Badge>::try_from(one).ok()).collect();
        for badge in badges.iter() {
            require_keys_eq!(badge.hall, ctx.accounts.hall.key());
            require_keys_eq!(badge.proxy, ctx.accounts.proxy.key());
            require!(last < badge.key(), ErrorCode::ConstraintRaw);
            last = badge.key();
            ctx.accounts.hall.hands = ctx.accounts.hall.hands.checked_add(badge.size).unwrap();
        }
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Enter<'info> {
    #[account(has_one = warden)]
    pub hall: Account<'info, Hall>,
    #[account(init, payer = warden, space = 120)]
    pub badge: Account<'info, Badge>,
    #[account(mut)]
    pub warden: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Raise<'info> {
    #[account(mut)]
    pub hall: Account<'info, Hall>,
    pub proxy: Signer<'info>,
}

#[account]
pub struct Hall { pub warden: Pubkey, pub hands: u64 }

#[account]
pub struct Badge { pub hall: Pubkey, pub proxy: Pubkey, pub size: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod halls {
    use super::*;

    pub fn enter(ctx: Context<Enter>, size: u64) -> Result<()> {
        ctx.accounts.badge.hall = ctx.accounts.hall.key();
        ctx.accounts.badge.size = size;
        Ok(())
    }

    pub fn raise<'info>(ctx: Context<'_, '_, 'info, 'info, Raise<'info>>) -> Result<()> {
        let badges: Vec<Account<Badge>> = ctx.remaining_accounts.iter().filter_map(|one| Account::<Badge>::try_from(one).ok()).collect();
        for badge in badges.iter() {
            require_keys_eq!(badge.hall, ctx.accounts.hall.key());
            ctx.accounts.hall.hands = ctx.accounts.hall.hands.checked_add(badge.size).unwrap();
        }
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Enter<'info> {
    #[account(has_one = warden)]
    pub hall: Account<'info, Hall>,
    #[account(init, payer = warden, space = 120)]
    pub badge: Account<'info, Badge>,
    #[account(mut)]
    pub warden: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Raise<'info> {
    #[account(mut, has_one = warden)]
    pub hall: Account<'info, Hall>,
    pub warden: Signer<'info>,
}

#[account]
pub struct Hall { pub warden: Pubkey, pub hands: u64 }

#[account]
pub struct Badge { pub hall: Pubkey, pub proxy: Pubkey, pub size: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod halls {
    use super::*;

    pub fn enter(ctx: Context<Enter>, size: u64) -> Result<()> {
        ctx.accounts.badge.hall = ctx.accounts.hall.key();
        ctx.accounts.badge.size = size;
        Ok(())
    }

    pub fn raise<'info>(ctx: Context<'_, '_, 'info, 'info, Raise<'info>>) -> Result<()> {
        let badges: Vec<Account<Badge>> = ctx.remaining_accounts.iter().filter_map(|one| Account::<Badge>::try_from(one).ok()).collect();
        for badge in badges.iter() {
            msg!("{}", badge.size);
        }
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Enter<'info> {
    #[account(has_one = warden)]
    pub hall: Account<'info, Hall>,
    #[account(init, payer = warden, space = 120)]
    pub badge: Account<'info, Badge>,
    #[account(mut)]
    pub warden: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Raise<'info> {
    #[account(mut)]
    pub hall: Account<'info, Hall>,
    pub proxy: Signer<'info>,
}

#[account]
pub struct Hall { pub warden: Pubkey, pub hands: u64 }

#[account]
pub struct Badge { pub hall: Pubkey, pub proxy: Pubkey, pub size: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod halls {
    use super::*;

    pub fn enter(ctx: Context<Enter>, size: u64) -> Result<()> {
        ctx.accounts.badge.hall = ctx.accounts.hall.key();
        ctx.accounts.badge.size = size;
        Ok(())
    }

    pub fn raise<'info>(ctx: Context<'_, '_, 'info, 'info, Raise<'info>>) -> Result<()> {
        for info in ctx.remaining_accounts.iter() {
            require_keys_eq!(info.key(), ctx.accounts.hall.warden);
            let badge = Account::<Badge>::try_from(info)?;
            ctx.accounts.hall.hands = badge.size;
        }
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Enter<'info> {
    #[account(has_one = warden)]
    pub hall: Account<'info, Hall>,
    #[account(init, payer = warden, space = 120)]
    pub badge: Account<'info, Badge>,
    #[account(mut)]
    pub warden: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Raise<'info> {
    #[account(mut)]
    pub hall: Account<'info, Hall>,
    pub proxy: Signer<'info>,
}

#[account]
pub struct Hall { pub warden: Pubkey, pub hands: u64 }

#[account]
pub struct Badge { pub hall: Pubkey, pub proxy: Pubkey, pub size: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod halls {
    use super::*;

    pub fn enter(ctx: Context<Enter>, size: u64) -> Result<()> {
        ctx.accounts.badge.hall = ctx.accounts.hall.key();
        ctx.accounts.badge.size = size;
        Ok(())
    }

    pub fn raise<'info>(ctx: Context<'_, '_, 'info, 'info, Raise<'info>>) -> Result<()> {
        let badges: Vec<Account<Badge>> = ctx.remaining_accounts.iter().filter_map(|one| Account::<Badge>::try_from(one).ok()).collect();
        for badge in badges.iter() {
            require_keys_eq!(badge.hall, ctx.accounts.hall.key());
            ctx.accounts.hall.hands = ctx.accounts.hall.hands.max(badge.size);
        }
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Enter<'info> {
    #[account(has_one = warden)]
    pub hall: Account<'info, Hall>,
    #[account(init, payer = warden, space = 120)]
    pub badge: Account<'info, Badge>,
    #[account(mut)]
    pub warden: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Raise<'info> {
    #[account(mut, constraint = hall.warden == proxy.key())]
    pub hall: Account<'info, Hall>,
    pub proxy: Signer<'info>,
}

#[account]
pub struct Hall { pub warden: Pubkey, pub hands: u64 }

#[account]
pub struct Badge { pub hall: Pubkey, pub proxy: Pubkey, pub size: u64 }
`,
    ],
  },
}

const isRecord = (term: Term): boolean => mentions(term, (one) => one.kind === "call" && one.name === "state")

/** Whether it is paid, and its owner is compared with a stored address: it belongs to whom the payment is due. */
const isOwnersOfPaid = (event: Event, account: Term, { kind, against, fact }: AccountCheck): boolean => {
  const cpi = kind === "state" && event.kind === "call" ? cpiOf(event) : undefined
  return (
    cpi !== undefined &&
    roleOf(cpi, "to") === account &&
    against !== undefined &&
    mentions(fact, (one) => one.kind === "field" && one.name === "owner" && accountOfState(one) === account)
  )
}

/** The remaining account whose contents an event uses: read as a struct, written, or paid. */
const usedBy = (event: Event): Term | undefined => {
  switch (event.kind) {
    case "assign": {
      const { term } = event.target
      return term.kind === "field" && term.name === "lamports" ? remainingIn(term) : undefined
    }
    case "operation":
      // A record was judged where it was read.
      return accountOfState(event.left.term) === undefined || isRecord(event.left.term)
        ? undefined
        : remainingIn(event.left.term)
    case "call": {
      const { term } = event.result
      // What a function of the project reads is judged where it reads it: after its checks.
      if (
        event.target === undefined &&
        term.kind === "call" &&
        term.name === "state" &&
        term.args[0] !== undefined &&
        isRemaining(term.args[0])
      )
        return term.args[0]
      // Anchor's accessors read a token account wherever it comes from.
      if (pathEnds(event.path, "accessor::amount", "accessor::mint", "accessor::authority"))
        return event.args.map((one) => remainingIn(one.term)).find((one) => one !== undefined)
      // Bytes picked out by hand.
      if (/^(from_[lb]e_bytes|try_into|copy_from_slice|array_ref|get|split_at)!?$/.test(event.name))
        for (const one of event.args) {
          const account = accountOfState(one.term)
          if (account !== undefined && isRemaining(account)) return account
        }
      const cpi = cpiOf(event)
      if (cpi === undefined || cpi.signerSeeds === undefined || !movesValue(cpi)) return undefined
      return cpi.accounts.map((one) => remainingIn(one.term)).find((one) => one !== undefined)
    }
    default:
      return undefined
  }
}
