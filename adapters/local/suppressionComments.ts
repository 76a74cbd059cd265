import type { ExternalResult } from "../../domain/external/ExternalResult.ts"
import { readSuppressions, type Suppressions } from "../../domain/finding/Suppression.ts"
import { readBelow } from "./readBelow.ts"

/** The suppression comments of the files that results are about, by path; each file is read once. */
export const suppressionComments = async (
  root: string,
  results: ReadonlyArray<ExternalResult>,
): Promise<ReadonlyMap<string, Suppressions>> => {
  const found = new Map<string, Suppressions>()
  for (const path of new Set(results.map(({ file }) => file))) {
    const bytes = await readBelow(root, path)
    if (bytes !== undefined) found.set(path, readSuppressions(path, bytes.toString("utf8")))
  }
  return found
}
