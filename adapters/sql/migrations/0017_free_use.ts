/** Scans of a free month do not count while somebody pays. Of those carried before, what they were is not known: they do. */
export const freeUse: ReadonlyArray<string> = [
  `ALTER TABLE pools ADD COLUMN carried_free boolean NOT NULL DEFAULT false`,
]
