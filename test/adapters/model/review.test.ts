import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { programModels } from "../../../adapters/engine/program/programModels.ts"
import { ProgramModels } from "../../../application/ports/analysis/ProgramModels.ts"
import type { ExaminedRepository } from "../../../application/analysis/examineRepository.ts"
import { ProgramThread } from "../../../adapters/engine/program/ProgramThread.ts"
import {
  DetectionEngine,
  type EngineError,
  type EngineResult,
} from "../../../application/ports/analysis/DetectionEngine.ts"
import { engine, programs } from "../../../apps/wiring/engine.ts"
import { type Heard, FakeModel, type Says, type Script } from "../../support/fakeModel.ts"
import { injections } from "../../support/injections.ts"
import { folderOf, MemoryReviewStore, reviewed } from "../../support/reviewed.ts"

const vault = readFileSync(new URL("../../fixtures/review/Vault.sol", import.meta.url), "utf8")
const lineOf = (text: string): number => vault.slice(0, vault.indexOf(text)).split("\n").length

let model: FakeModel
let folder: Awaited<ReturnType<typeof folderOf>>
let store: MemoryReviewStore
let shared: Layer.Layer<DetectionEngine>
// One engine for all tests: its threads take a second to start.
let thread: ProgramThread
const engines = ManagedRuntime.make(engine(1))
beforeAll(async () => {
  model = await FakeModel.start()
  folder = await folderOf({ "src/Vault.sol": vault })
  const running = await engines.runPromise(DetectionEngine)
  const examined = new Map<string, Effect.Effect<EngineResult, EngineError>>()
  shared = Layer.succeed(DetectionEngine, {
    detect: () => Effect.succeed(new Set(["evm"] as const)),
    // Unchanged sources are examined once.
    examine: (input, onProgress) => {
      const examine = running.examine(input, onProgress)
      if (input.changed !== undefined) return examine
      const known = examined.get(input.directory) ?? Effect.runSync(Effect.cached(examine))
      examined.set(input.directory, known)
      return known
    },
  })
  thread = new ProgramThread({ directory: folder.directory, files: ["src/Vault.sol"], programs: programs.href })
})
afterAll(async () => {
  await Promise.all([model.stop(), folder.remove(), engines.dispose(), thread.close()])
})
beforeEach(() => {
  store = new MemoryReviewStore()
})

const models: ProgramModels["Service"] = {
  open: (directory, files) =>
    directory === folder.directory
      ? Effect.succeed({ ask: (query, argument) => Effect.promise(() => thread.ask(query, argument)) })
      : Effect.flatMap(ProgramModels, ({ open }) => open(directory, files)).pipe(
          Effect.provide(programModels(programs)),
        ),
}

const review = (script: Script, change: Parameters<typeof reviewed>[4] = {}, directory = folder.directory) => {
  model.begin(script)
  return Effect.runPromise(reviewed(directory, model.url, store, shared, { models, ...change }))
}

const aiIn = ({ coverage }: ExaminedRepository) => coverage.engines.find(({ name }) => name === "ai")

/** The findings that a request for verdicts is about. */
const asked = ({ said }: Heard): ReadonlyArray<{ readonly finding: number; readonly rule: string }> =>
  said
    .join("\n")
    .split("\n")
    .flatMap((line) =>
      // As triage writes them, one line per finding.
      line.startsWith(`{"finding":`) ? [JSON.parse(line) as { readonly finding: number; readonly rule: string }] : [],
    )

const quoteOf: Readonly<Record<string, string>> = {
  "evm/reentrancy/state-change-after-call": `(bool ok, ) = msg.sender.call{value: amount}("");`,
  "evm/access-control/unprotected-setter": "fee = next;",
  "evm/unchecked-call/unchecked-erc20-transfer": "token.transfer(to, amount - (amount * fee) / 10_000);",
  "evm/authorization/tx-origin": `require(tx.origin == owner, "not owner");`,
  "evm/denial-of-service/hardcoded-gas": "to.transfer(address(this).balance);",
}

type Verdict = Readonly<Record<string, unknown>>

