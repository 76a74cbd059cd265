#!/usr/bin/env bash
# Scans the checked-out repository in GitHub Actions. action.yml passes its inputs by the environment, so that nothing
# of a branch or file name is ever part of a command.
set -euo pipefail

assay() {
  "$ASSAY_ACTION_PATH/node_modules/.bin/node" "$ASSAY_ACTION_PATH/apps/cli/scan.ts" "$@"
}

arguments=(. --format sarif --output "$ASSAY_SARIF_FILE" --framework "$ASSAY_FRAMEWORK" --fail-on "$ASSAY_FAIL_ON")

if [[ "$ASSAY_FAIL_ON_NEW" != none ]]; then
  baseline="$ASSAY_BASELINE"
  if [[ -z "$baseline" && -n "$ASSAY_BASE_SHA" ]]; then
    base="$RUNNER_TEMP/assay-base"
    baseline="$RUNNER_TEMP/assay-base.sarif"
    git fetch --quiet --no-tags --depth=1 origin "$ASSAY_BASE_SHA"
    git worktree add --quiet --force --detach "$base" "$ASSAY_BASE_SHA"
    # A base without contracts has no report: then every finding is new.
    (cd "$base" && assay . --format sarif --output "$baseline" --framework "$ASSAY_FRAMEWORK") ||
      echo '{"findings":[]}' > "$baseline"
    git worktree remove --force "$base"
  fi
  if [[ -n "$baseline" ]]; then
    arguments+=(--baseline "$baseline" --fail-on-new "$ASSAY_FAIL_ON_NEW")
  else
    echo "::notice::Nothing to compare with: fail-on-new applies to pull requests, or needs the input baseline."
  fi
fi

code=0
assay "${arguments[@]}" || code=$?
echo "exit-code=$code" >> "$GITHUB_OUTPUT"
# Findings fail the job only after they were uploaded.
if [[ "$code" -gt 1 ]]; then exit "$code"; fi
