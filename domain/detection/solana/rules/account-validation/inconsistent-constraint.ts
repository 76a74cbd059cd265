import type { Rule } from "../../../Rule.ts"
import type { SolanaProgram } from "../../program/model.ts"
import { exceptions } from "../../siblings/exceptions.ts"
import { reasonFor } from "../../siblings/expectationMessages.ts"

export const inconsistentConstraint: Rule<SolanaProgram> = {
  meta: {
    id: "solana/account-validation/inconsistent-constraint",
    class: "account-data-matching",
    title: "Account constraint missing where sibling instructions have one",
    severity: "informational",
    confidence: "low",
    cwe: [1068, 345],
    description:
      "Most other instructions of the program check this account, but this one does not. Another constraint, " +
      "the seeds of an address or a called program may make the check unnecessary here. However, if that other " +
      "constraint changes later, nothing validates the account any more.",
    remediation:
      "Declare the constraint here as well, which costs little. Otherwise, say in a comment what makes it " +
      "unnecessary and suppress the finding.",
    references: ["https://www.anchor-lang.com/docs/references/account-constraints"],
  },
  check: (program, report) => {
    for (const crate of program.crates)
      for (const missing of exceptions(crate))
        report({
          ...missing.account.place,
          scope: missing.instruction.handler.qualifiedName,
          ...reasonFor(missing),
        })
  },
  examples: {
    vulnerable: [
      // The vault's address is derived from that of the pool, so that no other vault fits.
      `use anchor_lang::prelude::*;

#[program]
pub mod pools {
    use super::*;
    pub fn open_door(ctx: Context<Door>) -> Result<()> { ctx.accounts.vault.doors += 1; Ok(()) }
    pub fn shut_door(ctx: Context<Door>) -> Result<()> { ctx.accounts.vault.doors = 0; Ok(()) }
    pub fn count(ctx: Context<Door>) -> Result<()> { ctx.accounts.vault.counts += 1; Ok(()) }
    pub fn paint(ctx: Context<Paint>) -> Result<()> { ctx.accounts.vault.color = 1; Ok(()) }
}

#[derive(Accounts)]
pub struct Door<'info> {
    #[account(has_one = vault, has_one = keeper)]
    pub pool: Account<'info, Pool>,
    #[account(mut)]
    pub vault: Account<'info, Vault>,
    pub keeper: Signer<'info>,
}

#[derive(Accounts)]
pub struct Paint<'info> {
    #[account(has_one = keeper)]
    pub pool: Account<'info, Pool>,
    #[account(mut, seeds = [b"vault", pool.key().as_ref()], bump)]
    pub vault: Account<'info, Vault>, // FINDING
    pub keeper: Signer<'info>,
}

#[account]
pub struct Pool { pub vault: Pubkey, pub keeper: Pubkey }
#[account]
pub struct Vault { pub doors: u64, pub counts: u64, pub color: u8 }
`,
      // Whoever pays the rent signs; the author does not.
      `use anchor_lang::prelude::*;

#[program]
pub mod notes {
    use super::*;
    pub fn edit(ctx: Context<Edit>, text: u64) -> Result<()> { ctx.accounts.note.text = text; Ok(()) }
    pub fn hide(ctx: Context<Edit>) -> Result<()> { ctx.accounts.note.hidden = true; Ok(()) }
    pub fn show(ctx: Context<Edit>) -> Result<()> { ctx.accounts.note.hidden = false; Ok(()) }
    pub fn archive(ctx: Context<Archive>) -> Result<()> { ctx.accounts.copy.text = ctx.accounts.note.text; Ok(()) }
}

#[derive(Accounts)]
pub struct Edit<'info> {
    #[account(mut, has_one = author)]
    pub note: Account<'info, Note>,
    pub author: Signer<'info>,
}

#[derive(Accounts)]
pub struct Archive<'info> {
    #[account(has_one = author)]
    pub note: Account<'info, Note>,
    #[account(init, payer = payer, space = 8 + 41, seeds = [b"copy", note.key().as_ref()], bump)]
    pub copy: Account<'info, Note>,
    /// CHECK: compared above
    pub author: UncheckedAccount<'info>, // FINDING
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Note { pub author: Pubkey, pub text: u64, pub hidden: bool }
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Burn, Mint, Token, TokenAccount};

#[program]
pub mod pools {
    use super::*;
    pub fn open_door(ctx: Context<Door>) -> Result<()> { ctx.accounts.vault.doors += 1; Ok(()) }
    pub fn shut_door(ctx: Context<Door>) -> Result<()> { ctx.accounts.vault.doors = 0; Ok(()) }
    pub fn count(ctx: Context<Door>) -> Result<()> { ctx.accounts.vault.counts += 1; Ok(()) }
    pub fn paint(ctx: Context<Paint>) -> Result<()> { ctx.accounts.vault.color = 1; Ok(()) }
    // The token program compares the mint with that of the tickets.
    pub fn leave(ctx: Context<Leave>) -> Result<()> {
        ctx.accounts.pool.guests -= 1;
        let accounts = Burn { mint: ctx.accounts.mint.to_account_info(), from: ctx.accounts.tickets.to_account_info(), authority: ctx.accounts.guest.to_account_info() };
        token::burn(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), 1)
    }
}

#[derive(Accounts)]
pub struct Door<'info> {
    #[account(has_one = keeper, has_one = mint)]
    pub pool: Account<'info, Pool>,
    #[account(mut, seeds = [b"vault", pool.key().as_ref()], bump)]
    pub vault: Account<'info, Vault>,
    /// CHECK: compared above
    pub mint: UncheckedAccount<'info>,
    pub keeper: Signer<'info>,
}

// Its seeds have another prefix.
#[derive(Accounts)]
pub struct Paint<'info> {
    #[account(has_one = keeper)]
    pub pool: Account<'info, Pool>,
    #[account(mut, seeds = [b"painted", b"vault", pool.key().as_ref()], bump)]
    pub vault: Account<'info, Vault>,
    pub keeper: Signer<'info>,
}

#[derive(Accounts)]
pub struct Leave<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
    /// CHECK: the token program compares it
    #[account(mut)]
    pub mint: UncheckedAccount<'info>,
    #[account(mut, constraint = tickets.mint == pool.mint)]
    pub tickets: Account<'info, TokenAccount>,
    pub guest: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Pool { pub keeper: Pubkey, pub mint: Pubkey, pub guests: u64 }
#[account]
pub struct Vault { pub doors: u64, pub counts: u64, pub color: u8 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Burn, Mint, Token, TokenAccount, Transfer};

#[program]
pub mod notes {
    use super::*;
    pub fn edit(ctx: Context<Edit>, text: u64) -> Result<()> { ctx.accounts.note.text = text; Ok(()) }
    pub fn hide(ctx: Context<Edit>) -> Result<()> { ctx.accounts.note.hidden = true; Ok(()) }
    pub fn show(ctx: Context<Edit>) -> Result<()> { ctx.accounts.note.hidden = false; Ok(()) }
    // The moderator of the house decides here.
    pub fn remove(ctx: Context<Moderate>) -> Result<()> { ctx.accounts.note.hidden = true; Ok(()) }
    // Anyone may give something.
    pub fn tip(ctx: Context<Tip>, amount: u64) -> Result<()> {
        ctx.accounts.note.tips += amount;
        let accounts = Transfer { from: ctx.accounts.purse.to_account_info(), to: ctx.accounts.vault.to_account_info(), authority: ctx.accounts.author.to_account_info() };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)
    }
}

#[derive(Accounts)]
pub struct Edit<'info> {
    #[account(mut, has_one = author)]
    pub note: Account<'info, Note>,
    pub author: Signer<'info>,
}

#[derive(Accounts)]
pub struct Moderate<'info> {
    #[account(mut, has_one = author, has_one = house)]
    pub note: Account<'info, Note>,
    /// CHECK: compared above
    pub author: UncheckedAccount<'info>,
    #[account(has_one = moderator)]
    pub house: Account<'info, House>,
    pub moderator: Signer<'info>,
}

#[derive(Accounts)]
pub struct Tip<'info> {
    #[account(mut, has_one = vault)]
    pub note: Account<'info, Note>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub purse: Account<'info, TokenAccount>,
    pub author: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct House { pub moderator: Pubkey }
#[account]
pub struct Note { pub author: Pubkey, pub house: Pubkey, pub vault: Pubkey, pub text: u64, pub hidden: bool, pub tips: u64 }
`,
      // All of them check it.
      `use anchor_lang::prelude::*;

#[program]
pub mod pools {
    use super::*;
    pub fn open_door(ctx: Context<Door>) -> Result<()> { ctx.accounts.vault.doors += 1; Ok(()) }
    pub fn shut_door(ctx: Context<Door>) -> Result<()> { ctx.accounts.vault.doors = 0; Ok(()) }
    pub fn count(ctx: Context<Door>) -> Result<()> { ctx.accounts.vault.counts += 1; Ok(()) }
    pub fn paint(ctx: Context<Paint>) -> Result<()> { ctx.accounts.vault.color = 1; Ok(()) }
}

#[derive(Accounts)]
pub struct Door<'info> {
    #[account(has_one = vault, has_one = keeper)]
    pub pool: Account<'info, Pool>,
    #[account(mut)]
    pub vault: Account<'info, Vault>,
    pub keeper: Signer<'info>,
}

#[derive(Accounts)]
pub struct Paint<'info> {
    #[account(has_one = keeper)]
    pub pool: Account<'info, Pool>,
    #[account(mut, constraint = pool.vault == vault.key())]
    pub vault: Account<'info, Vault>,
    pub keeper: Signer<'info>,
}

#[account]
pub struct Pool { pub vault: Pubkey, pub keeper: Pubkey }
#[account]
pub struct Vault { pub doors: u64, pub counts: u64, pub color: u8 }
`,
      // Two others are too few to speak of a habit.
      `use anchor_lang::prelude::*;

#[program]
pub mod pools {
    use super::*;
    pub fn open_door(ctx: Context<Door>) -> Result<()> { ctx.accounts.vault.doors += 1; Ok(()) }
    pub fn shut_door(ctx: Context<Door>) -> Result<()> { ctx.accounts.vault.doors = 0; Ok(()) }
    pub fn paint(ctx: Context<Paint>) -> Result<()> { ctx.accounts.vault.color = 1; Ok(()) }
}

#[derive(Accounts)]
pub struct Door<'info> {
    #[account(has_one = vault, has_one = keeper)]
    pub pool: Account<'info, Pool>,
    #[account(mut)]
    pub vault: Account<'info, Vault>,
    pub keeper: Signer<'info>,
}

#[derive(Accounts)]
pub struct Paint<'info> {
    #[account(has_one = keeper)]
    pub pool: Account<'info, Pool>,
    #[account(mut, seeds = [b"vault", pool.key().as_ref()], bump)]
    pub vault: Account<'info, Vault>,
    pub keeper: Signer<'info>,
}

#[account]
pub struct Pool { pub vault: Pubkey, pub keeper: Pubkey }
#[account]
pub struct Vault { pub doors: u64, pub counts: u64, pub color: u8 }
`,
      // Nothing explains the difference: \`untied-account\` reports it.
      `use anchor_lang::prelude::*;

#[program]
pub mod pools {
    use super::*;
    pub fn open_door(ctx: Context<Door>) -> Result<()> { ctx.accounts.vault.doors += 1; Ok(()) }
    pub fn shut_door(ctx: Context<Door>) -> Result<()> { ctx.accounts.vault.doors = 0; Ok(()) }
    pub fn count(ctx: Context<Door>) -> Result<()> { ctx.accounts.vault.counts += 1; Ok(()) }
    pub fn paint(ctx: Context<Paint>) -> Result<()> { ctx.accounts.vault.color = 1; Ok(()) }
}

#[derive(Accounts)]
pub struct Door<'info> {
    #[account(has_one = vault, has_one = keeper)]
    pub pool: Account<'info, Pool>,
    #[account(mut)]
    pub vault: Account<'info, Vault>,
    pub keeper: Signer<'info>,
}

#[derive(Accounts)]
pub struct Paint<'info> {
    #[account(has_one = keeper)]
    pub pool: Account<'info, Pool>,
    #[account(mut)]
    pub vault: Account<'info, Vault>,
    pub keeper: Signer<'info>,
}

#[account]
pub struct Pool { pub vault: Pubkey, pub keeper: Pubkey }
#[account]
pub struct Vault { pub doors: u64, pub counts: u64, pub color: u8 }
`,
      // Who opens the note is stored in it here.
      `use anchor_lang::prelude::*;

#[program]
pub mod notes {
    use super::*;
    pub fn edit(ctx: Context<Edit>, text: u64) -> Result<()> { ctx.accounts.note.text = text; Ok(()) }
    pub fn hide(ctx: Context<Edit>) -> Result<()> { ctx.accounts.note.hidden = true; Ok(()) }
    pub fn show(ctx: Context<Edit>) -> Result<()> { ctx.accounts.note.hidden = false; Ok(()) }
    pub fn open(ctx: Context<Open>) -> Result<()> { ctx.accounts.note.author = ctx.accounts.author.key(); Ok(()) }
}

#[derive(Accounts)]
pub struct Edit<'info> {
    #[account(mut, has_one = author)]
    pub note: Account<'info, Note>,
    pub author: Signer<'info>,
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(init, payer = author, space = 8 + 41)]
    pub note: Account<'info, Note>,
    #[account(mut)]
    pub author: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Note { pub author: Pubkey, pub text: u64, pub hidden: bool }
`,
    ],
  },
}
