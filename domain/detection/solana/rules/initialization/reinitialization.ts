import { guaranteed, type AssignEvent, type Event, ofKind } from "../../../rust/terms/events.ts"
import { mentions, type Term } from "../../../rust/terms/terms.ts"
import { isNamed, pointee } from "../../../rust/crate/types.ts"
import type { Match, Rule } from "../../../Rule.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { checksOf } from "../../questions/checks.ts"
import { isAuthorized } from "../../authority/authorization.ts"
import { isCreated } from "../../authority/creation.ts"
import { type Determined, determinedBy } from "../../ties/determined.ts"
import type { Account, Instruction, SolanaProgram } from "../../program/model.ts"
import { isFromCaller, usesOf } from "../../questions/questions.ts"
import { accountOfState, dataOf, lamportsOf, stateOf } from "../../program/semantics.ts"
import { isGuardedState, isKey, ownedBySigner, restartOf } from "../../records/restarts.ts"

export const reinitialization: Rule<SolanaProgram> = {
  meta: {
    id: "solana/initialization/reinitialization",
    class: "reinitialization",
    title: "Account can be reinitialized",
    severity: "high",
    confidence: "medium",
    cwe: [665, 284],
    description:
      "The instruction writes an authority to an account without checking whether the account is already in " +
      "use. Anyone can run it again on an account that belongs to someone else, set the authority to their own " +
      "address and take over what the account controls. `init_if_needed` runs the handler for existing accounts " +
      "as well.",
    remediation:
      "Create the account in the same instruction with Anchor's `init`, or return an error if it is already " +
      "initialized: check a discriminator or flag, or that the stored authority is still empty, before writing " +
      "it.",
    references: [
      "https://github.com/coral-xyz/sealevel-attacks/tree/master/programs/4-initialization",
      "https://solana.com/developers/courses/program-security/reinitialization-attacks",
    ],
  },
  check: (program, report) => {
    for (const crate of program.crates)
      for (const instruction of crate.instructions)
        for (const account of instruction.accounts) {
          const again = account.constraints?.initIfNeeded === true
          if (account.wrapper !== "raw" && !again) continue
          const determined = determinedBy(instruction, account)
          const event = writtenAuthority(instruction, account, determined)
          if (again && (event === undefined || ownedBySigner(instruction, account))) {
            const reset = restartOf(crate, instruction, account, determined)
            if (reset !== undefined)
              report({
                ...placeOf(reset.event),
                message: `\`${instruction.name}\` resets \`${account.name}\` every time it is called.`,
                ...(reset.severity === undefined ? {} : { severity: reset.severity }),
                trace: declaredAt(account),
              })
            continue
          }
          if (event === undefined) continue
          if (again ? isGuardedState(instruction, account, event) : isGuarded(instruction, account, event)) continue
          if (isCreated(instruction, account)) continue
          report({
            ...placeOf(event),
            message: `\`${instruction.name}\` writes an authority into \`${account.name}\` whether or not it is in use.`,
            ...(again ? { trace: declaredAt(account) } : {}),
            // Whoever the record belongs to, or the record that it is made for, sets it again.
            ...(again && instruction.accounts.some((one) => isAuthorized(instruction, one))
              ? { severity: "low" as const }
              : {}),
          })
        }
  },
  examples: {
    vulnerable: [
      // Rent says nothing of what is in the account.
      `use borsh::{BorshDeserialize, BorshSerialize};
use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey, rent::Rent, sysvar::Sysvar};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Plan { pub is_initialized: bool, pub sender: Pubkey, pub total: u64 }

pub fn create(program_id: &Pubkey, accounts: &[AccountInfo], total: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let sender = next_account_info(iter)?;
    let plan_info = next_account_info(iter)?;
    if plan_info.owner != program_id || !sender.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    if !Rent::get()?.is_exempt(plan_info.lamports(), plan_info.data_len()) {
        return Err(ProgramError::AccountNotRentExempt);
    }
    let mut plan = Plan::try_from_slice(&plan_info.data.borrow())?;
    plan.is_initialized = true;
    plan.sender = *sender.key; // FINDING
    plan.total = total;
    plan.serialize(&mut *plan_info.data.borrow_mut())?;
    Ok(())
}
`,
      // Those who approved are forgotten as often as anyone proposes the same again.
      `use anchor_lang::prelude::*;

#[program]
pub mod panels {
    use super::*;
    pub fn propose(ctx: Context<Propose>, index: u64) -> Result<()> {
        let proposal = &mut ctx.accounts.proposal;
        proposal.panel = ctx.accounts.panel.key();
        proposal.index = index;
        proposal.approved = vec![]; // FINDING
        Ok(())
    }
    pub fn approve(ctx: Context<Approve>) -> Result<()> {
        require!(ctx.accounts.panel.members.contains(&ctx.accounts.member.key()), Denied::Stranger);
        ctx.accounts.proposal.approved.push(ctx.accounts.member.key());
        Ok(())
    }
}

#[derive(Accounts)]
#[instruction(index: u64)]
pub struct Propose<'info> {
    pub panel: Account<'info, Panel>,
    #[account(init_if_needed, payer = payer, space = 400, seeds = [panel.key().as_ref(), &index.to_le_bytes()], bump)]
    pub proposal: Account<'info, Proposal>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Approve<'info> {
    pub panel: Account<'info, Panel>,
    #[account(mut, has_one = panel)]
    pub proposal: Account<'info, Proposal>,
    pub member: Signer<'info>,
}

#[account]
pub struct Panel { pub members: Vec<Pubkey> }

#[account]
pub struct Proposal { pub panel: Pubkey, pub index: u64, pub approved: Vec<Pubkey> }

#[error_code]
pub enum Denied { Stranger }
`,
      // One field of the argument is in the seeds; the others may differ from call to call.
      `use anchor_lang::prelude::*;

#[program]
pub mod allowances {
    use super::*;
    pub fn allow(ctx: Context<Allow>, args: AllowArgs) -> Result<()> {
        let allowance = &mut ctx.accounts.allowance;
        allowance.id = args.id;
        allowance.left = args.amount; // FINDING
        Ok(())
    }
    pub fn spend(ctx: Context<Spend>, amount: u64) -> Result<()> {
        let allowance = &mut ctx.accounts.allowance;
        allowance.left = allowance.left.checked_sub(amount).ok_or(Denied::Spent)?;
        Ok(())
    }
}

#[derive(AnchorSerialize, AnchorDeserialize)]
pub struct AllowArgs { pub id: Pubkey, pub amount: u64 }

#[derive(Accounts)]
#[instruction(args: AllowArgs)]
pub struct Allow<'info> {
    #[account(mut)]
    pub payer: Signer<'info>,
    #[account(init_if_needed, payer = payer, space = 48, seeds = [b"allowance", args.id.as_ref()], bump)]
    pub allowance: Account<'info, Allowance>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Spend<'info> {
    #[account(mut)]
    pub allowance: Account<'info, Allowance>,
    #[account(address = allowance.id)]
    pub spender: Signer<'info>,
}

#[account]
pub struct Allowance { pub id: Pubkey, pub left: u64 }

#[error_code]
pub enum Denied { Spent }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod desks {
    use super::*;
    pub fn open(ctx: Context<Open>, admin: Pubkey) -> Result<()> {
        ctx.accounts.desk.admin = admin; // FINDING
        Ok(())
    }
    // No authority is written, and nothing else counts.
    pub fn count(ctx: Context<Count>) -> Result<()> {
        ctx.accounts.tally.set_inner(Tally { count: 0, claimed: 0 });
        Ok(())
    }
    // What is reset is the pool, not the record.
    pub fn join(ctx: Context<Join>) -> Result<()> {
        ctx.accounts.record.user = ctx.accounts.user.key();
        ctx.accounts.pool.claimed = 0;
        Ok(())
    }
    pub fn claim(ctx: Context<Claim>) -> Result<()> {
        ctx.accounts.record.claimed = 1;
        Ok(())
    }
    // Anchor found it zeroed; the library looked itself.
    pub fn fill(ctx: Context<Fill>) -> Result<()> {
        let user = ctx.accounts.user.key();
        ctx.accounts.desk.try_borrow_mut_data()?[8..40].copy_from_slice(user.as_ref());
        Ok(())
    }
    pub fn fill_asked(ctx: Context<FillAsked>) -> Result<()> {
        let user = ctx.accounts.user.key();
        library::require_unused(&ctx.accounts.desk)?;
        ctx.accounts.desk.try_borrow_mut_data()?[8..40].copy_from_slice(user.as_ref());
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(init_if_needed, payer = user, space = 40, seeds = [b"desk"], bump)]
    pub desk: Account<'info, Desk>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Count<'info> {
    #[account(init_if_needed, payer = user, space = 40, seeds = [b"counter"], bump)]
    pub tally: Account<'info, Tally>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Join<'info> {
    #[account(init_if_needed, payer = user, space = 60, seeds = [user.key().as_ref()], bump)]
    pub record: Account<'info, Record>,
    #[account(mut)]
    pub pool: Account<'info, Counter>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Claim<'info> {
    #[account(mut, has_one = user)]
    pub record: Account<'info, Record>,
    pub user: Signer<'info>,
}

#[derive(Accounts)]
pub struct Fill<'info> {
    /// CHECK: written by hand
    #[account(zero)]
    pub desk: UncheckedAccount<'info>,
    pub user: Signer<'info>,
}

#[derive(Accounts)]
pub struct FillAsked<'info> {
    /// CHECK: written by hand
    #[account(mut)]
    pub desk: UncheckedAccount<'info>,
    pub user: Signer<'info>,
}

#[account]
pub struct Desk { pub admin: Pubkey }

#[account]
pub struct Tally { pub count: u64, pub claimed: u64 }

#[account]
pub struct Counter { pub count: u64, pub claimed: u64 }

#[account]
pub struct Record { pub user: Pubkey, pub claimed: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod profiles {
    use super::*;

    pub fn open(ctx: Context<Open>, limit: u64) -> Result<()> {
        let profile = &mut ctx.accounts.profile;
        profile.manager = ctx.accounts.payer.key(); // FINDING
        profile.limit = limit;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(init_if_needed, payer = payer, space = 48, seeds = [b"profile"], bump)]
    pub profile: Account<'info, Profile>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Profile {
    pub manager: Pubkey,
    pub limit: u64,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshDeserialize, BorshSerialize)]
pub struct Profile {
    pub open: bool,
    pub manager: Pubkey,
}

pub fn open(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let profile_info = next_account_info(iter)?;
    let payer = next_account_info(iter)?;
    if profile_info.owner != program_id || !payer.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    let profile = Profile { open: true, manager: *payer.key };
    profile.serialize(&mut &mut profile_info.data.borrow_mut()[..])?; // FINDING
    Ok(())
}
`,
      `use pinocchio::{account_info::AccountInfo, program_error::ProgramError, ProgramResult};

pub fn initialize(accounts: &[AccountInfo], fee: u64) -> ProgramResult {
    let [config, admin] = accounts else { return Err(ProgramError::NotEnoughAccountKeys) };
    if !admin.is_signer() {
        return Err(ProgramError::MissingRequiredSignature);
    }
    if !config.is_owned_by(&crate::ID) {
        return Err(ProgramError::InvalidAccountOwner);
    }
    let mut data = config.try_borrow_mut_data()?;
    data[0..32].copy_from_slice(admin.key()); // FINDING
    data[32..40].copy_from_slice(&fee.to_le_bytes());
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod drops {
    use super::*;

    pub fn join(ctx: Context<Join>) -> Result<()> {
        let ticket = &mut ctx.accounts.ticket;
        ticket.owner = ctx.accounts.user.key();
        ticket.claimed = false; // FINDING
        Ok(())
    }

    pub fn claim(ctx: Context<Claim>) -> Result<()> {
        require!(!ctx.accounts.ticket.claimed, ErrorCode::Claimed);
        ctx.accounts.ticket.claimed = true;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Join<'info> {
    #[account(init_if_needed, payer = user, space = 64, seeds = [b"ticket", user.key().as_ref()], bump)]
    pub ticket: Account<'info, Ticket>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Claim<'info> {
    #[account(mut, seeds = [b"ticket", user.key().as_ref()], bump)]
    pub ticket: Account<'info, Ticket>,
    pub user: Signer<'info>,
}

#[account]
pub struct Ticket {
    pub owner: Pubkey,
    pub claimed: bool,
}

#[error_code]
pub enum ErrorCode {
    Claimed,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod polls {
    use super::*;
    pub fn file(ctx: Context<File>, number: u64, text: Vec<u8>) -> Result<()> {
        ctx.accounts.motion.text = text; // FINDING
        Ok(())
    }
    /// The number goes on: of little weight.
    pub fn next(ctx: Context<Next>, text: Vec<u8>) -> Result<()> {
        ctx.accounts.hall.count = ctx.accounts.hall.count.checked_add(1).unwrap();
        ctx.accounts.note.set_inner(Motion { text }); // FINDING
        Ok(())
    }
    /// As where it is the chair's own doing.
    pub fn set(ctx: Context<Set>, fee: u64) -> Result<()> {
        ctx.accounts.tax.fee = fee; // FINDING
        Ok(())
    }
    /// Or the owner's, who began another page than the one that was extended.
    pub fn draft(ctx: Context<Draft>, text: Vec<u8>) -> Result<()> {
        ctx.accounts.page.text = text; // FINDING
        ctx.accounts.page.owner = ctx.accounts.user.key();
        Ok(())
    }
    pub fn extend(ctx: Context<Extend>, more: Vec<u8>) -> Result<()> {
        ctx.accounts.page.text.extend_from_slice(&more);
        Ok(())
    }
}

#[derive(Accounts)]
#[instruction(number: u64)]
pub struct File<'info> {
    #[account(init_if_needed, payer = user, space = 100, seeds = [b"motion", &number.to_le_bytes()], bump)]
    pub motion: Account<'info, Motion>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Next<'info> {
    #[account(mut)]
    pub hall: Account<'info, Hall>,
    #[account(init_if_needed, payer = user, space = 100, seeds = [b"note", &hall.count.to_le_bytes()], bump)]
    pub note: Account<'info, Motion>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Set<'info> {
    #[account(has_one = chair)]
    pub hall: Account<'info, Hall>,
    #[account(init_if_needed, payer = chair, space = 100, seeds = [b"tax", hall.key().as_ref()], bump)]
    pub tax: Account<'info, Tax>,
    #[account(mut)]
    pub chair: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Draft<'info> {
    #[account(init_if_needed, payer = user, space = 100, seeds = [b"page", user.key().as_ref()], bump)]
    pub page: Account<'info, Page>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Extend<'info> {
    #[account(mut, has_one = owner)]
    pub page: Account<'info, Page>,
    pub owner: Signer<'info>,
}

#[account]
pub struct Hall { pub chair: Pubkey, pub count: u64 }

#[account]
pub struct Motion { pub text: Vec<u8> }

#[account]
pub struct Tax { pub fee: u64 }

#[account]
pub struct Page { pub owner: Pubkey, pub text: Vec<u8> }
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Config {
    pub admin: Pubkey,
    pub fee: u64,
}

/// That the bytes have the shape of a configuration is true of one that is in use.
pub fn open(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let admin = next_account_info(iter)?;
    let config_info = next_account_info(iter)?;
    if config_info.owner != program_id || !admin.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    match Config::try_from_slice(&config_info.data.borrow()) {
        Ok(_) => {
            let config = Config { admin: *admin.key, fee: 0 };
            config.serialize(&mut &mut config_info.data.borrow_mut()[..])?; // FINDING
            Ok(())
        }
        Err(_) => Err(ProgramError::InvalidAccountData),
    }
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod fees {
    use super::*;

    pub fn set(ctx: Context<Set>, fee: u64, limit: u64) -> Result<()> {
        let tax = &mut ctx.accounts.tax;
        tax.fee = fee; // FINDING
        tax.limit = limit;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Set<'info> {
    #[account(init_if_needed, payer = payer, space = 24, seeds = [b"tax"], bump)]
    pub tax: Account<'info, Tax>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Tax {
    pub fee: u64,
    pub limit: u64,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod profiles {
    use super::*;

    // Whoever claimed may begin anew, and claim again.
    pub fn open(ctx: Context<Open>) -> Result<()> {
        let profile = Profile { manager: ctx.accounts.user.key(), claimed: 0 };
        profile.serialize(&mut *ctx.accounts.profile.data.borrow_mut())?; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    /// CHECK: written by hand
    #[account(mut, seeds = [b"profile", user.key().as_ref()], bump)]
    pub profile: UncheckedAccount<'info>,
    pub user: Signer<'info>,
}

#[derive(AnchorSerialize, AnchorDeserialize)]
pub struct Profile {
    pub manager: Pubkey,
    pub claimed: u64,
}
`,
      `use anchor_lang::prelude::*;

// Its identity is in the seeds, but its answer is taken back by whoever asks again.
#[program]
pub mod questions {
    use super::*;
    pub fn ask(ctx: Context<Ask>, id: [u8; 32]) -> Result<()> {
        let question = &mut ctx.accounts.question;
        question.id = id;
        question.oracle = ctx.accounts.oracle.key();
        question.answer = 0; // FINDING
        Ok(())
    }
    pub fn answer(ctx: Context<Answer>, answer: u8) -> Result<()> {
        require!(answer > 0, Denied::Empty);
        ctx.accounts.question.answer = answer;
        Ok(())
    }
}

#[derive(Accounts)]
#[instruction(id: [u8; 32])]
pub struct Ask<'info> {
    #[account(init_if_needed, payer = payer, space = 80, seeds = [b"question", id.as_ref(), oracle.key().as_ref()], bump)]
    pub question: Account<'info, Question>,
    /// CHECK: named in the seeds
    pub oracle: UncheckedAccount<'info>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Answer<'info> {
    #[account(mut, has_one = oracle)]
    pub question: Account<'info, Question>,
    pub oracle: Signer<'info>,
}

#[account]
pub struct Question { pub id: [u8; 32], pub oracle: Pubkey, pub answer: u8 }

#[error_code]
pub enum Denied { Empty }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod seasons {
    use super::*;
    // The seeds name the league, and nothing ties it to the sponsor.
    pub fn note(ctx: Context<Note>, season: u64) -> Result<()> {
        ctx.accounts.report.sponsor = ctx.accounts.sponsor.key(); // FINDING
        Ok(())
    }
    // That its name is in the seeds does not make the club the same.
    pub fn record(ctx: Context<Record>) -> Result<()> {
        ctx.accounts.table.club = ctx.accounts.club.key(); // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
#[instruction(season: u64)]
pub struct Note<'info> {
    #[account(mut)]
    pub payer: Signer<'info>,
    pub league: Account<'info, League>,
    pub sponsor: Account<'info, Club>,
    #[account(init_if_needed, payer = payer, space = 200, seeds = [b"report", league.key().as_ref(), &season.to_le_bytes()], bump)]
    pub report: Account<'info, Report>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Record<'info> {
    #[account(mut)]
    pub payer: Signer<'info>,
    pub club: Account<'info, Club>,
    #[account(init_if_needed, payer = payer, space = 200, seeds = [b"table", club.name.as_bytes()], bump)]
    pub table: Account<'info, Table>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct League { pub sponsor: Pubkey }
#[account]
pub struct Club { pub name: String }
#[account]
pub struct Report { pub sponsor: Pubkey }
#[account]
pub struct Table { pub club: Pubkey }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod boards {
    use super::*;
    pub fn setup(ctx: Context<Setup>, rate: u64) -> Result<()> {
        *ctx.accounts.board = Board::led_by(ctx.accounts.who.key(), rate); // FINDING
        Ok(())
    }
}

#[account]
pub struct Board { pub chief: Pubkey, pub rate: u64 }

impl Board {
    pub fn led_by(chief: Pubkey, rate: u64) -> Self {
        Board { chief, rate }
    }
}

#[derive(Accounts)]
pub struct Setup<'info> {
    #[account(mut)]
    pub who: Signer<'info>,
    #[account(init_if_needed, payer = who, space = 48, seeds = [b"board"], bump)]
    pub board: Account<'info, Board>,
    pub system_program: Program<'info, System>,
}
`,
      // The claim is noted by another instruction only, and this one begins the whole record again.
      `use anchor_lang::prelude::*;

#[program]
pub mod claims {
    use super::*;
    pub fn enter(ctx: Context<Enter>) -> Result<()> {
        ctx.accounts.entry.set_inner(Entry { claimed: false, at: 1 }); // FINDING
        Ok(())
    }
    pub fn claim(ctx: Context<Claim>) -> Result<()> {
        require!(!ctx.accounts.entry.claimed, ErrorCode::ConstraintRaw);
        ctx.accounts.entry.claimed = true;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Enter<'info> {
    #[account(init_if_needed, payer = user, space = 17, seeds = [b"entry", user.key().as_ref()], bump)]
    pub entry: Account<'info, Entry>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Claim<'info> {
    #[account(mut, seeds = [b"entry", user.key().as_ref()], bump)]
    pub entry: Account<'info, Entry>,
    pub user: Signer<'info>,
}

#[account]
pub struct Entry { pub claimed: bool, pub at: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod clubs {
    use super::*;
    pub fn found(ctx: Context<Found>) -> Result<()> {
        let club = &mut ctx.accounts.club;
        club.leader = ctx.accounts.founder.key(); // FINDING
        club.bump = ctx.bumps.club;
        Ok(())
    }
    pub fn hand_over(ctx: Context<HandOver>, next: Pubkey) -> Result<()> {
        ctx.accounts.club.leader = next;
        Ok(())
    }
    pub fn set_fee(ctx: Context<HandOver>, fee: u64) -> Result<()> {
        ctx.accounts.club.fee = fee;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Found<'info> {
    #[account(mut)]
    pub founder: Signer<'info>,
    #[account(init_if_needed, payer = founder, space = 64, seeds = [b"club", founder.key().as_ref()], bump)]
    pub club: Account<'info, Club>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct HandOver<'info> {
    pub leader: Signer<'info>,
    #[account(mut, has_one = leader)]
    pub club: Account<'info, Club>,
}

#[account]
pub struct Club { pub leader: Pubkey, pub fee: u64, pub bump: u8 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod savings {
    use super::*;
    pub fn save(ctx: Context<Save>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.purse.to_account_info(),
            to: ctx.accounts.safe.to_account_info(),
            authority: ctx.accounts.saver.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)?;
        let book = &mut ctx.accounts.book;
        book.amount = amount; // FINDING
        book.bump = ctx.bumps.book;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Save<'info> {
    #[account(mut)]
    pub saver: Signer<'info>,
    #[account(init_if_needed, payer = saver, space = 64, seeds = [b"book", saver.key().as_ref()], bump)]
    pub book: Account<'info, Book>,
    #[account(mut)]
    pub purse: Account<'info, TokenAccount>,
    #[account(mut, seeds = [b"safe"], bump)]
    pub safe: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Book { pub amount: u64, pub bump: u8 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod fair {
    use super::*;

    pub fn collect_share(ctx: Context<CollectShare>) -> Result<()> {
        let stub = &mut ctx.accounts.stub;
        stub.guest = ctx.accounts.guest.key();
        let fair = &ctx.accounts.fair;
        let accounts = Transfer {
            from: ctx.accounts.till.to_account_info(),
            to: ctx.accounts.purse.to_account_info(),
            authority: fair.to_account_info(),
        };
        let seeds: &[&[&[u8]]] = &[&[b"fair", fair.organizer.as_ref(), &[fair.bump]]];
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, seeds), fair.share) // FINDING
    }

    pub fn book(ctx: Context<Book>) -> Result<()> {
        ctx.accounts.place.fair = ctx.accounts.fair.key();
        ctx.accounts.place.rate = ctx.accounts.feed.rate; // FINDING
        Ok(())
    }

    pub fn settle(ctx: Context<Settle>) -> Result<()> {
        ctx.accounts.fair.share += ctx.accounts.place.rate;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct CollectShare<'info> {
    #[account(mut)]
    pub guest: Signer<'info>,
    #[account(seeds = [b"fair", fair.organizer.as_ref()], bump = fair.bump, has_one = till)]
    pub fair: Account<'info, Fair>,
    #[account(init_if_needed, payer = guest, space = 100, seeds = [b"stub", fair.key().as_ref(), guest.key().as_ref()], bump)]
    pub stub: Account<'info, Stub>,
    #[account(mut)]
    pub till: Account<'info, TokenAccount>,
    #[account(mut, token::authority = guest)]
    pub purse: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Book<'info> {
    #[account(mut)]
    pub guest: Signer<'info>,
    pub fair: Account<'info, Fair>,
    pub feed: Account<'info, Feed>,
    #[account(init_if_needed, payer = guest, space = 100, seeds = [b"place", fair.key().as_ref()], bump)]
    pub place: Account<'info, Place>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Settle<'info> {
    pub organizer: Signer<'info>,
    #[account(mut, has_one = organizer)]
    pub fair: Account<'info, Fair>,
    #[account(has_one = fair)]
    pub place: Account<'info, Place>,
}

#[account]
pub struct Fair {
    pub organizer: Pubkey,
    pub till: Pubkey,
    pub share: u64,
    pub bump: u8,
}

#[account]
pub struct Stub {
    pub guest: Pubkey,
}

#[account]
pub struct Place {
    pub fair: Pubkey,
    pub rate: u64,
}

#[account]
pub struct Feed {
    pub rate: u64,
}
`,
      // As many empty places as there were: what they held is gone.
      `use anchor_lang::prelude::*;

#[program]
pub mod lockers {
    use super::*;
    pub fn open(ctx: Context<Open>) -> Result<()> {
        let locker = &mut ctx.accounts.locker;
        locker.owner = ctx.accounts.owner.key();
        locker.shelves = vec![Shelf::bare(); ctx.accounts.hall.shelves as usize]; // FINDING
        Ok(())
    }
    /// What nothing changes afterwards is the same as before.
    pub fn label(ctx: Context<Open>) -> Result<()> {
        let locker = &mut ctx.accounts.locker;
        locker.owner = ctx.accounts.owner.key();
        locker.label = [Shelf::bare(); 2];
        Ok(())
    }
    pub fn store(ctx: Context<Store>, at: u8, amount: u64) -> Result<()> {
        let shelf = &mut ctx.accounts.locker.shelves[at as usize];
        shelf.amount = shelf.amount.checked_add(amount).unwrap();
        shelf.used = true;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    pub hall: Account<'info, Hall>,
    #[account(init_if_needed, payer = owner, space = 400, seeds = [b"locker", hall.key().as_ref(), owner.key().as_ref()], bump)]
    pub locker: Account<'info, Locker>,
    #[account(mut)]
    pub owner: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Store<'info> {
    #[account(mut, has_one = owner)]
    pub locker: Account<'info, Locker>,
    pub owner: Signer<'info>,
}

#[account]
pub struct Hall { pub shelves: u8 }

#[account]
pub struct Locker { pub owner: Pubkey, pub shelves: Vec<Shelf>, pub label: [Shelf; 2] }

#[derive(AnchorSerialize, AnchorDeserialize, Clone, Copy)]
pub struct Shelf { pub amount: u64, pub used: bool }

impl Shelf {
    pub fn bare() -> Self {
        Self { amount: 0, used: false }
    }
}
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;
use tensor_vipers::throw_err;

#[program]
pub mod shop {
    use super::*;
    #[access_control(ctx.accounts.validate())]
    pub fn set(ctx: Context<Set>, fee: u64) -> Result<()> {
        ctx.accounts.shop.owner = ctx.accounts.owner.key();
        ctx.accounts.shop.fee = fee;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Set<'info> {
    #[account(init_if_needed, payer = owner, space = 80, seeds = [b"shop"], bump)]
    pub shop: Account<'info, Shop>,
    #[account(mut)]
    pub owner: Signer<'info>,
    pub system_program: Program<'info, System>,
}

impl<'info> Set<'info> {
    /// The macro of a library returns the error.
    fn validate(&self) -> Result<()> {
        let owner = self.shop.owner;
        if owner != Pubkey::default() && owner != self.owner.key() {
            throw_err!(ErrorCode::Stranger);
        }
        Ok(())
    }
}

#[account]
pub struct Shop { pub owner: Pubkey, pub fee: u64 }

#[error_code]
pub enum ErrorCode { Stranger }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod profiles {
    use super::*;

    pub fn open(ctx: Context<Open>) -> Result<()> {
        ctx.accounts.profile.start(ctx.accounts.payer.key())
    }

    pub fn create(ctx: Context<Create>) -> Result<()> {
        ctx.accounts.profile.manager = ctx.accounts.payer.key();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(init_if_needed, payer = payer, space = 48, seeds = [b"profile"], bump)]
    pub profile: Account<'info, Profile>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Create<'info> {
    #[account(init, payer = payer, space = 48)]
    pub profile: Account<'info, Profile>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Profile {
    pub manager: Pubkey,
}

impl Profile {
    fn start(&mut self, manager: Pubkey) -> Result<()> {
        require!(self.manager == Pubkey::default(), ErrorCode::ConstraintRaw);
        self.manager = manager;
        Ok(())
    }
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshDeserialize, BorshSerialize)]
pub struct Profile {
    pub open: bool,
    pub manager: Pubkey,
}

pub fn open(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let profile_info = next_account_info(iter)?;
    let payer = next_account_info(iter)?;
    if profile_info.owner != program_id || !payer.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    let mut profile = Profile::try_from_slice(&profile_info.data.borrow())?;
    if profile.open {
        return Err(ProgramError::AccountAlreadyInitialized);
    }
    profile.open = true;
    profile.manager = *payer.key;
    profile.serialize(&mut &mut profile_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod drops {
    use super::*;

    pub fn join(ctx: Context<Join>) -> Result<()> {
        let ticket = &mut ctx.accounts.ticket;
        require!(ticket.owner == Pubkey::default(), ErrorCode::Claimed);
        ticket.owner = ctx.accounts.user.key();
        ticket.claimed = false;
        Ok(())
    }

    pub fn claim(ctx: Context<Claim>) -> Result<()> {
        require!(!ctx.accounts.ticket.claimed, ErrorCode::Claimed);
        ctx.accounts.ticket.claimed = true;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Join<'info> {
    #[account(init_if_needed, payer = user, space = 64, seeds = [b"ticket", user.key().as_ref()], bump)]
    pub ticket: Account<'info, Ticket>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Claim<'info> {
    #[account(mut, seeds = [b"ticket", user.key().as_ref()], bump)]
    pub ticket: Account<'info, Ticket>,
    pub user: Signer<'info>,
}

#[account]
pub struct Ticket {
    pub owner: Pubkey,
    pub claimed: bool,
}

#[error_code]
pub enum ErrorCode {
    Claimed,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod purses {
    use super::*;
    pub fn once(ctx: Context<File>, number: u64, text: Vec<u8>) -> Result<()> {
        require!(ctx.accounts.motion.text.is_empty(), ErrorCode::Used);
        ctx.accounts.motion.text = text;
        Ok(())
    }
    pub fn add(ctx: Context<File>, number: u64, amount: u64) -> Result<()> {
        ctx.accounts.motion.sum = ctx.accounts.motion.sum.checked_add(amount).unwrap();
        ctx.accounts.motion.last = Clock::get()?.unix_timestamp;
        Ok(())
    }
    /// What nobody else changes the owner may say again.
    pub fn name(ctx: Context<Name>, name: String) -> Result<()> {
        ctx.accounts.card.name = name;
        ctx.accounts.card.owner = ctx.accounts.user.key();
        Ok(())
    }
}

#[derive(Accounts)]
#[instruction(number: u64)]
pub struct File<'info> {
    #[account(init_if_needed, payer = user, space = 100, seeds = [b"motion", &number.to_le_bytes()], bump)]
    pub motion: Account<'info, Motion>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Name<'info> {
    #[account(init_if_needed, payer = user, space = 100, seeds = [b"card", user.key().as_ref()], bump)]
    pub card: Account<'info, Card>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Motion { pub text: Vec<u8>, pub sum: u64, pub last: i64 }

#[account]
pub struct Card { pub owner: Pubkey, pub name: String }

#[error_code]
pub enum ErrorCode { Used }
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub enum Phase {
    Empty,
    Open,
}

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Config {
    pub phase: Phase,
    pub admin: Pubkey,
    pub fee: u64,
}

pub fn open(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let admin = next_account_info(iter)?;
    let config_info = next_account_info(iter)?;
    if config_info.owner != program_id || !admin.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    let old = Config::try_from_slice(&config_info.data.borrow())?;
    match old.phase {
        Phase::Empty => {
            let config = Config { phase: Phase::Open, admin: *admin.key, fee: 0 };
            config.serialize(&mut &mut config_info.data.borrow_mut()[..])?;
            Ok(())
        }
        Phase::Open => Err(ProgramError::AccountAlreadyInitialized),
    }
}

/// Another fee, with the authority as it was.
pub fn set_fee(program_id: &Pubkey, accounts: &[AccountInfo], fee: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let admin = next_account_info(iter)?;
    let config_info = next_account_info(iter)?;
    let mut config = Config::try_from_slice(&config_info.data.borrow())?;
    if config_info.owner != program_id || !admin.is_signer || config.admin != *admin.key {
        return Err(ProgramError::IllegalOwner);
    }
    config.fee = fee;
    config.serialize(&mut &mut config_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

// What the seeds lead to is the same each time.
#[program]
pub mod seasons {
    use super::*;
    pub fn note(ctx: Context<Note>, season: u64, name: String) -> Result<()> {
        ctx.accounts.report.set_inner(Report {
            league: ctx.accounts.league.key(),
            sponsor: ctx.accounts.sponsor.key(),
            register: ctx.accounts.register.key(),
            season,
            name,
            bump: ctx.bumps.report,
        });
        Ok(())
    }
    pub fn record(ctx: Context<Record>) -> Result<()> {
        ctx.accounts.table.league = ctx.accounts.club.league;
        ctx.accounts.table.club = ctx.accounts.club.key();
        Ok(())
    }
}

#[derive(Accounts)]
#[instruction(season: u64, name: String)]
pub struct Note<'info> {
    #[account(mut)]
    pub payer: Signer<'info>,
    #[account(has_one = sponsor)]
    pub league: Account<'info, League>,
    pub sponsor: Account<'info, Club>,
    #[account(seeds = [b"register", sponsor.key().as_ref()], bump = register.bump)]
    pub register: Account<'info, Register>,
    #[account(init_if_needed, payer = payer, space = 200, seeds = [b"report", league.key().as_ref(), &season.to_le_bytes(), name.as_bytes()], bump)]
    pub report: Account<'info, Report>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Record<'info> {
    #[account(mut)]
    pub payer: Signer<'info>,
    pub club: Account<'info, Club>,
    #[account(init_if_needed, payer = payer, space = 200, seeds = [b"table", club.key().as_ref()], bump)]
    pub table: Account<'info, Table>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct League { pub sponsor: Pubkey }
#[account]
pub struct Club { pub league: Pubkey }
#[account]
pub struct Register { pub bump: u8 }
#[account]
pub struct Report { pub league: Pubkey, pub sponsor: Pubkey, pub register: Pubkey, pub season: u64, pub name: String, pub bump: u8 }
#[account]
pub struct Table { pub league: Pubkey, pub club: Pubkey }
`,
      // Whoever calls it, and however often, the keeper is the same.
      `use borsh::{BorshDeserialize, BorshSerialize};
use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::entrypoint::ProgramResult;
use solana_program::pubkey::Pubkey;

pub const KEEPER: Pubkey = solana_program::pubkey!("9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin");

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Settings { pub keeper: Pubkey, pub fee: u64 }

pub fn set_up(_program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let settings = next_account_info(iter)?;
    let mut data = Settings::try_from_slice(&settings.data.borrow())?;
    data.keeper = KEEPER;
    data.serialize(&mut &mut settings.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod clubs {
    use super::*;
    pub fn found(ctx: Context<Found>) -> Result<()> {
        let club = &mut ctx.accounts.club;
        club.leader = ctx.accounts.founder.key();
        club.bump = ctx.bumps.club;
        Ok(())
    }
    pub fn hand_over(ctx: Context<Found>) -> Result<()> {
        ctx.accounts.club.leader = ctx.accounts.founder.key();
        Ok(())
    }
    pub fn set_fee(ctx: Context<HandOver>, fee: u64) -> Result<()> {
        ctx.accounts.club.fee = fee;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Found<'info> {
    #[account(mut)]
    pub founder: Signer<'info>,
    #[account(init_if_needed, payer = founder, space = 64, seeds = [b"club", founder.key().as_ref()], bump)]
    pub club: Account<'info, Club>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct HandOver<'info> {
    pub leader: Signer<'info>,
    #[account(mut, has_one = leader)]
    pub club: Account<'info, Club>,
}

#[account]
pub struct Club { pub leader: Pubkey, pub fee: u64, pub bump: u8 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod clubs {
    use super::*;
    pub fn found(ctx: Context<Found>) -> Result<()> {
        let club = &mut ctx.accounts.club;
        if club.leader == Pubkey::default() { club.leader = ctx.accounts.founder.key(); }
        club.bump = ctx.bumps.club;
        Ok(())
    }
    pub fn hand_over(ctx: Context<HandOver>, next: Pubkey) -> Result<()> {
        ctx.accounts.club.leader = next;
        Ok(())
    }
    pub fn set_fee(ctx: Context<HandOver>, fee: u64) -> Result<()> {
        ctx.accounts.club.fee = fee;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Found<'info> {
    #[account(mut)]
    pub founder: Signer<'info>,
    #[account(init_if_needed, payer = founder, space = 64, seeds = [b"club", founder.key().as_ref()], bump)]
    pub club: Account<'info, Club>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct HandOver<'info> {
    pub leader: Signer<'info>,
    #[account(mut, has_one = leader)]
    pub club: Account<'info, Club>,
}

#[account]
pub struct Club { pub leader: Pubkey, pub fee: u64, pub bump: u8 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod savings {
    use super::*;
    pub fn save(ctx: Context<Save>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.purse.to_account_info(),
            to: ctx.accounts.safe.to_account_info(),
            authority: ctx.accounts.saver.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)?;
        let book = &mut ctx.accounts.book;
        book.amount = book.amount.checked_add(amount).unwrap();
        book.bump = ctx.bumps.book;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Save<'info> {
    #[account(mut)]
    pub saver: Signer<'info>,
    #[account(init_if_needed, payer = saver, space = 64, seeds = [b"book", saver.key().as_ref()], bump)]
    pub book: Account<'info, Book>,
    #[account(mut)]
    pub purse: Account<'info, TokenAccount>,
    #[account(mut, seeds = [b"safe"], bump)]
    pub safe: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Book { pub amount: u64, pub bump: u8 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod fair {
    use super::*;

    // Whoever has a stub already gets nothing.
    pub fn collect_once(ctx: Context<CollectShare>) -> Result<()> {
        let stub = &mut ctx.accounts.stub;
        require_keys_eq!(stub.guest, Pubkey::default());
        stub.guest = ctx.accounts.guest.key();
        let fair = &ctx.accounts.fair;
        let accounts = Transfer {
            from: ctx.accounts.till.to_account_info(),
            to: ctx.accounts.purse.to_account_info(),
            authority: fair.to_account_info(),
        };
        let seeds: &[&[&[u8]]] = &[&[b"fair", fair.organizer.as_ref(), &[fair.bump]]];
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, accounts, seeds), fair.share)
    }

    // What was drawn before is taken off.
    pub fn collect_due(ctx: Context<CollectShare>) -> Result<()> {
        let stub = &mut ctx.accounts.stub;
        let due = ctx.accounts.fair.share - stub.drawn;
        stub.drawn += due;
        let fair = &ctx.accounts.fair;
        let accounts = Transfer {
            from: ctx.accounts.till.to_account_info(),
            to: ctx.accounts.purse.to_account_info(),
            authority: fair.to_account_info(),
        };
        let seeds: &[&[&[u8]]] = &[&[b"fair", fair.organizer.as_ref(), &[fair.bump]]];
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, accounts, seeds), due)
    }

    // What is owed is taken off the account that it is owed to.
    pub fn collect_debt(ctx: Context<CollectDebt>) -> Result<()> {
        ctx.accounts.stub.guest = ctx.accounts.guest.key();
        let debt = ctx.accounts.debt.owed;
        ctx.accounts.debt.owed = 0;
        let fair = &ctx.accounts.fair;
        let accounts = Transfer {
            from: ctx.accounts.till.to_account_info(),
            to: ctx.accounts.purse.to_account_info(),
            authority: fair.to_account_info(),
        };
        let seeds: &[&[&[u8]]] = &[&[b"fair", fair.organizer.as_ref(), &[fair.bump]]];
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, accounts, seeds), debt)
    }

    // It also makes a badge for the stub, which fails the second time.
    pub fn collect_badge(ctx: Context<CollectBadge>) -> Result<()> {
        ctx.accounts.stub.guest = ctx.accounts.guest.key();
        ctx.accounts.stub.rate = ctx.accounts.feed.rate;
        let fair = &ctx.accounts.fair;
        let accounts = Transfer {
            from: ctx.accounts.till.to_account_info(),
            to: ctx.accounts.purse.to_account_info(),
            authority: fair.to_account_info(),
        };
        let seeds: &[&[&[u8]]] = &[&[b"fair", fair.organizer.as_ref(), &[fair.bump]]];
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, accounts, seeds), fair.share)
    }

    // Whoever gives something in exchange may do so again.
    pub fn exchange(ctx: Context<Exchange>) -> Result<()> {
        ctx.accounts.stub.guest = ctx.accounts.guest.key();
        let given = Transfer {
            from: ctx.accounts.wares.to_account_info(),
            to: ctx.accounts.store.to_account_info(),
            authority: ctx.accounts.guest.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), given), 1)?;
        let fair = &ctx.accounts.fair;
        let accounts = Transfer {
            from: ctx.accounts.till.to_account_info(),
            to: ctx.accounts.purse.to_account_info(),
            authority: fair.to_account_info(),
        };
        let seeds: &[&[&[u8]]] = &[&[b"fair", fair.organizer.as_ref(), &[fair.bump]]];
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, accounts, seeds), fair.share)
    }

    // It is paid to the stub itself.
    pub fn top_up(ctx: Context<TopUp>) -> Result<()> {
        ctx.accounts.stub.guest = ctx.accounts.guest.key();
        let fair = &ctx.accounts.fair;
        let accounts = Transfer {
            from: ctx.accounts.till.to_account_info(),
            to: ctx.accounts.purse.to_account_info(),
            authority: fair.to_account_info(),
        };
        let seeds: &[&[&[u8]]] = &[&[b"fair", fair.organizer.as_ref(), &[fair.bump]]];
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, accounts, seeds), fair.share)
    }

    // The highest rate stays.
    pub fn raise(ctx: Context<Note>) -> Result<()> {
        if ctx.accounts.feed.rate > ctx.accounts.stub.rate {
            ctx.accounts.stub.rate = ctx.accounts.feed.rate;
        }
        Ok(())
    }

    // Nothing relies on it.
    pub fn see(ctx: Context<Note>) -> Result<()> {
        ctx.accounts.stub.seen = ctx.accounts.feed.rate;
        Ok(())
    }

    pub fn settle(ctx: Context<Settle>) -> Result<()> {
        ctx.accounts.fair.share += ctx.accounts.stub.rate;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct CollectShare<'info> {
    #[account(mut)]
    pub guest: Signer<'info>,
    #[account(seeds = [b"fair", fair.organizer.as_ref()], bump = fair.bump, has_one = till)]
    pub fair: Account<'info, Fair>,
    #[account(init_if_needed, payer = guest, space = 100, seeds = [b"stub", fair.key().as_ref(), guest.key().as_ref()], bump)]
    pub stub: Account<'info, Stub>,
    #[account(mut)]
    pub till: Account<'info, TokenAccount>,
    #[account(mut, token::authority = guest)]
    pub purse: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct CollectDebt<'info> {
    #[account(mut)]
    pub guest: Signer<'info>,
    #[account(seeds = [b"fair", fair.organizer.as_ref()], bump = fair.bump, has_one = till)]
    pub fair: Account<'info, Fair>,
    #[account(init_if_needed, payer = guest, space = 100, seeds = [b"stub", fair.key().as_ref(), guest.key().as_ref()], bump)]
    pub stub: Account<'info, Stub>,
    #[account(mut)]
    pub till: Account<'info, TokenAccount>,
    #[account(mut, token::authority = guest)]
    pub purse: Account<'info, TokenAccount>,
    #[account(mut, has_one = guest, has_one = fair)]
    pub debt: Account<'info, Debt>,
    pub token_program: Program<'info, Token>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct CollectBadge<'info> {
    #[account(mut)]
    pub guest: Signer<'info>,
    #[account(seeds = [b"fair", fair.organizer.as_ref()], bump = fair.bump, has_one = till)]
    pub fair: Account<'info, Fair>,
    #[account(init_if_needed, payer = guest, space = 100, seeds = [b"stub", fair.key().as_ref(), guest.key().as_ref()], bump)]
    pub stub: Account<'info, Stub>,
    #[account(mut)]
    pub till: Account<'info, TokenAccount>,
    #[account(mut, token::authority = guest)]
    pub purse: Account<'info, TokenAccount>,
    pub feed: Account<'info, Feed>,
    #[account(init, payer = guest, space = 16, seeds = [b"badge", guest.key().as_ref()], bump)]
    pub badge: Account<'info, Badge>,
    pub token_program: Program<'info, Token>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Exchange<'info> {
    #[account(mut)]
    pub guest: Signer<'info>,
    #[account(seeds = [b"fair", fair.organizer.as_ref()], bump = fair.bump, has_one = till)]
    pub fair: Account<'info, Fair>,
    #[account(init_if_needed, payer = guest, space = 100, seeds = [b"stub", fair.key().as_ref(), guest.key().as_ref()], bump)]
    pub stub: Account<'info, Stub>,
    #[account(mut)]
    pub till: Account<'info, TokenAccount>,
    #[account(mut, token::authority = guest)]
    pub purse: Account<'info, TokenAccount>,
    #[account(mut)]
    pub wares: Account<'info, TokenAccount>,
    #[account(mut, token::authority = fair)]
    pub store: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct TopUp<'info> {
    #[account(mut)]
    pub guest: Signer<'info>,
    #[account(seeds = [b"fair", fair.organizer.as_ref()], bump = fair.bump, has_one = till)]
    pub fair: Account<'info, Fair>,
    #[account(init_if_needed, payer = guest, space = 100, seeds = [b"stub", fair.key().as_ref(), guest.key().as_ref()], bump)]
    pub stub: Account<'info, Stub>,
    #[account(mut)]
    pub till: Account<'info, TokenAccount>,
    #[account(mut, token::authority = stub)]
    pub purse: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Note<'info> {
    #[account(mut)]
    pub guest: Signer<'info>,
    pub fair: Account<'info, Fair>,
    pub feed: Account<'info, Feed>,
    #[account(init_if_needed, payer = guest, space = 100, seeds = [b"stub", fair.key().as_ref(), guest.key().as_ref()], bump)]
    pub stub: Account<'info, Stub>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Settle<'info> {
    pub organizer: Signer<'info>,
    #[account(mut, has_one = organizer)]
    pub fair: Account<'info, Fair>,
    #[account(seeds = [b"stub", fair.key().as_ref(), stub.guest.as_ref()], bump)]
    pub stub: Account<'info, Stub>,
}

#[account]
pub struct Fair {
    pub organizer: Pubkey,
    pub till: Pubkey,
    pub share: u64,
    pub bump: u8,
}

#[account]
pub struct Stub {
    pub guest: Pubkey,
    pub drawn: u64,
    pub rate: u64,
    pub seen: u64,
}

#[account]
pub struct Debt {
    pub guest: Pubkey,
    pub fair: Pubkey,
    pub owed: u64,
}

#[account]
pub struct Badge {
    pub level: u64,
}

#[account]
pub struct Feed {
    pub rate: u64,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod lockers {
    use super::*;
    pub fn open(ctx: Context<Open>) -> Result<()> {
        let locker = &mut ctx.accounts.locker;
        locker.owner = ctx.accounts.owner.key();
        if locker.shelves.is_empty() {
            locker.shelves = vec![Shelf::bare(); ctx.accounts.hall.shelves as usize];
        }
        Ok(())
    }
    /// What nothing changes afterwards is the same as before.
    pub fn label(ctx: Context<Open>) -> Result<()> {
        let locker = &mut ctx.accounts.locker;
        locker.owner = ctx.accounts.owner.key();
        locker.label = [Shelf::bare(); 2];
        Ok(())
    }
    pub fn store(ctx: Context<Store>, at: u8, amount: u64) -> Result<()> {
        let shelf = &mut ctx.accounts.locker.shelves[at as usize];
        shelf.amount = shelf.amount.checked_add(amount).unwrap();
        shelf.used = true;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    pub hall: Account<'info, Hall>,
    #[account(init_if_needed, payer = owner, space = 400, seeds = [b"locker", hall.key().as_ref(), owner.key().as_ref()], bump)]
    pub locker: Account<'info, Locker>,
    #[account(mut)]
    pub owner: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Store<'info> {
    #[account(mut, has_one = owner)]
    pub locker: Account<'info, Locker>,
    pub owner: Signer<'info>,
}

#[account]
pub struct Hall { pub shelves: u8 }

#[account]
pub struct Locker { pub owner: Pubkey, pub shelves: Vec<Shelf>, pub label: [Shelf; 2] }

#[derive(AnchorSerialize, AnchorDeserialize, Clone, Copy)]
pub struct Shelf { pub amount: u64, pub used: bool }

impl Shelf {
    pub fn bare() -> Self {
        Self { amount: 0, used: false }
    }
}
`,
    ],
  },
}

