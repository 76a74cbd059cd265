import { resolve } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Command, Flag } from "effect/cli"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as References from "effect/References"
import * as Schedule from "effect/Schedule"
import { type Scope, scopes } from "../../domain/identity/Caller.ts"
import { planIds } from "../../domain/plan/Plan.ts"
import { plainJson } from "../../domain/report/plainJson.ts"
import { administer, type AdminRequest } from "../admin/AdminRequest.ts"
import { Refusal, runMain } from "../runMain.ts"
import { askRunningService } from "../admin/AdminSocket.ts"
import { print } from "../terminal/print.ts"
import { printable } from "../terminal/printable.ts"
import { embedded, postgres, stores } from "../wiring/database.ts"
import { defaultDataDirectory, identity } from "../wiring/identity.ts"
import { version } from "../wiring/version.ts"
import { UserId, OrganizationId } from "../../domain/ids/Ids.ts"

const everywhere = {
  json: Flag.Boolean("json").pipe(Flag.withDescription("Print only one JSON line"), Flag.withDefault(false)),
  dataDir: Flag.String("data-dir").pipe(
    Flag.withDescription(
      "Data directory of the embedded database; if DATABASE_URL is set, it contains only generated keys",
    ),
    Flag.withDefault(defaultDataDirectory),
  ),
}
interface Everywhere {
  readonly json: boolean
  readonly dataDir: string
}

/**
 * A service opens its socket a moment after the data directory, and another command needs the directory for a second,
 * or for ten if it creates the database on a busy machine.
 */
const directoryFree = { schedule: Schedule.spaced("200 millis"), times: 150 }

/** On Postgres, or on the embedded database; a service that is using the latter executes the request itself. */
const carryOut = Effect.fnUntraced(function* (request: AdminRequest, dataDir: string) {
  const dataDirectory = resolve(dataDir)
  const external = yield* Config.option(Config.Redacted("DATABASE_URL"))
  const services = Layer.merge(stores, identity(dataDirectory))
  if (Option.isSome(external)) {
    return yield* Effect.provide(administer(request), Layer.provide(services, postgres))
  }
  return yield* Effect.provide(administer(request), Layer.provide(services, embedded(dataDirectory))).pipe(
    Effect.catchTag("DataDirectoryInUse", (error) => askRunningService(dataDirectory, request, error)),
    Effect.retry({ while: Predicate.isTagged("DataDirectoryInUse"), ...directoryFree }),
  )
})

const run = (request: AdminRequest, { json, dataDir }: Everywhere) =>
  Effect.flatMap(carryOut(request, dataDir), (answer) => {
    const lines = Object.entries(answer).map(([name, value]) => `${name}: ${printable(String(value))}`)
    return print(json ? plainJson(JSON.stringify(answer)) : lines.join("\n"))
  })

const userFlag = Flag.String("user").pipe(
  Flag.withDescription("Id of the user"),
  Flag.withMetavar("ID"),
  Flag.map((id) => UserId.make(id)),
)

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `30d`, `12h` or `90m`, in milliseconds. */
const parseLifetime = (text: string): Effect.Effect<number, Refusal> => {
  const [, count, unit] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? []
  return count === undefined || unit === undefined
    ? Effect.fail(new Refusal(`--expires must be a number of days, hours or minutes, such as 30d, not ${text}`))
    : Effect.succeed(Number(count) * units[unit]!)
}

const isScope = (text: string): text is Scope => scopes.some((scope) => scope === text)

const parseScopes = (text: string): Effect.Effect<ReadonlyArray<Scope>, Refusal> => {
  const given = text.split(",").map((scope) => scope.trim())
  const unknown = given.find((scope) => !isScope(scope))
  return unknown === undefined
    ? Effect.succeed(given.filter(isScope))
    : Effect.fail(new Refusal(`Unknown scope ${JSON.stringify(unknown)}. Available scopes: ${scopes.join(", ")}`))
}

const userCreate = Command.make(
  "create",
  {
    ...everywhere,
    email: Flag.String("email").pipe(Flag.withDescription("Email address of the new user")),
    plan: Flag.Literals("plan", planIds).pipe(Flag.withDescription("Plan of the new user")),
  },
  ({ email, plan, ...flags }) => run({ command: "user create", email, plan }, flags),
).pipe(Command.withDescription("Create a user"))

