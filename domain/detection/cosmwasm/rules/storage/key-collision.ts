import type { Rule } from "../../../Rule.ts"
import type { Expression } from "../../../rust/syntax/syntax.ts"
import { definitionOf } from "../../../rust/crate/types.ts"
import type { Event } from "../../../rust/terms/events.ts"
import { everySubterm, type Term } from "../../../rust/terms/terms.ts"
import type { CosmWasmCrate, CosmWasmProgram, StorageContainer } from "../../program/model.ts"
import { storedPlace } from "../../program/semantics.ts"
import { eventTerms } from "../../questions/touches.ts"

export const keyCollision: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/storage/key-collision",
    class: "storage-key-collision",
    title: "Storage key collision",
    severity: "high",
    confidence: "high",
    cwe: [694],
    description:
      "Two containers of the contract are declared with the same namespace, so they share the same location in " +
      "storage. Writing to one overwrites the other: an attacker who can write to the harmless one changes the " +
      "important one, such as the owner, or a call fails permanently because the bytes no longer parse.",
    remediation:
      "Give every `Item`, `Map` and index a unique namespace, for example by declaring them all in one module.",
    references: ["https://docs.rs/cw-storage-plus", "https://github.com/oak-security/cosmwasm-ctf"],
  },
  check: (program, report) => {
    const contracts = program.crates.map(usedBy)
    const isUsed = (used: ReadonlySet<Term>, { term }: StorageContainer): boolean =>
      term !== undefined && used.has(term)
    const isKnown = program.crates.some(({ entryPoints }) => entryPoints.length > 0)
    const meet = (one: StorageContainer, other: StorageContainer): boolean =>
      // Which of two structs a contract consists of is not known by the key.
      one.term !== undefined && one.term === other.term && structOf(one) !== structOf(other)
        ? false
        : one.place.file === other.place.file
          ? // Libraries by themselves have no known uses.
            !isKnown || contracts.some((used) => isUsed(used, one) || isUsed(used, other))
          : contracts.some((used) => isUsed(used, one) && isUsed(used, other))
    const elsewhere = [onlyMigrated(program.crates), onlyQueried(program.crates), onlyRead(program.crates)]
    for (const crate of program.crates) {
      const known = new Map<string, Array<StorageContainer>>()
      const inOrder = crate.containers.toSorted((a, b) =>
        a.place.file.path === b.place.file.path
          ? a.place.span.start - b.place.span.start
          : a.place.file.path < b.place.file.path
            ? -1
            : 1,
      )
      for (const container of inOrder) {
        const { term } = container
        if (term !== undefined && elsewhere.some((one) => one.has(term))) continue
        for (const key of new Set(namespaces(container))) {
          const earlier = known.get(key) ?? []
          known.set(key, [...earlier, container])
          const first = earlier.find((one) => meet(one, container) && !isTwin(one, container))
          if (first === undefined) continue
          report({
            ...container.place,
            scope: container.name,
            message: `\`${container.name}\` and \`${first.name}\` both use the key \`${key}\`.`,
            // They lie apart today; one of them changing its kind is enough.
            ...(family(first) === family(container) ? {} : { confidence: "low" as const }),
            trace: [{ ...first.place, note: "The first one is declared here." }],
          })
          break
        }
      }
    }
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::{Addr, Uint128};
use cw_storage_plus::{Item, Map, SnapshotMap, Strategy};

pub struct Stake { pub amount: Uint128 }
pub struct Grant { pub amount: Uint128, pub until: u64 }
pub const PAID: Item<Stake> = Item::new("paid");
pub const OWED: Item<Stake> = Item::new("paid"); // FINDING
pub const STAKES: SnapshotMap<&Addr, Stake> = SnapshotMap::new("stakes", "stakes__check", "stakes__log", Strategy::Never);
pub const GRANTS: SnapshotMap<&Addr, Grant> = SnapshotMap::new("stakes", "stakes__check", "stakes__log", Strategy::Never); // FINDING
pub const VOTES: SnapshotMap<&Addr, Stake> = SnapshotMap::new("stakes", "votes__check", "votes__log", Strategy::Never); // FINDING
pub const SUMS: SnapshotMap<&Addr, Uint128> = SnapshotMap::new("sums", "sums__check", "sums__log", Strategy::Never);
pub const COUNTS: SnapshotMap<&Addr, u64> = SnapshotMap::new("sums", "sums__check", "sums__log", Strategy::Never); // FINDING
`,
      `use cosmwasm_std::{Addr, Uint128};
use cw_storage_plus::{Item, Map};

pub const OWNER: Item<Addr> = Item::new("config");
pub const TREASURER: Item<Addr> = Item::new("config"); // FINDING
pub const BALANCES: Map<&Addr, Uint128> = Map::new("balances");
`,
      `use cosmwasm_std::{Addr, Uint128};
use cw_storage_plus::{Map, SnapshotMap, Strategy};

const VOTES_KEY: &str = "votes";
pub const VOTES: Map<&Addr, Uint128> = Map::new(VOTES_KEY);
pub const STAKES: SnapshotMap<&Addr, Uint128> = SnapshotMap::new("stakes", "votes", "stakes__log", Strategy::EveryBlock); // FINDING
pub const LOG: Map<u64, Uint128> = Map::new("stakes"); // FINDING
`,
      `use cosmwasm_std::{Addr, Storage, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Vault { pub owner: Item<Addr>, pub shares: Map<String, Uint128>, pub fees: Map<String, Uint128> }

impl Vault {
    pub fn new() -> Self {
        Self {
            owner: Item::new("owner"),
            shares: Map::new("shares"),
            fees: Map::new("shares"), // FINDING
        }
    }
    pub fn owner(&self, storage: &dyn Storage) -> StdResult<Addr> {
        self.owner.load(storage)
    }
}
`,
      `use cosmwasm_std::Addr;
use cw_storage_plus::{IndexedMap, MultiIndex};

pub struct Ask { pub seller: Addr, pub collection: Addr }
pub struct Indexes<'a> { pub seller: MultiIndex<'a, Addr, Ask, u64>, pub collection: MultiIndex<'a, Addr, Ask, u64> }

pub fn asks<'a>() -> IndexedMap<'a, u64, Ask, Indexes<'a>> {
    let indexes = Indexes {
        seller: MultiIndex::new(|_, ask| ask.seller.clone(), "asks", "asks__seller"),
        collection: MultiIndex::new(|_, ask| ask.collection.clone(), "asks", "asks__seller"), // FINDING
    };
    IndexedMap::new("asks", indexes)
}
`,
      `use cosmwasm_std::Addr;
use cw_controllers::Admin;
use cw_storage_plus::Item;

pub const ADMIN: Admin = Admin::new("owner");
pub const OWNER: Item<Addr> = Item::new("owner"); // FINDING
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub const TOTAL: Item<Uint128> = Item::new("stakes");
pub const STAKES: Map<&Addr, Uint128> = Map::new("stakes"); // FINDING
pub const POINTS: Map<&Addr, u64> = Map::new("points");
const FARM_POINTS: Map<&Addr, u64> = Map::new("points"); // FINDING
pub const RANKS: Map<&Addr, u64> = Map::new("ranks");
const FARM_RANKS: Map<&Addr, u64> = Map::new("ranks"); // FINDING
pub const FARM: Item<Addr> = Item::new("farm");
pub enum ExecuteMsg { Mirror {}, Stake { amount: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Mirror {} => {
            let farm = FARM.load(deps.storage)?;
            let points = FARM_POINTS.query(&deps.querier, farm.clone(), &info.sender)?.unwrap_or_default();
            let old = FARM_POINTS.load(deps.storage, &info.sender)?;
            POINTS.save(deps.storage, &info.sender, &(points + old))?;
            FARM_POINTS.save(deps.storage, &info.sender, &old)?;
            let rank = FARM_RANKS.query(&deps.querier, farm, &info.sender)?.unwrap_or_default();
            FARM_RANKS.save(deps.storage, &info.sender, &rank)?;
            RANKS.save(deps.storage, &info.sender, &rank)?;
        }
        ExecuteMsg::Stake { amount } => {
            TOTAL.save(deps.storage, &amount)?;
            STAKES.save(deps.storage, &info.sender, &amount)?;
        }
    }
    Ok(Response::new())
}`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::Item;

pub struct Shop<'a> { pub next: Item<'a, u64>, pub sold: Item<'a, u64> }

impl<'a> Shop<'a> {
    pub fn new() -> Self {
        Self {
            next: Item::new("next"),
            sold: Item::new("next"), // FINDING
        }
    }
}

pub struct OldShop<'a> { pub next: Item<'a, u32> }

impl<'a> OldShop<'a> {
    pub fn new() -> Self {
        Self { next: Item::new("next") }
    }
}

pub enum ExecuteMsg { Offer {}, Buy {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let shop = Shop::new();
    let counted = match msg {
        ExecuteMsg::Offer {} => shop.next,
        ExecuteMsg::Buy {} => shop.sold,
    };
    let count = counted.load(deps.storage)?;
    counted.save(deps.storage, &(count + 1))?;
    Ok(Response::new())
}
`,
    ],
    safe: [
      // Two structs, of which a contract is made of one.
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::Item;

pub struct Shop<'a> { pub next: Item<'a, u64>, pub sold: Item<'a, u64> }

impl<'a> Shop<'a> {
    pub fn new() -> Self {
        Self {
            next: Item::new("next"),
            sold: Item::new("sold"),
        }
    }
}

pub struct OldShop<'a> { pub next: Item<'a, u32> }

