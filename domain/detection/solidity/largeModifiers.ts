import type { FunctionModel, ModifierModel, SourceModel } from "./model.ts"

/** Characters of modifiers that may be placed into functions: so many in any program, or so many per character of its files. */
const always = 400_000
const perCharacter = 4

const lengthOf = ({ node: { start, end } }: ModifierModel): number => end - start

/**
 * Modifiers that are placed into functions only as if their source were missing: a large one on many functions would
 * make a program grow with the product of both. The smallest are placed first. Overrides count like what they override.
 */
export const largeModifiers = (
  sources: ReadonlyArray<SourceModel>,
  functions: ReadonlyArray<FunctionModel>,
  modifiers: ReadonlyArray<ModifierModel>,
): ReadonlySet<ModifierModel> => {
  const uses = new Map<string, number>()
  for (const fn of functions)
    for (const { modifier } of fn.modifiers)
      if (modifier !== undefined) uses.set(modifier.name, (uses.get(modifier.name) ?? 0) + 1)
  const written = sources.reduce((sum, { file }) => sum + file.text.length, 0)
  let left = Math.max(always, perCharacter * written)
  const placed = [...Map.groupBy(modifiers, ({ name }) => name)]
    .map(([name, all]) => ({
      all,
      length: all.reduce((most, one) => Math.max(most, lengthOf(one)), 0) * (uses.get(name) ?? 0),
    }))
    .toSorted((a, b) => a.length - b.length)
  return new Set(placed.flatMap(({ all, length }) => ((left -= length) < 0 ? all : [])))
}
