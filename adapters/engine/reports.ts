import { parentPort } from "node:worker_threads"
import { gzipSync } from "node:zlib"
import * as Effect from "effect/Effect"
import { renderHere } from "../../application/analysis/renderResult.ts"
import { type PackedReport, type ReportForm, reportForms } from "../../application/ports/analysis/PackedReport.ts"
import { behindOthers } from "./behindOthers.ts"
import type { RenderedFar, RenderingOrder } from "./ReportThread.ts"

/** The thread of `ReportThread`: renders and compresses one result after another. Any error ends it. */

behindOthers()

const pack = (text: string): PackedReport => {
  const bytes = Buffer.from(text)
  // As a store packs them.
  return { gzip: gzipSync(bytes, { level: 6 }), size: bytes.length }
}

parentPort?.on("message", async ({ id, rendering }: RenderingOrder) => {
  const { summary, findings, reports } = await Effect.runPromise(renderHere(rendering))
  const entries = reportForms.map((form) => [form, pack(reports[form])] as const)
  const answer: RenderedFar = {
    id,
    summary,
    listed:
      findings.length === rendering.assembly.findings.length
        ? undefined
        : findings.map(({ fingerprint }) => fingerprint),
    // All forms are present.
    reports: { json: reports.json, packed: Object.fromEntries(entries) as Record<ReportForm, PackedReport> },
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
  parentPort?.postMessage(answer)
})