impl<'a> OldShop<'a> {
    pub fn new() -> Self {
        Self { next: Item::new("next") }
    }
}

pub enum ExecuteMsg { Offer {}, Buy {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let shop = Shop::new();
    let counted = match msg {
        ExecuteMsg::Offer {} => shop.next,
        ExecuteMsg::Buy {} => shop.sold,
    };
    let count = counted.load(deps.storage)?;
    counted.save(deps.storage, &(count + 1))?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{Addr, Uint128};
use cw_storage_plus::{Item, Map};

pub const OWNER: Item<Addr> = Item::new("owner");
pub const TREASURER: Item<Addr> = Item::new("treasurer");
pub const BALANCES: Map<&Addr, Uint128> = Map::new("balances");
pub const BALANCES_TOTAL: Item<Uint128> = Item::new("balances_total");
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::Item;

pub struct Config { pub owner: Addr, pub fee: u64 }
pub struct OldConfig { pub owner: Addr }
pub const CONFIG: Item<Config> = Item::new("config");
pub const OLD_CONFIG: Item<OldConfig> = Item::new("config");
pub enum ExecuteMsg { SetFee { fee: u64 } }
pub struct MigrateMsg {}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::SetFee { fee } => {
            let owner = CONFIG.load(deps.storage)?.owner;
            CONFIG.save(deps.storage, &Config { owner, fee })?;
            Ok(Response::new())
        }
    }
}

