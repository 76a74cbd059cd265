/** The report for auditors is one more of the forms that are kept for a result's readers. */
export const htmlReports: ReadonlyArray<string> = [
  // not checked against the rows that are there, all of which are of the forms before: that would lock readers out
  `ALTER TABLE reports DROP CONSTRAINT reports_form_check,
    ADD CONSTRAINT reports_form_check CHECK (form IN ('json', 'markdown', 'sarif', 'access', 'html')) NOT VALID`,
]