/** Answers requests for verdicts, finding by finding, and reports nothing elsewhere. */
const verdicts =
  (judge: (rule: string, heard: Heard) => Verdict | undefined, elsewhere: Script = () => nothing): Script =>
  (heard, index) =>
    heard.only === "verdicts"
      ? {
          call: "verdicts",
          with: {
            verdicts: asked(heard).flatMap(({ finding, rule }) => {
              const verdict = judge(rule, heard)
              return verdict === undefined ? [] : [{ finding, reasoning: "Because.", ...verdict }]
            }),
          },
        }
      : elsewhere(heard, index)

const nothing: Says = { call: "report", with: { claims: [] } }
const quoting = (rule: string) => [{ line: lineOf(quoteOf[rule]!) + 3, text: quoteOf[rule]! }]

const reentrancyPatch = `--- a/src/Vault.sol
+++ b/src/Vault.sol
@@ -20,5 +20,5 @@
         uint256 amount = balances[msg.sender];
+        balances[msg.sender] = 0;
         (bool ok, ) = msg.sender.call{value: amount}("");
         require(ok, "failed");
-        balances[msg.sender] = 0;
     }
`

const byRule = (examination: ExaminedRepository, rule: string) =>
  examination.findings.find(({ ruleId }) => ruleId.endsWith(rule))

describe("triage", () => {
  it("keeps verdicts whose quotes occur in the file, only lowers confidence, and asks twice about severe findings", async () => {
    const plain = await Effect.runPromise(
      reviewed(folder.directory, model.url, store, shared, { analysisType: "quick" }),
    )
    expect(aiIn(plain)?.version).toBe("not part of a quick analysis")
    expect(model.heard.length).toBe(0)

    const progress: Array<number> = []
    const examination = await review(
      verdicts((rule) =>
        rule.endsWith("tx-origin")
          ? { verdict: "confirmed", attack: "A page has the owner call it.", quotes: quoting(rule) }
          : rule.endsWith("hardcoded-gas")
            ? { verdict: "likely", quotes: [{ line: 1, text: "to.send(address(this).balance);" }] }
            : { verdict: "unlikely", quotes: quoting(rule) },
      ),
      { report: (stage, fraction) => void (stage === "ai_analysis" && progress.push(fraction)) },
    )
    const txOrigin = byRule(examination, "tx-origin")
    const line = lineOf(quoteOf["evm/authorization/tx-origin"]!)
    expect(txOrigin?.review).toEqual({
      verdict: "confirmed",
      reasoning: "Because.",
      attack: "A page has the owner call it.",
      quotes: [{ line, text: `require(tx.origin == owner, "not owner");` }],
      model: "m-1",
    })
    expect(byRule(examination, "hardcoded-gas")?.review).toBeUndefined()
    expect(byRule(examination, "state-change-after-call")).toMatchObject({ severity: "high", confidence: "medium" })
    expect(byRule(examination, "unchecked-erc20-transfer")?.confidence).toBe("low")
    // The same findings otherwise, in the same order.
    const bare = (one: ExaminedRepository) =>
      one.findings.map((finding) => ({ ...finding, review: undefined, confidence: undefined }))
    expect(bare(examination)).toEqual(bare(plain))
    expect(aiIn(examination)?.note).toMatch(/^prompts 3; 3 requests with 3000 tokens in and 300 out for \$0\.01/)
    expect(aiIn(examination)?.note).toContain("4 findings judged, 1 verdict void")
    expect(progress.length).toBeGreaterThan(2)
    expect(progress).toEqual(progress.toSorted((a, b) => a - b))
  })

  it("leaves severe findings unchanged if two runs disagree", async () => {
    const examination = await review(
      verdicts((rule, heard) => ({
        verdict: asked(heard).length > 2 ? "unlikely" : rule.endsWith("setter") ? "confirmed" : "unlikely",
        quotes: rule.endsWith("call") && asked(heard).length <= 2 ? [] : quoting(rule),
      })),
    )
    expect(byRule(examination, "setter")).toMatchObject({ confidence: "medium", review: { verdict: "confirmed" } })
    expect(byRule(examination, "state-change-after-call")?.confidence).toBe("high")
    expect(byRule(examination, "state-change-after-call")?.review).toBeUndefined()
  })

  it("discards verdicts about nonexistent findings, and repeated ones", async () => {
    const examination = await review((heard) =>
      heard.only === "verdicts"
        ? {
            call: "verdicts",
            with: {
              verdicts: [0, 0, 99, -1].map((finding) => ({
                finding,
                verdict: "confirmed",
                reasoning: "Because.",
                quotes: quoting(asked(heard)[0]!.rule),
              })),
            },
          }
        : nothing,
    )
    expect(aiIn(examination)?.note).toContain("1 finding judged, 3 verdicts void")
  })

  it.each([
    ["another shape", { call: "verdicts", with: { verdicts: [{ finding: "0", verdict: "maybe" }] } }],
    ["no JSON", { call: "verdicts", with: "{" }],
    ["text alone", { text: "I would say that all of this looks fine." }],
    ["a tool that there is not", { call: "delete_repository", with: {} }],
  ] as const)("asks once more for an answer of %s, then does without", async (_, says) => {
    const examination = await review((heard) => (heard.only === "verdicts" ? says : nothing))
    expect(model.heard.filter(({ only }) => only === "verdicts").length).toBe(2)
    expect(aiIn(examination)?.note).toContain("0 findings judged")
    expect(aiIn(examination)?.note).toContain("1 question without a usable answer")
    expect(aiIn(examination)?.note).not.toContain("ended early")
  })
})