const keyCreate = Command.make(
  "create",
  {
    ...everywhere,
    user: userFlag,
    name: Flag.String("name").pipe(
      Flag.withDescription("Name that describes the purpose of the key"),
      Flag.withDefault("admin"),
    ),
    scopes: Flag.String("scopes").pipe(
      Flag.withDescription(`Comma-separated scopes of the key; defaults to all of ${scopes.join(", ")}`),
      Flag.withDefault(scopes.join(",")),
    ),
    expires: Flag.String("expires").pipe(
      Flag.withDescription("Lifetime of the key, such as 30d, 12h or 90m; by default, the key does not expire"),
      Flag.optional,
    ),
  },
  Effect.fn(function* ({ user, name, scopes, expires, ...flags }) {
    const lifetime = Option.isSome(expires) ? yield* parseLifetime(expires.value) : null
    yield* run({ command: "key create", user, name, scopes: yield* parseScopes(scopes), lifetime }, flags)
  }),
).pipe(Command.withDescription("Create an API key, which is shown only once"))

const tokenIssue = Command.make("issue", { ...everywhere, user: userFlag }, ({ user, ...flags }) =>
  run({ command: "token issue", user }, flags),
).pipe(Command.withDescription("Issue an access token that is valid for 15 minutes"))

const orgCreate = Command.make(
  "create",
  {
    ...everywhere,
    owner: Flag.String("owner").pipe(
      Flag.withDescription("Id of the user who will own the organization"),
      Flag.withMetavar("ID"),
      Flag.map((id) => UserId.make(id)),
    ),
    name: Flag.String("name").pipe(Flag.withDescription("Name of the organization")),
    seats: Flag.Int("seats").pipe(
      Flag.withDescription("Maximum number of members, including the owner; 60 scans per month each"),
    ),
  },
  ({ owner, name, seats, ...flags }) => run({ command: "org create", owner, name, seats }, flags),
).pipe(Command.withDescription("Create an organization on the pro plan"))

const orgAdd = Command.make(
  "add",
  {
    ...everywhere,
    organization: Flag.String("org").pipe(
      Flag.withDescription("Id of the organization"),
      Flag.withMetavar("ID"),
      Flag.map((id) => OrganizationId.make(id)),
    ),
    user: userFlag,
  },
  ({ organization, user, ...flags }) => run({ command: "org add", organization, user }, flags),
).pipe(Command.withDescription("Add a member to an organization without an invitation"))

const keysRotate = Command.make(
  "rotate",
  {
    ...everywhere,
    keysLost: Flag.Boolean("keys-lost").pipe(
      Flag.withDescription("Continue even if stored secrets cannot be read because their keys are permanently lost"),
      Flag.withDefault(false),
    ),
  },
  ({ keysLost, ...flags }) => run({ command: "keys rotate", keysLost }, flags),
).pipe(
  Command.withDescription(
    "Start signing with a new key and re-encrypt all stored secrets with the current one; issued tokens stay valid",
  ),
)

const group = (name: string, description: string) => Command.make(name).pipe(Command.withDescription(description))

const admin = Command.make("admin").pipe(
  Command.withDescription("Administer users, keys and organizations, using the configuration of the service."),
  Command.withSubcommands([
    group("user", "Users").pipe(Command.withSubcommands([userCreate])),
    group("key", "API keys").pipe(Command.withSubcommands([keyCreate])),
    group("token", "Access tokens").pipe(Command.withSubcommands([tokenIssue])),
    group("org", "Organizations").pipe(Command.withSubcommands([orgCreate, orgAdd])),
    group("keys", "Signing and encryption keys").pipe(Command.withSubcommands([keysRotate])),
  ]),
)

runMain(
  Effect.suspend(() => Command.runWith(admin, { version })(process.argv.slice(2))).pipe(
    Effect.as(0),
    Effect.provide(NodeServices.layer),
    Effect.provideService(References.MinimumLogLevel, "Warn"),
  ),
)
