/**
 * What the engine costs: `node test/bench/engine.ts [folder]` examines a folder, or without one synthetic corpora of 50
 * to 5,000 files and files with one large function or contract each. Each measurement runs in a separate process, so that
 * CPU time and peak memory are its own.
 */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import { engineLayer } from "../../adapters/engine/engineLayer.ts"
import { DetectionEngine } from "../../application/ports/analysis/DetectionEngine.ts"
import { ecosystems } from "../../domain/analysis/Framework.ts"
import { isRelevant, isSource } from "../../domain/detection/ProjectFiles.ts"
import { sourceFile } from "../../domain/detection/SourceFile.ts"
import { largeFunctions } from "../support/largeFunctions.ts"

interface Measurement {
  readonly files: number
  readonly lines: number
  readonly findings: number
  readonly skipped: number
  readonly seconds: number
  readonly cpuSeconds: number
  readonly peakMegabytes: number
}

const self = fileURLToPath(import.meta.url)
const frontEnds = new URL("../../apps/engine/frontEnds.ts", import.meta.url)
const compileCache = join(tmpdir(), "assay-bench-compile-cache")

const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter(isRelevant)

const finish = (files: ReadonlyArray<string>, folder: string, started: number, rest: Partial<Measurement>): void => {
  const { user, system } = process.cpuUsage()
  const seconds = (performance.now() - started) / 1_000
  const cpuSeconds = (user + system) / 1_000_000
  const peakMegabytes = process.resourceUsage().maxRSS / 1_000
  const sources = files.filter(isSource)
  const lines = sources.reduce((sum, file) => sum + readFileSync(join(folder, file), "utf8").split("\n").length, 0)
  const measured = {
    files: sources.length,
    lines,
    findings: 0,
    skipped: 0,
    seconds,
    cpuSeconds,
    peakMegabytes,
    ...rest,
  }
  console.log(JSON.stringify(measured))
}

const examineFolder = async (folder: string): Promise<void> => {
  const started = performance.now()
  const files = filesIn(folder)
  const present = ecosystems.filter((name) => files.some((file) => file.endsWith(name === "evm" ? ".sol" : ".rs")))
  const program = Effect.gen(function* () {
    const engine = yield* DetectionEngine
    return yield* engine.examine({ directory: folder, files, ecosystems: present }, () => {})
  })
  const layer = engineLayer({ frontEnds, version: "0", threads: 1, compileCache })
  const { findings, coverage } = await Effect.runPromise(Effect.provide(program, layer))
  finish(files, folder, started, { findings: findings.length, skipped: coverage.filesSkipped.length })
}

const parseFolder = async (folder: string): Promise<void> => {
  const started = performance.now()
  const files = filesIn(folder)
  // The module is the one the engine's threads load.
  const { frontEnd } = (await import(frontEnds.href)) as typeof import("../../apps/engine/frontEnds.ts")
  const wanted = files.some((file) => file.endsWith(".sol")) ? "evm" : "solana"
  const parser = await frontEnd(wanted)
  parser(({ isSource, parse }) => {
    const mine = files.filter((path) => isSource(path))
    for (const file of mine) parse(sourceFile(file, readFileSync(join(folder, file), "utf8")))
  })
  finish(files, folder, started, {})
}

const inOwnProcess = (mode: string, folder: string): Measurement =>
  // Written by `finish`.
  JSON.parse(execFileSync(process.execPath, [self, mode, folder], { encoding: "utf8" })) as Measurement

