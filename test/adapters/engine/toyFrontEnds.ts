import { existsSync, writeFileSync } from "node:fs"
import type { LoadFrontEnd } from "../../../adapters/engine/ThreadProtocol.ts"
import type { Ecosystem } from "../../../domain/analysis/Framework.ts"
import { type Project, type SomeFrontEnd, someFrontEnd } from "../../../domain/detection/FrontEnd.ts"
import type { Rule, RuleMeta } from "../../../domain/detection/Rule.ts"
import type { SourceFile } from "../../../domain/detection/SourceFile.ts"

/**
 * A language of one statement per line, whose statements harm the engine that reads them:
 * `<phase> <harm>` with the phase `imports` or `resolve` (reading a `foundry.toml` before sources and after), `parse`,
 * `build`, `model` (building, on behalf of the file), `rule` or `shared` (what all rules ask for and the first one works
 * out), and the harm `loops`, `allocates`, `fills`, `recurses`, `throws`, `aborts`, `exits`, `sleeps`, `works <rounds>`, or
 * `once <file>`, which loops as long as that file is not there and makes it. `broken` is a syntax error, `finding` is found.
 */
interface Program {
  readonly files: ReadonlyArray<SourceFile>
  readonly shared: () => void
}

/** The same work each time, whatever else the machine is doing. */
export const work = (rounds: number): number => {
  let value = 1
  for (let round = 0; round < rounds; round++) value = (Math.imul(value, 1_103_515_245) + 12_345) | 0
  return value
}

const kept: Array<unknown> = []

const harms: Record<string, (argument: string) => void> = {
  works: (rounds) => void kept.push(work(Number(rounds))),
  sleeps: () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  once: (marker) => {
    if (existsSync(marker)) return
    writeFileSync(marker, "")
    for (;;);
  },
  loops: () => {
    for (;;);
  },
  allocates: () => {
    for (;;) kept.push({ at: kept.length })
  },
  fills: () => {
    for (;;) kept.push(new Uint8Array(1_000_000).fill(1))
  },
  recurses: () => {
    const deeper = (depth: number): number => deeper(depth + 1) + 1
    deeper(0)
  },
  throws: () => {
    throw new Error("thrown on purpose")
  },
  aborts: () => {
    throw Object.assign(new Error("memory access out of bounds"), { name: "RuntimeError" })
  },
  exits: () => process.exit(3),
}

const suffer = (phase: string, text: string): void => {
  for (const line of text.split("\n")) {
    const [when, harm, argument] = line.split(" ")
    if (when === phase) harms[harm!]?.(argument ?? "")
  }
}

const configure = (project: Project, phase: string): void => {
  for (const path of project.paths) {
    if (path.endsWith("foundry.toml")) project.read(path, ({ text }) => suffer(phase, text))
  }
}

const meta = (name: string): RuleMeta => ({
  id: `evm/logic/${name}`,
  class: "toy",
  title: `Toy ${name}`,
  severity: "low",
  confidence: "high",
  cwe: [1],
  description: "A toy. It is for tests.",
  remediation: "None.",
  references: [],
})

const examples = { vulnerable: ["", ""], safe: ["", ""] } as const

const finds: Rule<Program> = {
  meta: meta("finds"),
  examples,
  check: ({ files, shared }, report) => {
    shared()
    for (const file of files) {
      const start = file.text.indexOf("finding")
      if (start !== -1) report({ file, span: { start, end: start + 7 }, scope: "toy" })
    }
  },
}

const suffers: Rule<Program> = {
  meta: meta("suffers"),
  examples,
  check: ({ files, shared }) => {
    shared()
    for (const { text } of files) suffer("rule", text)
  },
}

const toy = (ecosystem: Ecosystem, extension: string): SomeFrontEnd =>
  someFrontEnd<SourceFile, Program>({
    ecosystem,
    isSource: (path) => path.endsWith(extension),
    parse: (file) => {
      suffer("parse", file.text)
      const start = file.text.indexOf("broken")
      return {
        unit: file,
        errors: start === -1 ? [] : [{ start, end: start + 6 }],
        problems: [],
        functions: 1,
        usable: file.text.replaceAll("broken", "").trim() !== "",
      }
    },
    imports: (project) => {
      configure(project, "imports")
      return () => []
    },
    build: (files, project, activity) => {
      configure(project, "resolve")
      for (const file of files) {
        suffer("build", file.text)
        activity(file, () => suffer("model", file.text))
      }
      let isShared = false
      const shared = (): void => {
        if (!isShared) for (const { text } of files) suffer("shared", text)
        isShared = true
      }
      return { files, shared }
    },
    rules: [finds, suffers],
  })

export const frontEnd: LoadFrontEnd = (ecosystem) =>
  Promise.resolve(toy(ecosystem, ecosystem === "evm" ? ".sol" : ".rs"))
