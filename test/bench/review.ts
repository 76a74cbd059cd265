/**
 * How long a review takes if the model responds in 300 ms: `node test/bench/review.ts [folder]`. The limits: 10 s and 60
 * requests for triage of 200 findings, 60 s for hunting in 20 contracts, 5 s for an unreachable model. With a folder, prints
 * what is sent of it.
 */
import { setTimeout as sleep } from "node:timers/promises"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { DetectionEngine } from "../../application/ports/analysis/DetectionEngine.ts"
import { engine } from "../../apps/wiring/engine.ts"
import { FakeModel, type Heard, type Says } from "../support/fakeModel.ts"
import { folderOf, MemoryReviewStore, reviewed } from "../support/reviewed.ts"

const latency = 300

const contract = (index: number): string => `pragma solidity 0.8.20;

contract Vault${index} {
    address public owner;
    mapping(address => uint256) public balances;

    constructor() { owner = msg.sender; }
${Array.from(
  { length: 5 },
  (_, at) => `
    function take${at}(address payable to, uint256 amount) external {
        require(tx.origin == owner, "not owner ${at}");
        to.transfer(amount * ${at + 1});
    }
`,
).join("")}}
`

const question = (heard: Heard): Says => {
  const name = /"contract":"(\w+)"/.exec(heard.said.join("\n"))?.[1] ?? "Vault"
  const asked = [
    { call: "state_of", with: { contract: name } },
    { call: "read_function", with: { function: `${name}.take0` } },
    { call: "external_calls_of", with: { function: `${name}.take1` } },
    { call: "callers_of", with: { function: `${name}.take2` } },
    { call: "search", with: { text: "tx.origin" } },
    { call: "writers_of", with: { variable: `${name}.owner` } },
  ]
  return asked[heard.calls.length] ?? { call: "report", with: { claims: [] } }
}

const answer = async (heard: Heard): Promise<Says> => {
  await sleep(latency)
  if (heard.only !== "verdicts") return question(heard)
  const findings = heard.said
    .join("\n")
    .split("\n")
    .flatMap((line) => (line.startsWith(`{"finding":`) ? [JSON.parse(line) as { readonly finding: number }] : []))
  return {
    call: "verdicts",
    with: {
      verdicts: findings.map(({ finding }) => ({
        finding,
        verdict: "likely",
        reasoning: "r",
        quotes: [{ line: 1, text: "tx.origin == owner" }],
      })),
    },
  }
}

const [given] = process.argv.slice(2)
const model = await FakeModel.start(answer)
const files = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`src/Vault${index}.sol`, contract(index)]))
const made = given === undefined ? await folderOf(files) : { directory: given, remove: async () => {} }
try {
  await Effect.runPromise(
    Effect.gen(function* () {
      const shared = Layer.succeed(DetectionEngine, yield* DetectionEngine)
      const run = (url: string) => {
        const startedAt = performance.now()
        return Effect.map(reviewed(made.directory, url, new MemoryReviewStore(), shared), (examination) => ({
          examination,
          seconds: (performance.now() - startedAt) / 1_000,
        }))
      }
      const plain = yield* run("http://127.0.0.1:9/v1")
      const { examination } = yield* run(`${model.url}/v1`)
      const { review, findings } = examination
      if (review === undefined) throw new Error("there was no review")
      const triage = model.heard.filter(({ only }) => only === "verdicts")
      const characters = (some: ReadonlyArray<Heard>): number =>
        some.reduce((sum, { body }) => sum + JSON.stringify(body).length, 0)
      process.stdout.write(
        `${findings.length} findings, ${review.judged} judged
triage: ${(review.milliseconds.triage / 1_000).toFixed(1)} s, ${triage.length} requests, ${model.busiest} at a time, ${characters(triage)} characters
hunt: ${(review.milliseconds.hunt / 1_000).toFixed(1)} s, ${model.heard.length - triage.length} requests, ${characters(model.heard) - characters(triage)} characters
model that cannot be reached: ${plain.seconds.toFixed(1)} s with the scan itself
`,
      )
      const isGood = review.milliseconds.triage <= 10_000 && triage.length <= 60 && review.milliseconds.hunt <= 60_000
      if (given === undefined && !isGood) process.exitCode = 1
    }).pipe(Effect.provide(engine(1))),
  )
} finally {
  await Promise.all([model.stop(), made.remove()])
}
