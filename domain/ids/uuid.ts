/** Any 128-bit identifier in the notation of RFC 9562, whatever its version. Without flags, as OpenAPI quotes it. */
export const uuidPattern = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/

/**
 * Whether a text is an id in the database's form; any other text identifies no row and would be an invalid parameter.
 */
export const isUuid = (text: string): boolean => uuidPattern.test(text)

/** An id as the database writes it; a client may send it in upper case. */
export const canonicalId = <Id extends string>(id: Id): Id => id.toLowerCase() as Id // the same id, whatever its case
