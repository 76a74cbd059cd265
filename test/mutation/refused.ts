import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { applyMutant, type Mutant } from "./guards.ts"
import { root } from "./ruleFiles.ts"

/** The text, adapted to compile in another folder. */
const movable = (path: string, text: string): string =>
  text.replaceAll(
    /^((?:import|export)\s[^"'`]*?["'])(\.[^"'\n]+)(["'])/gm,
    (_, before: string, specifier: string, after: string) => before + join(dirname(path), specifier) + after,
  )

const options = {
  extends: join(root, "tsconfig.json"),
  compilerOptions: {
    // What only the guard used is unused without it, which is no reason to keep the guard.
    noUnusedLocals: false,
    noUnusedParameters: false,
    allowUnreachableCode: true,
    types: [],
  },
}

/** Files that the compiler rejects even unchanged, so that it says nothing about their mutants. */
const assertCompile = (unmutated: ReadonlyArray<string>, objections: ReadonlySet<string>): void => {
  const wrong = unmutated.filter((_, index) => objections.has(`c${index}`))
  if (wrong.length > 0) throw new Error(`without any mutant, these do not compile:\n${wrong.join("\n")}`)
}

/**
 * The mutants that the compiler rejects: such a guard narrows a type, and nobody would remove it by mistake. All are
 * compiled together, which costs little more than one of them.
 */
export const refusedOf = <M extends Mutant>(
  files: ReadonlyArray<{ readonly path: string; readonly survivors: ReadonlyArray<M> }>,
): ReadonlySet<M> => {
  const all = files.flatMap(({ path, survivors }) => survivors.map((mutant) => ({ path, mutant })))
  if (all.length === 0) return new Set()
  const scratch = mkdtempSync(join(tmpdir(), "assay-mutants-"))
  try {
    writeFileSync(join(scratch, "package.json"), JSON.stringify({ type: "module" }))
    for (const [index, { path, mutant }] of all.entries()) {
      const text = applyMutant(readFileSync(path, "utf8"), mutant)
      writeFileSync(join(scratch, `m${index}.ts`), movable(path, text))
    }
    const unmutated = [...new Set(all.map(({ path }) => path))]
    for (const [index, path] of unmutated.entries())
      writeFileSync(join(scratch, `c${index}.ts`), movable(path, readFileSync(path, "utf8")))
    const names = [...all.map((_, index) => `m${index}.ts`), ...unmutated.map((_, index) => `c${index}.ts`)]
    writeFileSync(join(scratch, "tsconfig.json"), JSON.stringify({ ...options, include: [], files: names }))
    const { stdout, status } = spawnSync(join(root, "node_modules/.bin/tsc"), ["--pretty", "false"], {
      cwd: scratch,
      encoding: "utf8",
      maxBuffer: 1e9,
    })
    const objections = new Set([...stdout.matchAll(/^([cm]\d+)\.ts\(\d+,\d+\): error TS/gm)].map(([, file]) => file!))
    if (status !== 0 && objections.size === 0) throw new Error(`the compiler did not run: ${stdout.slice(0, 2_000)}`)
    assertCompile(unmutated, objections)
    return new Set(all.flatMap(({ mutant }, index) => (objections.has(`m${index}`) ? [mutant] : [])))
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