const contract = (index: number): string => `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {IToken${index}} from "./IToken${index}.sol";
${index % 10 === 0 ? "" : `import {Vault${index - 1}} from "../p${Math.floor((index - 1) / 10)}/Vault${index - 1}.sol";`}

interface IToken${index}Like {
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

contract Vault${index} ${index % 10 === 0 ? "" : `is Vault${index - 1} `}{
    address public owner${index};
    mapping(address => uint256) public balances${index};
    mapping(address => mapping(address => uint256)) private allowances${index};
    uint256 private total${index};
    IToken${index}Like private token${index};

    event Deposited${index}(address indexed from, uint256 amount);
    error NotOwner${index}(address caller);

    modifier onlyOwner${index}() {
        if (msg.sender != owner${index}) revert NotOwner${index}(msg.sender);
        _;
    }

    function setToken${index}(IToken${index}Like token) external onlyOwner${index} {
        token${index} = token;
    }

    function deposit${index}(uint256 amount) external {
        require(token${index}.transferFrom(msg.sender, address(this), amount), "transfer");
        balances${index}[msg.sender] += amount;
        total${index} += amount;
        emit Deposited${index}(msg.sender, amount);
    }

    function withdraw${index}(uint256 amount) external {
        require(balances${index}[msg.sender] >= amount, "balance");
        ${index % 7 === 0 ? `(bool sent, ) = msg.sender.call{value: amount}("");\n        require(sent);\n        balances${index}[msg.sender] -= amount;` : `balances${index}[msg.sender] -= amount;\n        (bool sent, ) = msg.sender.call{value: amount}("");\n        require(sent);`}
        total${index} -= amount;
    }

    function share${index}(address account) public view returns (uint256) {
        uint256 sum = 0;
        for (uint256 i = 0; i < 10; i++) {
            if (i % 2 == 0) {
                sum += (balances${index}[account] * i) / (total${index} + 1);
            } else {
                sum -= sum / 2;
            }
        }
        return sum;
    }

    function approve${index}(address spender, uint256 amount) external returns (bool) {
        allowances${index}[msg.sender][spender] = amount;
        return true;
    }
}
`

/** Files of one kind in folders of ten, each inheriting from the one before it. */
const synthetic = (count: number): string => {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-"))
  for (let index = 0; index < count; index++) {
    const at = join(folder, `p${Math.floor(index / 10)}`)
    mkdirSync(at, { recursive: true })
    writeFileSync(join(at, `Vault${index}.sol`), contract(index))
  }
  return folder
}

const number = (value: number): string => value.toFixed(2).padStart(9)

const report = (name: string, folder: string): void => {
  const parse = inOwnProcess("--parse", folder)
  const whole = inOwnProcess("--examine", folder)
  const milliseconds = (whole.cpuSeconds / whole.files) * 1_000
  console.log(
    `${name.padEnd(16)}${String(whole.files).padStart(6)}${String(whole.lines).padStart(9)}${String(whole.findings).padStart(9)}` +
      `${number(whole.seconds)}${number(whole.cpuSeconds)}${number(milliseconds)}${number(parse.cpuSeconds)}` +
      `${number(whole.cpuSeconds / parse.cpuSeconds)}${number(whole.peakMegabytes)}`,
  )
}

const [mode, folder] = process.argv.slice(2)
if (mode === "--examine" && folder !== undefined) await examineFolder(folder)
else if (mode === "--parse" && folder !== undefined) await parseFolder(folder)
else {
  console.log(
    `${"corpus".padEnd(16)} files    lines findings  seconds  CPU sec  CPU ms/f  parse s    ratio  peak MB  (parse s: parsing alone, start included)`,
  )
  const sizes = mode === undefined ? [50, 500, 5_000] : []
  // The first run fills the code cache, which later scans on the same machine use.
  for (const size of mode === undefined ? [5] : []) {
    const made = synthetic(size)
    inOwnProcess("--examine", made)
    rmSync(made, { recursive: true })
  }
  for (const size of sizes) {
    const made = synthetic(size)
    report(`synthetic`, made)
    rmSync(made, { recursive: true })
  }
  // time for twice the size should be about twice as long
  for (const size of mode === undefined ? [2_000, 4_000] : []) {
    const made = mkdtempSync(join(tmpdir(), "assay-bench-"))
    let file = 0
    for (const text of largeFunctions.values()) writeFileSync(join(made, `Large${file++}.sol`), text(size))
    report(`large ${size}`, made)
    rmSync(made, { recursive: true })
  }
  if (mode !== undefined) {
    inOwnProcess("--examine", mode)
    report(mode.split("/").at(-1) ?? mode, mode)
  }
}
