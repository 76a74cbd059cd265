import { promisify } from "node:util"
import { gunzip, gzip } from "node:zlib"
import * as Effect from "effect/Effect"
import type { PackedReport } from "../../../application/ports/analysis/PackedReport.ts"
import { type AccessRow, type AccessTable, compareAccess, fitChanges } from "../../../domain/access/AccessTable.ts"

const unpack = promisify(gunzip)
const pack = promisify(gzip)

/** The service wrote it itself, within its limit. */
const rowsOf = async ({ gzip: bytes, size }: PackedReport): Promise<ReadonlyArray<AccessRow>> =>
  (JSON.parse((await unpack(bytes, { maxOutputLength: size })).toString()) as AccessTable).access

/** What changed from one kept access table to a later one, as it is sent. */
export const accessChanges = (before: PackedReport, after: PackedReport): Effect.Effect<PackedReport> =>
  Effect.promise(async () => {
    const text = Buffer.from(JSON.stringify(fitChanges(compareAccess(await rowsOf(before), await rowsOf(after)))))
    return { gzip: await pack(text), size: text.length }
  })