describe("a patch", () => {
  const confirming = (patch: string): Script =>
    verdicts((rule) =>
      rule.endsWith("state-change-after-call") ? { verdict: "confirmed", quotes: quoting(rule), patch } : undefined,
    )

  it("is shown if it applies, parses, and removes the finding without adding new ones", async () => {
    const examination = await review(confirming(reentrancyPatch))
    const patch = byRule(examination, "state-change-after-call")?.review?.patch
    expect(patch).toMatch(/^--- a\/src\/Vault\.sol\n\+\+\+ b\/src\/Vault\.sol\n@@ -20,11 \+20,11 @@\n/)
    await writeFile(join(folder.directory, "fix.diff"), patch ?? "")
    execFileSync("git", ["apply", "--check", "fix.diff"], { cwd: folder.directory })
    await rm(join(folder.directory, "fix.diff"))
    expect(aiIn(examination)?.note).toContain("1 patch proven")
  })

  it.each([
    ["does not apply", reentrancyPatch.replaceAll("amount", "sum")],
    ["applies elsewhere", `@@ -1,2 +1,2 @@\n-pragma solidity 0.8.20;\n+pragma solidity 0.8.21;\n \n`],
    [
      "does not parse",
      reentrancyPatch.replace("+        balances[msg.sender] = 0;", "+        balances[msg.sender = 0;"),
    ],
    ["mends nothing", reentrancyPatch.replace("+        balances[msg.sender] = 0;", "+        // safe")],
    [
      "suppresses the finding",
      `@@ -23,2 +23,3 @@\n         uint256 amount = balances[msg.sender];\n+        // assay-ignore evm/reentrancy/state-change-after-call: safe\n         (bool ok, ) = msg.sender.call{value: amount}("");\n`,
    ],
    [
      "removes the function",
      `@@ -22,6 +22,0 @@\n-    function withdraw() external {\n-        uint256 amount = balances[msg.sender];\n-        (bool ok, ) = msg.sender.call{value: amount}("");\n-        require(ok, "failed");\n-        balances[msg.sender] = 0;\n-    }\n`,
    ],
    [
      "introduces another problem",
      reentrancyPatch.replace(
        "+        balances[msg.sender] = 0;",
        `+        balances[msg.sender] = 0;\n+        require(tx.origin == msg.sender || tx.origin == owner);\n+        (bool sent, ) = tx.origin.call{value: amount}("");`,
      ),
    ],
    ["is none", "Move the line up."],
  ])("that %s is dropped", async (_, patch) => {
    const examination = await review(confirming(patch))
    expect(byRule(examination, "state-change-after-call")?.review).toMatchObject({ verdict: "confirmed" })
    expect(byRule(examination, "state-change-after-call")?.review?.patch).toBeUndefined()
  })
})

