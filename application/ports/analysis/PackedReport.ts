/** The forms in which a completed result is stored for its readers. */
export const reportForms = ["json", "markdown", "sarif", "access", "html"] as const
export type ReportForm = (typeof reportForms)[number]

/** A report as it is stored and sent. */
export interface PackedReport {
  /** The text in UTF-8, in the format of gzip (RFC 1952). */
  readonly gzip: Uint8Array
  /** Bytes of the text. */
  readonly size: number
}

/** The texts of all forms. */
export type RenderedReports = Readonly<Record<ReportForm, string>>

/** What a store accepts: the texts, or all of them packed together with the one that earlier releases read. */
export type KeptReports =
  | RenderedReports
  | { readonly json: string; readonly packed: Readonly<Record<ReportForm, PackedReport>> }
