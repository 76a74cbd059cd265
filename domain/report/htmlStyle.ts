/** The dashboard's colors and fonts, for a standalone file; `test/domain/report/Html.test.ts` keeps them in sync. */
export const htmlStyle = `
:root {
  color-scheme: light;
  --page: #ffffff; --raised: #f7f8fa; --line: #dfe3e8; --line-strong: #7d8894; --text: #12181f; --muted: #52606d;
  --accent: #0f766e; --critical: #9f1239; --high: #c2410c; --medium: #92610a; --low: #1d4ed8;
  --informational: #52606d;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    color-scheme: dark;
    --page: #0e1116; --raised: #161b22; --line: #2a323d; --line-strong: #6b7785; --text: #e6edf3; --muted: #9aa7b4;
    --accent: #2dd4bf; --critical: #fb7185; --high: #fb923c; --medium: #fbbf24; --low: #7db2ff;
    --informational: #9aa7b4;
  }
}
* { box-sizing: border-box; }
html { overflow-wrap: break-word; -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--page); color: var(--text); unicode-bidi: isolate;
  font: 14px/20px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif;
}
main, .top, footer { max-width: 960px; margin: 0 auto; padding: 24px 20px; }
.top { padding-bottom: 0; }
main { padding-block: 0; }
h1 { font-size: 28px; line-height: 34px; margin: 0 0 4px; }
h2 { font-size: 20px; line-height: 26px; margin: 32px 0 12px; }
h3 { font-size: 16px; line-height: 22px; margin: 0 0 4px; }
h4 { font-size: 14px; margin: 16px 0 4px; }
p, ul, ol { margin: 0 0 8px; }
ul, ol { padding-left: 24px; }
a { color: var(--accent); }
code, pre { font: 13px/20px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
code { unicode-bidi: isolate; overflow-wrap: anywhere; }
h1, h3, p, li { overflow-wrap: anywhere; }
.muted { color: var(--muted); }
.warning { border-left: 3px solid var(--high); background: var(--raised); padding: 8px 12px; margin: 12px 0 0; }
.severity { display: inline-flex; gap: 6px; align-items: center; font-weight: 600; white-space: nowrap; }
.severity svg { width: 12px; height: 12px; flex: none; }
[data-severity="critical"] .severity { color: var(--critical); }
[data-severity="high"] .severity { color: var(--high); }
[data-severity="medium"] .severity { color: var(--medium); }
[data-severity="low"] .severity { color: var(--low); }
[data-severity="informational"] .severity { color: var(--informational); }
.counts { display: flex; flex-wrap: wrap; gap: 8px 24px; padding: 12px 0; margin: 16px 0 8px; border: solid var(--line); border-width: 1px 0; }
.counts label, .counts span { display: inline-flex; gap: 6px; align-items: center; min-height: 24px; font-variant-numeric: tabular-nums; }
.counts input { width: 16px; height: 16px; margin: 0; accent-color: var(--accent); }
.counts .zero, .counts .zero .severity { color: var(--muted); font-weight: 400; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 6px 12px 6px 0; border-bottom: 1px solid var(--line); font-weight: 400; }
thead th { color: var(--muted); font-size: 12px; }
td:first-child { color: var(--muted); font-variant-numeric: tabular-nums; }
.list :is(td, th):is(:nth-child(1), :nth-child(2), :nth-child(5)) { white-space: nowrap; }
.list :is(td, th):last-child { padding-right: 0; }
article { border-top: 1px solid var(--line-strong); padding: 20px 0; }
.meta { display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 0 0 4px; }
pre { margin: 12px 0; padding: 8px 0; background: var(--raised); border: 1px solid var(--line); border-radius: 6px; overflow-x: auto; }
pre span { display: block; white-space: pre; padding: 0 12px 0 0; }
pre span::before { content: attr(data-line); display: inline-block; width: 56px; padding-right: 12px; color: var(--muted); text-align: right; }
.decision { background: var(--raised); border-left: 3px solid var(--accent); padding: 8px 12px; margin: 12px 0; }
footer { color: var(--muted); border-top: 1px solid var(--line); margin-top: 32px; }
body:has(#show-critical:not(:checked)) [data-kind][data-severity="critical"],
body:has(#show-high:not(:checked)) [data-kind][data-severity="high"],
body:has(#show-medium:not(:checked)) [data-kind][data-severity="medium"],
body:has(#show-low:not(:checked)) [data-kind][data-severity="low"],
body:has(#show-informational:not(:checked)) [data-kind][data-severity="informational"] { display: none; }
@media screen {
  .long article { content-visibility: auto; contain-intrinsic-size: auto 480px; }
}
@media (max-width: 600px) {
  .list :is(td, th):nth-child(n + 4) { display: none; }
}
@media print {
  body { font-size: 10pt; line-height: 14pt; }
  main, .top, footer { max-width: none; padding-inline: 0; }
  .counts input { display: none; }
  a { color: inherit; }
  h2, h3, h4, .meta { break-after: avoid; }
  pre, tr, .decision { break-inside: avoid; }
  pre span { white-space: pre-wrap; }
}
`
