/**
 * The cost of the second analysis of a repository: `node test/bench/reuse.ts [folder]`, on a copy of the folder, or on
 * 367 generated contracts. One worker's engine, one process; CPU time of all its threads.
 */
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { createHash } from "node:crypto"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { engineLayer } from "../../adapters/engine/engineLayer.ts"
import { rememberExaminations } from "../../adapters/memory/rememberExaminations.ts"
import { DetectionEngine } from "../../application/ports/analysis/DetectionEngine.ts"
import { ecosystems } from "../../domain/analysis/Framework.ts"
import { isRelevant, isSource } from "../../domain/detection/ProjectFiles.ts"

const contract = (index: number): string => `pragma solidity ^0.8.20;
${index % 10 === 0 ? "" : `import {Vault${index - 1}} from "./Vault${index - 1}.sol";`}
contract Vault${index} ${index % 10 === 0 ? "" : `is Vault${index - 1} `}{
    mapping(address => uint256) public balances${index};
    uint256 private total${index};
    function deposit${index}() external payable {
        balances${index}[msg.sender] += msg.value;
        total${index} += msg.value;
    }
    function withdraw${index}(uint256 amount) external {
        require(balances${index}[msg.sender] >= amount, "balance");
        balances${index}[msg.sender] -= amount;
        (bool sent, ) = msg.sender.call{value: amount}("");
        require(sent);
        total${index} -= amount;
    }
    function share${index}(address account) public view returns (uint256 sum) {
        for (uint256 i = 0; i < 10; i++) {
            if (i % 2 == 0) sum += (balances${index}[account] * i) / (total${index} + 1);
            else sum -= sum / 2;
        }
    }
}
`

const [given] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), "assay-bench-reuse-"))
if (given !== undefined) cpSync(given, folder, { recursive: true })
else {
  mkdirSync(join(folder, "src"))
  for (let index = 0; index < 367; index++) writeFileSync(join(folder, `src/Vault${index}.sol`), contract(index))
}
mkdirSync(join(folder, "test"), { recursive: true })
writeFileSync(join(folder, "test/Notes.t.sol"), "contract Notes { function test() public {} }\n")

const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
  .filter(isRelevant)
  .toSorted()
const present = ecosystems.filter((name) => files.some((file) => file.endsWith(name === "evm" ? ".sol" : ".rs")))
const sources = files.filter((file) => isSource(file) && !/(?:^|\/)(?:tests?|lib|node_modules)\//.test(file))
const changed = sources[Math.floor(sources.length / 2)] ?? ""

const runtime = ManagedRuntime.make(
  rememberExaminations().pipe(
    Layer.provide(
      engineLayer({
        frontEnds: new URL("../../apps/engine/frontEnds.ts", import.meta.url),
        version: "0",
        threads: 1,
        compileCache: join(tmpdir(), "assay-bench-compile-cache"),
      }),
    ),
  ),
)

let first = 0
const measure = async (name: string): Promise<void> => {
  // As a fetch provides them, so that the time to compute them does not count.
  const contentIds = new Map(
    files.map((file) => [
      file,
      createHash("sha1")
        .update(readFileSync(join(folder, file)))
        .digest("hex"),
    ]),
  )
  const before = process.cpuUsage()
  const { findings, coverage } = await runtime.runPromise(
    DetectionEngine.use((engine) =>
      engine.examine({ directory: folder, files, contentIds, ecosystems: present }, () => {}),
    ),
  )
  const { user, system } = process.cpuUsage(before)
  const milliseconds = (user + system) / 1_000
  first ||= milliseconds
  console.log(
    `${name.padEnd(28)}${String(coverage.filesAnalysed).padStart(6)} files${String(findings.length).padStart(7)} findings` +
      `${milliseconds.toFixed(0).padStart(8)} ms CPU${(milliseconds / first).toFixed(2).padStart(7)} of the first`,
  )
}

await measure("first")
await measure("nothing changed")
appendFileSync(join(folder, "test/Notes.t.sol"), "// more\n")
await measure("a test changed")
for (let round = 1; round <= 3; round++) {
  appendFileSync(join(folder, changed), `\n// change ${round}\n`)
  await measure("one source changed")
}
// The same without any cache, in code that is warm by now.
for (const file of sources) appendFileSync(join(folder, file), "\n")
await measure("every source changed")
await runtime.dispose()
rmSync(folder, { recursive: true })
