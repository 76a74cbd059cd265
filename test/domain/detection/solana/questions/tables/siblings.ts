import { unlikeSigners } from "../../../../../../domain/detection/solana/siblings/siblingSigners.ts"
import { accountIn } from "../../../../../../domain/detection/solana/questions/questions.ts"
import { solanaTable } from "../../../../../support/solanaTable.ts"

/** Whether an account need not sign that signs in the other instructions of its program. */
export const siblings = solanaTable(
  "siblings",
  {
    signer: (instruction, [term], _at, crate) => {
      const account = accountIn(instruction, term!)
      const found = unlikeSigners(crate).find((one) => one.instruction === instruction && one.account === account)
      return found === undefined ? "like" : found.explained ? "explained" : "unlike"
    },
  },
  [
    `use anchor_lang::prelude::*;

#[program]
pub mod offices {
    use super::*;

    pub fn first(ctx: Context<All>) -> Result<()> {
        ctx.accounts.pool.total = ctx.accounts.pool.total + 1;
        ask::signer(ctx.accounts.chief_a, "like");
        Ok(())
    }

    pub fn second(ctx: Context<All>) -> Result<()> {
        ctx.accounts.pool.total = ctx.accounts.pool.total + 2;
        Ok(())
    }

    pub fn case_a(ctx: Context<CaseA>) -> Result<()> {
        ctx.accounts.pool.total = ctx.accounts.pool.total + 1;
        ask::signer(ctx.accounts.chief_a, "unlike");
        Ok(())
    }

    // Nothing says who it is.
    pub fn case_b(ctx: Context<CaseB>) -> Result<()> {
        ctx.accounts.pool.total = ctx.accounts.pool.total + 1;
        ask::signer(ctx.accounts.chief_b, "explained");
        Ok(())
    }

    pub fn case_s(ctx: Context<CaseS>) -> Result<()> {
        require!(ctx.accounts.list.members.contains(&ctx.accounts.chief_s.key()), Denied::Stranger);
        ctx.accounts.pool.total = ctx.accounts.pool.total + 1;
        ask::signer(ctx.accounts.chief_s, "unlike");
        Ok(())
    }

    // A fixed account is not somebody who decides.
    pub fn case_c(ctx: Context<CaseC>) -> Result<()> {
        require_keys_eq!(ctx.accounts.chief_c.key(), BOSS);
        ctx.accounts.pool.total = ctx.accounts.pool.total + 1;
        ask::signer(ctx.accounts.chief_c, "explained");
        Ok(())
    }

    // Whose record it is, not who decides.
    pub fn case_d(ctx: Context<CaseD>) -> Result<()> {
        ctx.accounts.pool.total = ctx.accounts.pool.total + 1;
        ask::signer(ctx.accounts.chief_d, "explained");
        Ok(())
    }

    // Something is opened for it, at another's cost.
    pub fn case_e(ctx: Context<CaseE>, amount: u64) -> Result<()> {
        ctx.accounts.pool.total = amount;
        ask::signer(ctx.accounts.chief_e, "explained");
        Ok(())
    }

    pub fn case_f(ctx: Context<CaseF>) -> Result<()> {
        ctx.accounts.pool.total = ctx.accounts.pool.total + 1;
        ask::signer(ctx.accounts.chief_f, "explained");
        Ok(())
    }

    // The called program asks.
    pub fn case_g(ctx: Context<CaseG>) -> Result<()> {
        noter::cpi::note(CpiContext::new(ctx.accounts.noter.to_account_info(), noter::cpi::accounts::Note { chief: ctx.accounts.chief_g.to_account_info() }))?;
        ctx.accounts.pool.total = ctx.accounts.pool.total + 1;
        ask::signer(ctx.accounts.chief_g, "explained");
        Ok(())
    }

    // It is paid.
    pub fn case_h(ctx: Context<CaseH>) -> Result<()> {
        ctx.accounts.pool.total = ctx.accounts.pool.total + 1;
        ask::signer(ctx.accounts.chief_h, "explained");
        Ok(())
    }

    // Somebody else is asked.
    pub fn case_i(ctx: Context<CaseI>, amount: u64) -> Result<()> {
        ctx.accounts.pool.total = amount;
        ask::signer(ctx.accounts.chief_i, "like");
        Ok(())
    }

    pub fn case_j(ctx: Context<CaseJ>, amount: u64) -> Result<()> {
        require!(ctx.accounts.list.members.contains(&ctx.accounts.keeper.key()), Denied::Stranger);
        ctx.accounts.pool.total = amount;
        ask::signer(ctx.accounts.chief_j, "like");
        Ok(())
    }

    // Whoever keeps it up decides nothing.
    pub fn case_k(ctx: Context<CaseK>) -> Result<()> {
        ctx.accounts.pool.total = ctx.accounts.pool.total + ctx.accounts.pool.daily;
        ask::signer(ctx.accounts.chief_k, "explained");
        Ok(())
    }

    pub fn case_l(ctx: Context<CaseL>, amount: u64) -> Result<()> {
        ctx.accounts.pool.total = amount;
        ask::signer(ctx.accounts.chief_l, "unlike");
        Ok(())
    }

    pub fn case_m(ctx: Context<CaseM>, amount: u64) -> Result<()> {
        ctx.accounts.pool.total = amount;
        ask::signer(ctx.accounts.chief_m, "unlike");
        Ok(())
    }

    // Nothing happens.
    pub fn case_n(ctx: Context<CaseN>) -> Result<()> {
        msg!("{}", ctx.accounts.pool.total);
        ask::signer(ctx.accounts.chief_n, "like");
        Ok(())
    }

    // Nobody can have signed for it before.
    pub fn case_o(ctx: Context<CaseO>) -> Result<()> {
        ctx.accounts.pool.total = ctx.accounts.pool.total + 1;
        ask::signer(ctx.accounts.chief_o, "like");
        Ok(())
    }

    pub fn single(ctx: Context<Single>) -> Result<()> {
        ctx.accounts.pool.total = ctx.accounts.pool.total + 1;
        Ok(())
    }

    // One other instruction is no custom.
    pub fn case_p(ctx: Context<CaseP>) -> Result<()> {
        ctx.accounts.pool.total = ctx.accounts.pool.total + 1;
        ask::signer(ctx.accounts.chief_p, "like");
        Ok(())
    }

    // Half of them are none either.
    pub fn case_q(ctx: Context<CaseQ>) -> Result<()> {
        ctx.accounts.pool.total = ctx.accounts.pool.total + 1;
        ask::signer(ctx.accounts.chief_q, "like");
        Ok(())
    }

    pub fn case_q_again(ctx: Context<CaseQ>) -> Result<()> {
        ctx.accounts.pool.total = ctx.accounts.pool.total + 1;
        ask::signer(ctx.accounts.chief_q, "like");
        Ok(())
    }

    pub fn third(ctx: Context<Third>) -> Result<()> {
        ctx.accounts.pool.total = ctx.accounts.pool.total + 1;
        Ok(())
    }

    // Three of five.
    pub fn case_r(ctx: Context<CaseR>) -> Result<()> {
        ctx.accounts.pool.total = ctx.accounts.pool.total + 1;
        ask::signer(ctx.accounts.chief_r, "unlike");
        Ok(())
    }

    pub fn case_r_again(ctx: Context<CaseR>) -> Result<()> {
        ctx.accounts.pool.total = ctx.accounts.pool.total + 1;
        ask::signer(ctx.accounts.chief_r, "unlike");
        Ok(())
    }
}

pub const BOSS: Pubkey = pubkey!("Stake11111111111111111111111111111111111111");

#[derive(Accounts)]
pub struct All<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
    pub chief_a: Signer<'info>,
    pub chief_b: Signer<'info>,
    pub chief_c: Signer<'info>,
    pub chief_d: Signer<'info>,
    pub chief_e: Signer<'info>,
    pub chief_f: Signer<'info>,
    pub chief_g: Signer<'info>,
    pub chief_h: Signer<'info>,
    pub chief_i: Signer<'info>,
    pub chief_j: Signer<'info>,
    pub chief_k: Signer<'info>,
    pub chief_l: Signer<'info>,
    pub chief_m: Signer<'info>,
    pub chief_n: Signer<'info>,
    pub chief_o: Signer<'info>,
    pub chief_q: Signer<'info>,
    pub chief_r: Signer<'info>,
    pub chief_s: Signer<'info>,
}

#[derive(Accounts)]
pub struct CaseA<'info> {
    #[account(mut, has_one = chief_a)]
    pub pool: Account<'info, Pool>,
    /// CHECK: compared
    pub chief_a: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct CaseB<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
    /// CHECK: compared
    pub chief_b: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct CaseS<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
    /// CHECK: compared
    pub chief_s: UncheckedAccount<'info>,
    pub list: Account<'info, List>,
}

#[derive(Accounts)]
pub struct CaseC<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
    /// CHECK: compared
    pub chief_c: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct CaseD<'info> {
    #[account(mut, seeds = [b"pool", chief_d.key().as_ref()], bump)]
    pub pool: Account<'info, Pool>,
    /// CHECK: compared
    pub chief_d: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct CaseE<'info> {
    #[account(mut, has_one = chief_e)]
    pub pool: Account<'info, Pool>,
    /// CHECK: compared
    pub chief_e: UncheckedAccount<'info>,
    #[account(init, payer = payer, space = 80)]
    pub made: Account<'info, Pool>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct CaseF<'info> {
    #[account(mut, has_one = chief_f, realloc = 90, realloc::payer = payer, realloc::zero = false)]
    pub pool: Account<'info, Pool>,
    /// CHECK: compared
    pub chief_f: UncheckedAccount<'info>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct CaseG<'info> {
    #[account(mut, has_one = chief_g)]
    pub pool: Account<'info, Pool>,
    /// CHECK: compared
    pub chief_g: UncheckedAccount<'info>,
    pub noter: Program<'info, Noter>,
}

#[derive(Accounts)]
pub struct CaseH<'info> {
    #[account(mut, has_one = chief_h)]
    pub pool: Account<'info, Pool>,
    /// CHECK: compared
    pub chief_h: UncheckedAccount<'info>,
    #[account(mut, close = chief_h)]
    pub ticket: Account<'info, Ticket>,
}

#[derive(Accounts)]
pub struct CaseI<'info> {
    #[account(mut, has_one = chief_i, has_one = keeper)]
    pub pool: Account<'info, Pool>,
    /// CHECK: compared
    pub chief_i: UncheckedAccount<'info>,
    pub keeper: Signer<'info>,
}

#[derive(Accounts)]
pub struct CaseJ<'info> {
    #[account(mut, has_one = chief_j)]
    pub pool: Account<'info, Pool>,
    /// CHECK: compared
    pub chief_j: UncheckedAccount<'info>,
    pub list: Account<'info, List>,
    pub keeper: Signer<'info>,
}

#[derive(Accounts)]
pub struct CaseK<'info> {
    #[account(mut, has_one = chief_k)]
    pub pool: Account<'info, Pool>,
    /// CHECK: compared
    pub chief_k: UncheckedAccount<'info>,
    pub keeper: Signer<'info>,
}

#[derive(Accounts)]
pub struct CaseL<'info> {
    #[account(mut, has_one = chief_l)]
    pub pool: Account<'info, Pool>,
    /// CHECK: compared
    pub chief_l: UncheckedAccount<'info>,
    pub keeper: Signer<'info>,
}

#[derive(Accounts)]
pub struct CaseM<'info> {
    #[account(mut, has_one = chief_m)]
    pub pool: Account<'info, Pool>,
    /// CHECK: compared
    pub chief_m: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct CaseN<'info> {
    #[account(mut, has_one = chief_n)]
    pub pool: Account<'info, Pool>,
    /// CHECK: compared
    pub chief_n: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct CaseO<'info> {
    #[account(mut, has_one = chief_o)]
    pub pool: Account<'info, Pool>,
    /// CHECK: made here
    #[account(init, payer = payer, space = 80, seeds = [b"chief"], bump)]
    pub chief_o: UncheckedAccount<'info>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Single<'info> {
    #[account(mut, has_one = chief_p)]
    pub pool: Account<'info, Pool>,
    pub chief_p: Signer<'info>,
}

#[derive(Accounts)]
pub struct CaseP<'info> {
    #[account(mut, has_one = chief_p)]
    pub pool: Account<'info, Pool>,
    /// CHECK: compared
    pub chief_p: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct CaseQ<'info> {
    #[account(mut, has_one = chief_q)]
    pub pool: Account<'info, Pool>,
    /// CHECK: compared
    pub chief_q: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct Third<'info> {
    #[account(mut, has_one = chief_r)]
    pub pool: Account<'info, Pool>,
    pub chief_r: Signer<'info>,
}

#[derive(Accounts)]
pub struct CaseR<'info> {
    #[account(mut, has_one = chief_r)]
    pub pool: Account<'info, Pool>,
    /// CHECK: compared
    pub chief_r: UncheckedAccount<'info>,
}

#[account]
pub struct Pool {
    pub chief_a: Pubkey,
    pub chief_b: Pubkey,
    pub chief_c: Pubkey,
    pub chief_d: Pubkey,
    pub chief_e: Pubkey,
    pub chief_f: Pubkey,
    pub chief_g: Pubkey,
    pub chief_h: Pubkey,
    pub chief_i: Pubkey,
    pub chief_j: Pubkey,
    pub chief_k: Pubkey,
    pub chief_l: Pubkey,
    pub chief_m: Pubkey,
    pub chief_n: Pubkey,
    pub chief_o: Pubkey,
    pub chief_p: Pubkey,
    pub chief_q: Pubkey,
    pub chief_r: Pubkey,
    pub chief_s: Pubkey,
    pub keeper: Pubkey,
    pub total: u64,
    pub daily: u64,
}

#[account]
pub struct Ticket {
    pub number: u64,
}

#[account]
pub struct List {
    pub members: Vec<Pubkey>,
}

#[error_code]
pub enum Denied { Stranger }
`,
  ],
)
