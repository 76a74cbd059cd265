import * as NodeServices from "@effect/platform-node/NodeServices"
import { Command, Flag } from "effect/cli"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as LocalSourceFetcher from "../../adapters/local/LocalSourceFetcher.ts"
import { Reviewing } from "../../application/review/Reviewing.ts"
import { runMain } from "../runMain.ts"
import { engine } from "../wiring/engine.ts"
import { version } from "../wiring/version.ts"
import { evaluateReview } from "./evaluateReview.ts"
import { localReview } from "./localReview.ts"

const evaluate = Command.make(
  "eval:review",
  {
    labels: Flag.String("labels").pipe(
      Flag.withDescription('A list of {"repo", "file", "lines": [from, to], "category"} as JSON'),
      Flag.withMetavar("FILE"),
    ),
    repos: Flag.String("repos").pipe(
      Flag.withDescription("Folder that contains one folder per labeled repository"),
      Flag.withMetavar("DIR"),
    ),
  },
  Effect.fn(function* ({ labels, repos }) {
    const withModel = yield* localReview
    yield* evaluateReview(labels, repos, (line) => process.stdout.write(`${line}\n`)).pipe(
      Effect.provideService(Reviewing, withModel),
      Effect.provide(Layer.merge(LocalSourceFetcher.layer(), engine(1))),
    )
  }, Effect.scoped),
).pipe(
  Command.withDescription(
    "Reviews labeled code with the configured model and reports recall, precision, cost and time per pass.",
  ),
)

runMain(
  Effect.suspend(() => Command.runWith(evaluate, { version })(process.argv.slice(2))).pipe(
    Effect.as(0),
    Effect.provide(NodeServices.layer),
  ),
)