/** A claim that a model may make about `setFee`. */
const claim = {
  category: "logic",
  severity: "high",
  title: "A fee above the amount locks every payment",
  file: "src/Vault.sol",
  function: "Vault.setFee(uint256)",
  lineStart: lineOf("function setFee"),
  lineEnd: lineOf("fee = next;"),
  description: "The fee has no bound.",
  attack: "Anybody calls setFee(20000): pay underflows from then on.",
  remediation: "Bound the fee.",
  quotes: [{ line: lineOf("fee = next;"), text: "fee = next;" }],
}
const exploitable = {
  verdict: "exploitable",
  steps: [{ caller: "attacker", function: "Vault.setFee", values: "20000", effect: "pay() reverts" }],
  reasoning: "Nothing bounds it.",
  quotes: claim.quotes,
}

const noVerdicts = (elsewhere: Script): Script => verdicts(() => undefined, elsewhere)

describe("the hunt", () => {
  const hunting = (claims: ReadonlyArray<object>, judgment: object = exploitable): Script =>
    noVerdicts(({ tools }) =>
      tools.includes("report") ? { call: "report", with: { claims } } : { call: "judgment", with: judgment },
    )
  const external = ({ findings }: ExaminedRepository) =>
    findings.filter(({ ruleId }) => ruleId.startsWith("external/ai/"))

  it("reports what survives, at an existing place, with at most medium confidence", async () => {
    const examination = await review(hunting([claim]))
    expect(external(examination)).toMatchObject([
      {
        ruleId: "external/ai/logic",
        category: "logic",
        severity: "high",
        confidence: "medium",
        engines: ["ai"],
        location: { file: "src/Vault.sol", lineStart: claim.lineStart, lineEnd: claim.lineEnd },
        review: { verdict: "likely", attack: "1. attacker calls Vault.setFee(20000): pay() reverts", model: "m-1" },
      },
    ])
    const refuter = model.heard.find(({ tools }) => tools.includes("judgment"))
    expect(refuter?.said.join("\n")).toContain(claim.attack)
    expect(refuter?.calls).toEqual([])
    expect(aiIn(examination)?.note).toContain("1 problem found, 0 claims refuted and 0 not tied to a place")
  })

  it.each([
    ["on lines that do not exist", { lineStart: 900, lineEnd: 901 }],
    ["in a file that does not exist", { file: "src/Bank.sol" }],
    ["in a file outside of the repository", { file: "../../../../etc/passwd", lineStart: 1, lineEnd: 1 }],
    ["about another function", { function: "Vault.pay" }],
    ["with a quote that is not there", { quotes: [{ line: claim.lineEnd, text: "fee = next + 1;" }] }],
    ["with no quote", { quotes: [] }],
    ["that is a finding already", { category: "access-control", quotes: claim.quotes }],
  ])("drops a claim %s", async (_, change) => {
    const examination = await review(hunting([{ ...claim, ...change }]))
    expect(external(examination)).toEqual([])
    expect(aiIn(examination)?.note).toContain("0 claims refuted and 1 not tied to a place in the code")
  })

  it.each([
    ["rejects it", { ...exploitable, verdict: "rejected" }],
    ["names no calls", { ...exploitable, steps: [] }],
    ["quotes what is not there", { ...exploitable, quotes: [{ line: 1, text: "require(next <= 1000);" }] }],
    ["answers in another shape", { verdict: "yes" }],
  ])("drops a claim whose refuter %s", async (_, judgment) => {
    const examination = await review(hunting([claim], judgment))
    expect(external(examination)).toEqual([])
    expect(aiIn(examination)?.note).toContain("1 claim refuted")
  })

  it("suppresses what a comment in the sources marks as reviewed", async () => {
    const text = vault.replace(
      "    function setFee",
      "    // assay-ignore external/ai/*: bounded by governance\n    function setFee",
    )
    const marked = await folderOf({ "src/Vault.sol": text })
    const below = { lineStart: claim.lineStart + 1, lineEnd: claim.lineEnd + 1 }
    const examination = await review(hunting([{ ...claim, ...below }]), {}, marked.directory)
    await marked.remove()
    expect(external(examination)).toEqual([])
    expect(examination.suppressed).toMatchObject([
      { ruleId: "external/ai/logic", suppression: { reason: "bounded by governance", line: claim.lineStart } },
    ])
  })

  it("answers queries about the program, rejects unknown tools, and ends a loop", async () => {
    const questions = [
      { call: "read_function", with: { function: "Vault.withdraw" } },
      { call: "search", with: { text: "tx.origin" } },
      { call: "findings_at", with: { file: "src/Vault.sol" } },
      { call: "writers_of", with: { variable: "Vault.fee" } },
      { call: "read_function", with: { path: "/etc/passwd" } },
      { call: "run_shell", with: { command: "id" } },
    ]
    const examination = await review(
      noVerdicts(({ only }, index) =>
        only === "report" ? nothing : { calls: [questions[index % 6]!, questions[0]!] },
      ),
    )
    const last = model.heard.at(-1)!
    expect(model.heard.length).toBeLessThan(18)
    const answers = last.said.join("\n")
    expect(answers).toContain(`${lineOf("(bool ok")}\t        (bool ok, ) = msg.sender.call{value: amount}("");`)
    expect(answers).toContain(`"reachedFrom":["Vault.setFee(uint256)"]`)
    expect(answers).toContain("The arguments do not match the tool's schema.")
    expect(answers).toContain("No such tool.")
    expect(answers).toContain("This was asked and answered before.")
    expect(aiIn(examination)?.note).not.toContain("ended early")
  })
})

