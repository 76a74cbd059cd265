/**
 * What hostile amounts of one thing cost: `npm run bench:growth [-- ecosystem [part of an axis [characters]]]` examines
 * programs of 400,000 characters (thousands of functions, branches, accounts …) and of a quarter of that, and names the
 * rules whose CPU time grows faster than the text. `test/domain/detection/growth` does so with a tenth.
 */
import type { Ecosystem } from "../../domain/analysis/Framework.ts"
import { axes, examiner, growthAlong } from "../support/axes/growth.ts"

const [only, part = "", characters = "400_000"] = process.argv.slice(2)

for (const ecosystem of Object.keys(axes) as ReadonlyArray<Ecosystem>) {
  if (only !== undefined && only !== ecosystem) continue
  const run = await examiner(ecosystem)
  for (const [name, axis] of Object.entries(axes[ecosystem])) {
    if (!name.includes(part)) continue
    const { suspects, broken, total } = growthAlong(run, axis, Number(characters.replaceAll("_", "")))
    console.log(
      [`${ecosystem} · ${name}: ${(total / 1_000).toFixed(1)} s`, ...suspects, ...broken.slice(0, 2)].join("\n  "),
    )
    if (suspects.length > 0) process.exitCode = 1
  }
}
