import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Api, type Cluster, startCluster } from "../support/cluster.ts"
import { FakeModel, type Heard, type Says } from "../support/fakeModel.ts"
import { type PostgresServer, startPostgres } from "../support/postgresServer.ts"

const contract = (index: number): string => `pragma solidity 0.8.20;
contract Vault${index} {
    address public owner;
    function take(address payable to, uint256 amount) external {
        require(tx.origin == owner, "not owner ${index}");
        to.transfer(amount);
    }
}
`
const contracts = 6

/** What is asked, whatever marker stands around its data. */
const questionOf = ({ said }: Heard): string => said.join("\n").replaceAll(/<\/?data \w+>/g, "")

const answer = (heard: Heard): Says =>
  heard.only === "verdicts" ? { call: "verdicts", with: { verdicts: [] } } : { call: "report", with: { claims: [] } }

const postgres = await startPostgres()

describe.runIf(postgres !== undefined)("a worker that is killed in the middle of a review", () => {
  const server = postgres as PostgresServer
  let cluster: Cluster
  let api: Api
  let model: FakeModel
  beforeAll(async () => {
    ;[cluster, model] = await Promise.all([server.createDatabase().then(startCluster), FakeModel.start()])
    api = await cluster.startApi()
  })
  afterAll(async () => {
    await cluster.close()
    await Promise.all([model.stop(), server.stop()])
  })

  it("is replaced by one that requests only what is missing", async () => {
    const files = Object.fromEntries(
      Array.from({ length: contracts }, (_, index) => [`src/Vault${index}.sol`, contract(index)]),
    )
    const { url } = await cluster.git.create("reviewed", { branches: { main: files } })
    const environment = {
      ASSAY_AI_PROVIDER: "openai-compatible",
      ASSAY_AI_BASE_URL: `${model.url}/v1`,
      ASSAY_AI_MODEL: "m-1",
      // One at a time: what was answered when the next one is asked has been kept.
      ASSAY_AI_CONCURRENCY: "1",
    }
    const answered: Array<string> = []
    const middle = new Promise<void>((resolve) => {
      model.begin((heard) => {
        if (answered.length < 4) {
          answered.push(questionOf(heard))
          return answer(heard)
        }
        resolve()
        return "nothing"
      })
    })
    const first = cluster.startWorker(environment)
    await cluster.submit(api, await cluster.newUser("pro"), { repositoryUrl: url })
    await middle
    await first.stop("SIGKILL")
    await cluster.endLeases(first, true)

    model.begin(answer)
    cluster.startWorker(environment)
    expect(await cluster.settle(60)).toEqual({ broken: [], outcomes: { completed: 1 } })
    const asked = model.heard.map(questionOf)
    expect(asked.filter((question) => answered.includes(question))).toEqual([])
    // The hunt asks once in each contract, and triage at least once.
    expect(new Set([...answered, ...asked]).size).toBeGreaterThan(contracts)
    expect(asked.length).toBeGreaterThan(0)
  }, 120_000)
})