describe("a review", () => {
  const good = verdicts((rule) => ({ verdict: "likely", quotes: quoting(rule) }))
  const without = (examination: ExaminedRepository) =>
    examination.findings.filter((one) => one.review === undefined).length

  it("is skipped on a plan without reviews, or for a quick analysis", async () => {
    store.plan = "basic"
    expect(aiIn(await review(good))?.version).toBe("not included in the basic plan")
    store.plan = "pro"
    expect(aiIn(await review(good, { analysisType: "quick" }))?.version).toBe("not part of a quick analysis")
    expect(model.heard.length).toBe(0)
  })

  it("pays for nothing twice, but again for what changed", async () => {
    const first = await review(good)
    expect(model.heard.length).toBe(2)
    const second = await review(good)
    expect(model.heard.length).toBe(0)
    expect(second.findings).toEqual(first.findings)
    expect(aiIn(second)?.note).toContain("0 requests with 0 tokens in and 0 out for $0.00, 2 answers reused")
    await review(good, { model: { model: "m-2" } })
    expect(model.heard.length).toBe(2)
  })

  it("counts its cost, and answers by source", async () => {
    model.begin(good)
    const counts = await Effect.runPromise(
      Effect.gen(function* () {
        for (let times = 0; times < 2; times++) yield* reviewed(folder.directory, model.url, store, shared, { models })
        return (yield* Metric.snapshot).flatMap(({ id, attributes, state }) =>
          id.startsWith("assay_model_cost") || id.startsWith("assay_model_answers")
            ? [[id, attributes?.["source"], "count" in state ? state.count : undefined]]
            : [],
        )
      }).pipe(Effect.provideService(Metric.MetricRegistry, new Map())),
    )
    // A request has 1,000 tokens in at $3 per million and 100 out at $15.
    expect(counts.toSorted()).toEqual([
      ["assay_model_answers_total", "kept", 2],
      ["assay_model_answers_total", "model", 2],
      ["assay_model_cost_dollars_total", undefined, 0.009],
    ])
  })

  it("continues where a killed one stopped, and pays only for what is missing", async () => {
    let held = (): void => {}
    const hunting = new Promise<void>((resolve) => (held = resolve))
    model.begin((heard, index) => {
      if (heard.only === "verdicts") return good(heard, index)
      held()
      return "nothing"
    })
    const running = Effect.runFork(reviewed(folder.directory, model.url, store, shared))
    await hunting
    await Effect.runPromise(Fiber.interrupt(running))
    expect([...store.answers].length).toBe(1)
    // What was reserved for the interrupted request is available again.
    expect(store.micros).toBe(4_500)
    const examination = await review(good)
    expect(model.heard.map(({ only }) => only)).toEqual([undefined])
    expect(aiIn(examination)?.note).toContain("1 answer reused")
  })

  it.each([
    ["requests", { requests: 1 }, "the analysis's limit of 1 requests was reached"],
    ["tokens", { tokens: 4_300 }, "the analysis's limit of 4300 tokens was reached"],
    ["money", { micros: 21_000 }, "the analysis's budget of $0.02 was used up"],
    ["seconds", { time: Duration.millis(300) }, "the analysis's time limit of 0.3 s was reached"],
  ])("ends when its %s are used up, with what it has", async (_, change, why) => {
    const budget = { requests: 500, tokens: 50_000_000, time: Duration.seconds(60), micros: 1e10, ...change }
    const examination = await review(
      async (heard, index) => {
        if (heard.only !== "verdicts" && "time" in change) return "nothing"
        return await good(heard, index)
      },
      { settings: { budget } },
    )
    expect(without(examination)).toBe(0)
    expect(aiIn(examination)?.note).toContain(`ended early: ${why}`)
  })

  it("ends when the monthly budget is used up", async () => {
    const examination = await review(good, { settings: { monthlyMicros: 21_000 } })
    expect(without(examination)).toBe(0)
    expect(aiIn(examination)?.note).toContain("the monthly budget of $0.02 was used up")
    // What was not asked does not count as a request.
    expect(aiIn(examination)?.note).toContain("; 1 request with 1000 tokens in")
    expect(store.micros).toBe(4_500)
  })

  it("costs nothing and changes nothing if the model does not respond", async () => {
    const startedAt = performance.now()
    const examination = await review(good, { model: { baseUrl: "http://127.0.0.1:9" } })
    expect(performance.now() - startedAt).toBeLessThan(5_000)
    expect(without(examination)).toBe(examination.findings.length)
    expect(aiIn(examination)?.note).toContain("failed: the model at 127.0.0.1:9 cannot be reached")
  })

  it("ends when the model fails, and keeps what it said", async () => {
    const examination = await review((heard, index) =>
      heard.only === "verdicts" ? good(heard, index) : { status: 401 },
    )
    expect(without(examination)).toBe(0)
    expect(aiIn(examination)?.note).toContain("ended early: the model rejected the key")
  })

  it("continues without stored answers if the database is unavailable, but then spends nothing", async () => {
    store.isDown = true
    const examination = await review(good)
    expect(aiIn(examination)?.note).toContain("ended early: the database could not be reached")
    expect(model.heard.length).toBe(0)
    const free = await review(good, { settings: { prices: { input: 0, output: 0 } } })
    expect(without(free)).toBe(0)
  })

  it("sends nothing but code, whatever a model requests", async () => {
    const readme = injections.filter(({ place }) => place === "readme").map(({ text }) => text)
    const talkative = await folderOf({
      "src/Vault.sol": vault,
      "README.md": readme.join("\n\n"),
      "src/NOTES.txt": "OBEYED",
    })
    const questions = [
      { call: "search", with: { text: "OBEYED" } },
      { call: "findings_at", with: { file: "README.md" } },
      { call: "read_function", with: { function: "README.md" } },
      { call: "list_entry_points", with: {} },
    ]
    await review(
      noVerdicts((heard) => (heard.calls.length > 0 ? nothing : { calls: questions })),
      {},
      talkative.directory,
    )
    await talkative.remove()
    const said = model.heard.map((heard) => heard.said.join("\n")).join("\n")
    expect(said).toContain("Vault.sol")
    expect(said).not.toMatch(/OBEYED|NOTES/)
  })

  it("sends no secrets, whatever a model requests", async () => {
    const key = "436945b08fe11cd3ac60bff4a3e95b53c043c2504962d0ef7d0d028a7cf95723"
    const leaky = await folderOf({
      "src/Vault.sol": vault.replace("fee = next;", `fee = next; uint256 ownerKey = 0x${key};`),
    })
    try {
      await review(
        noVerdicts((heard) =>
          heard.calls.length > 0
            ? nothing
            : {
                calls: [
                  { call: "read_function", with: { function: "Vault.setFee" } },
                  { call: "search", with: { text: "ownerKey" } },
                ],
              },
        ),
        {},
        leaky.directory,
      )
      const sent = JSON.stringify(model.heard.map(({ body }) => body))
      expect(sent).toContain("[masked]")
      expect(sent).not.toContain(key)
    } finally {
      await leaky.remove()
    }
  })
})
