import { readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { readBaseline } from "../../domain/report/Baseline.ts"
import { Refusal } from "../runMain.ts"

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Larger than any report: GitHub takes SARIF files up to 10 MB compressed. */
const maxBytes = 200_000_000

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return "code" in error && error.code === "ENOENT" ? "there is no such file" : error.message
}

const fromFile = (path: string) =>
  Effect.tryPromise({
    try: async () => {
      const { size } = await stat(path)
      if (size > maxBytes) throw new Error("it is larger than 200 MB")
      return await readFile(path, "utf8")
    },
    catch: (error) => new Refusal(`The baseline ${path} cannot be read: ${reasonOf(error)}.`),
  })

/** The key of `npm start` on this machine, where it has one. */
const localKey = () =>
  readFile(join(process.env["ASSAY_DATA_DIR"] ?? ".assay", "api-key"), "utf8").then(
    (text) => text.trim(),
    () => undefined,
  )

/** The result of an analysis of a running service: `ASSAY_URL`, with `ASSAY_API_KEY`. */
const fromService = (analysisId: string) =>
  Effect.tryPromise({
    try: async () => {
      const url = (process.env["ASSAY_URL"] ?? "http://127.0.0.1:8080").replace(/\/+$/, "")
      const key = process.env["ASSAY_API_KEY"] ?? (await localKey())
      if (key === undefined) throw new Error("set ASSAY_API_KEY to an API key of the service at ASSAY_URL")
      const response = await fetch(`${url}/api/v1/analysis/${analysisId}/result`, {
        headers: { authorization: `Bearer ${key}` },
        signal: AbortSignal.timeout(30_000),
        redirect: "error",
      }).catch(() => {
        throw new Error(`${url} cannot be reached. Set ASSAY_URL to the address of the service`)
      })
      if (!response.ok) {
        throw new Error(
          response.status === 404
            ? `${url} knows no such analysis of yours`
            : `${url} answered with ${response.status}`,
        )
      }
      return await response.text()
    },
    catch: (error) => new Refusal(`The baseline ${analysisId} cannot be read: ${reasonOf(error)}.`),
  })

/** Fingerprints of the earlier report that `--baseline` names: a SARIF or JSON file, or the id of an analysis. */
export const loadBaseline = Effect.fnUntraced(function* (source: string) {
  const text = yield* uuid.test(source) ? fromService(source) : fromFile(source)
  const baseline = readBaseline(text)
  return Result.isSuccess(baseline)
    ? baseline.success
    : yield* Effect.fail(new Refusal(`The baseline ${source} ${baseline.failure}.`))
})
