import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import Ajv from "ajv-draft-04"
import addFormats from "ajv-formats"
import type { SarifLog } from "../../domain/report/Sarif.ts"

const schema: object = JSON.parse(
  readFileSync(
    createRequire(import.meta.url).resolve("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"),
    "utf8",
  ),
)
// Two of the schema's patterns are not valid with the u flag.
const ajv = new Ajv.default({ strict: false, unicodeRegExp: false })
addFormats.default(ajv)
const validate = ajv.compile(schema)

/** The OASIS schema's objections to a log, as a consumer reads it. */
export const objectionsTo = (log: SarifLog): unknown =>
  validate(JSON.parse(JSON.stringify(log))) ? [] : validate.errors
