#!/usr/bin/env bash
# Scans the checked-out repository in GitHub Actions. action.yml passes its inputs by the environment, so that nothing
# of a branch or file name is ever part of a command.
set -euo pipefail

base="$RUNNER_TEMP/assay-base"
log="$RUNNER_TEMP/assay.log"

# The output of a scan may contain file names from the repository: until the token, the runner ignores workflow commands.
token="assay-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')"
assay() {
  local code=0
  echo "::stop-commands::$token"
  "$ASSAY_ACTION_PATH/node_modules/.bin/node" --no-use-osr --battery-saver-mode --max-semi-space-size=8 --import "$ASSAY_ACTION_PATH/apps/cli/exactImports.ts" "$ASSAY_ACTION_PATH/apps/cli/scan.ts" "$@" 2>&1 | tee "$log" || code=$?
  echo
  echo "::$token::"
  return "$code"
}

git_safely() {
  git -c core.hooksPath=/dev/null -c filter.lfs.smudge= -c filter.lfs.process= -c filter.lfs.required=false "$@"
}

refuse() {
  echo "::error::$1"
  exit 2
}

# Folders on disk that are not part of the commit itself: submodules and installed packages.
beside_files() {
  local entry
  git -C "$base" ls-files -z --stage | while IFS= read -r -d '' entry; do
    if [[ "$entry" == 160000* ]]; then printf './%s\0' "${entry#*$'\t'}"; fi
  done
  find . -name .git -prune -o -type d -name node_modules -prune -print0
}

# These belong to the base as well. Hard-linked where the file system supports it, because they may be large.
complete_base() {
  local folder
  beside_files | while IFS= read -r -d '' folder; do
    if [[ ! -d "$folder" || -L "$folder" || -n "$(ls -A "$base/$folder" 2> /dev/null)" ]]; then continue; fi
    mkdir -p "$base/$(dirname "$folder")"
    rm -rf "${base:?}/$folder"
    cp -al "$folder" "$base/$folder" 2> /dev/null || cp -a "$folder" "$base/$folder"
  done
}

discard_base() {
  git_safely worktree remove --force "$base" 2> /dev/null || rm -rf "$base"
  git_safely worktree prune
}

# The report of the pull request's base commit, in $baseline.
scan_base() {
  [[ "$ASSAY_BASE_SHA" =~ ^[0-9a-f]{40,64}$ ]] || refuse "The base commit of the pull request is not a commit id."
  if ! git cat-file -e "$ASSAY_BASE_SHA^{commit}" 2> /dev/null; then
    git_safely fetch --quiet --no-tags --depth=1 origin "$ASSAY_BASE_SHA" ||
      refuse "The base commit cannot be fetched from origin. Check out with fetch-depth: 0, or set the input baseline."
  fi
  trap discard_base EXIT
  git_safely worktree add --quiet --force --detach "$base" "$ASSAY_BASE_SHA"
  complete_base
  rm -f "$baseline"
  (cd "$base" && assay . --format=sarif --output="$baseline" --framework="$ASSAY_FRAMEWORK" --allow-empty) ||
    refuse "The base commit cannot be scanned."
  # A base without contracts produces no report, so every finding is new.
  [[ -e "$baseline" ]] || echo '{"findings":[]}' > "$baseline"
  discard_base
  trap - EXIT
}

[[ -n "$ASSAY_SARIF_FILE" ]] || refuse "The input sarif-file is empty."
arguments=(. --format=sarif --output="$ASSAY_SARIF_FILE" --framework="$ASSAY_FRAMEWORK" --fail-on="$ASSAY_FAIL_ON")

case "$ASSAY_FAIL_ON_NEW" in
  critical | high | medium | low | none) ;;
  *) refuse "The input fail-on-new must be critical, high, medium, low or none." ;;
esac

if [[ "$ASSAY_FAIL_ON_NEW" != none ]]; then
  baseline="$ASSAY_BASELINE"
  if [[ -z "$baseline" && -n "$ASSAY_BASE_SHA" ]]; then
    baseline="$RUNNER_TEMP/assay-base.sarif"
    scan_base
  fi
  if [[ -n "$baseline" ]]; then
    arguments+=(--baseline="$baseline" --fail-on-new="$ASSAY_FAIL_ON_NEW")
  else
    echo "::notice::Nothing to compare with: fail-on-new applies to pull requests, or needs the input baseline."
  fi
fi

code=0
assay "${arguments[@]}" || code=$?
echo "exit-code=$code" >> "$GITHUB_OUTPUT"
# Indented, so that it is shown as it is, whatever it says.
{ echo "### Assay"; echo; sed -E '/^ *[0-9]+% /d; s/^/    /' "$log"; } >> "${GITHUB_STEP_SUMMARY:-/dev/null}"
# Findings fail the job only after they were uploaded.
if [[ "$code" -gt 1 ]]; then exit "$code"; fi
