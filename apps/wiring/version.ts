import { readFileSync } from "node:fs"

/** From package.json, the one place where the version stands. */
export const version: string = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version
