import { oncePer } from "../../../oncePer.ts"
import type { Rule } from "../../../Rule.ts"
import { mentions, pathEnds, subterms, type Term } from "../../../rust/terms/terms.ts"
import type { CallEvent, Event } from "../../../rust/terms/events.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import type { Account, Instruction, SolanaProgram } from "../../program/model.ts"
import { checksWhenDone } from "../../questions/questions.ts"
import { literalValue, madeFrom, operandsOf, plain } from "../../questions/quantities.ts"

/** Accounts by name: native programs know them as list entries. */
interface Sysvars {
  readonly clocks: ReadonlySet<Term>
  readonly hashes: ReadonlySet<Term>
}

export const clockOrBlockhash: Rule<SolanaProgram> = {
  meta: {
    id: "solana/bad-randomness/clock-or-blockhash",
    class: "weak-randomness",
    title: "Randomness derived from the clock, slot or blockhash",
    severity: "high",
    confidence: "medium",
    cwe: [338, 330],
    description:
      "A number that determines an outcome is derived from the clock, the slot or recent blockhashes. All of " +
      "these are known when the instruction runs: an attacker's program computes the same number first and " +
      "calls only if it wins, and the validator that leads the slot can influence them.",
    remediation:
      "Use a verifiable random function (Switchboard randomness, ORAO) or a commit-reveal scheme: fix the bet " +
      "in one transaction, and let the number arrive in a later one from a source that nobody could know in " +
      "advance.",
    references: [
      "https://docs.switchboard.xyz/product-documentation/randomness",
      "https://solana.com/docs/core/programs",
    ],
  },
  check: (program, report) => {
    for (const [events, sysvars] of eventsOf(program))
      for (const event of events) {
        let value: Term | undefined
        let modulus: Term | undefined
        if (event.kind === "operation" && event.operator === "%") {
          value = event.left.term
          modulus = event.right?.term
        } else if (event.kind === "call" && event.method && remainders.test(event.name)) {
          value = event.args[0]?.term
          modulus = event.args[1]?.term
        } else if (event.kind === "call" && /^(seed_from_u64|from_seed)$/.test(event.name)) value = event.args[0]?.term
        else if (event.kind === "check" || event.kind === "assign") {
          const bit = (event.kind === "check" ? event.conditions : [event.value.term])
            .flatMap((one) => (one.kind === "binary" ? [one, one.left, one.right] : [one]))
            .find((one) => one.kind === "binary" && one.operator === "&" && (literalValue(one.right) ?? 64) < 64)
          value = bit
        }
        if (value === undefined || !drawsOn(value, sysvars)) continue
        if (event.kind !== "check" && tellsTime(value, modulus)) continue
        if (roundedIn(program).has(value)) continue
        // What is computed from a number that was drawn is told with it.
        if (mentions(value, (one) => isDrawn(one, sysvars))) continue
        report(placeOf(event))
      }
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;

#[program]
pub mod lottery {
    use super::*;
    pub fn draw(ctx: Context<Draw>) -> Result<()> {
        let clock = Clock::get()?;
        let game = &mut ctx.accounts.game;
        game.winner = clock.unix_timestamp as u64 % game.players; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Draw<'info> {
    #[account(mut)]
    pub game: Account<'info, Game>,
}

#[account]
pub struct Game { pub winner: u64, pub players: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::keccak;

#[program]
pub mod lottery {
    use super::*;
    pub fn draw(ctx: Context<Draw>, salt: u64) -> Result<()> {
        let game = &mut ctx.accounts.game;
        game.winner = number(ctx.accounts.clock.slot, salt).checked_rem(game.players).unwrap(); // FINDING
        Ok(())
    }
}

fn number(slot: u64, salt: u64) -> u64 {
    let digest = keccak::hashv(&[&slot.to_le_bytes(), &salt.to_le_bytes()]);
    u64::from_le_bytes(digest.0[..8].try_into().unwrap())
}

#[derive(Accounts)]
pub struct Draw<'info> {
    #[account(mut)]
    pub game: Account<'info, Game>,
    pub clock: Sysvar<'info, Clock>,
}

#[account]
pub struct Game { pub winner: u64, pub players: u64 }
`,
      `use anchor_lang::prelude::*;
use rand_chacha::rand_core::{RngCore, SeedableRng};

#[program]
pub mod lottery {
    use super::*;

    pub fn draw(ctx: Context<Draw>, given: u64) -> Result<()> {
        let clock = Clock::get()?;
        let game = &mut ctx.accounts.game;
        let now = clock.unix_timestamp as u64;
        game.a = now % game.players; // FINDING
        game.a = now.checked_rem(game.players).unwrap(); // FINDING
        game.a = u64::checked_rem(now, game.players).unwrap();
        game.a = now % 60;
        game.a = now % 90; // FINDING
        game.a = now % 30; // FINDING
        game.a = hash(&clock.slot.to_le_bytes()).to_bytes()[0] as u64 % 60; // FINDING
        game.a = mix(now) % 60;
        game.a = now % game.period;
        game.a = now % PERIOD;
        game.a = (now / game.players) % game.players;
        game.a = (now / 7) % game.players; // FINDING
        game.a = (now - game.start) % game.players;
        game.a = (now - 5) % game.players; // FINDING
        game.a = now.saturating_sub(game.start) % game.players;
        game.a = now.saturating_sub(5) % game.players; // FINDING
        game.a = now.saturating_add(game.start) % game.players; // FINDING
        game.a = clock.leader_schedule_epoch % game.players;
        game.a = clock.slot % game.players; // FINDING
        game.a = clock.epoch % game.players; // FINDING
        game.a = game.slot % game.players;
        game.a = Rent::get()?.slot % game.players;
        game.a = Config::get()?.slot % game.players;
        game.a = given % game.players;
        game.flag = clock.slot & 1; // FINDING
        game.flag = clock.slot & 255;
        game.flag = clock.slot | 1;
        game.flag = clock.slot & game.players;
        let mut one = rand_chacha::ChaChaRng::seed_from_u64(now); // FINDING
        let two = maker.seed_from_u64(now);
        game.a = one.next_u64() + two;
        Ok(())
    }

    pub fn from_accounts(ctx: Context<FromAccounts>) -> Result<()> {
        let game = &mut ctx.accounts.game;
        game.a = ctx.accounts.clock.slot % game.players; // FINDING
        game.a = ctx.accounts.other.slot % game.players;
        let hashes = ctx.accounts.slot_hashes.data.borrow();
        game.a = hashes[0] as u64 % game.players; // FINDING
        let named = ctx.accounts.entropy.data.borrow();
        game.a = named[0] as u64 % game.players; // FINDING
        let fixed = ctx.accounts.fixed.data.borrow();
        game.a = fixed[0] as u64 % game.players;
        let free = ctx.accounts.free.data.borrow();
        game.a = free[0] as u64 % game.players;
        game.a = ctx.accounts.slot_hashes.lamports() % game.players;
        Ok(())
    }
}

fn mix(value: u64) -> u64 {
    value
}

/// Nobody in this crate calls it.
pub fn pick(players: u64) -> u64 {
    let clock = Clock::get().unwrap();
    clock.slot % players // FINDING
}

pub const PERIOD: u64 = 7_001;

#[derive(Accounts)]
pub struct Draw<'info> {
    #[account(mut)]
    pub game: Account<'info, Game>,
}

#[derive(Accounts)]
pub struct FromAccounts<'info> {
    #[account(mut)]
    pub game: Account<'info, Game>,
    pub clock: Sysvar<'info, Clock>,
    pub other: Account<'info, Game>,
    /// CHECK: by its name
    pub slot_hashes: UncheckedAccount<'info>,
    /// CHECK: by its address
    #[account(address = sysvar::slot_hashes::ID)]
    pub entropy: UncheckedAccount<'info>,
    /// CHECK: by its address
    #[account(address = sysvar::rent::ID)]
    pub fixed: UncheckedAccount<'info>,
    /// CHECK: any
    pub free: UncheckedAccount<'info>,
}

#[account]
pub struct Game { pub a: u64, pub flag: u64, pub players: u64, pub period: u64, pub start: u64, pub slot: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::sysvar::slot_hashes::SlotHashes;

#[program]
pub mod coin {
    use super::*;

    pub fn toss(ctx: Context<Toss>) -> Result<()> {
        let round = &mut ctx.accounts.round;
        // The lowest bit of a time that has passed is drawn as well as any other.
        require!((Clock::get()?.unix_timestamp - round.start) & 1 == 0, CoinError::Lost); // FINDING
        round.won += 1;
        Ok(())
    }

    pub fn draw(ctx: Context<Draw>) -> Result<()> {
        let hashes: SlotHashes = bincode::deserialize(&ctx.accounts.slot_hashes.data.borrow()).unwrap();
        ctx.accounts.round.won = hashes.latest % 6; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Toss<'info> {
    #[account(mut)]
    pub round: Account<'info, Round>,
}

#[derive(Accounts)]
pub struct Draw<'info> {
    #[account(mut)]
    pub round: Account<'info, Round>,
    /// CHECK: compared
    #[account(address = sysvar::slot_hashes::ID)]
    pub slot_hashes: UncheckedAccount<'info>,
}

#[account]
pub struct Round {
    pub start: i64,
    pub won: u64,
}

#[error_code]
pub enum CoinError {
    Lost,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod raffles {
    use super::*;
    pub fn draw(ctx: Context<Draw>) -> Result<()> {
        let clock = Clock::get()?;
        let pick = clock.slot.checked_rem(ctx.accounts.raffle.tickets).unwrap(); // FINDING
        let row = pick.checked_rem(8).unwrap();
        let other = clock.slot % ctx.accounts.raffle.rows; // FINDING
        ctx.accounts.raffle.seat = other % 4 + row;
        Ok(())
    }
    // The time of day is no draw, but what is made of it is.
    pub fn deal(ctx: Context<Draw>) -> Result<()> {
        let today = Clock::get()?.slot % 86400;
        ctx.accounts.raffle.seat = today % ctx.accounts.raffle.tickets; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Draw<'info> {
    #[account(mut)]
    pub raffle: Account<'info, Raffle>,
}

#[account]
pub struct Raffle { pub tickets: u64, pub rows: u64, pub seat: u64 }
`,
      // The remainder of something else does not draw.
      `use anchor_lang::prelude::*;

#[program]
pub mod raffles {
    use super::*;
    pub fn draw(ctx: Context<Draw>, ticket: u64) -> Result<()> {
        let clock = Clock::get()?;
        let raffle = &mut ctx.accounts.raffle;
        raffle.winner = (clock.slot + ticket % 100) % raffle.tickets; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Draw<'info> {
    #[account(mut)]
    pub raffle: Account<'info, Raffle>,
}

#[account]
pub struct Raffle { pub winner: u64, pub tickets: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod wheel {
    use super::*;
    pub fn spin(ctx: Context<Spin>, other: u64) -> Result<()> {
        let slot = Clock::get()?.slot;
        ctx.accounts.wheel.won = slot % 37 == 0; // FINDING
        ctx.accounts.wheel.prize = slot - other % 37;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Spin<'info> {
    #[account(mut)]
    pub wheel: Account<'info, Wheel>,
}

#[account]
pub struct Wheel { pub won: bool, pub prize: u64 }
`,
    ],
    safe: [
      // The amount of a record that also says when it was made.
      `use anchor_lang::prelude::*;

#[program]
pub mod orders {
    use super::*;
    pub fn place(ctx: Context<Place>, amount: u64, limit: u64) -> Result<()> {
        let now = Clock::get()?.slot;
        let mut order = Order { amount, at: now };
        for bid in ctx.accounts.book.bids.iter() {
            order = Order { amount: bid.amount, at: now.min(limit) };
        }
        require!(order.amount % ctx.accounts.book.step == 0, E::Step);
        Ok(())
    }
}

#[derive(AnchorSerialize, AnchorDeserialize, Clone, Copy)]
pub struct Order { pub amount: u64, pub at: u64 }

#[account]
pub struct Book { pub bids: Vec<Order>, pub step: u64 }

#[derive(Accounts)]
pub struct Place<'info> {
    pub book: Account<'info, Book>,
}`,
      `use anchor_lang::prelude::*;

const DAY: i64 = 86_400;

#[program]
pub mod stake {
    use super::*;
    pub fn tick(ctx: Context<Tick>) -> Result<()> {
        let now = Clock::get()?.unix_timestamp;
        let farm = &mut ctx.accounts.farm;
        farm.day_second = now % DAY;
        farm.phase = (now - farm.start) % farm.length;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Tick<'info> {
    #[account(mut)]
    pub farm: Account<'info, Farm>,
}

#[account]
pub struct Farm { pub start: i64, pub length: i64, pub phase: i64, pub day_second: i64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod lottery {
    use super::*;
    pub fn draw(ctx: Context<Draw>) -> Result<()> {
        let game = &mut ctx.accounts.game;
        require!(Clock::get()?.slot > game.reveal_slot, ErrorCode::Early);
        let value = u64::from_le_bytes(ctx.accounts.randomness.value[..8].try_into().unwrap());
        game.winner = value % game.players;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Draw<'info> {
    #[account(mut, has_one = randomness)]
    pub game: Account<'info, Game>,
    pub randomness: Account<'info, Randomness>,
}

#[account]
pub struct Randomness { pub value: [u8; 32] }

#[account]
pub struct Game { pub winner: u64, pub players: u64, pub reveal_slot: u64, pub randomness: Pubkey }

#[error_code]
pub enum ErrorCode { Early }
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::sysvar::slot_hashes;
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};

pub fn look(_program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let first = next_account_info(iter)?;
    if first.key != &slot_hashes::ID {
        return Err(ProgramError::InvalidArgument);
    }
    solana_program::msg!("{}", first.data_len());
    Ok(())
}

pub fn pick(program_id: &Pubkey, accounts: &[AccountInfo], count: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let answer = next_account_info(iter)?;
    if answer.owner != program_id || count == 0 {
        return Err(ProgramError::IllegalOwner);
    }
    let bytes = answer.try_borrow_data()?;
    let word = bytes.get(8..16).and_then(|some| some.try_into().ok()).ok_or(ProgramError::InvalidAccountData)?;
    solana_program::msg!("{}", u64::from_le_bytes(word) % count);
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod history {
    use super::*;
    pub fn count(ctx: Context<Count>) -> Result<()> {
        let end = Clock::get()?.slot;
        let first = if end % 64 == 0 { end } else { end.checked_add(64u64.checked_sub(end % 64).unwrap()).unwrap() };
        ctx.accounts.tally.first = first;
        ctx.accounts.tally.last = end - end % 64;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Count<'info> {
    #[account(mut)]
    pub tally: Account<'info, Tally>,
}

#[account]
pub struct Tally { pub first: u64, pub last: u64 }
`,
    ],
  },
}

const remainders = /^(checked_rem|rem_euclid|wrapping_rem|checked_rem_euclid)$/

/** What its own remainder is added to or taken from: `slot - slot % 64` is the first of 64 slots, and nothing is drawn. */
const roundedIn = oncePer((program: SolanaProgram): ReadonlySet<Term> => {
  const found = new Set<Term>()
  for (const event of program.events()) {
    const [whole, part] =
      event.kind === "operation" ? [event.left.term, event.right?.term] : event.kind === "call" ? argsOf(event) : []
    if (whole === undefined || part === undefined) continue
    // `slot + (64 - slot % 64)`
    const rest = plain(operandsOf(part, "sub")?.[1] ?? part)
    if (rest.kind === "binary" && rest.operator === "%" && rest.left === whole) found.add(whole)
  }
  return found
})

const argsOf = ({ name, args }: CallEvent): ReadonlyArray<Term> =>
  /^(checked|saturating|wrapping)_(add|sub)$/.test(name) ? args.map(({ term }) => term) : []

/** The remainder of block data, which is reported where it is computed. */
const isDrawn = (term: Term, sysvars: Sysvars): boolean => {
  const [value, modulus] =
    term.kind === "binary" && term.operator === "%"
      ? [term.left, term.right]
      : term.kind === "call" && remainders.test(term.name)
        ? term.args
        : []
  return value !== undefined && drawsOn(value, sysvars) && !tellsTime(value, modulus)
}

/** Whether block data went into a value; of a record that was made of them and others, a field need not contain any. */
const drawsOn = (value: Term, sysvars: Sysvars): boolean => {
  const parts = new Set<Term>([value])
  // A set also iterates over what is added in the meantime.
  for (const one of parts) {
    if (isBlockData(one, sysvars)) return true
    if (one.kind !== "field" || one.base.kind !== "opaque") for (const part of subterms(one)) parts.add(part)
  }
  return false
}

const hashed = /slot_?hashes|recent_?(slot|block)_?hash/i

const sysvarsOf = (instruction: Instruction): Sysvars => {
  const { accounts } = instruction
  const byAddress = (one: Account): boolean =>
    checksWhenDone(instruction, one).some(({ against }) => against?.kind === "constant" && hashed.test(against.path))
  return {
    clocks: new Set(accounts.filter((one) => /clock/i.test(one.name)).map((one) => one.term)),
    hashes: new Set(accounts.filter((one) => hashed.test(one.name) || byAddress(one)).map((one) => one.term)),
  }
}

const noSysvars: Sysvars = { clocks: new Set(), hashes: new Set() }

/** The events with the accounts of its instruction, since the meaning of a term varies between instructions. */
function* eventsOf(program: SolanaProgram): Iterable<readonly [ReadonlyArray<Event>, Sysvars]> {
  for (const { instructions } of program.crates)
    for (const instruction of instructions) yield [instruction.events, sysvarsOf(instruction)]
  yield [program.unreached(), noSysvars]
}

const isClock = (term: Term, { clocks }: Sysvars): boolean => {
  if (term.kind !== "call") return false
  return pathEnds(term.path, "Clock::get") || (term.args[0] !== undefined && clocks.has(term.args[0]))
}

const isBlockData = (term: Term, sysvars: Sysvars): boolean => {
  if (term.kind === "field")
    return (
      (/^(slot|unix_timestamp|epoch|epoch_start_timestamp)$/.test(term.name) &&
        mentions(term.base, (one) => isClock(one, sysvars))) ||
      (term.name === "data" && sysvars.hashes.has(term.base))
    )
  if (term.kind !== "call") return false
  if (term.args[0] !== undefined && sysvars.hashes.has(term.args[0])) return true
  return /SlotHashes|RecentBlockhashes|slot_hashes|recent_blockhashes/.test(term.path)
}

/** `timestamp % DAY` and `(now - start) % period` compute a time of day; nothing is drawn. */
const tellsTime = (value: Term, modulus: Term | undefined): boolean => {
  const dividend = plain(value)
  const size = modulus === undefined ? undefined : literalValue(modulus)
  if (size !== undefined && size % 60 === 0)
    return !mentions(dividend, (one) => one.kind === "call" && /hash|from_[lb]e_bytes/.test(one.name))
  const named =
    modulus !== undefined &&
    mentions(
      modulus,
      (one) =>
        (one.kind === "constant" || one.kind === "field") &&
        /sec|min|hour|day|week|period|interval|epoch|duration|window|slots?/i.test(one.name),
    )
  if (named) return true
  // A price that moves with time, or an amount at such a price.
  const divides = (one: Term): boolean => {
    const divisor = operandsOf(one, "div")?.[1]
    return divisor !== undefined && literalValue(divisor) === undefined
  }
  if (madeFrom(dividend, divides)) return true
  // A time that has passed, unless it was hashed.
  return mentions(
    dividend,
    (one) =>
      (one.kind === "binary" && one.operator === "-" && literalValue(one.right) === undefined) ||
      (one.kind === "call" &&
        one.name.endsWith("_sub") &&
        one.args[1] !== undefined &&
        literalValue(one.args[1]) === undefined),
  )
}
