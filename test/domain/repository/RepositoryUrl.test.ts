import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  type AllowedHosts,
  defaultAllowedHosts,
  parseAllowedHosts,
  parseRepositoryUrl,
} from "../../../domain/repository/RepositoryUrl.ts"

const hosts = (list: string): AllowedHosts => Result.getOrThrow(parseAllowedHosts(list))
const accepted = (text: string, allowed = defaultAllowedHosts): string =>
  Result.getOrThrow(parseRepositoryUrl(text, allowed))
const refusal = (text: string, allowed = defaultAllowedHosts): string => {
  const parsed = parseRepositoryUrl(text, allowed)
  return Result.isFailure(parsed) ? parsed.failure : `accepted as ${parsed.success}`
}

const several = hosts("git.example.com, git.example.com:8443, http://127.0.0.1:8080, http://[::1]:8080")

describe("repository URL", () => {
  it.each([
    ["https://github.com/owner/name", "https://github.com/owner/name"],
    ["https://github.com/owner/name/", "https://github.com/owner/name"],
    ["https://github.com/owner/name.git", "https://github.com/owner/name"],
    ["https://github.com/owner/name.git/", "https://github.com/owner/name"],
    ["HTTPS://GitHub.com/Owner/Name", "https://github.com/Owner/Name"],
    ["https://www.github.com/owner/name", "https://github.com/owner/name"],
    ["https://WWW.GitHub.com:443/owner/name.git", "https://github.com/owner/name"],
    ["https://github.com:443/owner/na.me_x-1", "https://github.com/owner/na.me_x-1"],
    ["https://git.example.com/group/sub/name.git", "https://git.example.com/group/sub/name.git"],
    ["https://git.example.com:8443/name", "https://git.example.com:8443/name"],
    ["http://127.0.0.1:8080/sample.git", "http://127.0.0.1:8080/sample.git"],
    ["http://[::1]:8080/sample", "http://[::1]:8080/sample"],
  ])("%s is %s", (text, url) => {
    expect(accepted(text, several)).toBe(url)
  })

  it.each([
    ["", "is empty"],
    ["http://www.github.com/owner/name", "must use https"],
    ["https://www.github.com:8443/owner/name", "not among the allowed hosts"],
    ["github.com/owner/name", "must start with https://"],
    ["file:///etc/passwd", "must start with https://"],
    ["git://github.com/owner/name", "must start with https://"],
    ["ext::sh -c touch% /tmp/x", "white space"],
    ["ext::sh", "must start with https://"],
    ["ssh://git@github.com/owner/name", "not SSH"],
    ["git@github.com:owner/name.git", "not SSH"],
    ["--upload-pack=touch", "must not start with a dash"],
    ["/etc/passwd", "must start with https://"],
    ["https:/github.com/owner/name", "must start with https://"],
    ["https:github.com/owner/name", "must start with https://"],
    ["https:\\\\github.com\\owner\\name", "backslash"],
    ["https://github.com\\@evil.example/owner/name", "backslash"],
    ["https://user:secret@github.com/owner/name", "credentials"],
    ["https://github.com@evil.example/owner/name", "credentials"],
    ["https://@github.com/owner/name", "credentials"],
    ["http://github.com/owner/name", "must use https"],
    ["http://169.254.169.254/latest/meta-data", "not among the allowed hosts: github.com"],
    ["https://169.254.169.254/owner/name", "not among the allowed hosts"],
    ["https://2852039166/owner/name", "not among the allowed hosts"],
    ["https://0xa9.0xfe.0xa9.0xfe/owner/name", "not among the allowed hosts"],
    ["https://[::ffff:169.254.169.254]/owner/name", "not among the allowed hosts"],
    ["https://[fe80::1%25eth0]/owner/name", "does not have a valid host"],
    ["https://localhost/owner/name", "not among the allowed hosts"],
    ["https://github.com.evil.example/owner/name", "not among the allowed hosts"],
    ["https://evilgithub.com/owner/name", "not among the allowed hosts"],
    ["https://gist.github.com/owner/name", "not among the allowed hosts"],
    ["https://github.com:8443/owner/name", "not among the allowed hosts"],
    ["https://github.com./owner/name", "trailing dot in its host"],
    ["https://github.com:/owner/name", "does not have a valid host"],
    ["https://github.com:99999/owner/name", "does not have a valid host"],
    ["https:///owner/name", "does not have a valid host"],
    ["https://gith\u0443b.com/owner/name", "must be ASCII"],
    ["https://github\u3002com/owner/name", "must be ASCII"],
    ["https://github%2ecom/owner/name", "does not have a valid host"],
    ["https://github.com/owner/na\u202eme", "must be ASCII"],
    ["https://github.com/owner/name\n", "control characters"],
    ["https://github.com/owner/na\u0000me", "control characters"],
    ["https://github.com/owner/na me", "white space"],
    [" https://github.com/owner/name", "white space"],
    ["https://github.com/owner/name?x=1", "query or a fragment"],
    ["https://github.com/owner/name#main", "query or a fragment"],
    ["https://github.com?x=/owner/name", "query or a fragment"],
    ["https://github.com/owner/%2e%2e/name", "percent-encoded"],
    ["https://github.com/owner/../name", "path segment of dots"],
    ["https://github.com/../owner/name", "path segment of dots"],
    ["https://github.com/owner/./name", "path segment of dots"],
    ["https://github.com/owner/.git", "path segment of dots"],
    ["https://github.com/owner//name", "empty path segment"],
    ["https://github.com//owner/name", "empty path segment"],
    ["https://github.com/owner/-name", "starts with a dash"],
    ["https://github.com/owner/na$(x)me", "not valid in a repository path"],
    ["https://github.com/owner/name;id", "not valid in a repository path"],
    ["https://github.com", "does not name a repository"],
    ["https://github.com/", "does not name a repository"],
    ["https://github.com/owner", "does not name a repository"],
    ["https://github.com/own_er/name", "does not name a repository"],
    ["https://github.com/owner/name/tree/main", 'use https://github.com/owner/name, and set the branch in "branch"'],
    ["https://github.com/owner/name.git/blob/main/a.sol", "use https://github.com/owner/name,"],
    [`https://github.com/owner/${"n".repeat(2_048)}`, "longer than 2048"],
  ])("%j is refused: %s", (text, why) => {
    expect(refusal(text)).toContain(why)
  })

  it("allows plain http on exactly the configured host and port", () => {
    for (const url of [
      "http://127.0.0.1/x",
      "http://127.0.0.1:8081/x",
      "https://127.0.0.1:8080/x",
      "http://localhost:8080/x",
      "http://127.1:8080/x",
    ]) {
      expect(refusal(url, several)).toContain("not among the allowed hosts")
    }
    expect(refusal("http://git.example.com:8443/x", several)).toBe("must use https")
  })

  it("never repeats credentials", () => {
    expect(refusal("https://user:hunter2@github.com/o/n")).not.toContain("hunter2")
    expect(refusal("ftp://user:hunter2@github.com/o/n")).not.toContain("hunter2")
  })

  it("accepts only normalized URLs of allowed hosts, and its own output", () => {
    const pieces = fc.constantFrom(
      "https://",
      "http://",
      "github.com",
      "127.0.0.1:8080",
      "git.example.com",
      "@",
      ":",
      "/",
      "//",
      "..",
      ".",
      "-",
      "%2e",
      "\\",
      "?",
      "#",
      " ",
      "\n",
      "owner",
      "name",
      ".git",
      "\u202e",
      "443",
    )
    const text = fc.oneof(
      fc.array(pieces, { maxLength: 10 }).map((all) => all.join("")),
      fc.string(),
      fc.webUrl(),
    )
    fc.assert(
      fc.property(text, (text) => {
        const parsed = parseRepositoryUrl(text, several)
        if (Result.isFailure(parsed)) return
        const url = new URL(parsed.success)
        expect([...several]).toContain(url.origin)
        expect(url.href).toBe(parsed.success)
        expect(url.username + url.password + url.search + url.hash).toBe("")
        expect(accepted(parsed.success, several)).toBe(parsed.success)
      }),
      { numRuns: 5_000 },
    )
  })
})

describe("list of allowed hosts", () => {
  it("always contains github.com and reads host, host with port, and plain http", () => {
    expect([...several]).toEqual([
      "https://github.com",
      "https://git.example.com",
      "https://git.example.com:8443",
      "http://127.0.0.1:8080",
      "http://[::1]:8080",
    ])
    expect([...hosts(" , ")]).toEqual(["https://github.com"])
  })

  it.each([
    "https://git.example.com/path",
    "user@git.example.com",
    "*.example.com",
    "git.example.com:0",
    "ftp://git.example.com",
    "git.example.com:x",
  ])("refuses %s and shows how to write it", (entry) => {
    const parsed = parseAllowedHosts(entry)
    expect(Result.isFailure(parsed) && parsed.failure).toContain("use a form like git.example.com")
  })
})
