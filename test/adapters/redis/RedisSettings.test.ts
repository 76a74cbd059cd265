import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { parseRedisUrl } from "../../../adapters/redis/RedisSettings.ts"

const parsed = (url: string) => {
  const { password, ...rest } = Result.getOrThrow(parseRedisUrl(url))
  return { ...rest, password: password === undefined ? undefined : Redacted.value(password) }
}

describe("a Redis URL", () => {
  it("specifies host, port, user, password, database and whether to use TLS", () => {
    expect(parsed("redis://cache")).toEqual({
      host: "cache",
      port: 6379,
      username: undefined,
      password: undefined,
      db: 0,
      tls: false,
    })
    expect(parsed("rediss://user:p%40ss%25@cache.example:6380/3")).toEqual({
      host: "cache.example",
      port: 6380,
      username: "user",
      password: "p@ss%",
      db: 3,
      tls: true,
    })
    expect(parsed("redis://:secret@[::1]:7000")).toMatchObject({ host: "::1", port: 7000, password: "secret" })
  })

  it.each([
    ["localhost:6379", /unsupported scheme/],
    ["not a url", /not a URL/],
    ["http://cache:6379", /unsupported scheme/],
    ["redis://", /does not name a host/],
    ["redis://hunter2@/0", /not a URL|does not name a host/],
    ["redis://cache:99999", /not a URL/],
    ["redis://cache/first", /database number/],
    ["redis://:hunter2@cache/0?tls=true", /query/],
    ["redis://:hunter%2@cache/0", /percent sign/],
  ])("%s is refused with a reason that repeats no password", (url, reason) => {
    const objection = Result.getOrThrow(Result.flip(parseRedisUrl(url)))
    expect(objection).toMatch(reason)
    expect(objection).not.toContain("hunter")
  })

  it("does not reveal its password when printed", () => {
    expect(JSON.stringify(Result.getOrThrow(parseRedisUrl("redis://:hunter2@cache")))).not.toContain("hunter2")
  })
})
