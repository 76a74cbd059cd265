const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a text is an id as the database has them; anything else names no row, and would be a wrong parameter. */
export const isUuid = (text: string): boolean => shape.test(text)
