import { createEmulator, type Emulator } from "emulate"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as GitHubCodeHost from "../../../adapters/github/GitHubCodeHost.ts"
import { CodeHost } from "../../../application/ports/repositories/CodeHost.ts"
import { freePort } from "../../support/freePort.ts"

const token = "ghp_emulated"
const secret = Redacted.make(token)

let github: Emulator
beforeAll(async () => {
  github = await createEmulator({
    service: "github",
    // Its URLs contain its port, which therefore has to be known beforehand.
    port: await freePort(),
    seed: {
      tokens: { [token]: { login: "octocat", scopes: ["repo"] } },
      github: {
        users: [{ login: "octocat" }],
        repos: Array.from({ length: 130 }, (_, index) => ({
          owner: "octocat",
          name: `repository-${index}`,
          language: "Solidity",
          private: index === 3,
        })),
      },
    },
  })
})
afterAll(() => github.close())

const withHost = <A, E>(use: (host: CodeHost["Service"]) => Effect.Effect<A, E>) =>
  Effect.suspend(() => Effect.provide(CodeHost.use(use), GitHubCodeHost.layer({ apiUrl: github.url })))

const readAll = withHost((host) =>
  Effect.flatMap(host.repositories(secret, "personal"), ({ pages }) => Stream.runCollect(pages)),
).pipe(Effect.map((pages) => pages.flat()))

const send = (method: string, path: string, body?: object) =>
  Effect.promise(async () => {
    const response = await fetch(github.url + path, {
      method,
      headers: { authorization: `token ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    assert.isBelow(response.status, 300, await response.text())
  })

describe("against the GitHub emulator", () => {
  it.effect("the token's account is returned", () =>
    Effect.gen(function* () {
      const described = yield* withHost((host) => host.describeToken(secret))
      assert.deepInclude(described, { kind: "personal", account: "octocat" })
    }),
  )

  it.effect("all repositories are read, including private ones", () =>
    Effect.gen(function* () {
      const repositories = yield* readAll
      assert.strictEqual(new Set(repositories.map((one) => one.githubId)).size, 130)
      const one = repositories.find(({ name }) => name === "repository-3")
      assert.deepInclude(one, { fullName: "octocat/repository-3", isPrivate: true, language: "Solidity" })
      assert.match(one!.url, /\/octocat\/repository-3$/)
    }),
  )

  it.effect("renamed, archived and deleted repositories are detected", () =>
    Effect.gen(function* () {
      const before = yield* readAll
      const idOf = (name: string) => before.find((one) => one.name === name)!.githubId
      yield* send("PATCH", "/repos/octocat/repository-7", { name: "renamed" })
      yield* send("PATCH", "/repos/octocat/repository-8", { archived: true })
      yield* send("DELETE", "/repos/octocat/repository-9")
      const after = new Map((yield* readAll).map((one) => [one.githubId, one]))
      assert.strictEqual(after.size, 129)
      assert.strictEqual(after.get(idOf("repository-7"))?.name, "renamed")
      assert.isTrue(after.get(idOf("repository-8"))?.isArchived)
      assert.isFalse(after.has(idOf("repository-9")))

      const latest = Math.max(...before.map((one) => one.updatedAt.getTime()))
      const changes = yield* withHost((host) => host.changesSince(secret, "personal", new Date(latest + 1), undefined))
      assert.sameMembers(
        changes!.changed.map((one) => one.githubId),
        [idOf("repository-7"), idOf("repository-8")],
      )
      assert.strictEqual(changes!.total, 129)
    }),
  )
})