/** Whether an authority is set: an address of the caller's choice is stored in the account. */
const setsAuthority = (instruction: Instruction, event: AssignEvent, determined: Determined): boolean => {
  const { term } = event.value
  const isChosen = (value: Term): boolean => isKey(instruction, value) && !determined.has(value)
  if (isChosen(term)) return true
  if (isNamed(pointee(event.target.type), "Pubkey", "Address"))
    return isFromCaller(instruction, term) && !determined.has(term)
  return term.kind === "struct" && term.fields.some(([, value]) => isChosen(value))
}

/** That an account pays no rent says nothing of its contents. */
const isForRent = (fact: Term): boolean => fact.kind === "call" && fact.name === "is_exempt"

/** Whether anything on the way checks the account's existing contents. */
const isGuarded = (instruction: Instruction, account: Account, event: Event): boolean => {
  const { terms } = instruction.walk
  const own = [stateOf(terms, account.term), dataOf(terms, account.term), lamportsOf(terms, account.term)]
  for (const fact of guaranteed(event))
    if (
      !(fact.kind === "succeeded" || (fact.kind === "is" && fact.variant === "Ok")) &&
      !isForRent(fact) &&
      mentions(fact, (one) => own.includes(one))
    )
      return true
  return checksOf(account.term, guaranteed(event)).some(
    ({ kind }) => kind === "data" || kind === "initialized" || kind === "call",
  )
}

const writtenAuthority = (instruction: Instruction, account: Account, determined: Determined): Event | undefined => {
  for (const event of ofKind(instruction.events, "assign"))
    if (accountOfState(event.target.term) === account.term && setsAuthority(instruction, event, determined))
      return event
  return usesOf(instruction, account).find(
    ({ kind, event }) =>
      kind === "data-write" &&
      event.kind === "call" &&
      event.args.some(
        ({ term }) =>
          isKey(instruction, term) ||
          (term.kind === "struct" && term.fields.some(([, value]) => isKey(instruction, value))),
      ),
  )?.event
}

const declaredAt = ({ place, name }: Account): NonNullable<Match["trace"]> => [
  { ...place, note: `\`${name}\` may exist already: \`init_if_needed\`` },
]
