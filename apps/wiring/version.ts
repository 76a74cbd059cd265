import { readFileSync } from "node:fs"

/** From package.json, the only place with the version. */
export const version: string = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version