#[entry_point]
pub fn migrate(deps: DepsMut, _env: Env, _msg: MigrateMsg) -> StdResult<Response> {
    let old = OLD_CONFIG.load(deps.storage)?;
    CONFIG.save(deps.storage, &Config { owner: old.owner, fee: 0 })?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, Addr, Deps, DepsMut, Env, MessageInfo, QuerierWrapper, Response, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub const STAKES: Map<&Addr, Uint128> = Map::new("stakes");
pub const FARM: Item<Addr> = Item::new("farm");
const FARM_STAKES: Map<&Addr, u64> = Map::new("stakes");
pub enum ExecuteMsg { Mirror {} }

fn staked(querier: &QuerierWrapper, farm: Addr, who: &Addr) -> StdResult<Option<u64>> {
    FARM_STAKES.query(querier, farm, who)
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let farm = FARM.load(deps.storage)?;
    let amount = staked(&deps.querier, farm, &info.sender)?.unwrap_or_default();
    STAKES.save(deps.storage, &info.sender, &Uint128::from(amount))?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{Addr, Storage, StdResult};
use cw_storage_plus::Item;

pub struct Vault { pub owner: Item<Addr>, pub heir: Item<Addr> }

impl Vault {
    pub fn new() -> Self {
        Self { owner: Item::new("owner"), heir: Item::new("heir") }
    }
    pub fn owner(&self, storage: &dyn Storage) -> StdResult<Addr> {
        self.owner.load(storage)
    }
}

impl Default for Vault {
    fn default() -> Self {
        Vault { owner: Item::new("owner"), heir: Item::new("heir") }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::{Map, SnapshotItem, Strategy};

pub struct OldStake { pub amount: Uint128 }
pub struct Stake { pub amount: Uint128, pub since: u64 }
pub struct Sums { pub granted: Uint128 }
// Entries of an earlier version, which are read where they have not been replaced.
pub const OLD_STAKES: Map<&Addr, OldStake> = Map::new("stakes");
pub const STAKES: Map<&Addr, Stake> = Map::new("stakes");
// One item, with or without its history.
pub const SUMS: SnapshotItem<Sums> = SnapshotItem::new("sums", "sums__checkpoints", "sums__log", Strategy::Never);
pub const SUMS_SINCE: SnapshotItem<Sums> = SnapshotItem::new("sums", "sums__checkpoints", "sums__log", Strategy::EveryBlock);
// Nothing uses these.
pub const FIRST: Map<&Addr, Uint128> = Map::new("votes");
pub const SECOND: Map<&Addr, u64> = Map::new("votes");
pub enum ExecuteMsg { Renew {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Renew {} => {
            let amount = match STAKES.may_load(deps.storage, &info.sender)? {
                Some(stake) => stake.amount,
                None => OLD_STAKES.load(deps.storage, &info.sender)?.amount,
            };
            STAKES.save(deps.storage, &info.sender, &Stake { amount, since: env.block.height })?;
            SUMS.save(deps.storage, &Sums { granted: amount }, env.block.height)?;
            SUMS_SINCE.save(deps.storage, &Sums { granted: amount }, env.block.height)?;
            Ok(Response::new())
        }
    }
}
`,
    ],
  },
}

/** Every namespace that a container uses: snapshots keep their checkpoints and their log under further ones. */
const namespaces = ({ key, term }: StorageContainer): ReadonlyArray<string> => {
  const first = key === undefined ? [] : [key]
  const definition = term?.kind === "constant" ? term.definition : undefined
  const value: Expression | undefined = definition?.item.value
  const rest = value?.kind === "call" ? value.args.slice(1, 3) : []
  return [...first, ...rest.flatMap((one) => (one.kind === "literal" ? [one.value] : []))]
}

/** The container that an event reads or assigns to. */
const containerOf = (event: Event): Term | undefined => {
  const term = event.kind === "read" ? event.value.term : event.kind === "assign" ? event.target.term : undefined
  return term === undefined ? undefined : storedPlace(term)?.container
}

/** Containers that only `migrate` touches: the old shape of what stands at the same key now. */
const onlyMigrated = (crates: ReadonlyArray<CosmWasmCrate>): ReadonlySet<Term> => {
  const inMigrate = new Set<Term>()
  const elsewhere = new Set<Term>()
  for (const { kind, events } of crates.flatMap(({ entryPoints }) => entryPoints))
    for (const event of events) {
      const container = containerOf(event)
      if (container !== undefined) (kind === "migrate" ? inMigrate : elsewhere).add(container)
    }
  return new Set([...inMigrate].filter((one) => !elsewhere.has(one)))
}

/** Containers that are only asked for with `query`: they name what lies in the storage of another contract. */
const onlyQueried = (crates: ReadonlyArray<CosmWasmCrate>): ReadonlySet<Term> => {
  const queried = new Set<Term>()
  const own = new Set<Term>()
  for (const event of crates.flatMap(({ entryPoints }) => entryPoints.flatMap(({ events }) => events))) {
    const container = containerOf(event)
    if (container !== undefined) own.add(container)
    const receiver = event.kind === "call" && event.name === "query" ? event.args[0] : undefined
    if (receiver !== undefined) queried.add(receiver.term)
  }
  return new Set([...queried].filter((one) => !own.has(one)))
}

/** Containers that messages read and never write: the older shape of what another one keeps at the same key. */
const onlyRead = (crates: ReadonlyArray<CosmWasmCrate>): ReadonlySet<Term> => {
  const read = new Set<Term>()
  const written = new Set<Term>()
  for (const event of crates.flatMap(({ entryPoints }) => entryPoints.flatMap(({ events }) => events))) {
    const container = containerOf(event)
    if (container !== undefined) (event.kind === "read" ? read : written).add(container)
  }
  return new Set([...read].filter((one) => !written.has(one)))
}

/** The same entries under two names, of which one keeps a history: every namespace and the type are the same. */
const isTwin = (one: StorageContainer, other: StorageContainer): boolean => {
  const [names, others] = [namespaces(one), namespaces(other)]
  return (
    names.length > 1 &&
    names.every((name, index) => name === others[index]) &&
    definitionOf(one.value) !== undefined &&
    definitionOf(one.value) === definitionOf(other.value)
  )
}

/** An `Item` lies at its bare key, the others behind a length prefix. */
const family = ({ kind }: StorageContainer): string => (/Item$|Singleton$|^Admin$|^Hooks$/.test(kind) ? "item" : "map")

/** The containers that a contract works on: a library may declare those of many contracts. */
const usedBy = ({ entryPoints }: CosmWasmCrate): ReadonlySet<Term> =>
  everySubterm(entryPoints.flatMap(({ events }) => events.flatMap(eventTerms)))

/** The struct that a container is a field of, or its own name. */
const structOf = ({ name }: StorageContainer): string => name.split(".")[0]!
