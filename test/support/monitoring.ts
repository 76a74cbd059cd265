import { readFileSync } from "node:fs"

const read = (name: string): string => readFileSync(new URL(`../../k8s/observability/${name}`, import.meta.url), "utf8")

interface Panel {
  readonly title: string
  readonly targets?: ReadonlyArray<{ readonly expr: string; readonly datasource: { readonly uid: string } }>
}

/** Every query of the dashboard. */
export const dashboard = () =>
  // Our own file, in the format that Grafana exports.
  (JSON.parse(read("dashboard.json")) as { readonly panels: ReadonlyArray<Panel> }).panels.flatMap(
    ({ title, targets = [] }) =>
      targets.map(({ expr, datasource }) => ({ title, expression: expr, datasource: datasource.uid })),
  )

/** Every alert with its expression. */
export const alerts = (): ReadonlyArray<{ readonly name: string; readonly expression: string }> =>
  read("alerts.yaml")
    .split(/^ {6}- alert: /m)
    .slice(1)
    .map((rule) => ({
      name: /^\w+/.exec(rule)![0],
      expression: /^ {8}expr: (?:>-\n)?(.*?)\n {8}\w/ms.exec(rule)![1]!,
    }))

/** The metric families that an expression reads. */
export const metricsIn = (text: string): ReadonlyArray<string> => [
  ...new Set(
    [...text.matchAll(/\b(?:assay|process|nodejs)_[a-z_]+[a-z]\b/g)].map(([name]) =>
      name.replace(/_(bucket|count|sum)$/, ""),
    ),
  ),
]
