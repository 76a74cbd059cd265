import { uncheckedTallies } from "../../../../../../domain/detection/cosmwasm/saves/uncheckedTallies.ts"
import { cosmwasmTable } from "../../../../../support/cosmwasmTable.ts"

/** Messages that carry out what members vote for without looking at the votes. */
export const tallies = cosmwasmTable(
  "tallies",
  { unasked: ({ handler, crate }) => uncheckedTallies(crate).has(handler) },
  [
    `use cosmwasm_std::{coins, ensure, entry_point, Addr, BankMsg, CosmosMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};

pub struct Plan { pub to: Addr, pub msg: CosmosMsg, pub yes: u128, pub ends: u64, pub status: Status, pub by: Vec<Addr> }
pub enum Status { Open, Passed, Failed }

pub const ADMIN: Item<Addr> = Item::new("admin");
pub const LAST: Item<u64> = Item::new("last");
pub const LISTED: Item<Vec<Addr>> = Item::new("listed");
pub const BALLOTS: Map<(u64, &Addr), bool> = Map::new("ballots");
pub const PLANS: Map<u64, Plan> = Map::new("plans");
pub const NOTED: Map<u64, Plan> = Map::new("noted");
pub const SET: Map<u64, Plan> = Map::new("set");
pub const DEPOSITS: Map<u64, Plan> = Map::new("deposits");
pub const PAID: Map<u64, Plan> = Map::new("paid");
pub const COMMON: Map<u64, Plan> = Map::new("common");
pub const OWN: Map<(u64, &Addr), Plan> = Map::new("own");
pub const ADMINS: Map<u64, Plan> = Map::new("admins");
pub const CHAINS: Map<u64, Plan> = Map::new("chains");
pub const APPROVED: Map<u64, Plan> = Map::new("approved");
pub const INSERTED: Map<u64, Plan> = Map::new("inserted");
pub const AGAIN: Map<u64, Plan> = Map::new("again");
pub const OTHERS: Map<u64, Plan> = Map::new("others");
pub const CHECKED: Map<u64, Plan> = Map::new("checked");
pub const REMOVED: Map<u64, Plan> = Map::new("removed");
pub const SHARED: Map<u64, Plan> = Map::new("shared");
pub const TALLIES: Map<u64, u128> = Map::new("tallies");
pub const BODIES: Map<u64, Plan> = Map::new("bodies");
pub const ASIDE: Map<u64, Plan> = Map::new("aside");
pub const PAYEES: Map<u64, Addr> = Map::new("payees");
pub const LOGS: Map<u64, Plan> = Map::new("logs");
pub const STAGED: Map<u64, Plan> = Map::new("staged");
pub const UNSTAGED: Map<u64, Plan> = Map::new("unstaged");

pub enum ExecuteMsg {
    Vote { id: u64 },
    VoteUnnoted { id: u64 },
    VoteSet { id: u64 },
    VoteDeposit { id: u64, amount: u128 },
    VotePaid { id: u64 },
    VoteCommon { id: u64 },
    VoteOwn { id: u64 },
    VoteAdmin { id: u64 },
    Approve { id: u64 },
    Insert { id: u64 },
    ApproveAgain { id: u64 },
    ApproveFor { id: u64, who: Addr },
    ApproveIfOther { id: u64, who: Addr },
    ApproveLess { id: u64 },
    ApproveShared { id: u64 },
    Create { id: u64, plan: Plan },
    CreateAside { id: u64, plan: Plan },
    VoteTally { id: u64 },
    Mark { id: u64 },
    CreateStaged { id: u64, plan: Plan },
    VoteStaged { id: u64 },
    Close { id: u64 },
    Run { id: u64 },
    RunStored { id: u64 },
    RunLast {},
    RunVoted { id: u64 },
    RunIfThere { id: u64 },
    RunByAdmin { id: u64 },
    RunLate { id: u64 },
    RunSilently { id: u64 },
    Bury { id: u64 },
    RunUnnoted { id: u64 },
    RunSet { id: u64 },
    RunDeposit { id: u64 },
    RunPaid { id: u64 },
    RunCommon { id: u64 },
    RunOwn { id: u64 },
    RunAdmin { id: u64 },
    RunChain { id: u64 },
    RunApproved { id: u64 },
    RunInserted { id: u64 },
    RunAgain { id: u64 },
    RunOthers { id: u64 },
    RunChecked { id: u64 },
    RunRemoved { id: u64 },
    RunShared { id: u64 },
    RunBody { id: u64 },
    RunPayee { id: u64 },
    RunLog { id: u64 },
    RunMarked { id: u64 },
    RunAside { id: u64 },
    RunRanked { id: u64 },
    RunPassed { id: u64 },
    RunNotOpen { id: u64 },
    RunNotFailed { id: u64 },
    RunOpen { id: u64 },
    RunReady { id: u64 },
    RunReadyField { id: u64 },
    RunReadyOther { id: u64 },
    RunUnstaged { id: u64 },
}

fn pay(to: &Addr) -> BankMsg {
    BankMsg::Send { to_address: to.to_string(), amount: coins(100, "uatom") }
}

#[entry_point]
pub fn sudo(deps: DepsMut, _env: Env, msg: Chain) -> StdResult<Response> {
    let mut plan = CHAINS.load(deps.storage, msg.id)?;
    plan.yes = plan.yes + weight_of(&msg.id);
    CHAINS.save(deps.storage, msg.id, &plan)?;
    let to = PLANS.load(deps.storage, msg.id)?.to;
    ask::unasked("false");
    Ok(Response::new().add_message(pay(&to)))
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        // A vote adds the sender's weight to an entry that the message names, and notes that the sender has voted.
        ExecuteMsg::Vote { id } => {
            let mut plan = PLANS.load(deps.storage, id)?;
            plan.yes = plan.yes + weight_of(&info.sender);
            PLANS.save(deps.storage, id, &plan)?;
            BALLOTS.save(deps.storage, (id, &info.sender), &true)?;
            Ok(Response::new())
        }
        ExecuteMsg::VoteUnnoted { id } => {
            let mut plan = NOTED.load(deps.storage, id)?;
            plan.yes = plan.yes + weight_of(&info.sender);
            NOTED.save(deps.storage, id, &plan)?;
            Ok(Response::new())
        }
        ExecuteMsg::VoteSet { id } => {
            let mut plan = SET.load(deps.storage, id)?;
            plan.yes = weight_of(&info.sender);
            SET.save(deps.storage, id, &plan)?;
            BALLOTS.save(deps.storage, (id, &info.sender), &true)?;
            Ok(Response::new())
        }
        ExecuteMsg::VoteDeposit { id, amount } => {
            let mut plan = DEPOSITS.load(deps.storage, id)?;
            plan.yes = plan.yes + amount;
            DEPOSITS.save(deps.storage, id, &plan)?;
            BALLOTS.save(deps.storage, (id, &info.sender), &true)?;
            Ok(Response::new())
        }
        ExecuteMsg::VotePaid { id } => {
            let mut plan = PAID.load(deps.storage, id)?;
            plan.yes = plan.yes + info.funds[0].amount.u128();
            PAID.save(deps.storage, id, &plan)?;
            BALLOTS.save(deps.storage, (id, &info.sender), &true)?;
            Ok(Response::new())
        }
        ExecuteMsg::VoteCommon { id } => {
            let mut plan = COMMON.load(deps.storage, 1)?;
            plan.yes = plan.yes + weight_of(&info.sender);
            COMMON.save(deps.storage, 1, &plan)?;
            BALLOTS.save(deps.storage, (id, &info.sender), &true)?;
            Ok(Response::new())
        }
        ExecuteMsg::VoteOwn { id } => {
            let mut plan = OWN.load(deps.storage, (id, &info.sender))?;
            plan.yes = plan.yes + weight_of(&info.sender);
            OWN.save(deps.storage, (id, &info.sender), &plan)?;
            Ok(Response::new())
        }
        ExecuteMsg::VoteAdmin { id } => {
            ensure!(ADMIN.load(deps.storage)? == info.sender, StdError::generic_err("admin"));
            let mut plan = ADMINS.load(deps.storage, id)?;
            plan.yes = plan.yes + weight_of(&info.sender);
            ADMINS.save(deps.storage, id, &plan)?;
            BALLOTS.save(deps.storage, (id, &info.sender), &true)?;
            Ok(Response::new())
        }
        // An approval adds the sender to a list in an entry, unless the sender is there.
        ExecuteMsg::Approve { id } => {
            let mut plan = APPROVED.load(deps.storage, id)?;
            ensure!(!plan.by.contains(&info.sender), StdError::generic_err("twice"));
            plan.by.push(info.sender);
            APPROVED.save(deps.storage, id, &plan)?;
            Ok(Response::new())
        }
        ExecuteMsg::Insert { id } => {
            let mut plan = INSERTED.load(deps.storage, id)?;
            ensure!(!plan.by.contains(&info.sender), StdError::generic_err("twice"));
            plan.by.insert(info.sender);
            INSERTED.save(deps.storage, id, &plan)?;
            Ok(Response::new())
        }
        ExecuteMsg::ApproveAgain { id } => {
            let mut plan = AGAIN.load(deps.storage, id)?;
            ensure!(plan.by.contains(&info.sender), StdError::generic_err("never"));
            plan.by.push(info.sender);
            AGAIN.save(deps.storage, id, &plan)?;
            Ok(Response::new())
        }
        ExecuteMsg::ApproveFor { id, who } => {
            let mut plan = OTHERS.load(deps.storage, id)?;
            ensure!(!plan.by.contains(&info.sender), StdError::generic_err("twice"));
            plan.by.push(who);
            OTHERS.save(deps.storage, id, &plan)?;
            Ok(Response::new())
        }
        ExecuteMsg::ApproveIfOther { id, who } => {
            let mut plan = CHECKED.load(deps.storage, id)?;
            ensure!(!plan.by.contains(&who), StdError::generic_err("twice"));
            ensure!(!LISTED.load(deps.storage)?.contains(&info.sender), StdError::generic_err("listed"));
            plan.by.push(info.sender);
            CHECKED.save(deps.storage, id, &plan)?;
            Ok(Response::new())
        }
        ExecuteMsg::ApproveLess { id } => {
            let mut plan = REMOVED.load(deps.storage, id)?;
            ensure!(!plan.by.contains(&info.sender), StdError::generic_err("twice"));
            plan.by.binary_search(&info.sender);
            REMOVED.save(deps.storage, id, &plan)?;
            Ok(Response::new())
        }
        ExecuteMsg::ApproveShared { id } => {
            let mut listed = LISTED.load(deps.storage)?;
            ensure!(!listed.contains(&info.sender), StdError::generic_err("twice"));
            listed.push(info.sender.clone());
            LISTED.save(deps.storage, &listed)?;
            let mut names = registry::names();
            ensure!(!names.contains(&info.sender), StdError::generic_err("twice"));
            names.push(info.sender);
            Ok(Response::new())
        }
        // What is created with its tally, under the same key, is what is voted for.
        ExecuteMsg::Create { id, plan } => {
            PAYEES.save(deps.storage, id, &plan.to)?;
            BODIES.save(deps.storage, id, &plan)?;
            TALLIES.save(deps.storage, id, &0)?;
            Ok(Response::new())
        }
        ExecuteMsg::CreateAside { id, plan } => {
            ASIDE.save(deps.storage, 1, &plan)?;
            TALLIES.save(deps.storage, id, &0)?;
            Ok(Response::new())
        }
        ExecuteMsg::VoteTally { id } => {
            let tally = TALLIES.load(deps.storage, id)?;
            TALLIES.save(deps.storage, id, &(tally + weight_of(&info.sender)))?;
            let mut log = LOGS.load(deps.storage, id)?;
            log.ends = log.ends.max(env.block.height);
            LOGS.save(deps.storage, id, &log)?;
            BALLOTS.save(deps.storage, (id, &info.sender), &true)?;
            Ok(Response::new())
        }
        ExecuteMsg::Mark { id } => {
            TALLIES.load(deps.storage, id)?;
            let mut plan = BODIES.load(deps.storage, id)?;
            plan.status = Status::Passed;
            BODIES.save(deps.storage, id, &plan)?;
            Ok(Response::new())
        }
        ExecuteMsg::CreateStaged { id, plan } => {
            let staged = Plan { to: plan.to, msg: plan.msg, yes: 0, ends: 9, status: Status::Open, by: vec![] };
            STAGED.save(deps.storage, id, &staged)?;
            Ok(Response::new())
        }
        ExecuteMsg::VoteStaged { id } => {
            let mut plan = STAGED.load(deps.storage, id)?;
            plan.yes = plan.yes + weight_of(&info.sender);
            STAGED.save(deps.storage, id, &plan)?;
            BALLOTS.save(deps.storage, (id, &info.sender), &true)?;
            Ok(Response::new())
        }
        ExecuteMsg::Close { id } => {
            let mut plan = STAGED.load(deps.storage, id)?;
            ensure!(plan.yes > 5, StdError::generic_err("votes"));
            plan.status = Status::Passed;
            STAGED.save(deps.storage, id, &plan)?;
            let mut other = UNSTAGED.load(deps.storage, id)?;
            other.status = Status::Passed;
            UNSTAGED.save(deps.storage, id, &other)?;
            Ok(Response::new())
        }
        // Who carries it out has to look at the votes, unless it is time, or whoever does so is known.
        ExecuteMsg::Run { id } => {
            let plan = PLANS.load(deps.storage, id)?;
            ask::unasked("true");
            Ok(Response::new().add_message(pay(&plan.to)))
        }
        ExecuteMsg::RunStored { id } => {
            let plan = PLANS.load(deps.storage, id)?;
            ask::unasked("true");
            Ok(Response::new().add_message(plan.msg))
        }
        ExecuteMsg::RunLast {} => {
            let plan = PLANS.load(deps.storage, LAST.load(deps.storage)?)?;
            ask::unasked("false");
            Ok(Response::new().add_message(pay(&plan.to)))
        }
        ExecuteMsg::RunVoted { id } => {
            let plan = PLANS.load(deps.storage, id)?;
            ensure!(plan.yes > 5, StdError::generic_err("votes"));
            ask::unasked("false");
            Ok(Response::new().add_message(pay(&plan.to)))
        }
        ExecuteMsg::RunIfThere { id } => {
            ensure!(PLANS.has(deps.storage, id), StdError::generic_err("none"));
            let plan = PLANS.load(deps.storage, id)?;
            ask::unasked("true");
            Ok(Response::new().add_message(pay(&plan.to)))
        }
        ExecuteMsg::RunByAdmin { id } => {
            ensure!(ADMIN.load(deps.storage)? == info.sender, StdError::generic_err("admin"));
            let plan = PLANS.load(deps.storage, id)?;
            ask::unasked("false");
            Ok(Response::new().add_message(pay(&plan.to)))
        }
        ExecuteMsg::RunLate { id } => {
            let plan = PLANS.load(deps.storage, id)?;
            ensure!(env.block.time.seconds() > plan.ends, StdError::generic_err("early"));
            ask::unasked("false");
            Ok(Response::new().add_message(pay(&plan.to)))
        }
        ExecuteMsg::RunSilently { id } => {
            let plan = PLANS.load(deps.storage, id)?;
            ask::unasked("false");
            Ok(Response::new().add_attribute("to", plan.to.to_string()))
        }
        ExecuteMsg::Bury { id } => {
            PLANS.remove(deps.storage, id);
            ask::unasked("false");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        ExecuteMsg::RunUnnoted { id } => {
            let plan = NOTED.load(deps.storage, id)?;
            ask::unasked("false");
            Ok(Response::new().add_message(pay(&plan.to)))
        }
        ExecuteMsg::RunSet { id } => {
            let plan = SET.load(deps.storage, id)?;
            ask::unasked("false");
            Ok(Response::new().add_message(pay(&plan.to)))
        }
        ExecuteMsg::RunDeposit { id } => {
            let plan = DEPOSITS.load(deps.storage, id)?;
            ask::unasked("false");
            Ok(Response::new().add_message(pay(&plan.to)))
        }
        ExecuteMsg::RunPaid { id } => {
            let plan = PAID.load(deps.storage, id)?;
            ask::unasked("false");
            Ok(Response::new().add_message(pay(&plan.to)))
        }
        ExecuteMsg::RunCommon { id } => {
            let plan = COMMON.load(deps.storage, id)?;
            ask::unasked("false");
            Ok(Response::new().add_message(pay(&plan.to)))
        }
        ExecuteMsg::RunOwn { id } => {
            let plan = OWN.load(deps.storage, (id, &info.sender))?;
            ask::unasked("false");
            Ok(Response::new().add_message(pay(&plan.to)))
        }
        ExecuteMsg::RunAdmin { id } => {
            let plan = ADMINS.load(deps.storage, id)?;
            ask::unasked("false");
            Ok(Response::new().add_message(pay(&plan.to)))
        }
        ExecuteMsg::RunChain { id } => {
            let plan = CHAINS.load(deps.storage, id)?;
            ask::unasked("false");
            Ok(Response::new().add_message(pay(&plan.to)))
        }
        ExecuteMsg::RunApproved { id } => {
            let plan = APPROVED.load(deps.storage, id)?;
            ask::unasked("true");
            Ok(Response::new().add_message(pay(&plan.to)))
        }
        ExecuteMsg::RunInserted { id } => {
            let plan = INSERTED.load(deps.storage, id)?;
            ask::unasked("true");
            Ok(Response::new().add_message(pay(&plan.to)))
        }
        ExecuteMsg::RunAgain { id } => {
            let plan = AGAIN.load(deps.storage, id)?;
            ask::unasked("false");
            Ok(Response::new().add_message(pay(&plan.to)))
        }
        ExecuteMsg::RunOthers { id } => {
            let plan = OTHERS.load(deps.storage, id)?;
            ask::unasked("false");
            Ok(Response::new().add_message(pay(&plan.to)))
        }
        ExecuteMsg::RunChecked { id } => {
            let plan = CHECKED.load(deps.storage, id)?;
            ask::unasked("false");
            Ok(Response::new().add_message(pay(&plan.to)))
        }
        ExecuteMsg::RunRemoved { id } => {
            let plan = REMOVED.load(deps.storage, id)?;
            ask::unasked("false");
            Ok(Response::new().add_message(pay(&plan.to)))
        }
        ExecuteMsg::RunShared { id } => {
            let listed = LISTED.load(deps.storage)?;
            ask::unasked("false");
            Ok(Response::new().add_message(pay(&listed[id as usize])))
        }
        ExecuteMsg::RunBody { id } => {
            let plan = BODIES.load(deps.storage, id)?;
            ask::unasked("true");
            Ok(Response::new().add_message(pay(&plan.to)))
        }
        ExecuteMsg::RunPayee { id } => {
            let payee = PAYEES.load(deps.storage, id)?;
            ask::unasked("true");
            Ok(Response::new().add_message(pay(&payee)))
        }
        ExecuteMsg::RunLog { id } => {
            let log = LOGS.load(deps.storage, id)?;
            ask::unasked("false");
            Ok(Response::new().add_message(pay(&log.to)))
        }
        ExecuteMsg::RunMarked { id } => {
            let plan = BODIES.load(deps.storage, id)?;
            ensure!(plan.status == Status::Passed, StdError::generic_err("status"));
            ask::unasked("true");
            Ok(Response::new().add_message(pay(&plan.to)))
        }
        ExecuteMsg::RunAside { id } => {
            let plan = ASIDE.load(deps.storage, id)?;
            ask::unasked("false");
            Ok(Response::new().add_message(pay(&plan.to)))
        }
        // Or at what others decided by the votes: what only that stage, or anything but the first, lets through.
        ExecuteMsg::RunRanked { id } => {
            let plan = STAGED.load(deps.storage, id)?;
            ensure!(rank_of(&plan.status) == 2, StdError::generic_err("status"));
            ask::unasked("false");
            Ok(Response::new().add_message(pay(&plan.to)))
        }
        ExecuteMsg::RunPassed { id } => {
            let plan = STAGED.load(deps.storage, id)?;
            ensure!(plan.status == Status::Passed, StdError::generic_err("status"));
            ask::unasked("false");
            Ok(Response::new().add_message(pay(&plan.to)))
        }
        ExecuteMsg::RunNotOpen { id } => {
            let plan = STAGED.load(deps.storage, id)?;
            ensure!(plan.status != Status::Open, StdError::generic_err("status"));
            ask::unasked("false");
            Ok(Response::new().add_message(pay(&plan.to)))
        }
        ExecuteMsg::RunNotFailed { id } => {
            let plan = STAGED.load(deps.storage, id)?;
            ensure!(plan.status != Status::Failed, StdError::generic_err("status"));
            ask::unasked("true");
            Ok(Response::new().add_message(pay(&plan.to)))
        }
        ExecuteMsg::RunOpen { id } => {
            let plan = STAGED.load(deps.storage, id)?;
            ensure!(plan.status == Status::Open, StdError::generic_err("status"));
            ask::unasked("true");
            Ok(Response::new().add_message(pay(&plan.to)))
        }
        ExecuteMsg::RunReady { id } => {
            let plan = STAGED.load(deps.storage, id)?;
            ensure!(is_ready(&plan), StdError::generic_err("status"));
            ask::unasked("false");
            Ok(Response::new().add_message(pay(&plan.to)))
        }
        ExecuteMsg::RunReadyField { id } => {
            let plan = STAGED.load(deps.storage, id)?;
            ensure!(is_ready(&plan.to), StdError::generic_err("status"));
            ask::unasked("true");
            Ok(Response::new().add_message(pay(&plan.to)))
        }
        ExecuteMsg::RunReadyOther { id } => {
            let plan = STAGED.load(deps.storage, id)?;
            ensure!(is_ready(&SET.load(deps.storage, id)?), StdError::generic_err("status"));
            ask::unasked("true");
            Ok(Response::new().add_message(pay(&plan.to)))
        }
        ExecuteMsg::RunUnstaged { id } => {
            let plan = PLANS.load(deps.storage, id)?;
            ensure!(UNSTAGED.load(deps.storage, id)?.status == Status::Passed, StdError::generic_err("status"));
            ask::unasked("false");
            Ok(Response::new().add_message(pay(&plan.to)))
        }
    }
}
`,
  ],
)
