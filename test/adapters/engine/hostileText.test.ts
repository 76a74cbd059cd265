import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, layer } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { engineLayer } from "../../../adapters/engine/engineLayer.ts"
import * as LocalSourceFetcher from "../../../adapters/local/LocalSourceFetcher.ts"
import { examineRepository } from "../../../application/analysis/examineRepository.ts"
import { directoryOf } from "../../support/engineRun.ts"
import { hostileFiles, hostileKinds, hostilePatterns } from "../../support/hostileText.ts"

const engine = engineLayer({
  frontEnds: new URL("../../../apps/engine/frontEnds.ts", import.meta.url),
  version: "0",
  threads: 1,
  // This measures CPU time.
  limits: { fileTime: Duration.seconds(60), ruleTime: Duration.seconds(60) },
})

/** Those that a quadratic reader tripped over; `npm run bench:hostile` runs all of them at full length. */
const worst = [
  "line feeds",
  "blanks",
  "a header with blanks",
  "open brackets and blanks",
  "a submodule of slashes",
  "attributes without end",
  "imports without end",
  "dotted keys",
  "keys of one line",
  "remappings of one prefix",
]

const harmless = "contract Good { address owner; uint x; function f() public { require(tx.origin == owner); x = 1; } }"

layer(Layer.merge(LocalSourceFetcher.layer(), engine))("a hostile file of its kind", (it) => {
  for (const [kindName, kind] of Object.entries(hostileKinds)) {
    it.effect(`${kindName}: the harmless rest is analyzed at little cost`, () =>
      Effect.gen(function* () {
        const directory = yield* directoryOf({ "good/src/Good.sol": harmless })
        for (const name of worst) {
          for (const [path, text] of Object.entries(hostileFiles(kind, hostilePatterns[name]!(150_000)))) {
            mkdirSync(dirname(join(directory, path)), { recursive: true })
            writeFileSync(join(directory, path), text)
          }
          const before = process.cpuUsage()
          const request = { repositoryUrl: directory, branch: undefined, framework: "auto" } as const
          const { findings, coverage } = yield* examineRepository(request, () => {})
          const { user, system } = process.cpuUsage(before)
          rmSync(join(directory, "hostile"), { recursive: true })
          expect(findings.some(({ location }) => location.file === "good/src/Good.sol")).toBe(true)
          expect(
            coverage.filesSkipped.filter(({ reason }) => /longer than|needed more|ended the/.test(reason)),
          ).toEqual([])
          expect((user + system) / 1_000_000, name).toBeLessThan(6)
        }
      }),
    )
  }
})
