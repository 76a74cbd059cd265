interface Props {
  readonly columns: ReadonlyArray<string>
  /** The rows. */
  readonly children: React.ReactNode
}

/** A table that scrolls within itself on narrow screens. */
export const Table = ({ columns, children }: Props) => (
  <div className="table-wrap">
    <table>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
)
