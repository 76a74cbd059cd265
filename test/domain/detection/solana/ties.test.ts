import { describe, expect, it } from "vitest"
import { isAnchored } from "../../../../domain/detection/solana/ties/ties.ts"
import { accountOf, instructionOf, solanaProgram } from "../../../support/rustProject.ts"

/** Whether a session is determined by the comparison of its address with one made of these seeds. */
const isDetermined = (seeds: string): boolean => {
  const instruction = instructionOf(
    solanaProgram(`use anchor_lang::solana_program::hash::hashv;
#[program] pub mod demo { use super::*;
  pub fn rotate(ctx: Context<Rotate>, root: [u8; 32]) -> Result<()> {
    let session = &mut ctx.accounts.session;
    let expected = Pubkey::create_program_address(&[b"session", ${seeds}], ctx.program_id).unwrap();
    require_keys_eq!(expected, session.key());
    session.uses += 1;
    Ok(()) } }
#[derive(Accounts)] pub struct Rotate<'info> {
  #[account(mut)] pub session: Account<'info, Session>, pub gate: Account<'info, Gate>, pub owner: Signer<'info> }
#[account] pub struct Gate { pub round: u64 }
#[account] pub struct Session { pub signers: [u8; 32], pub uses: u64, pub bump: u8 }`),
  )
  return isAnchored(instruction, accountOf(instruction, "session"))
}

describe("an account whose address is compared with a derived one", () => {
  it.each([
    ["&root, &[session.bump]", true],
    ["&[session.bump]", true],
    ["owner.key.as_ref(), &session.signers", true],
    ["&hashv(&[&root, &session.signers]).to_bytes(), &[session.bump]", true],
    // Whatever the account stores leads to its own address.
    ["&session.signers, &[session.bump]", false],
    ["&hashv(&[&session.signers]).to_bytes()", false],
  ])("is determined unless only its own data leads there: %s", (seeds, determined) => {
    expect(isDetermined(seeds.replace("owner.", "ctx.accounts.owner."))).toBe(determined)
  })
})

describe("an associated token account of which neither owner nor mint is known", () => {
  const instruction = instructionOf(
    solanaProgram(`#[program] pub mod demo { use super::*;
  pub fn hand_out(ctx: Context<HandOut>) -> Result<()> { Ok(()) } }
#[derive(Accounts)] pub struct HandOut<'info> {
  #[account(mut)] pub payer: Signer<'info>,
  /// CHECK: anyone
  pub receiver: UncheckedAccount<'info>,
  pub coin: Account<'info, Mint>,
  #[account(init_if_needed, payer = payer, associated_token::mint = coin, associated_token::authority = receiver)]
  pub purse: Account<'info, TokenAccount> }`),
  )

  it.each(["receiver", "coin", "purse"])("determines none of them: %s", (name) => {
    expect(isAnchored(instruction, accountOf(instruction, name))).toBe(false)
  })
})
