const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/**
 * Whether a text is an id in the database's form; any other text identifies no row and would be an invalid parameter.
 */
export const isUuid = (text: string): boolean => shape.test(text)

/** An id as the database writes it; a client may send it in upper case. */
export const canonicalId = <Id extends string>(id: Id): Id => id.toLowerCase() as Id // the same id, whatever its case
