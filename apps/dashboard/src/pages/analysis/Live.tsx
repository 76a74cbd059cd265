import type { Stage } from "../../../../../domain/analysis/Stage.ts"
import type { Output } from "../../api/contract.ts"
import { useProgress } from "./useProgress.ts"

/** Every stage that can be in progress, in order. */
export const stages: ReadonlyArray<readonly [Stage, string]> = [
  ["queued", "Waiting for a worker"],
  ["fetching_source", "Fetching the source"],
  ["detecting_framework", "Detecting the framework"],
  ["compilation", "Parsing and resolving"],
  ["static_analysis", "Running the rules"],
  ["external_analysis", "Running external engines"],
  ["ai_analysis", "Reviewing with AI"],
  ["report_generation", "Writing the report"],
]
const optional: ReadonlyArray<Stage> = ["external_analysis", "ai_analysis"]

/** The stages as they pass. Optional ones are shown once reached, since most services have neither. */
export const Live = ({ status }: { readonly status: Output<"analysis.status"> }) => {
  const { broken } = useProgress(status.analysisId, true)
  const now = stages.findIndex(([stage]) => stage === status.currentStage)
  return (
    <section className="section" aria-labelledby="progress">
      <h2 id="progress">{status.status === "pending" ? "Waiting" : "Running"}</h2>
      <div
        className="meter"
        role="progressbar"
        aria-label="Progress of the analysis"
        aria-valuenow={status.progress}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
          <rect width={status.progress} height="8" />
        </svg>
      </div>
      <p className="number" role="status">
        {status.progress} %, {stages[now]?.[1].toLowerCase() ?? "almost there"}
        {broken && " (reconnecting)"}
      </p>
      <ol className="stages">
        {stages
          .filter(([stage]) => stage === status.currentStage || !optional.includes(stage))
          .map(([stage, label]) => {
            const at = stages.findIndex(([one]) => one === stage)
            const state = at < now ? "done" : at === now ? "now" : "later"
            return (
              <li key={stage} data-state={state} aria-current={state === "now" ? "step" : undefined}>
                <span aria-hidden="true">{state === "done" ? "✓" : state === "now" ? "▸" : "·"}</span>
                {label}
              </li>
            )
          })}
      </ol>
      <p className="muted">You can leave this page; the analysis continues.</p>
    </section>
  )
}
