import type { Severity } from "../../../../domain/finding/Severity.ts"
import { count, exactDay } from "./format.ts"
import { Mark, severities, severityLabel } from "./Severity.tsx"

type Week = Readonly<Record<Severity, number>> & { readonly weekEnd: string }

const [width, height, left, bottom, top] = [520, 180, 36, 20, 8]

const total = (week: Week): number => severities.reduce((sum, severity) => sum + week[severity], 0)

/** A round number at or above the highest column. */
const ceilingOf = (highest: number): number => {
  if (highest <= 4) return 4
  const magnitude = 10 ** Math.floor(Math.log10(highest))
  return [1, 2, 4, 5, 10].map((step) => step * magnitude).find((ceiling) => ceiling >= highest)!
}

interface Props {
  readonly weeks: ReadonlyArray<Week>
  /** What a column represents, before its day. */
  readonly by?: string
}

interface ColumnProps {
  readonly by: string
  readonly week: Week
  readonly index: number
  /** Width of a column including its gap. */
  readonly step: number
  /** Height of one finding. */
  readonly scale: number
}

const Column = ({ by, week, index, step, scale }: ColumnProps) => {
  let y = height - bottom
  return (
    <g>
      <title>{`${by} ${exactDay(week.weekEnd)}: ${total(week)}`}</title>
      {severities.map((severity) => {
        const tall = week[severity] * scale
        y -= tall
        return (
          <rect
            key={severity}
            data-severity={severity}
            x={left + index * step + step * 0.18}
            y={y}
            width={step * 0.64}
            height={tall}
          />
        )
      })}
      {index % 3 === 0 && (
        <text x={left + (index + 0.5) * step} y={height - 4} textAnchor="middle">
          {exactDay(week.weekEnd).replace(/, \d+$/, "")}
        </text>
      )}
    </g>
  )
}

const Chart = ({ weeks, by }: Required<Props>) => {
  const ceiling = ceilingOf(Math.max(0, ...weeks.map(total)))
  const scale = (height - bottom - top) / ceiling
  const step = (width - left) / Math.max(1, weeks.length)
  return (
    <svg viewBox={`0 0 ${width} ${height}`} className="chart" aria-hidden="true">
      {[0, 0.5, 1].map((share) => {
        const y = height - bottom - share * ceiling * scale
        return (
          <g key={share}>
            <line className="grid" x1={left} x2={width} y1={y} y2={y} />
            <text x={left - 6} y={y + 4} textAnchor="end">
              {count(share * ceiling)}
            </text>
          </g>
        )
      })}
      {weeks.map((week, index) => (
        <Column key={week.weekEnd} by={by} week={week} index={index} step={step} scale={scale} />
      ))}
    </svg>
  )
}

const Legend = () => (
  <ul className="legend" aria-hidden="true">
    {severities.map((severity) => (
      <li key={severity} className="severity" data-severity={severity}>
        <Mark severity={severity} size={10} /> {severityLabel[severity]}
      </li>
    ))}
  </ul>
)

/** For people who cannot see the chart. */
const Figures = ({ weeks, by }: Required<Props>) => (
  <table>
    <caption>Findings over time</caption>
    <thead>
      <tr>
        <th scope="col">{by}</th>
        {severities.map((severity) => (
          <th key={severity} scope="col">
            {severityLabel[severity]}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {weeks.map((week) => (
        <tr key={week.weekEnd}>
          <th scope="row">{exactDay(week.weekEnd)}</th>
          {severities.map((severity) => (
            <td key={severity}>{week[severity]}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)

/** Columns by week, or by something else, stacked worst at the bottom, with the same data as a table. */
export const Trend = ({ weeks, by = "Week to" }: Props) => (
  <figure className="section">
    <Chart weeks={weeks} by={by} />
    <Legend />
    <div className="visually-hidden">
      <Figures weeks={weeks} by={by} />
    </div>
  </figure>
)
