/**
 * The reports of a result in each of their forms, compressed as readers are sent them. What is compressed is not
 * compressed again, so that a part of it is read without the rest.
 *
 * It refers to the results, to which only the end of an analysis writes: the reference takes a lock that no reading and
 * no other writing waits for.
 */
export const reports: ReadonlyArray<string> = [
  `CREATE TABLE reports (
    analysis_id uuid NOT NULL REFERENCES analysis_results (analysis_id) ON DELETE CASCADE,
    form text NOT NULL CHECK (form IN ('json', 'markdown', 'sarif')),
    gzip bytea NOT NULL,
    size integer NOT NULL,
    PRIMARY KEY (analysis_id, form)
  )`,
  `ALTER TABLE reports ALTER COLUMN gzip SET STORAGE EXTERNAL`,
]
