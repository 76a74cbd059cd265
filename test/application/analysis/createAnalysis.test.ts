import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { newAnalysis, type Submission } from "../../../application/analysis/createAnalysis.ts"
import { SubmissionRules } from "../../../application/analysis/SubmissionRules.ts"
import { defaultAllowedHosts } from "../../../domain/repository/RepositoryUrl.ts"
import { UserId } from "../../../domain/ids/Ids.ts"

const repositoryUrl = "https://github.com/example/vault"
const submit = (submission: Submission) => newAnalysis(UserId.make("user"), submission)
const wrongFields = (submission: Submission) =>
  Effect.map(Effect.flip(submit(submission)), ({ fields }) => fields.map(({ field }) => field))

describe("newAnalysis", () => {
  it.effect("fills in what a submission omits", () =>
    Effect.gen(function* () {
      expect(yield* submit({ repositoryUrl: "https://GitHub.com/example/vault/" })).toEqual({
        userId: "user",
        repositoryUrl,
        branch: undefined,
        framework: "auto",
        analysisType: "full",
        webhookUrl: undefined,
      })
    }),
  )

  it.effect("keeps what a submission specifies", () =>
    Effect.gen(function* () {
      const submission = {
        repositoryUrl,
        branch: "main",
        framework: "evm",
        analysisType: "quick",
        webhookUrl: "https://example.com/hook",
      } as const
      expect(yield* submit(submission)).toEqual({ userId: "user", ...submission })
    }),
  )

  it.effect("accepts a folder in the form of its files' paths, but none outside the repository", () =>
    Effect.gen(function* () {
      const commit = "0".repeat(40)
      expect(yield* submit({ repositoryUrl, commit, path: "./contracts//core/" })).toMatchObject({
        commit,
        path: "contracts/core",
      })
      for (const path of ["", "/", ".", "../x", "a/../../b", "/etc", "a\\b", "a\u0000b", "x".repeat(1_001)]) {
        expect([path, yield* wrongFields({ repositoryUrl, path })]).toEqual([path, ["path"]])
      }
    }),
  )

  it.effect("names every field that is wrong", () =>
    Effect.gen(function* () {
      expect(yield* wrongFields({ repositoryUrl: "file:///etc/passwd" })).toEqual(["repositoryUrl"])
      expect(
        yield* wrongFields({ repositoryUrl: "ext::sh", branch: "--upload-pack=x", webhookUrl: "http://10.0.0.1/" }),
      ).toEqual(["repositoryUrl", "branch", "webhookUrl"])
    }),
  )

  it.effect("fetches and notifies only as the rules allow", () =>
    Effect.gen(function* () {
      const submission = { repositoryUrl: "http://127.0.0.1:8080/vault.git", webhookUrl: "http://127.0.0.1:9/hook" }
      expect(yield* wrongFields(submission)).toEqual(["repositoryUrl", "webhookUrl"])
      const rules = {
        allowedHosts: new Set([...defaultAllowedHosts, "http://127.0.0.1:8080"]),
        allowPrivateWebhooks: true,
      }
      const allowed = yield* submit(submission).pipe(Effect.provideService(SubmissionRules, rules))
      expect(allowed).toMatchObject(submission)
    }),
  )
})
