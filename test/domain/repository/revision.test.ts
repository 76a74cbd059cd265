import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { parseRevision } from "../../../domain/repository/Revision.ts"

describe("revision", () => {
  it.each([
    ["main", { kind: "name", name: "main" }],
    ["feature/a-b_c.d+e", { kind: "name", name: "feature/a-b_c.d+e" }],
    ["v1.2.3", { kind: "name", name: "v1.2.3" }],
    ["größe", { kind: "name", name: "größe" }],
    ["user@host", { kind: "name", name: "user@host" }],
    ["refs/heads/main", { kind: "branch", name: "main" }],
    ["refs/tags/v1", { kind: "tag", name: "v1" }],
    ["A".repeat(40), { kind: "commit", id: "a".repeat(40) }],
    ["0".repeat(64), { kind: "commit", id: "0".repeat(64) }],
    ["abcdef0", { kind: "name", name: "abcdef0" }],
    ["0".repeat(39), { kind: "name", name: "0".repeat(39) }],
  ])("%s is read", (text, revision) => {
    expect(Result.getOrThrow(parseRevision(text))).toEqual(revision)
  })

  it.each([
    ["", "is empty"],
    ["-x", "starts with a dash"],
    ["--upload-pack=touch", "starts with a dash"],
    ["refs/heads/-x", "starts with a dash"],
    ["a b", "space"],
    ["a\u0000b", "invisible character"],
    ["a\nb", "invisible character"],
    ["a\u202eb", "invisible character"],
    ["a\u200bb", "invisible character"],
    ["a~1", "one of ~ ^ : ? * ["],
    ["a^", "one of ~ ^ : ? * ["],
    ["a:b", "one of ~ ^ : ? * ["],
    ["a*", "one of ~ ^ : ? * ["],
    ["a[b", "one of ~ ^ : ? * ["],
    ["a\\b", "one of ~ ^ : ? * ["],
    ["a..b", "two dots in a row"],
    [".a", "starts with a dot"],
    ["a/.b", "starts with a dot"],
    ["a.", "ends with a dot"],
    ["a.lock", "ends with .lock"],
    ["a.lock/b", "ends with .lock"],
    ["/a", "leading, trailing or double slash"],
    ["a/", "leading, trailing or double slash"],
    ["a//b", "leading, trailing or double slash"],
    ["a@{1}", "@{"],
    ["@", "is @"],
    ["HEAD", "is HEAD"],
    ["refs/heads/", "leading, trailing or double slash"],
    ["refs/pull/1/head", "neither under refs/heads/ nor under refs/tags/"],
    ["a".repeat(256), "longer than 255"],
  ])("%j is refused: %s", (text, why) => {
    const parsed = parseRevision(text)
    expect(Result.isFailure(parsed) && parsed.failure).toContain(why)
  })

  it("accepts nothing that git could interpret as an option, a range or a pattern", () => {
    const pieces = fc.constantFrom(
      "a",
      "-",
      ".",
      "/",
      "..",
      "@",
      "{",
      "~",
      "^",
      ":",
      "*",
      " ",
      "\t",
      "refs/heads/",
      ".lock",
      "é",
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(pieces, { maxLength: 8 }).map((all) => all.join("")),
          fc.string(),
        ),
        (text) => {
          const parsed = parseRevision(text)
          if (Result.isFailure(parsed)) return
          const name = parsed.success.kind === "commit" ? parsed.success.id : parsed.success.name
          expect(name).not.toMatch(/^-|\.\.|@\{|[\s~^:?*[\\]|\/\/|^\/|\/$|^\.|\/\.|\.$|\.lock$/)
        },
      ),
      { numRuns: 2_000 },
    )
  })
})
